"""A session comes back as it was after one of the last verbs, whichever call fails and wherever the kernel is killed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from faults.disk import FAULTS, every_fault
from kernels import killed

from workbench import Workbench
from workbench.bench import session_files
from workbench.bench.keeper import Keeper
from workbench.bench.session import Packer, Session, unpacked
from workbench.files.claim import Claim
from workbench.simulation.scenario import example


@dataclass
class Kernel:
    """A kernel with one workbench.

    Attributes:
        main: its session file.
        keeper: what writes it.
        before: the session on the disk.
        after: the session that a verb leads to.
    """

    main: Path
    keeper: Keeper
    before: Session
    after: Session


@pytest.fixture(scope="module")
def sessions() -> dict[str, Session]:
    """Sessions by what the last verb was: a step, and an input."""
    wb = Workbench.example("multitenancy")
    wb.step()
    found = {"first": Session("design", wb.study(), calls=("a",))}
    wb.step()
    found["step"] = Session("design", wb.study(), calls=("a", "b"))
    wb.add_node("more", {"vcore": "1"})
    found["input"] = Session("design", wb.study(), tuple(wb.past), calls=("a", "c"))
    other = Workbench.example("two-tenants")
    found["earlier"] = Session("earlier", other.study())
    # As a file gives them back: events count themselves anew.
    return {verb: unpacked(Packer().whole(each, "").text.encode()) for verb, each in found.items()}


@pytest.fixture
def kernels(tmp_path: Path, sessions, monkeypatch) -> Iterator[Callable[[str, bool], Kernel]]:
    """Makes a kernel in a folder of its own: which verb comes, and whether the session of an earlier run is to be set aside."""
    numbers = count()

    def make(verb: str, fresh: bool = False) -> Kernel:
        killed(monkeypatch)
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        main = folder / ".study.session.json"
        keeper = Keeper(main)
        keeper.settle()
        keeper.keep(sessions["earlier" if fresh else "first"])
        if fresh:
            keeper.leave()
            keeper = Keeper(main)
            keeper.settle()
        return Kernel(main, keeper, sessions["earlier" if fresh else "first"], sessions[verb])

    yield make
    killed(monkeypatch)


def come_back_to(kernel: Kernel) -> list[Session]:
    """What a further kernel is offered, the last first."""
    return [session_files.read(path) for path in session_files.of_notebook(kernel.main)]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("verb", ["step", "input"])
def test_a_fault_in_a_save_leaves_the_session_before_it_or_after_it(kernels, verb, fault):
    for kernel, met in every_fault(fault, lambda: kernels(verb), lambda kernel: kernel.keeper.keep(kernel.after)):
        offered = come_back_to(kernel)
        assert len(offered) == 1 and offered[0] in (kernel.before, kernel.after), met.place
        assert not list(kernel.main.parent.glob("*damaged*")), met.place
        if met.killed:
            continue
        # Nobody believes what is not so, and the next attempt, on a disk that works, mends it all.
        assert offered[0] == kernel.after or kernel.keeper.problem or isinstance(met.error, KeyboardInterrupt), met.place
        assert not isinstance(met.error, Exception), met.place
        kernel.keeper.keep(kernel.after)
        assert come_back_to(kernel)[0] == kernel.after and kernel.keeper.problem == "" and kernel.keeper.pending is None, met.place


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_first_save_leaves_the_session_of_the_earlier_run(kernels, fault):
    for kernel, met in every_fault(fault, lambda: kernels("step", True), lambda kernel: kernel.keeper.keep(kernel.after)):
        offered = come_back_to(kernel)
        assert kernel.before in offered and offered[0] in (kernel.before, kernel.after), met.place
        assert len(offered) == len({each.name for each in offered}), met.place
        if not met.killed:
            kernel.keeper.keep(kernel.after)
            offered = come_back_to(kernel)
            assert offered[0] == kernel.after and kernel.before in offered, met.place


@pytest.mark.parametrize("fault", [name for name in FAULTS if name.startswith("killed")])
def test_after_a_kill_the_next_kernel_goes_on_and_sweeps(kernels, monkeypatch, sessions, fault):
    for kernel, met in every_fault(fault, lambda: kernels("input"), lambda kernel: kernel.keeper.keep(kernel.after)):
        killed(monkeypatch)
        following = Keeper(kernel.main)
        following.settle()
        assert following.path == kernel.main, met.place
        following.keep(sessions["step"])
        assert come_back_to(kernel)[0] == sessions["step"], met.place
        assert not list(kernel.main.parent.glob(".*.part")), met.place


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_claim_never_gives_two_kernels_one_file(kernels, sessions, monkeypatch, fault):
    for kernel, met in every_fault(fault, lambda: kernels("input"), lambda kernel: Keeper(kernel.main).settle()):
        kernel.keeper.keep(kernel.after)
        assert session_files.read(kernel.main) == kernel.after, met.place
        assert not Claim(kernel.main).take(), met.place


@pytest.mark.parametrize("fault", ["no space from then on", "I/O error", "no space midway"])
def test_a_workbench_goes_on_whatever_the_disk_does(tmp_path, monkeypatch, fault):
    monkeypatch.setenv(session_files.NOTEBOOK_VARIABLE, str(tmp_path / "study.ipynb"))
    killed(monkeypatch)
    numbers = count()

    def prepare() -> Workbench:
        killed(monkeypatch)
        wb = Workbench.from_scenario(example("two-tenants"))
        wb.autosave(tmp_path / f"{next(numbers)}.json")
        wb.step()
        return wb

    def work(wb: Workbench) -> None:
        wb.step()
        wb.add_node("more", {"vcore": "1"})

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for wb, met in every_fault(fault, prepare, work):
            assert met.error is None and wb.simulation.position == 2, met.place
            wb.step()
            assert wb.warning == "", met.place
            assert wb.keeper is not None
            assert session_files.read(wb.keeper.path).present.step == wb.simulation.position, met.place
    killed(monkeypatch)

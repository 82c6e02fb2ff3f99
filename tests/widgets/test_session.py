"""The session: saved after every verb, come back to with one call, and never lost to a damaged file."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest
from kernels import TENANTS, another, files, killed, worked

from workbench import CommandError, Workbench
from workbench.bench import session_files
from workbench.bench.verbs import sessions


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch) -> Path:
    """The session file of a notebook, as Jupyter names the notebook to a kernel."""
    monkeypatch.setenv(session_files.NOTEBOOK_VARIABLE, str(tmp_path / "study.ipynb"))
    killed(monkeypatch)
    return tmp_path / ".study.session.json"


def test_the_screen_says_that_there_is_an_earlier_session(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    assert "Workbench.recover()" in fresh.screen.status.text


def test_without_a_notebook_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.delenv(session_files.NOTEBOOK_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    bench = Workbench.example("multitenancy")
    bench.screen.bar.step.click()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CommandError, match="give a path"):
        bench.autosave()
    with pytest.raises(CommandError):
        Workbench.recover()


def test_the_session_of_a_kernel_that_runs_is_not_offered_but_can_be_copied(notebook, monkeypatch):
    one = Workbench.example("multitenancy")
    one.autosave()
    one.step()
    another(monkeypatch)
    two = Workbench.example("two-tenants")
    assert two.screen.resume.layout.display == "none" and "Another kernel" in two.screen.status.text
    with pytest.raises(CommandError, match="another kernel that still runs"):
        two.resume()
    copy = Workbench.recover(notebook)
    copy.step()
    assert copy.simulation.position == 2 and session_files.read(notebook).present.step == 1
    assert session_files.read(notebook.with_name(".study-3.session.json")).present.step == 2


# ---- when it cannot be written --------------------------------------------------------------------------------------------


def test_a_full_disk_is_a_warning_that_stands_until_a_save_works(notebook, monkeypatch):
    bench = Workbench.example("multitenancy")
    screen = bench.screen
    bench.step()
    before = notebook.read_bytes()
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", no_space)
        with pytest.warns(UserWarning, match="not saved"):
            bench.step()
        for verb in (bench.step, bench.back, lambda: bench.select(TENANTS)):
            verb()
            assert "The session is not saved" in screen.status.text and "No space left" in screen.status.text
            assert screen.status.paragraphs[-1]["kind"] == "error" and not bench.status.is_error
        with pytest.raises(CommandError):
            bench.select("root.nowhere")
        assert "The session is not saved" in screen.status.text and "The session is not saved" in repr(bench)
        assert session_files.unpacked(notebook.read_bytes()[: len(before)]).present.step == 1
    bench.select("")
    assert "not saved" not in screen.status.text and "not saved" not in repr(bench)
    assert session_files.read(notebook).present.step == bench.simulation.position
    assert files(notebook.parent) == [notebook.name]


def no_space(*_args) -> None:
    raise OSError(28, "No space left on device")


def test_what_failed_is_tried_again_while_nobody_does_anything(notebook, monkeypatch):
    monkeypatch.setattr(sessions, "RETRY_SECONDS", 0.0)

    async def study() -> None:
        bench = Workbench.example("multitenancy")
        screen = bench.screen
        with monkeypatch.context() as disk:
            disk.setattr(os, "fsync", no_space)
            bench.step()
            await asyncio.sleep(0)
        assert "not saved" in screen.status.text
        while bench.keeping_later is not None:
            await asyncio.sleep(0)
        assert "not saved" not in screen.status.text
        assert session_files.read(notebook).present.step == 1

    asyncio.run(study())


# ---- continuing on the same screen ----------------------------------------------------------------------------------------


def test_the_screen_offers_to_continue_where_somebody_was(notebook, monkeypatch):
    bench = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    screen = fresh.screen
    assert (
        screen.resume.layout.display is None and screen.resume.description == "Continue where I was: multitenancy, step 4, just now"
    )
    assert sessions.EARLIER_SESSION in screen.status.text
    screen.resume.click()
    assert fresh.simulation.digest() == bench.simulation.digest()
    assert (fresh.simulation.position, fresh.selected, fresh.edits, fresh.calls) == (4, TENANTS, "reload", bench.calls)
    assert fresh.status.text == "Back in the session of design multitenancy, at step 4." and fresh.status.call == "bench.resume()"
    assert screen.resume.layout.display == "none"
    assert screen.bar.rail.position == 4 and screen.tree.selected == TENANTS
    for _ in range(3):
        fresh.undo()
    assert not fresh.can_undo


def test_it_goes_on_in_the_same_file(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    fresh.screen.resume.click()
    fresh.step()
    killed(monkeypatch)
    assert Workbench.recover().simulation.position == 5
    assert files(notebook.parent) == [notebook.name]


def test_what_was_done_before_continuing_is_kept_as_well(notebook, monkeypatch):
    bench = worked()
    killed(monkeypatch)
    fresh = Workbench.example("two-tenants")
    assert fresh.screen.workbench.offers_resume
    fresh.step()
    fresh.resume()
    assert fresh.simulation.digest() == bench.simulation.digest() and fresh.name == "multitenancy"
    kept = [session_files.read(path) for path in session_files.of_notebook(notebook)]
    assert sorted((each.name, each.present.step) for each in kept) == [("multitenancy", 4), ("multitenancy", 4), ("two-tenants", 1)]


def test_without_an_earlier_session_nothing_is_offered(notebook):
    bench = Workbench.example("multitenancy")
    assert bench.screen.resume.layout.display == "none"
    with pytest.raises(CommandError, match="no session"):
        bench.resume()


def test_whoever_begins_something_else_is_no_longer_asked(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    screen = Workbench.example("multitenancy").screen
    screen.tree.selected = TENANTS
    assert screen.resume.layout.display is None
    screen.bar.step.click()
    assert screen.resume.layout.display == "none"


def test_a_damaged_session_is_told_and_the_design_stays(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    notebook.write_bytes(b"broken")
    fresh = Workbench.example("two-tenants")
    fresh.screen.resume.click()
    assert fresh.status.is_error and "damaged" in fresh.status.text
    assert fresh.name == "two-tenants"


# ---- a cell that is run again -------------------------------------------------------------------------------------------


def test_a_cell_that_is_run_again_offers_what_was_done_before_with_one_click(notebook):
    before = Workbench.example("multitenancy")
    assert not before.screen.workbench.offers_resume
    before.run(max_steps=3)
    before.set(TENANTS, "priority.offset", 5)
    again = Workbench.example("multitenancy")
    screen = again.screen
    assert screen.resume.layout.display is None and "multitenancy, step 3" in screen.resume.description
    assert sessions.SAME_CELL in screen.status.text
    screen.resume.click()
    assert again.simulation.digest() == before.simulation.digest() and again.config == before.config
    assert again.calls == before.calls and again.can_undo
    again.step()
    before.step()
    assert again.simulation.position == before.simulation.position == 4


def test_another_cell_and_one_where_nothing_was_done_offer_nothing(notebook, monkeypatch):
    first = Workbench.example("multitenancy")
    assert not first.screen.workbench.offers_resume
    assert not Workbench.example("multitenancy").screen.workbench.offers_resume
    first.step()
    assert not Workbench.example("two-tenants").screen.workbench.offers_resume
    monkeypatch.setattr(sessions, "cell_id", lambda: "another-cell")
    assert not Workbench.example("multitenancy").screen.workbench.offers_resume


def test_a_session_of_a_killed_kernel_is_offered_with_its_age(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    os.utime(notebook, (0, time.time() - 7500))
    assert Workbench.example("two-tenants").screen.resume.description == "Continue where I was: multitenancy, step 4, 2 hours ago"

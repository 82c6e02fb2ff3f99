"""Processes that are really killed, in the midst of writing, by a signal that nothing can answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench import Workbench
from workbench.bench import session_files
from workbench.files.claim import is_claimed

KILLED = """
import os, signal, sys
from pathlib import Path
{setup}
calls = 0
def dying(name, usual):
    def call(*args, **kwargs):
        global calls
        calls += 1
        if calls == {at}:
            if name == "write":
                usual(args[0], bytes(args[1])[: len(args[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return usual(*args, **kwargs)
    return call
for name in ("open", "write", "fsync", "close", "replace", "link", "unlink"):
    setattr(os, name, dying(name, getattr(os, name)))
{action}
print("calls", calls)
"""

SESSION = (
    """
from workbench import Workbench
wb = Workbench.example("multitenancy")
wb.autosave(sys.argv[1])
wb.step()
""",
    "wb.add_node('more', dict(vcore='1')); wb.step()",
)
SAVE = (
    """
from workbench import Workbench
wb = Workbench.example("multitenancy")
Path(sys.argv[1]).write_text("old")
""",
    "wb.save(sys.argv[1])",
)
COPY = ("from workbench.lab.folder import provide_notebook", "provide_notebook(Path(sys.argv[1]).parent)")


def run(kind: tuple[str, str], at: int, path: Path) -> subprocess.CompletedProcess[str]:
    code = KILLED.format(setup=kind[0], at=at, action=kind[1])
    return subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("at", [1, 2, 3, 5, 7, 9, 11, 12])
def test_a_kernel_that_is_killed_while_it_saves_comes_back_whole(tmp_path, at):
    path = tmp_path / "s.json"
    done = run(SESSION, at, path)
    assert done.returncode == -9, done.stderr
    assert not is_claimed(path)
    again = Workbench.recover(path)
    assert again.simulation.position in (1, 2) and not again.status.is_error
    again.step()
    assert session_files.read(path).present.step == again.simulation.position
    assert list(tmp_path.glob(".*.part")) == []


@pytest.mark.parametrize("at", [1, 2, 3, 5])
def test_a_scenario_whose_saving_is_killed_is_the_old_or_the_new_one(tmp_path, at):
    path = tmp_path / "s.yaml"
    assert run(SAVE, at, path).returncode == -9
    held = path.read_text()
    assert held == "old" or Workbench.open(path).name == "s"


@pytest.mark.parametrize("at", [1, 2, 3, 4, 6])
def test_a_lesson_whose_copying_is_killed_is_whole_or_not_there(tmp_path, at):
    assert run(COPY, at, tmp_path / "x").returncode == -9
    once = run(COPY, 10_000, tmp_path / "x")
    assert once.returncode == 0, once.stderr
    from workbench.lab.folder import HERE, NOTEBOOK

    assert (tmp_path / NOTEBOOK).read_bytes() == (HERE / NOTEBOOK).read_bytes()


def test_a_process_that_ends_writes_what_is_not_on_the_disk_and_lets_others_have_the_file(tmp_path):
    path = tmp_path / "s.json"
    code = """
import os, sys, warnings
warnings.simplefilter("ignore")
from workbench import Workbench
wb = Workbench.example("multitenancy")
wb.autosave(sys.argv[1])
usual = os.fsync
def full(handle):
    raise OSError(28, "No space left on device")
os.fsync = full
wb.step()
wb.step()
assert not os.path.exists(sys.argv[1]) and "No space" in wb.warning
os.fsync = usual
"""
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=120)
    assert session_files.read(path).present.step == 2 and not is_claimed(path)


def test_two_processes_on_one_file_keep_both_sessions(tmp_path):
    path = tmp_path / "s.json"
    code = """
import sys
from workbench import Workbench
wb = Workbench.example(sys.argv[2])
wb.autosave(sys.argv[1])
for _ in range(3):
    wb.step()
print(wb.keeper.path.name, wb.status.text, flush=True)
sys.stdin.read()
"""
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(path), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("multitenancy", "two-tenants")
    ]
    said = [process.stdout.readline() for process in started if process.stdout is not None]
    for process in started:
        process.kill()
        process.communicate()
    assert {line.split()[0] for line in said} == {"s.json", "s-2.json"}
    kept = {session_files.read(path).name, session_files.read(path.with_name("s-2.json")).name}
    assert kept == {"multitenancy", "two-tenants"}
    assert os.listdir(tmp_path).count("s.json") == 1

"""The session: saved after every verb, come back to with one call, and never lost to a damaged file."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from workbench import CommandError, Workbench
from workbench.widgets import session
from workbench.widgets.session import SessionError

TENANTS = "root.tenants"


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch) -> Path:
    """The session file of a notebook, as Jupyter names the notebook to a kernel."""
    monkeypatch.setenv(session.NOTEBOOK_VARIABLE, str(tmp_path / "study.ipynb"))
    monkeypatch.setattr(Workbench, "_keepers", {})
    return tmp_path / ".study.session.json"


def killed(monkeypatch) -> None:
    """The process is gone, and with it what it knows of its own files."""
    monkeypatch.setattr(Workbench, "_keepers", {})


def worked() -> Workbench:
    wb = Workbench.example("multitenancy")
    wb.autosave()
    wb.run(max_steps=3)
    wb.set(TENANTS, "priority.offset", 5)
    wb.add_request("late", "r", {"vcore": "1"}, queue="root.system.system-low")
    wb.edit_mode("reload")
    wb.set(TENANTS, "priority.offset", 7)
    wb.step()
    wb.select(TENANTS)
    return wb


def test_a_killed_kernel_comes_back_to_design_inputs_and_step(notebook, monkeypatch):
    wb = worked()
    killed(monkeypatch)
    again = Workbench.recover()
    assert again.simulation.digest() == wb.simulation.digest()
    assert again.config == wb.config
    assert (again.simulation.position, again.selected, again.edits, again.name) == (4, TENANTS, "reload", "multitenancy")
    assert again.calls == wb.calls
    assert "at step 4" in again.status.text


def test_undo_goes_on_where_it_was(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    again = Workbench.recover()
    for _ in range(3):
        again.undo()
    assert not again.can_undo
    assert again.config == Workbench.example("multitenancy").config
    again.redo()
    assert again.partition.root.children["tenants"].settings.priority_offset == 5


def test_the_session_goes_on_in_the_same_file(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    again = Workbench.recover()
    again.step()
    killed(monkeypatch)
    assert Workbench.recover().simulation.position == 5


def test_a_notebook_run_again_does_not_overwrite_the_session_before(notebook, monkeypatch):
    wb = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    fresh.autosave()
    fresh.step()
    again = Workbench.recover()
    assert again.simulation.digest() == wb.simulation.digest()


def test_a_notebook_run_again_comes_back_before_its_first_verb(notebook, monkeypatch):
    wb = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    fresh.autosave()
    again = Workbench.recover()
    assert again.simulation.digest() == wb.simulation.digest()
    fresh.step()
    again.step()
    killed(monkeypatch)
    assert Workbench.recover().simulation.position == 5


def test_the_screen_says_that_there_is_an_earlier_session(notebook, monkeypatch):
    worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    assert "Workbench.recover()" in fresh.screen.status.text


def test_two_workbenches_of_a_notebook_have_two_files(notebook, monkeypatch):
    one, two = Workbench.example("multitenancy"), Workbench.example("two-tenants")
    one.autosave()
    two.autosave()
    one.step()
    two.step()
    assert sorted(path.name for path in notebook.parent.iterdir()) == [".study-2.session.json", ".study.session.json"]


@pytest.mark.parametrize("damage", [
    lambda data: data[:-40], lambda data: b"", lambda data: b"\xff\xfe not text",
    lambda data: data.replace(b'"step": ', b'"step": 9', 1),
    lambda data: b"{}\n{}\n", lambda data: b'[1]\n', lambda data: b"null\n",
], ids=["cut", "empty", "no text", "changed", "another form", "a list", "nothing"])  # fmt: skip
def test_a_damaged_file_is_reported_and_kept(notebook, monkeypatch, damage):
    worked()
    killed(monkeypatch)
    broken = damage(notebook.read_bytes())
    notebook.write_bytes(broken)
    with pytest.raises(SessionError, match="kept as"):
        Workbench.recover()
    assert notebook.with_name(f"{notebook.name}.damaged-1").read_bytes() == broken


def test_a_damaged_file_gives_way_to_the_session_before_it(notebook, monkeypatch):
    wb = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    fresh.autosave()
    fresh.step()
    killed(monkeypatch)
    notebook.write_bytes(notebook.read_bytes()[:-9])
    again = Workbench.recover()
    assert again.simulation.digest() == wb.simulation.digest()
    assert "damaged" in again.status.text and again.status.is_error


def test_a_write_that_fails_half_way_leaves_the_file_as_it_was(notebook, monkeypatch):
    wb = worked()
    before = notebook.read_bytes()

    def full(*_args):
        raise OSError("no space left on device")

    monkeypatch.setattr(session.os, "fsync", full)
    wb.step()
    assert wb.simulation.position == 5
    assert "no space left" in wb.status.text
    assert notebook.read_bytes() == before
    assert [path.name for path in notebook.parent.iterdir()] == [notebook.name]
    monkeypatch.undo()


def test_without_a_notebook_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.delenv(session.NOTEBOOK_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    wb = Workbench.example("multitenancy")
    wb.screen.bar.step.click()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CommandError, match="give a path"):
        wb.autosave()
    with pytest.raises(CommandError):
        Workbench.recover()


def test_no_session_is_told(notebook):
    with pytest.raises(CommandError, match="no session"):
        Workbench.recover()


def test_equal_scenarios_are_written_once(notebook):
    wb = worked()
    for _ in range(5):
        wb.undo() if wb.can_undo else wb.redo()
    body = json.loads(notebook.read_text().splitlines()[1])
    assert len(body["scenarios"]) <= 1 + len(body["past"]) + len(body["future"])


def test_a_file_whose_writing_is_slow_is_not_written_for_every_step(tmp_path, monkeypatch):
    ticks = iter(range(0, 1000))
    monkeypatch.setattr(session.time, "monotonic", lambda: float(next(ticks)))
    monkeypatch.setattr(session, "PAUSE_FACTOR", 1000)
    wb = Workbench.example("multitenancy")
    keeper = session.Keeper(tmp_path / "s.json")
    write = []
    monkeypatch.setattr(session, "write", lambda kept, path: write.append(kept))
    from workbench.widgets.session import Session

    assert keeper.keep(Session("n", wb._study())) == 0
    wb.step()
    assert keeper.keep(Session("n", wb._study())) > 0
    assert len(write) == 1
    wb.add_node("more", {"vcore": "1"})
    assert keeper.keep(Session("n", wb._study())) == 0
    assert len(write) == 2


# ---- the report ---------------------------------------------------------------------------------------------------------


def test_the_report_is_one_file_that_asks_nobody_and_escapes_everything(tmp_path):
    evil = '<img src=x onerror="alert(1)">&'
    wb = Workbench.example("multitenancy")
    wb.run(max_steps=3)
    wb.add_request(evil, evil, {"vcore": "1"}, queue="root.system.system-low")
    wb.select(request="P9")
    wb.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<img src" not in page
    assert "default-src 'none'" in html.unescape(page)
    assert not re.search(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="?https?:', page)
    for part in ("P10", "Not yet: P9", "wb.run(max_steps=3)", "priority.policy", "picture-path", "picture-nodes"):
        assert part in page

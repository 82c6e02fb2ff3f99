"""The session: saved after every verb, come back to with one call, and never lost to a damaged file."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from workbench import CommandError, Workbench
from workbench.bench import session
from workbench.bench.session import SessionError
from workbench.bench.verbs import sessions

TENANTS = "root.tenants"


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch) -> Path:
    """The session file of a notebook, as Jupyter names the notebook to a kernel."""
    monkeypatch.setenv(session.NOTEBOOK_VARIABLE, str(tmp_path / "study.ipynb"))
    monkeypatch.setattr(sessions, "KEEPERS", {})
    return tmp_path / ".study.session.json"


def killed(monkeypatch) -> None:
    """The process is gone, and with it what it knows of its own files."""
    monkeypatch.setattr(sessions, "KEEPERS", {})


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
    monkeypatch.setattr(session, "SLOW_SECONDS", 0.05)
    wb = Workbench.example("multitenancy")
    keeper = session.Keeper(tmp_path / "s.json")
    write = []
    monkeypatch.setattr(session, "write", lambda kept, path: write.append(kept))
    from workbench.bench.session import Session

    assert keeper.keep(Session("n", wb.study())) == 0
    wb.step()
    assert keeper.keep(Session("n", wb.study())) > 0
    assert len(write) == 1
    wb.add_node("more", {"vcore": "1"})
    assert keeper.keep(Session("n", wb.study())) == 0
    assert len(write) == 2


# ---- in the midst of a run ----------------------------------------------------------------------------------------------


def test_a_run_is_saved_while_it_goes_on(notebook, monkeypatch):
    monkeypatch.setattr(session, "MIDWAY_SECONDS", 0.0)
    wb = Workbench.example("multitenancy")
    wb.autosave()
    seen = []

    def look(decision):
        if notebook.exists():
            seen.append((session.read(notebook).present.step, session.read(notebook).calls[-1]))
        return False

    wb.run(until=look)
    assert seen[-1] == (10, "wb.goto(10)")
    assert session.read(notebook).present.step == 11 and session.read(notebook).calls[-1] == "wb.run(until=condition)"
    assert wb.simulation.digest() == _ran().simulation.digest()


def test_what_was_saved_in_mid_run_is_come_back_to(notebook, monkeypatch):
    monkeypatch.setattr(session, "MIDWAY_SECONDS", 0.0)
    wb = Workbench.example("multitenancy")
    wb.autosave()

    def die(decision):
        if wb.simulation.position == 7:
            raise SystemExit
        return False

    with pytest.raises(SystemExit):
        wb.run(until=die)
    killed(monkeypatch)
    again = Workbench.recover()
    assert again.simulation.position == 6 and again.calls[-1] == "wb.goto(6)"
    again.run()
    assert again.simulation.digest() == _ran().simulation.digest()


def _ran() -> Workbench:
    wb = Workbench.example("multitenancy")
    wb.run()
    return wb


def test_a_run_is_saved_at_most_every_few_seconds_and_less_often_where_saving_is_slow(tmp_path, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(session.time, "monotonic", lambda: clock[0])
    keeper = session.Keeper(tmp_path / "s.json")
    due = []
    for _ in range(100):
        due.append(keeper.is_due_midway())
        clock[0] += 0.1
    assert 2 <= sum(due) <= 4
    keeper._not_before = clock[0] + 50
    assert not any(keeper.is_due_midway() or clock.__setitem__(0, clock[0] + 1) for _ in range(49))


def test_a_short_run_is_saved_once(notebook, monkeypatch):
    writes = []
    monkeypatch.setattr(session, "write", lambda kept, path: writes.append(kept.present.step))
    wb = Workbench.example("multitenancy")
    wb.autosave()
    wb.run()
    assert writes == [11]


# ---- continuing on the same screen ----------------------------------------------------------------------------------------


def test_the_screen_offers_to_continue_where_somebody_was(notebook, monkeypatch):
    wb = worked()
    killed(monkeypatch)
    fresh = Workbench.example("multitenancy")
    screen = fresh.screen
    assert screen.resume.layout.display is None and screen.resume.description == "Continue where I was"
    assert sessions.EARLIER_SESSION in screen.status.text
    screen.resume.click()
    assert fresh.simulation.digest() == wb.simulation.digest()
    assert (fresh.simulation.position, fresh.selected, fresh.edits, fresh.calls) == (4, TENANTS, "reload", wb.calls)
    assert fresh.status.text == "Back in the session of design multitenancy, at step 4." and fresh.status.call == "wb.resume()"
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
    assert [path.name for path in notebook.parent.iterdir()] == [notebook.name]


def test_what_was_done_before_continuing_is_kept_as_well(notebook, monkeypatch):
    wb = worked()
    killed(monkeypatch)
    fresh = Workbench.example("two-tenants")
    assert fresh.screen.workbench.offers_resume
    fresh.step()
    fresh.resume()
    assert fresh.simulation.digest() == wb.simulation.digest() and fresh.name == "multitenancy"
    kept = [session.read(path) for path in session.earlier(notebook)]
    assert sorted((each.name, each.present.step) for each in kept) == [("multitenancy", 4), ("multitenancy", 4), ("two-tenants", 1)]


def test_without_an_earlier_session_nothing_is_offered(notebook):
    wb = Workbench.example("multitenancy")
    assert wb.screen.resume.layout.display == "none"
    with pytest.raises(CommandError, match="no session"):
        wb.resume()


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

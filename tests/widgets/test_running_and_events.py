"""The tabs of what runs and of what was said, without a browser."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import CommandError, Workbench
from workbench.widgets.screen import Screen


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.fixture
def screen(wb) -> Screen:
    return wb.screen


def column(screen: Screen, tab: str, head: str) -> list[str]:
    table = screen.tables.bring(tab).widget
    return [row[table.columns.index(head)] for row in table.rows]


def test_what_runs_is_a_tab_that_follows_the_steps(wb, screen):  # section 3
    assert column(screen, "running", "allocation") == []
    assert screen.tables.tabs["running"].widget.empty == "Nothing is running."
    wb.run(max_steps=3)
    assert column(screen, "running", "allocation") == ["P1", "P10", "P2"]
    wb.back()
    assert column(screen, "running", "allocation") == ["P1", "P10"]


def test_a_row_of_what_runs_selects_its_queue_and_says_where_it_runs(wb, screen):  # U-12
    wb.run(max_steps=3)
    running = screen.tables.bring("running").widget
    running.selected = running.row_keys[1]
    assert (wb.selected, wb.selected_request) == ("root.system.system-normal", ("system-normal", "P10"))
    assert screen.tree.selected == "root.system.system-normal"
    assert screen.editor.title.text == "root.system.system-normal"
    assert screen.why.text.startswith("P10 of app system-normal in root.system.system-normal runs on node-1 since 0.121 s.")
    assert wb.status.call == 'bench.select(request="P10", application="system-normal")'
    running.selected = ""
    assert wb.selected_request is None


def test_a_request_stays_selected_when_it_is_placed(wb, screen):  # U-12
    wb.select(request="P1")
    wb.step()
    running = screen.tables.bring("running").widget
    assert running.selected_key == ("system-high", "P1")


def test_what_is_neither_waiting_nor_running_cannot_be_selected(wb):
    with pytest.raises(CommandError, match="no request P99 is waiting or running"):
        wb.select(request="P99")


def test_what_was_said_is_a_tab_newest_first(wb, screen):  # section 3
    wb.step()
    assert column(screen, "events", "subject")[:2] == ["P1 of app system-high", "system-high"]
    wb.reset()
    assert "P1 of app system-high" not in column(screen, "events", "subject")


def test_both_are_stable_text_too(wb):  # section 10
    wb.run(max_steps=2)
    assert wb.table("running").splitlines()[1].split()[:4] == ["P1", "system-high", "root.system.system-high", "node-1"]
    assert "0.121 s  allocated" in wb.table("events")
    assert str(wb.table("events")) == str(wb.table("events"))

"""The tabs of what runs and of what was said, without a browser."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import CommandError, Workbench
from workbench.widgets.screen import Screen


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


@pytest.fixture
def screen(bench) -> Screen:
    return bench.screen


def column(screen: Screen, tab: str, head: str) -> list[str]:
    table = screen.tables.bring(tab).widget
    return [row[table.columns.index(head)] for row in table.rows]


def test_what_runs_is_a_tab_that_follows_the_steps(bench, screen):  # section 3
    assert column(screen, "running", "allocation") == []
    assert screen.tables.tabs["running"].widget.empty == "Nothing is running."
    bench.run(max_steps=3)
    assert column(screen, "running", "allocation") == ["P1", "P10", "P2"]
    bench.back()
    assert column(screen, "running", "allocation") == ["P1", "P10"]


def test_a_row_of_what_runs_selects_its_queue_and_says_where_it_runs(bench, screen):  # U-12
    bench.run(max_steps=3)
    running = screen.tables.bring("running").widget
    running.selected = running.row_keys[1]
    assert (bench.selected, bench.selected_request) == ("root.system.system-normal", ("system-normal", "P10"))
    assert screen.tree.selected == "root.system.system-normal"
    assert screen.editor.title.text == "root.system.system-normal"
    assert screen.why.text.startswith("P10 of app system-normal in root.system.system-normal runs on node-1 since 0.121 s.")
    assert bench.status.call == 'bench.select(request="P10", application="system-normal")'
    running.selected = ""
    assert bench.selected_request is None


def test_a_request_stays_selected_when_it_is_placed(bench, screen):  # U-12
    bench.select(request="P1")
    bench.step()
    running = screen.tables.bring("running").widget
    assert running.selected_key == ("system-high", "P1")


def test_what_is_neither_waiting_nor_running_cannot_be_selected(bench):
    with pytest.raises(CommandError, match="no request P99 is waiting or running"):
        bench.select(request="P99")


def test_what_was_said_is_a_tab_newest_first(bench, screen):  # section 3
    bench.step()
    assert column(screen, "events", "subject")[:2] == ["P1 of app system-high", "system-high"]
    bench.reset()
    assert "P1 of app system-high" not in column(screen, "events", "subject")


def test_both_are_stable_text_too(bench):  # section 10
    bench.run(max_steps=2)
    assert bench.table("running").splitlines()[1].split()[:4] == ["P1", "system-high", "root.system.system-high", "node-1"]
    assert "0.121 s  allocated" in bench.table("events")
    assert str(bench.table("events")) == str(bench.table("events"))

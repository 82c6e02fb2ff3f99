"""Inputs by verb, by form, by table and by file; each is one undo entry, and bad input changes nothing."""

from __future__ import annotations

import pytest

from workbench import Workbench

LOW = "root.system.system-low"
EVIL = '<img src=x onerror="alert(1)">'


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def waiting(bench: Workbench) -> list[str]:
    return [item.ask.key for item in bench.simulation.waiting()]


# ---- the tab ------------------------------------------------------------------------------------------------------------


def tab_of(bench: Workbench):
    return bench.screen.tables.bring("inputs")


def test_a_form_puts_a_request_in(bench):
    tab = tab_of(bench)
    for name, text in {"app": EVIL, "key": "k1", "resources": "vcore: 1", "queue": LOW, "priority": "5", "repeat": "2"}.items():
        tab.boxes["add_request"][name].value = text
    tab.add.click()
    assert tab.problem.text == ""
    assert {"k1-000", "k1-001"} <= set(waiting(bench))
    rows = [row for row in tab.list.rows if EVIL in row[2]]
    assert [row[1] for row in rows] == ["add_ask", "add_ask", "add_app"]  # the latest first
    assert {row[-1] for row in rows} == {"happened"}


def test_a_form_says_what_is_wrong_and_keeps_what_was_typed(bench):
    tab = tab_of(bench)
    tab.add.click()
    assert "app: give a name" in tab.problem.text
    tab.boxes["add_request"]["app"].value = "a"
    tab.boxes["add_request"]["key"].value = "k"
    tab.boxes["add_request"]["priority"].value = "high"
    tab.add.click()
    assert "no whole number" in tab.problem.text
    assert tab.boxes["add_request"]["priority"].value == "high"
    assert not bench.can_undo


def test_the_table_of_the_tab_marks_the_wrong_line_and_loses_nothing(bench):
    tab = tab_of(bench)
    tab.kind.value = "table"
    tab.table.apply("app,key,vcore\na,k,oops")
    assert (tab.table.problem_line, tab.table.draft) == (2, "app,key,vcore\na,k,oops")
    tab.table.apply(f"app,key,queue,vcore\na,k,{LOW},1")
    assert tab.table.problem == ""
    assert "k" in waiting(bench)


def test_the_list_shows_what_is_still_ahead(bench):
    bench.run(max_steps=2)
    bench.add_request("late", "r", "vcore: 1", queue=LOW)
    bench.goto(0)
    states = {row[2]: row[-1] for row in tab_of(bench).list.rows}
    assert states["r of app late"] == "ahead"

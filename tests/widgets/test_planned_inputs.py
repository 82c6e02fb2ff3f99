"""Inputs with a time stamp: verbs, tables, the form, undo, sessions and files (section 5, "time stamp or now")."""

from __future__ import annotations

import pytest

from workbench import Workbench


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def test_the_form_has_a_field_for_the_time_and_the_list_a_way_back():  # section 5, U-24
    pytest.importorskip("ipywidgets")
    bench = Workbench.example("multitenancy")
    tab = bench.screen.tables.bring("inputs")
    tab.kind.value = "add_node"
    boxes = tab.boxes["add_node"]
    boxes["id"].value, boxes["at"].value = "n9", "60"
    assert tab.remove.layout.display == "none"
    tab.add.click()
    assert [each.at_ms for each in bench.simulation.planned] == [60_000]
    assert tab.list.rows[0][1:3] == ["add_node", "n9"] and tab.list.rows[0][-1] == "at 60 s"
    assert tab.remove.layout.display is None and tab.remove.disabled
    tab.list.selected = tab.list.row_keys[1]
    assert tab.remove.disabled
    tab.list.selected = tab.list.row_keys[0]
    assert not tab.remove.disabled
    tab.remove.click()
    assert bench.simulation.planned == () and tab.remove.layout.display == "none"
    boxes["at"].value = "soon"
    tab.add.click()
    assert "soon is no number" in tab.problem.text

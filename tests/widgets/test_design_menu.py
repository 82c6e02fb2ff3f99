"""The menu of designs says what is open and whether it was modified, and has every example by its group."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench
from workbench.simulation.scenario import all_example_names


def label(bench: Workbench) -> str:
    return {name: label for label, name in bench.screen.bar.design.options}[bench.screen.bar.design.value]


def test_the_menu_has_every_example_by_its_group():
    menu = Workbench.example("multitenancy").screen.bar.design
    assert [name for _, name in menu.options] == list(all_example_names())
    assert ("documented › preemption-law-1", "documented/preemption-law-1") in menu.options


def test_the_menu_says_what_is_open_and_that_it_was_modified(tmp_path):
    bench = Workbench.example("multitenancy")
    assert label(bench) == "multitenancy"
    bench.set("root.tenants", "priority.offset", 5)
    assert label(bench) == "multitenancy ● modified"
    bench.undo()
    assert label(bench) == "multitenancy"
    bench.save(tmp_path / "mine.yaml")
    bench.load(tmp_path / "mine.yaml")
    assert label(bench) == "mine" and bench.screen.bar.design.value == "mine"


def test_an_example_of_a_group_is_loaded_from_the_menu():
    bench = Workbench.example("multitenancy")
    bench.screen.bar.design.value = "documented/preemption-law-1"
    assert bench.name == "documented/preemption-law-1" and label(bench) == "documented › preemption-law-1"

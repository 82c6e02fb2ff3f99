"""The menu of designs says what is open and whether it was modified, and has every example by its group."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from workbench import Workbench
from workbench.bench.templates import TEMPLATE_NAMES
from workbench.simulation.scenario import all_example_names


def label(bench: Workbench) -> str:
    return {name: label for label, name in bench.screen.bar.design.options}[bench.screen.bar.design.value]


def test_the_menu_has_every_example_by_its_group():
    menu = Workbench.example("multitenancy").screen.bar.design
    assert [name for _, name in menu.options] == [*TEMPLATE_NAMES, *all_example_names()]
    assert ("documented › preemption-law-1", "documented/preemption-law-1") in menu.options


def test_the_menu_says_what_is_open_and_that_it_was_modified(tmp_path):
    bench = Workbench.example("multitenancy")
    assert label(bench) == "multitenancy"
    bench.set("root.tenants", "priority.offset", 5)
    assert label(bench) == "● multitenancy, modified"
    bench.undo()
    assert label(bench) == "multitenancy"
    bench.save(tmp_path / "mine.yaml")
    bench.load(tmp_path / "mine.yaml")
    assert label(bench) == "mine" and bench.screen.bar.design.value == "mine"


def test_an_example_of_a_group_is_loaded_from_the_menu():
    bench = Workbench.example("multitenancy")
    bench.screen.bar.design.value = "documented/preemption-law-1"
    assert bench.name == "documented/preemption-law-1" and label(bench) == "documented › preemption-law-1"


def test_a_file_with_errors_opens_in_the_yaml_tab_with_its_line_marked(tmp_path):
    file = tmp_path / "mine.yaml"
    text = "partitions:\n  - name: default\n    queues:\n      - name: root\n        resources: {max: {vcore: 1}}\n"
    file.write_text(text)
    bench = Workbench.open(file)
    tables = bench.screen.tables
    editor = tables.tabs["yaml"].widget
    assert tables.front == "yaml"
    assert editor.draft == text and editor.problem_line == bench.draft.error.line and editor.problem
    bench.step()
    assert editor.draft == text  # what was typed is never lost
    editor.apply("partitions:\n  - name: default\n    queues:\n      - name: root\n")
    assert not editor.problem and not editor.has_draft and bench.draft is None


def test_a_template_is_loaded_from_the_menu():
    bench = Workbench.example("multitenancy")
    bench.screen.bar.design.value = "new/teams"
    assert "root.red" in {row["path"] for row in bench.screen.tree.rows}

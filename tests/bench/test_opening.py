"""Opening a design: examples by their short names, what is meant by a name that is not there, and whether it was modified."""

from __future__ import annotations

import pytest

from workbench import ScenarioError, Workbench


def test_an_example_of_a_folder_opens_by_its_own_name():
    bench = Workbench.open("preemption-law-1")
    assert bench.name == "documented/preemption-law-1"
    assert bench.status.text.startswith("Opened the design documented/preemption-law-1")


@pytest.mark.parametrize("typed", ["preemption-law-11", "premption-law-1", "documented/preemption-law1"])
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(typed):
    with pytest.raises(ScenarioError, match=r"Did you mean .*documented/preemption-law-1"):
        Workbench.open(typed)


def test_a_design_is_modified_from_its_first_edit_until_that_is_undone():
    bench = Workbench.example("multitenancy")
    assert not bench.is_modified
    bench.step()
    assert not bench.is_modified
    bench.set("root.tenants", "priority.offset", 5)
    assert bench.is_modified
    bench.undo()
    assert not bench.is_modified
    bench.redo()
    bench.load("two-tenants")
    assert not bench.is_modified
    bench.undo()
    assert bench.is_modified

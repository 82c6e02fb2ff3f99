"""What somebody new to the screen must not stumble over: what is empty, taken back, dropped or without effect."""

from __future__ import annotations

import pytest

from workbench import Workbench

TENANTS = "root.tenants"


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


# ---- what was taken back, and what was dropped -----------------------------------------------------------------------


def test_undo_says_what_is_in_force_again_and_marks_no_difference(bench):  # U-4
    bench.run()
    bench.set(TENANTS, "priority.policy", None)
    assert bench.differs_at == 2
    bench.undo()
    assert bench.status.text == "The last edit is undone: priority.policy of root.tenants is fence again. Nothing is next."
    assert bench.differs_at == 0
    bench.redo()
    assert bench.differs_at == 2 and "The outcome first differs at step 2." in bench.status.text


@pytest.mark.parametrize(
    ("edit", "again"),
    [
        (lambda bench: bench.set(TENANTS, "priority.offset", 7), "priority.offset of root.tenants is not set, as before"),
        (lambda bench: bench.add_queue(TENANTS, "c"), "root.tenants.c is gone again"),
        (lambda bench: bench.delete_queue("root.tenants.tenant-b.child-b-2"), "root.tenants.tenant-b.child-b-2 is there again"),
        (lambda bench: bench.move_queue("root.system", "root", index=1), "the queues below root are in their former order"),
    ],
    ids=["set", "added", "deleted", "moved"],
)
def test_undo_tells_every_kind_of_edit(bench, edit, again):
    edit(bench)
    bench.undo()
    assert f"The last edit is undone: {again}" in bench.status.text
    assert "differs" not in bench.status.text


def test_undo_of_an_input_names_no_setting(bench):
    bench.add_request("mine", "urgent", {"vcore": 1}, queue="root.system.system-high")
    bench.undo()
    assert bench.status.text.startswith("The last edit is undone. Next is P1")


@pytest.mark.parametrize(
    "put_in",
    [
        lambda bench: bench.set(TENANTS, "priority.offset", 7),
        lambda bench: bench.add_request("mine", "urgent", {"vcore": 1}, queue="root.system.system-high"),
        lambda bench: bench.advance(5),
        lambda bench: bench.cycle(),
        lambda bench: (bench.edit_mode("reload"), bench.set(TENANTS, "priority.offset", 7)),
    ],
    ids=["edit", "input", "wait", "cycle", "reload"],
)
def test_steps_ahead_that_are_dropped_are_counted(bench, put_in):
    bench.run(max_steps=6)
    bench.back(4)
    put_in(bench)
    assert "The 4 steps ahead are dropped; Step or Run decides anew." in bench.status.text
    assert bench.simulation.recorded == bench.simulation.position


def test_nothing_is_said_to_be_dropped_where_nothing_is_ahead(bench):
    bench.run(max_steps=2)
    bench.set(TENANTS, "priority.offset", 7)
    assert "dropped" not in bench.status.text

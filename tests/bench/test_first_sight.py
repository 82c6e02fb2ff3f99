"""What somebody new to the screen must not stumble over: what is empty, taken back, dropped or without effect."""

from __future__ import annotations

import pytest

from workbench import Workbench

TENANTS = "root.tenants"


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


# ---- what was taken back, and what was dropped -----------------------------------------------------------------------


def test_undo_says_what_is_in_force_again_and_marks_no_difference(wb):  # U-4
    wb.run()
    wb.set(TENANTS, "priority.policy", None)
    assert wb.differs_at == 2
    wb.undo()
    assert wb.status.text == "The last edit is undone: priority.policy of root.tenants is fence again. Nothing is next."
    assert wb.differs_at == 0
    wb.redo()
    assert wb.differs_at == 2 and "The outcome first differs at step 2." in wb.status.text


@pytest.mark.parametrize(
    ("edit", "again"),
    [
        (lambda wb: wb.set(TENANTS, "priority.offset", 7), "priority.offset of root.tenants is not set, as before"),
        (lambda wb: wb.add_queue(TENANTS, "c"), "root.tenants.c is gone again"),
        (lambda wb: wb.delete_queue("root.tenants.tenant-b.child-b-2"), "root.tenants.tenant-b.child-b-2 is there again"),
        (lambda wb: wb.move_queue("root.system", "root", index=1), "the queues below root are in their former order"),
    ],
    ids=["set", "added", "deleted", "moved"],
)
def test_undo_tells_every_kind_of_edit(wb, edit, again):
    edit(wb)
    wb.undo()
    assert f"The last edit is undone: {again}" in wb.status.text
    assert "differs" not in wb.status.text


def test_undo_of_an_input_names_no_setting(wb):
    wb.add_request("mine", "urgent", {"vcore": 1}, queue="root.system.system-high")
    wb.undo()
    assert wb.status.text.startswith("The last edit is undone. Next is P1")


@pytest.mark.parametrize(
    "put_in",
    [
        lambda wb: wb.set(TENANTS, "priority.offset", 7),
        lambda wb: wb.add_request("mine", "urgent", {"vcore": 1}, queue="root.system.system-high"),
        lambda wb: wb.advance(5),
        lambda wb: wb.cycle(),
        lambda wb: (wb.edit_mode("reload"), wb.set(TENANTS, "priority.offset", 7)),
    ],
    ids=["edit", "input", "wait", "cycle", "reload"],
)
def test_steps_ahead_that_are_dropped_are_counted(wb, put_in):
    wb.run(max_steps=6)
    wb.back(4)
    put_in(wb)
    assert "The 4 steps ahead are dropped; Step or Run decides anew." in wb.status.text
    assert wb.simulation.recorded == wb.simulation.position


def test_nothing_is_said_to_be_dropped_where_nothing_is_ahead(wb):
    wb.run(max_steps=2)
    wb.set(TENANTS, "priority.offset", 7)
    assert "dropped" not in wb.status.text

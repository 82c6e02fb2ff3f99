"""Inputs with a time stamp: verbs, tables, the form, undo, sessions and files (section 5, "time stamp or now")."""

from __future__ import annotations

import pytest

from workbench import CommandError, ScenarioError, Workbench
from workbench.bench.session import Packer, Session


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


def test_a_request_of_the_future_waits_on_the_list_and_comes_when_its_time_is_there(wb):
    wb.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=5)
    assert wb.status.text == "2 inputs wait for 5 s of simulated time."
    assert wb.status.call == 'bench.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=5)'
    assert "L of app late" not in wb.table("pending")
    assert wb.table("inputs").splitlines()[-1].split()[-2:] == ["5", "s"]
    wb.advance(5)
    assert "late" in wb.table("pending")
    assert wb.table("inputs").splitlines()[-1].endswith("happened, at 5 s")


def test_every_input_can_wait(wb):
    wb.add_node("n9", {"vcore": "4"}, at=3)
    wb.drain_node("n9", at=4)
    wb.undrain_node("node-1", at=4.5)
    wb.add_app("x", "root.system.system-low", at=4)
    wb.add_request("x", "k", {"vcore": "1"}, at=5)
    wb.add_gang("g", "root.system.system-low", 2, {"vcore": "1"}, at=6)
    wb.finish("x", at=7)
    wb.remove_app("system-low", at=8)
    wb.remove_node("n9", at=9)
    assert wb.simulation.planned_played == 0
    wb.advance(4.2)
    assert not wb.partition.nodes["n9"].schedulable and "x" in wb.partition.applications
    wb.advance(6)
    assert "n9" not in wb.partition.nodes and "system-low" not in wb.partition.applications
    assert wb.simulation.planned_played == len(wb.simulation.planned)


def test_what_is_not_there_by_then_is_refused(wb):
    wb.add_node("n9", {"vcore": "4"}, at=3)
    with pytest.raises(ScenarioError, match="there is no node 'n9'"):
        wb.drain_node("n9", at=2)
    with pytest.raises(ScenarioError, match="there is no application 'nobody'"):
        wb.finish("nobody", at=2)


@pytest.mark.parametrize("at", [0, -1, 0.001, float("nan"), float("inf"), True, "soon"])
def test_a_time_that_has_come_or_is_none_is_refused_and_nothing_changes(wb, at):  # U-9
    wb.advance(1)
    before = wb.simulation.digest()
    with pytest.raises(ScenarioError, match=r"at \(s\)"):
        wb.add_node("n9", {"vcore": "4"}, at=at)
    assert wb.simulation.digest() == before and wb.simulation.planned == ()


def test_a_planned_input_is_removed_by_its_number(wb):
    wb.add_node("n8", {"vcore": "4"}, at=2)
    wb.add_node("n9", {"vcore": "4"}, at=3)
    number = len(wb.simulation.inputs) + 1
    wb.remove_input(number)
    assert wb.status.text == "No longer planned for 2 s: add_node n8."
    wb.advance(5)
    assert "n9" in wb.partition.nodes and "n8" not in wb.partition.nodes
    with pytest.raises(CommandError, match="none that waits for its time"):
        wb.remove_input(number)
    with pytest.raises(CommandError, match="none that waits for its time"):
        wb.remove_input(1)


def test_undo_and_redo_take_it_back_and_bring_it_again(wb):  # U-4
    wb.run(max_steps=2)
    wb.add_node("n9", {"vcore": "4"}, at=60)
    wb.undo()
    assert wb.simulation.planned == () and wb.simulation.position == 2
    wb.redo()
    assert [each.at_ms for each in wb.simulation.planned] == [60_000]
    wb.remove_input(len(wb.simulation.inputs) + 1)
    wb.undo()
    assert len(wb.simulation.planned) == 1


def test_an_edit_plays_it_again_at_its_time(wb):  # U-16
    wb.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", priority=5, at=0.3)
    wb.run(max_steps=5)
    created = wb.partition.applications["late"].asks["L"].created_ns
    wb.set("root.tenants", "priority.offset", 50)
    assert wb.partition.applications["late"].asks["L"].created_ns == created
    assert wb.simulation.position == 5


def test_a_session_keeps_it(wb, tmp_path):
    wb.add_node("n8", {"vcore": "4"}, at=0.2)
    wb.run(max_steps=4)
    wb.add_node("n9", {"vcore": "4"}, at=60)
    (tmp_path / "s.json").write_text(Packer().whole(Session("n", wb.study()), "s.json").text)
    again = Workbench.recover(tmp_path / "s.json")
    assert again.simulation.planned == wb.simulation.planned and again.simulation.planned_played == 1
    assert again.simulation.digest() == wb.simulation.digest()


@pytest.mark.parametrize("name", ["s.yaml", "s.json"])
def test_a_saved_scenario_keeps_it(wb, tmp_path, name):
    wb.add_node("n9", {"vcore": "4"}, at=60)
    wb.save(tmp_path / name)
    again = Workbench.open(tmp_path / name)
    assert again.simulation.planned == wb.simulation.planned
    other = Workbench.from_yaml(str(wb.to_yaml()))
    other.load_inputs(tmp_path / name)
    assert other.simulation.planned == wb.simulation.planned


def test_a_table_may_say_when(wb):
    wb.load_inputs("app,key,queue,vcore,at\nx,now,root.system.system-low,1,\nx,late,,1,2.5\ny,later,root.system.system-low,1,3\n")
    assert [(each.at_ms, getattr(getattr(each.command, "ask", None), "key", "")) for each in wb.simulation.planned] == [
        (2500, "late"),
        (3000, ""),
        (3000, "later"),
    ]
    assert wb.status.text.endswith("3 inputs wait for 2.5 s to 3 s of simulated time.")
    assert "now" in wb.table("pending")


def test_a_wrong_time_in_a_table_is_told_with_its_line(wb):  # U-9
    with pytest.raises(ScenarioError, match="soon") as raised:
        wb.load_inputs("app,key,queue,vcore,at\nx,a,root.system.system-low,1,2\nx,b,,1,soon\n")
    assert raised.value.line == 3 and wb.simulation.planned == ()


def test_step_goes_to_the_next_input_when_nothing_else_is_left(wb):
    wb.run()
    wb.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=60)
    assert wb.why().startswith("L of app late is next")
    wb.step()
    assert wb.status.text.startswith("Step 12: L of app late was placed")
    wb.back()
    assert wb.simulation.planned_played == 0


def test_names_in_the_list_are_text(wb):
    wb.add_node('<img src=x onerror="alert(1)">\u202e', {"vcore": "1"}, at=60)
    assert "\u202e" not in wb.table("inputs")

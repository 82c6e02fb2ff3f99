"""Inputs with a time stamp: verbs, tables, the form, undo, sessions and files (section 5, "time stamp or now")."""

from __future__ import annotations

import pytest

from workbench import CommandError, ScenarioError, Workbench
from workbench.bench.session import Packer, Session


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def test_a_request_of_the_future_waits_on_the_list_and_comes_when_its_time_is_there(bench):
    bench.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=5)
    assert bench.status.text == "2 inputs wait for 5 s of simulated time."
    assert bench.status.call == 'bench.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=5)'
    assert "L of app late" not in bench.table("pending")
    assert bench.table("inputs").splitlines()[-1].split()[-2:] == ["5", "s"]
    bench.advance(5)
    assert "late" in bench.table("pending")
    assert bench.table("inputs").splitlines()[-1].endswith("happened, at 5 s")


def test_every_input_can_wait(bench):
    bench.add_node("n9", {"vcore": "4"}, at=3)
    bench.drain_node("n9", at=4)
    bench.undrain_node("node-1", at=4.5)
    bench.add_app("x", "root.system.system-low", at=4)
    bench.add_request("x", "k", {"vcore": "1"}, at=5)
    bench.add_gang("g", "root.system.system-low", 2, {"vcore": "1"}, at=6)
    bench.finish("x", at=7)
    bench.remove_app("system-low", at=8)
    bench.remove_node("n9", at=9)
    assert bench.simulation.planned_played == 0
    bench.advance(4.2)
    assert not bench.partition.nodes["n9"].schedulable and "x" in bench.partition.applications
    bench.advance(6)
    assert "n9" not in bench.partition.nodes and "system-low" not in bench.partition.applications
    assert bench.simulation.planned_played == len(bench.simulation.planned)


def test_what_is_not_there_by_then_is_refused(bench):
    bench.add_node("n9", {"vcore": "4"}, at=3)
    with pytest.raises(ScenarioError, match="there is no node 'n9'"):
        bench.drain_node("n9", at=2)
    with pytest.raises(ScenarioError, match="there is no application 'nobody'"):
        bench.finish("nobody", at=2)


@pytest.mark.parametrize("at", [-1, 0.001, float("nan"), float("inf"), True, "soon"])
def test_a_time_that_has_come_or_is_none_is_refused_and_nothing_changes(bench, at):  # U-9
    bench.advance(1)
    before = bench.simulation.digest()
    with pytest.raises(ScenarioError, match=r"at \(s\)"):
        bench.add_node("n9", {"vcore": "4"}, at=at)
    assert bench.simulation.digest() == before and bench.simulation.planned == ()


def test_a_planned_input_is_removed_by_its_number(bench):
    bench.add_node("n8", {"vcore": "4"}, at=2)
    bench.add_node("n9", {"vcore": "4"}, at=3)
    number = len(bench.simulation.inputs) + 1
    bench.remove_input(number)
    assert bench.status.text == "No longer planned for 2 s: add_node n8."
    bench.advance(5)
    assert "n9" in bench.partition.nodes and "n8" not in bench.partition.nodes
    with pytest.raises(CommandError, match="none that waits for its time"):
        bench.remove_input(number)
    with pytest.raises(CommandError, match="none that waits for its time"):
        bench.remove_input(1)


def test_undo_and_redo_take_it_back_and_bring_it_again(bench):  # U-4
    bench.run(max_steps=2)
    bench.add_node("n9", {"vcore": "4"}, at=60)
    bench.undo()
    assert bench.simulation.planned == () and bench.simulation.position == 2
    bench.redo()
    assert [each.at_ms for each in bench.simulation.planned] == [60_000]
    bench.remove_input(len(bench.simulation.inputs) + 1)
    bench.undo()
    assert len(bench.simulation.planned) == 1


def test_an_edit_plays_it_again_at_its_time(bench):  # U-16
    bench.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", priority=5, at=0.3)
    bench.run(max_steps=5)
    created = bench.partition.applications["late"].asks["L"].created_ns
    bench.set("root.tenants", "priority.offset", 50)
    assert bench.partition.applications["late"].asks["L"].created_ns == created
    assert bench.simulation.position == 5


def test_a_session_keeps_it(bench, tmp_path):
    bench.add_node("n8", {"vcore": "4"}, at=0.2)
    bench.run(max_steps=4)
    bench.add_node("n9", {"vcore": "4"}, at=60)
    (tmp_path / "s.json").write_text(Packer().whole(Session("n", bench.study()), "s.json").text)
    again = Workbench.recover(tmp_path / "s.json")
    assert again.simulation.planned == bench.simulation.planned and again.simulation.planned_played == 1
    assert again.simulation.digest() == bench.simulation.digest()


@pytest.mark.parametrize("name", ["s.yaml", "s.json"])
def test_a_saved_scenario_keeps_it(bench, tmp_path, name):
    bench.add_node("n9", {"vcore": "4"}, at=60)
    bench.save(tmp_path / name)
    again = Workbench.open(tmp_path / name)
    assert again.simulation.planned == bench.simulation.planned
    other = Workbench.from_yaml(str(bench.to_yaml()))
    other.load_inputs(tmp_path / name)
    assert other.simulation.planned == bench.simulation.planned


def test_a_table_may_say_when(bench):
    bench.load_inputs(
        "app,key,queue,vcore,at\nx,now,root.system.system-low,1,\nx,late,,1,2.5\ny,later,root.system.system-low,1,3\n"
    )
    assert [(each.at_ms, getattr(getattr(each.command, "ask", None), "key", "")) for each in bench.simulation.planned] == [
        (2500, "late"),
        (3000, ""),
        (3000, "later"),
    ]
    assert bench.status.text.endswith("3 inputs wait for 2.5 s to 3 s of simulated time.")
    assert "now" in bench.table("pending")


def test_a_wrong_time_in_a_table_is_told_with_its_line(bench):  # U-9
    with pytest.raises(ScenarioError, match="soon") as raised:
        bench.load_inputs("app,key,queue,vcore,at\nx,a,root.system.system-low,1,2\nx,b,,1,soon\n")
    assert raised.value.line == 3 and bench.simulation.planned == ()


def test_step_goes_to_the_next_input_when_nothing_else_is_left(bench):
    bench.run()
    bench.add_request("late", "L", {"vcore": "1"}, queue="root.system.system-high", at=60)
    assert bench.why().startswith("L of app late is next")
    bench.step()
    assert bench.status.text.startswith("Step 12: L of app late was placed")
    bench.back()
    assert bench.simulation.planned_played == 0


def test_names_in_the_list_are_text(bench):
    bench.add_node('<img src=x onerror="alert(1)">\u202e', {"vcore": "1"}, at=60)
    assert "\u202e" not in bench.table("inputs")


def test_at_0_is_now(bench):
    bench.advance(1)
    bench.add_node("n9", {"vcore": "4"}, at=0)
    bench.load_inputs("app,key,vcore,queue,at\nx,k,1,root.system.system-low,0\n")
    assert "n9" in bench.partition.nodes and "x" in bench.partition.applications
    assert bench.simulation.planned == ()

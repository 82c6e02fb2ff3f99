"""Inputs with a time of their own: they wait for the clock, whatever moves it, and happen again when it passes again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench import CommandError, ScenarioError
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, DrainNode, UpdateConfig
from workbench.simulation import Simulation, driver
from workbench.simulation.scenario import (
    AdvanceMs,
    Planned,
    Scenario,
    ScenarioEvent,
    parse_scenario,
    scenario_to_json,
    scenario_to_yaml,
)
from workbench.values.resources import Resource

CONFIG = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]"
ONE = Resource(vcore=1000)
S = 1000


def cluster(nodes: int = 1, cores: int = 4) -> Simulation:
    sim = Simulation(CONFIG)
    for number in range(nodes):
        sim.apply(AddNode(node_id=f"n{number}", capacity=Resource(vcore=1000 * cores)))
    sim.apply(AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u")))
    return sim


def ask(key: str) -> AddAsk:
    return AddAsk(ask=AskSpec(application_id="x", key=key, resource=ONE))


def waiting(sim: Simulation) -> list[str]:
    return [item.ask.key for item in sim.waiting()]


def when(sim: Simulation, key: str) -> float:
    """Creation time of a request, in seconds."""
    return sim.state.partitions["default"].applications["x"].asks[key].created_ns / 1e9


def test_an_input_waits_until_the_clock_is_there():
    sim = cluster()
    sim.plan(ask("late"), 5 * S)
    assert waiting(sim) == [] and sim.planned_played == 0
    sim.advance(4)
    assert waiting(sim) == []
    sim.advance(4)
    assert waiting(sim) == ["late"] and sim.planned_played == 1


def test_time_that_passes_is_interrupted_at_the_very_time_of_the_input():
    sim = cluster()
    sim.plan(ask("late"), 5 * S)
    sim.plan(ask("later"), 6 * S)
    before = sim.now_ns
    sim.advance(60)
    assert (when(sim, "late"), when(sim, "later")) == (5.0, 6.0)
    assert sim.now_ns == before + 60_003 * 10**6  # each input is followed by 1 ms, as every event is


def test_cycles_bring_the_clock_there_too():
    sim = cluster()
    sim.plan(ask("late"), 500)
    cycles = 0
    while not waiting(sim):
        sim.cycle()
        cycles += 1
    assert cycles == 5
    assert 0.5 <= when(sim, "late") < 0.5 + 0.101


def test_a_step_waits_for_the_next_input_when_nothing_else_can_happen():
    sim = cluster()
    sim.apply(ask("now"))
    sim.plan(ask("late"), 5 * S)
    assert [sim.step().key for _ in range(3)] == ["now", "late", ""]
    assert sim.steps[1].decision.now_ns >= 5 * 10**9
    assert sim.planned_played == 1


def test_looking_ahead_sees_planned_inputs_and_moves_nothing():  # U-2
    sim = cluster()
    sim.plan(ask("late"), 5 * S)
    before = sim.digest()
    assert sim.preview().key == "late"
    assert [decision.key for decision in sim.ahead(9)] == ["late"]
    assert sim.digest() == before and sim.planned_played == 0 and sim.inputs == sim.inputs


def test_a_step_that_finds_nothing_has_let_the_time_pass_and_the_input_happen():
    sim = cluster(nodes=2)
    sim.plan(DrainNode(node_id="n0"), 5 * S)
    assert not sim.step().changed_something
    assert not sim.state.partitions["default"].nodes["n0"].schedulable
    assert sim.now_ns >= 5 * 10**9
    again = Simulation.from_scenario(Scenario(config=CONFIG, events=sim.inputs, planned=sim.planned))
    again.settle(sim.played)
    assert again.digest() == sim.digest()


def test_going_back_takes_the_input_back_and_going_on_brings_it_again():
    sim = cluster()
    sim.apply(ask("now"))
    sim.plan(ask("late"), 5 * S)
    sim.step()
    after_one = sim.digest()
    sim.step()
    after_two = sim.digest()
    sim.back()
    assert sim.digest() == after_one and sim.planned_played == 0
    sim.step()
    assert sim.digest() == after_two and sim.planned_played == 1


def test_another_branch_keeps_the_time_of_the_input():
    sim = cluster()
    sim.apply(ask("now"))
    sim.plan(ask("late"), 5 * S)
    sim.run()
    sim.goto(1)
    sim.apply(ask("between"))
    assert [sim.step().key for _ in range(2)] == ["between", "late"]
    assert when(sim, "late") == 5.0


def test_the_same_inputs_under_another_design_come_at_the_same_time():  # U-16
    sim = cluster()
    sim.plan(ask("late"), 5 * S)
    sim.run()
    other = sim.with_config(sim.config)
    other.run()
    assert when(other, "late") == 5.0 and other.digest() == sim.digest()


def test_inputs_of_one_time_happen_in_the_order_in_which_they_were_planned():
    sim = cluster()
    for key in ("b", "a", "c"):
        sim.plan(ask(key), 5 * S)
    sim.plan(ask("first"), 4 * S)
    sim.advance(6)
    assert sorted(("first", "b", "a", "c"), key=lambda key: when(sim, key)) == ["first", "b", "a", "c"]


def test_an_input_can_be_taken_back_until_it_happens():
    sim = cluster()
    sim.plan(ask("late"), 5 * S)
    sim.plan(ask("later"), 6 * S)
    sim.unplan(0)
    sim.advance(7)
    assert waiting(sim) == ["later"]
    with pytest.raises(CommandError, match="no planned input 0 is ahead"):
        sim.unplan(0)


def test_a_time_that_has_come_is_refused():
    sim = cluster()
    sim.advance(5)
    with pytest.raises(CommandError, match="has come already"):
        sim.plan(ask("late"), 5 * S)
    assert sim.planned == ()


def test_a_planned_configuration_is_marked_where_it_happened():  # U-16
    sim = cluster()
    for number in range(3):
        sim.apply(ask(f"k{number}"))
    sim.plan(UpdateConfig(config=CONFIG.replace("name: a}", "name: a}, {name: b}")), 150)
    sim.run()
    assert "root.b" in {queue.path for queue in sim.state.partitions["default"].root.children.values()}
    assert sim.reloads == (2,)


def test_what_was_decided_on_a_planned_application_can_still_be_asked():
    sim = cluster()
    sim.plan(AddApplication(application=ApplicationSpec(id="y", queue="root.a", user="u")), 5 * S)
    sim.advance(6)
    assert sim.placement("y").queue == "root.a"


def test_a_scenario_with_times_is_written_and_read_again():
    scenario = Scenario(
        config=CONFIG,
        name="timed",
        events=(ScenarioEvent(AddNode(node_id="n", capacity=ONE), index=0), ScenarioEvent(AdvanceMs(5), index=1)),
        planned=(Planned(200, DrainNode(node_id="n")), Planned(500, ask("late"))),
    )
    assert parse_scenario(scenario_to_json(scenario), "json") == scenario
    assert parse_scenario(scenario_to_yaml(scenario)) == scenario


def test_times_in_a_file_need_no_order():
    text = f"config: |\n  {CONFIG}\nevents:\n- at_ms: 900\n  drain_node: n\n- add_node: {{id: n, resources: {{vcore: 1}}}}\n"
    scenario = parse_scenario(text + "- {at_ms: 300, undrain_node: n}\n")
    assert [(each.at_ms, type(each.command).__name__) for each in scenario.planned] == [(300, "UndrainNode"), (900, "DrainNode")]
    assert [type(event.command).__name__ for event in scenario.events] == ["AddNode"]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{at_ms: 5, schedule: 1}", "only an input can have a time"),
        ("{at_ms: 5, advance_ms: 1}", "only an input can have a time"),
        ("{at_ms: 5, drain_node: n, snapshot: true}", "only an input can have a time"),
        ("{at_ms: 0, drain_node: n}", "0 is out of range"),
        ("{at_ms: '5', drain_node: n}", "must be an integer"),
    ],
)
def test_a_time_that_makes_no_sense_is_refused_with_its_place(entry, said):
    with pytest.raises(ScenarioError, match=said) as raised:
        parse_scenario(f"config: x\nevents:\n- {entry}\n")
    assert "events[0].at_ms" in str(raised.value) and raised.value.line == 3


MORE = f"{CONFIG[:-1]}, {{name: more, queues: [{{name: root}}]}}]"
IN_MORE = AddNode(node_id="m", capacity=ONE, partition="More")


def test_an_input_for_a_partition_that_will_not_be_there_is_refused_at_once():
    sim = cluster()
    sim.plan(UpdateConfig(config=MORE), 10 * S)
    sim.plan(UpdateConfig(config="partitions: [{name: broken"), 1 * S)
    before = sim.digest(), sim.planned
    for at_ms in (5 * S, 10 * S - 1):
        with pytest.raises(CommandError, match="no partition 'More'; the configuration has: default"):
            sim.plan(IN_MORE, at_ms)
    assert (sim.digest(), sim.planned) == before
    sim.plan(IN_MORE, 10 * S)
    sim.advance(11)
    assert list(sim.state.partitions["more"].nodes) == ["m"]


def test_a_reload_that_another_input_needs_is_not_taken_back():  # else a session of it could not be come back to
    sim = cluster()
    sim.plan(UpdateConfig(config=MORE), 5 * S)
    sim.plan(IN_MORE, 9 * S)
    with pytest.raises(CommandError, match="planned input 1, add_node: no partition 'More'"):
        sim.unplan(0)
    assert len(sim.planned) == 2
    sim.unplan(1)
    sim.unplan(0)
    assert not sim.planned


@pytest.mark.parametrize("history", [True, False])
def test_a_script_with_an_input_for_no_partition_is_refused_before_it_begins(history):
    late = (ScenarioEvent(AdvanceMs(50)), ScenarioEvent(IN_MORE))
    with pytest.raises(CommandError, match="input 2, add_node: no partition 'More'; the configuration has: default"):
        Simulation.from_scenario(Scenario(config=CONFIG, events=late), history=history)
    brought = (late[0], ScenarioEvent(UpdateConfig(config=MORE)), late[1])
    sim = Simulation.from_scenario(Scenario(config=CONFIG, events=brought), history=history)
    sim.step()
    assert list(sim.state.partitions["more"].nodes) == ["m"]
    with pytest.raises(CommandError, match="planned input 1"):
        Simulation.from_scenario(Scenario(config=CONFIG, planned=(Planned(5, IN_MORE), Planned(6, UpdateConfig(config=MORE)))))


def test_a_scenario_played_to_its_end_waits_for_its_last_input():
    scenario = Scenario(config=CONFIG, planned=(Planned(200, AddNode(node_id="n", capacity=ONE)),))
    sim = Simulation.from_scenario(Scenario(config=CONFIG))
    items = list(driver.items(sim._engine, scenario))
    assert "n" in sim.state.partitions["default"].nodes and items[-1].now_ns == 201 * 10**6


def test_without_history_the_same_steps_are_taken():
    scenario = Scenario(
        config=CONFIG,
        events=tuple(
            ScenarioEvent(command)
            for command in (
                AddNode(node_id="n", capacity=Resource(vcore=9000)),
                AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u")),
                ask("now"),
            )
        ),
        planned=(Planned(5 * S, ask("late")), Planned(9 * S, DrainNode(node_id="n"))),
    )
    with_one, without = Simulation.from_scenario(scenario), Simulation.from_scenario(scenario, history=False)
    assert (with_one.run(), with_one.planned_played) == (without.run(), without.planned_played) == (2, 2)


@examples(60)
@given(st.data())
def test_whatever_is_done_the_state_can_be_come_back_to(data):  # A-4; sessions and undo play the inputs again
    sim = cluster(cores=3)
    planned = 0
    for number in range(data.draw(st.integers(1, 10))):
        wish = data.draw(st.sampled_from(["step", "cycle", "advance", "apply", "plan", "unplan", "back", "run"]))
        if wish == "step":
            sim.step()
        elif wish == "cycle":
            sim.cycle()
        elif wish == "advance":
            sim.advance(data.draw(st.sampled_from([0.05, 0.4, 2])))
        elif wish == "apply":
            sim.apply(ask(f"k{number}"))
        elif wish == "plan":
            planned += 1
            ahead_ms = data.draw(st.sampled_from([1, 50, 300, 3000]))
            sim.plan(ask(f"p{planned}"), sim.now_ns // 10**6 + ahead_ms)
        elif wish == "unplan" and sim.planned_played < len(sim.planned):
            sim.unplan(len(sim.planned) - 1)
        elif wish == "back" and sim.position:
            sim.back()
        elif wish == "run":
            sim.run(max_steps=2)
    assert all(each.at_ms * 10**6 > sim.now_ns for each in sim.planned[sim.planned_played :])
    digest, position = sim.digest(), sim.position
    sim.preview()
    sim.goto(0)
    sim.goto(position)
    assert sim.digest() == digest

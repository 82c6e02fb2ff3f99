"""One gate for every input: what it takes can be written and read back; what it refuses changes nothing, and the error says why."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import Any

import pytest

from workbench.config import load_config
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.command_checks import CommandFault
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Cycle,
    DrainNode,
    Release,
    RemoveApplication,
    UpdateConfig,
    UpdateNode,
)
from workbench.simulation import Simulation
from workbench.simulation.scenario import AdvanceMs, Planned, Scenario, ScenarioEvent, Schedule, parse_scenario
from workbench.values.errors import CommandError, ScenarioError
from workbench.values.resources import Resource

CONFIG = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]"
ASK = AskSpec(application_id="x", key="k", resource=Resource(vcore=1000))
APP = ApplicationSpec(id="y", queue="root.a", user="ann")
HALF = "a\ud800"


class Urgency(IntEnum):
    HIGH = 5


def simulation() -> Simulation:
    made = Simulation(CONFIG)
    made.add_nodes(1, vcore="8")
    made.submit("x", queue="root.a", asks=[replace(ASK, key="first")])
    return made


def ask(**fields: Any) -> AddAsk:
    return AddAsk(ask=replace(ASK, **fields))


def app(**fields: Any) -> AddApplication:
    return AddApplication(application=replace(APP, **fields))


WRONG = [
    (ask(priority=3_000_000_000), "add_ask: priority must be a whole number from -2147483648 to 2147483647, found 3000000000"),
    (ask(priority=2.5), "priority must be a whole number .*, found 2.5"),
    (ask(priority="5"), "priority must be a whole number .*, found the text '5'"),
    (ask(priority=True), "priority must be a whole number .*, found true"),
    (ask(priority=float("nan")), "priority must be a whole number .*, found NaN"),
    (ask(priority=None), "priority must be a whole number .*, found nothing"),
    (ask(priority=Urgency.HIGH), "priority must be a whole number .*, found a value of type Urgency"),
    (ask(key=HALF), r"key must be a text of whole characters that is not empty, found the text 'a\\ud800'"),
    (ask(key=""), "key must be .* not empty, found the text ''"),
    (ask(key=7), "key must be .*, found 7"),
    (ask(application_id=["x"]), "application_id must be .*, found a list"),
    (ask(resource={"vcore": 1}), "resource must be a Resource .*, found a mapping"),
    (ask(resource=Resource({HALF: 1})), "resource must be a Resource whose types have names"),
    (ask(resource=Resource({"": 1})), "resource must be a Resource whose types have names"),
    (ask(created_ns=2**63), "created_ns must be a whole number of nanoseconds .*, found 9223372036854775808"),
    (ask(placeholder="yes"), "placeholder must be true or false, found the text 'yes'"),
    (ask(allowed_nodes="n1"), "allowed_nodes must be a tuple of texts or None, found the text 'n1'"),
    (ask(node_selector={"zone": 1}), "node_selector must be a mapping of texts to texts, found a mapping"),
    (ask(tags={HALF: "1"}), "tags must be a mapping of texts to texts"),
    (ask(tolerations=("a", None)), "tolerations must be a tuple of texts"),
    (AddAsk(ask=APP), "add_ask: ask must be an AskSpec, found a value of type ApplicationSpec"),  # type: ignore[arg-type]
    (replace(ask(), partition=""), "partition must be a text .* not empty"),
    (app(id=""), "add_app: id must be .* not empty"),
    (app(user=None), "user must be a text of whole characters, found nothing"),
    (app(groups="dev"), "groups must be a tuple of texts, found the text 'dev'"),
    (app(gang_style=1), "gang_style must be a text .*, found 1"),
    (app(placeholder_ask=5), "placeholder_ask must be a Resource .* or None, found 5"),
    (app(execution_timeout_ns=1.5), "execution_timeout_ns must be a whole number of nanoseconds"),
    (app(execution_timeout_ns=2**63), "execution_timeout_ns must be a whole number of nanoseconds"),
    (AddNode(node_id="n", capacity=None), "add_node: capacity must be a Resource .*, found nothing"),  # type: ignore[arg-type]
    (AddNode(node_id="n", capacity=Resource(), schedulable=1), "schedulable must be true or false, found 1"),  # type: ignore[arg-type]
    (AddNode(node_id="n", capacity=Resource(), attributes=[("a", "b")]), "attributes must be a mapping"),  # type: ignore[arg-type]
    (UpdateNode(node_id=HALF, capacity=Resource()), "update_node: node_id must be"),
    (DrainNode(node_id=3), "drain_node: node_id must be .*, found 3"),  # type: ignore[arg-type]
    (RemoveApplication(application_id=""), "remove_app: application_id must be"),
    (AddAllocation(ask=replace(ASK, application_id=""), node_id="node-000"), "add_allocation: application_id must be .* not empty"),
    (AddAllocation(ask=ASK, node_id="node-000", foreign="no"), "foreign must be true or false"),  # type: ignore[arg-type]
    (AddAllocation(ask=replace(ASK, application_id=HALF), node_id="node-000", foreign=True), "application_id must be a text"),
    (
        Release(application_id="x", key="k", type="BECAUSE"),
        "type must be one of STOPPED_BY_RM, .*, found the text 'BECAUSE'",
    ),
    (UpdateConfig(config=HALF), "update_config: config must be a text of whole characters"),
    (UpdateConfig(config=b"partitions: []"), "found a value of type bytes"),  # type: ignore[arg-type]
    ("add_ask", "there is no command of type str; there are AddNode, "),
    (AddAsk, "there is no command of type type"),
]
"""Inputs that no engine takes, and what the error says."""

UNSAID = [
    (ask(resource=Resource(vcore=-1)), "add_ask: resource must be amounts from 0 up, found -1 of vcore"),
    (ask(allowed_nodes=()), "allowed_nodes must be None if every node will do, or name some, found an empty tuple"),
    (app(execution_timeout_ns=1), "execution_timeout_ns must be whole milliseconds, found 1"),
    (app(placeholder_ask=Resource(gpu=-2)), "placeholder_ask must be amounts from 0 up"),
    (AddNode(node_id="n", capacity=Resource(vcore=-1)), "add_node: capacity must be amounts from 0 up"),
    (UpdateNode(node_id="node-000", capacity=Resource(vcore=-1)), "update_node: capacity must be amounts from 0 up"),
    (Release(application_id="", key=""), "release names nothing"),
    (Advance(ns=5), "Advance is for the engine and no input; AdvanceMs"),
    (Cycle(), "Cycle is for the engine and no input"),
    (AdvanceMs(0), "advance_ms: ms must be a whole number from 1 to 3155760000000, found 0"),
    (AdvanceMs(1.5), "advance_ms: ms must be a whole number .*, found 1.5"),  # type: ignore[arg-type]
    (Schedule(10**7), "schedule: cycles must be a whole number from 1 to 1000000, found 10000000"),
]
"""Inputs that the engine takes, but no scenario file says."""


def name(value: object) -> str:
    return f"{type(value).__name__}" if not isinstance(value, str) else value[:50]


@pytest.mark.parametrize(("command", "why"), WRONG, ids=name)
def test_the_engine_refuses_what_a_field_may_not_hold_and_stays_as_it_was(command, why):
    engine = Engine(load_config(CONFIG))
    before, mark = engine.state.next_seq, engine.mark
    with pytest.raises(CommandError, match=why if not isinstance(command, (str, type)) else "does not handle"):
        engine.apply(command)
    assert (engine.state.next_seq, engine.mark) == (before, mark)


@pytest.mark.parametrize(("command", "why"), WRONG + UNSAID, ids=name)
def test_a_simulation_refuses_it_and_keeps_its_steps(command, why):
    sim = simulation()
    sim.run()
    sim.back()
    before = sim.digest(), sim.recorded, sim.inputs
    with pytest.raises(CommandError, match=why):
        sim.apply(command)
    assert (sim.digest(), sim.recorded, sim.inputs) == before


@pytest.mark.parametrize(("command", "why"), WRONG + UNSAID[:-3], ids=name)
def test_planning_it_is_refused_at_once(command, why):
    sim = simulation()
    with pytest.raises(CommandError, match=why):
        sim.plan(command, 60_000)
    assert sim.planned == ()


@pytest.mark.parametrize("at_ms", [2.5, "60000", True, None, 2**63, float("inf")], ids=repr)
def test_a_planned_time_is_a_number_of_milliseconds_that_the_clock_can_show(at_ms):
    sim = simulation()
    with pytest.raises(CommandError, match="add_ask: at_ms must be a whole number from 1 to 3155760000000"):
        sim.plan(AddAsk(ask=ASK), at_ms)
    assert sim.planned == ()


@pytest.mark.parametrize("command", [AdvanceMs(5), Schedule(1)], ids=name)
def test_time_and_cycles_cannot_be_planned(command):
    with pytest.raises(CommandError, match="cannot have a time of its own"):
        simulation().plan(command, 60_000)


@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        (Scenario(config=CONFIG, name=HALF), "scenario: name must be a text of whole characters"),
        (Scenario(config=CONFIG, description=5), "scenario: description must be a text"),  # type: ignore[arg-type]
        (Scenario(config=CONFIG, confirm_releases=1), "confirm_releases must be true or false"),  # type: ignore[arg-type]
        (Scenario(config=CONFIG, events=(ask(),)), "events must be a tuple of ScenarioEvent"),  # type: ignore[arg-type]
        (Scenario(config=CONFIG, events=(ScenarioEvent(ask(priority="5")),)), "priority must be"),
        (Scenario(config=CONFIG, planned=(Planned(0, ask()),)), "at_ms must be a whole number from 1"),
        (Scenario(config=CONFIG, planned=(Planned(9, ask()), Planned(8, ask()))), "in the order of time, found 8 ms behind 9 ms"),
        (Scenario(config=CONFIG, engine=["1.8"]), "engine must be a text"),  # type: ignore[arg-type]
    ],
    ids=name,
)
def test_a_scenario_made_in_code_passes_the_same_gate(scenario, why):
    with pytest.raises(CommandError, match=why):
        Simulation.from_scenario(scenario)


def test_the_fault_tells_its_parts_to_programs():
    with pytest.raises(CommandFault) as caught:
        simulation().apply(ask(priority="5"))
    fault = caught.value
    assert (fault.command, fault.field, fault.found) == ("add_ask", "priority", "the text '5'")
    assert fault.allowed == "a whole number from -2147483648 to 2147483647"


def test_what_the_gate_says_of_a_file_has_the_line_and_the_key_of_the_form():
    with pytest.raises(ScenarioError, match=r"line 4: events\[0\].release: release names nothing|names nothing"):
        parse_scenario("config: ''\nevents:\n-\n  release: {}\n")


def test_an_input_does_not_change_with_the_dict_or_list_it_was_made_from():
    tags, groups, nodes = {"team": "a"}, ["dev"], ["n1"]
    spec, one = replace(APP, tags=tags, groups=groups), replace(ASK, allowed_nodes=nodes, tags=tags)
    tags["team"] = "b"
    groups.append("ops")
    nodes.clear()
    assert (spec.tags["team"], spec.groups, one.tags["team"], one.allowed_nodes) == ("a", ("dev",), "a", ("n1",))


def test_what_is_told_of_half_a_character_can_be_printed():
    with pytest.raises(CommandError) as caught:
        simulation().placement(HALF)
    assert str(caught.value).encode("utf-8")
    fault = ScenarioError("the key is missing", source=f"{HALF}.json", hint=f"there is {HALF}")
    assert str(fault) == r"a\ud800.json: the key is missing (there is a\ud800)"


@pytest.mark.parametrize("seconds", [1e308, 10**400, float("nan"), float("-inf"), True, "5", None])
def test_a_time_that_no_clock_shows_is_refused(seconds):
    sim = simulation()
    before = sim.digest()
    with pytest.raises(CommandError):
        sim.advance(seconds)
    assert sim.digest() == before

"""Whatever stands in whatever field: an input is taken and can be written and read back, or is refused and nothing changed."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.scheduler.engine import Engine
from workbench.scheduler.records.command_checks import FIELDS
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
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.simulation import Simulation, driver
from workbench.simulation.digest import digest
from workbench.simulation.scenario import (
    AdvanceMs,
    Scenario,
    ScenarioEvent,
    Schedule,
    parse_scenario,
    scenario_to_json,
    scenario_to_yaml,
)
from workbench.values.errors import CommandError, WorkbenchError
from workbench.values.resources import Resource

CONFIG = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: a}, {name: b}]
  - name: gpu
    queues: [{name: root, submitacl: "*"}]
"""
SIGHT = 2**63

words = st.sampled_from(["n1", "n2", "x", "y", "k1", "k2", "root.a", "root.b", "default", "gpu", "other", "Hard", "zone", ""])
odd_texts = st.sampled_from(["\ud800", "a\udfff", "\x00", "\ufeff", "~", "no", "1_0", "\x85\n", " ", "é", "x" * 1500, "\U0001f600"])
texts = words | words | odd_texts | st.text(max_size=5)
numbers = st.sampled_from([0, 1, -1, 5, 2**31 - 1, 2**31, -(2**31), 3_000_000_000, SIGHT - 1, SIGHT, 10**400, 3_000 * 10**6])
strange: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    numbers,
    st.floats(),
    texts,
    st.binary(max_size=3),
    st.lists(texts, max_size=2),
    st.lists(texts | numbers, max_size=2).map(tuple),
    st.dictionaries(texts, texts | numbers, max_size=2),
    st.just(Resource(vcore=1)),
    st.just(object),
)
"""Anything that somebody might pass."""
sizes = st.dictionaries(
    st.sampled_from(["vcore", "memory", "gpu", "\ud800", ""]), st.integers(-2, 9_000) | st.just(SIGHT - 1), max_size=2
)
resources = sizes.map(Resource)

FITTING: dict[str, st.SearchStrategy[Any]] = {
    "priority": st.integers(-9, 9) | numbers,
    "ns": st.integers(0, 10**12),
    "created_ns": st.none() | numbers,
    "execution_timeout_ns": numbers.map(lambda number: number * 10**6) | numbers,
    "placeholder": st.booleans(),
    "originator": st.booleans(),
    "allow_preempt_self": st.booleans(),
    "allow_preempt_other": st.booleans(),
    "schedulable": st.booleans(),
    "foreign": st.booleans(),
    "resource": resources,
    "capacity": resources,
    "placeholder_ask": st.none() | resources,
    "allowed_nodes": st.none() | st.lists(texts, max_size=2),
    "groups": st.lists(texts, max_size=2).map(tuple),
    "taints": st.lists(texts, max_size=2).map(tuple),
    "tolerations": st.lists(texts, max_size=2).map(tuple),
    "attributes": st.dictionaries(texts, texts, max_size=2),
    "node_selector": st.dictionaries(texts, texts, max_size=2),
    "tags": st.dictionaries(texts, texts, max_size=2),
    "type": st.sampled_from(["STOPPED_BY_RM", "TIMEOUT", "PLACEHOLDER_REPLACED", "nonsense"]),
    "text": st.just(CONFIG) | texts,
    "partition": st.just("default") | texts,
}
"""Field -> values of the right type, most of them allowed; every other field is a text."""


def records(kind: type) -> st.SearchStrategy[Any]:
    """A record with a fitting value in each field, and now and then something strange in one of them."""
    fitting = {name: FITTING.get(name, texts) for name in FIELDS[kind]}
    one_wrong = st.one_of([st.builds(kind, **{**fitting, **PARTS.get(kind, {}), name: strange}) for name in fitting])
    plain = st.builds(kind, **fitting, **PARTS.get(kind, {}))
    return st.one_of(plain, plain, one_wrong) if fitting else plain


PARTS: dict[type, dict[str, st.SearchStrategy[Any]]] = {}
PARTS.update(
    {
        AddApplication: {"application": records(ApplicationSpec) | strange},
        AddAsk: {"ask": records(AskSpec) | strange},
        AddAllocation: {"ask": records(AskSpec) | strange},
    }
)
KINDS = (AddNode, UpdateNode, DrainNode, UndrainNode, RemoveNode, AddApplication, RemoveApplication, AddAsk, AddAllocation, Release)
inputs = st.one_of(
    *map(records, KINDS),
    st.builds(UpdateConfig, config=FITTING["text"]),
    st.builds(AdvanceMs, st.integers(1, 5_000) | strange),
    st.builds(Schedule, strange),
    st.just(Cycle()),
    st.builds(Advance, ns=strange),
    strange,
)


def start() -> Simulation:
    made = Simulation(CONFIG)
    made.apply(AddNode(node_id="n1", capacity=Resource(vcore=8000)))
    made.submit("x", queue="root.a", asks=[AskSpec(application_id="", key="k1", resource=Resource(vcore=1000))])
    return made


def played(scenario: Scenario) -> str:
    """What it comes to, cycles included."""
    engine = Simulation(scenario.config)._engine
    for _ in driver.items(engine, scenario):
        pass
    return digest(engine.state)


@given(st.lists(inputs, max_size=6))
@examples(120)
def test_what_is_applied_can_be_written_and_read_back_and_what_is_refused_changes_nothing(given_inputs):
    simulation = start()
    for command in given_inputs:
        before = simulation.digest(), simulation.inputs
        try:
            simulation.apply(command)
        except CommandError:
            assert (simulation.digest(), simulation.inputs) == before
    scenario = Scenario(config=CONFIG, events=tuple(numbered(simulation)))
    assert played(scenario) == simulation.digest()
    assert parse_scenario(scenario_to_json(scenario), "json") == scenario
    assert parse_scenario(scenario_to_yaml(scenario), "yaml") == scenario


@given(st.lists(st.tuples(inputs, st.integers(-1, 9_000) | strange), max_size=4))
@examples(110)
def test_what_is_planned_can_be_written_and_read_back_and_happens(given_inputs):
    simulation = start()
    for command, at_ms in given_inputs:
        before = simulation.planned
        try:
            simulation.plan(command, at_ms)
        except CommandError:
            assert simulation.planned == before
    scenario = Scenario(config=CONFIG, events=tuple(numbered(simulation)), planned=simulation.planned)
    for text, format in ((scenario_to_json(scenario), "json"), (scenario_to_yaml(scenario), "yaml")):
        assert parse_scenario(text, format) == scenario


@given(inputs)
@examples(300)
def test_an_engine_carries_a_command_out_or_refuses_it_and_stays_as_it_was(command):
    engine = Engine(start().config)
    before = digest(engine.state)
    try:
        engine.apply(command)
    except WorkbenchError:
        assert digest(engine.state) == before


def numbered(simulation: Simulation) -> list[ScenarioEvent]:
    return [ScenarioEvent(event.command, index=index) for index, event in enumerate(simulation.inputs)]

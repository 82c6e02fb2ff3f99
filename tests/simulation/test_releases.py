"""The release: chosen for an engine, a simulation or a scenario, and kept through all that is done with them."""

from __future__ import annotations

import dataclasses

import pytest

from workbench.config import edit, load_config
from workbench.conformance.replay import replay
from workbench.explain import why_not
from workbench.scheduler.engine import Engine
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import (
    Scenario,
    example,
    parse_scenario,
    scenario_to_dict,
    scenario_to_json,
    scenario_to_yaml,
)
from workbench.values.errors import CommandError, ScenarioError

CONFIG = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - {name: a, properties: {application.sort.policy: stateaware}}
"""


def order_of(sim: Simulation) -> list[str]:
    sim.run()
    return [step.decision.key for step in sim.steps]


def test_an_engine_follows_1_8_unless_told_otherwise():
    config = load_config(CONFIG)
    assert Engine(config).state.profile.version == "1.8"
    assert Engine(config, release="1.4").state.profile.version == "1.4"


@pytest.mark.parametrize("release", ["1.5", "1.2", "latest", ""])
def test_a_version_that_does_not_exist_is_told_with_those_that_do(release):
    with pytest.raises(CommandError, match="there are 1.9, 1.8 and 1.4"):
        Engine(load_config(CONFIG), release=release)
    with pytest.raises(CommandError, match="there are 1.9, 1.8 and 1.4"):
        Simulation(CONFIG, release=release)


def test_a_simulation_takes_its_version_from_whoever_makes_it_or_else_from_the_scenario():
    assert Simulation(CONFIG).release == "1.8"
    assert Simulation(CONFIG, release="1.4").release == "1.4"
    assert Simulation.from_scenario(example("state-aware")).release == "1.4"
    assert Simulation.from_scenario(example("state-aware"), release="1.8").release == "1.8"


def test_another_configuration_keeps_the_version():
    sim = Simulation(CONFIG, release="1.4")
    changed = sim.with_config(edit.with_property(sim.config, "root.a", "application.sort.policy", "fair"))
    assert changed.release == changed.scenario.engine == "1.4"


def test_going_back_and_forth_comes_to_the_same_state():
    sim = Simulation.from_scenario(example("state-aware"))
    digests = [sim.digest()]
    while sim.step().changed_something:
        digests.append(sim.digest())
    assert len(digests) == 7
    for number in (3, 0, 6, 1, 5):
        sim.goto(number)
        assert sim.digest() == digests[number]


def test_states_of_different_versions_differ():
    assert Simulation(CONFIG).digest() != Simulation(CONFIG, release="1.4").digest()


# -- scenarios --------------------------------------------------------------------------------------------------------


def test_a_scenario_may_name_its_version():
    assert parse_scenario("config: ''\nevents: []").engine == "1.8"
    assert parse_scenario("config: ''\nengine: '1.4'\nevents: []").engine == "1.4"


def test_the_version_is_written_when_it_is_not_the_usual_one():
    assert "engine" not in scenario_to_dict(Scenario(config=CONFIG))
    made = Scenario(name="old", config=CONFIG, engine="1.4")
    assert parse_scenario(scenario_to_yaml(made)) == parse_scenario(scenario_to_json(made), "json") == made


@pytest.mark.parametrize(
    "value, said",
    [
        ("'1.5'", "engine: there is no release '1.5' (there are 1.9, 1.8 and 1.4)"),
        ("1.4", "engine: must be a text, found 1.4 (put it in quotes)"),
        ("[]", "engine: must be a text, found a list"),
    ],
)
def test_a_version_that_cannot_be_read_is_told_with_its_line(value, said):
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f"config: ''\nengine: {value}\nevents: []")
    assert str(caught.value) == f"line 2: {said}"


def test_a_recording_is_replayed_by_the_version_that_it_names():
    scenario = example("state-aware")
    recorded = dataclasses.replace(scenario, expect={"trace": [], "final": {}})
    difference = replay(recorded).difference
    assert difference is not None and difference.what == "number of items"
    assert replay(dataclasses.replace(recorded, engine="0.9")).failure.startswith("not playable: there is no release")


# -- the example ------------------------------------------------------------------------------------------------------


def test_stateaware_starts_one_application_after_the_other():
    assert order_of(Simulation.from_scenario(example("state-aware"))) == [
        "sales-driver",
        "sales-executor-000",
        "sales-executor-001",
        "sales-executor-002",
        "stock-driver",
        "audit-driver",
    ]


def test_by_the_rules_of_1_8_all_three_start_at_once():
    assert order_of(Simulation.from_scenario(example("state-aware"), release="1.8"))[:3] == [
        "sales-driver",
        "stock-driver",
        "audit-driver",
    ]


def test_who_waits_is_told_for_whom():  # W-24
    sim = Simulation.from_scenario(example("state-aware"))
    sim.step()
    waiting = sim.waiting()
    assert [(each.ask.key, each.refusal.code) for each in waiting] == [("stock-driver", "W-24"), ("audit-driver", "W-24")]
    assert any("may not start while sales is Starting" in sentence for sentence in why_not(waiting[0], sim.preview()))


def test_what_would_let_it_start_is_to_wait_or_another_policy():  # W-24, E-5
    sim = Simulation.from_scenario(example("state-aware"))
    sim.step()
    sim.cycle()
    here = sim.digest()
    found = sim.remedies(sim.waiting()[0]).found
    assert [(remedy.kind, remedy.after, remedy.effect) for remedy in found] == [
        ("wait", 300 * 10**9 - 202_000_000, "next"),
        ("sort-policy", "fifo", "next"),
    ]
    assert sim.digest() == here


def test_what_would_put_a_queue_first_is_tried_by_the_rule_of_the_version():  # R-528, W-03, E-5
    text = CONFIG.replace("{name: a, properties: {application.sort.policy: stateaware}}", "{name: a}\n          - {name: b}")
    sim = Simulation(text, release="1.4")
    sim.add_nodes(1, vcore="20")
    sim.submit("x", queue="root.a", user="u", asks=asks(4, prefix="x", vcore="2"))
    sim.submit("y", queue="root.b", user="u", asks=asks(4, prefix="y", vcore="1"))
    sim.run(max_steps=2)
    waiting = next(each for each in sim.waiting() if each.application.id == "x" and each.refusal is not None)
    assert waiting.refusal.lost.field == "share"
    remedy = next(remedy for remedy in sim.remedies(waiting).found if remedy.kind == "guaranteed")
    assert (remedy.subject, remedy.effect) == ("root.a", "next")
    assert "share 2,000" in "".join(why_not(waiting, sim.preview()))

"""The figures of "Sorting Policies" (user guide) and of the example run of the stateaware policy (design), against the engine."""

from __future__ import annotations

import pytest

from notebooks import recordings
from workbench import Simulation, Workbench, example

WEIGHTS = [  # R-557, "Resource weighting": the score of a node with 90 % of its cores and 50 % of its memory in use
    (None, 0.70, ["n2", "n1", "n3"]),
    ({"vcore": 4.0, "memory": 1.0}, 0.82, ["n2", "n3", "n1"]),
    ({"vcore": 1.0, "memory": 0.25}, 0.82, ["n2", "n3", "n1"]),
]


@pytest.mark.parametrize(("weights", "score", "order"), WEIGHTS, ids=["equal", "4 to 1", "1 to a quarter"])
def test_weights_say_how_full_a_node_counts(weights, score, order):
    bench = Workbench.example("documented/resource-weighting")
    bench.set("partition", "nodesortpolicy.resourceweights", weights)
    assert bench.partition.nodes["n1"].score == pytest.approx(score)
    assert [line.split()[1] for line in bench.table("nodes").splitlines()[1:]] == order


@pytest.mark.parametrize(("name", "third"), [("resource-weighting", "n2"), ("resource-weighting-equal", "n1")])
def test_weights_decide_where_the_third_request_goes(name, third):
    bench = recordings.variant(name) if name in recordings.VARIANTS else Workbench.example(f"documented/{name}")
    bench.goto(3)
    assert bench.simulation.steps[2].decision.node_id == third


def test_fair_uses_every_node_and_binpacking_only_as_many_as_it_needs():  # R-556, "Node sorting"
    spread, packed = Workbench.example("documented/node-sort-fair-default"), recordings.variant("node-sort-binpacking-default")
    used = []
    for bench in (spread, packed):
        bench.run()
        used.append({step.decision.node_id for step in bench.simulation.steps})
    assert used == [{"n1", "n2", "n3", "n4"}, {"n1", "n2"}]


def test_the_example_run_of_stateaware_lets_one_application_start_at_a_time():  # "Example run"
    bench = Workbench.example("documented/state-aware-run")
    states = []
    applications = [bench.partition.applications[id] for id in ("App1", "App2")]
    while bench.step().changed_something:
        states.append((bench.simulation.steps[-1].decision.key, *(each.state for each in applications)))
    assert states == [
        ("D1", "Starting", "Accepted"),
        ("E11", "Running", "Accepted"),
        ("E12", "Running", "Accepted"),
        ("D2", "Running", "Starting"),
        ("E21", "Running", "Running"),
    ]


def test_by_the_rules_of_1_8_stateaware_is_fifo_and_both_drivers_start_at_once():
    sim = Simulation.from_scenario(example("documented/state-aware-run"), release="1.8")
    sim.run()
    assert [step.decision.key for step in sim.steps] == ["D1", "D2", "E11", "E12", "E21"]

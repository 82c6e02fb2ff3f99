"""Laws of release 1.4: recorded scenarios, played by its rules, break no invariant, and stateaware starts one at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.config import edit
from workbench.scheduler import invariants
from workbench.scheduler.objects import tree
from workbench.simulation import Simulation
from workbench.simulation.scenario import load_scenario

SAMPLE = sorted((Path(__file__).parents[1] / "conformance" / "scenarios").glob("*.json"))[4::9]


def state_aware(path: Path) -> Simulation:
    """The scenario by the rules of 1.4, every configured leaf stateaware."""
    simulation = Simulation.from_scenario(load_scenario(path), release="1.4")
    config = simulation.config
    for partition in simulation.state.partitions.values():
        for leaf in tree.leaves(partition.root):
            if leaf.is_managed and leaf.parent is not None:
                config = edit.with_property(config, leaf.path, "application.sort.policy", "stateaware", partition.name)
    return simulation.with_config(config)


def starters(simulation: Simulation) -> dict[str, int]:
    """Configured leaf -> how many of its applications are Starting."""
    return {
        leaf.path: sum(application.state == "Starting" for application in leaf.applications.values())
        for partition in simulation.state.partitions.values()
        for leaf in tree.leaves(partition.root)
        # A queue that placement makes has the policy of its parent's template, which nobody edited here.
        if leaf.is_managed
    }


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_a_scenario_played_by_the_rules_of_1_4_breaks_no_invariant_and_can_be_undone(path):
    simulation = state_aware(path)
    digests, most = [simulation.digest()], starters(simulation)
    while (decision := simulation.step()).changed_something:
        assert not invariants.check(simulation.state)
        now = starters(simulation)
        if decision.phase == "regular" and decision.outcome == "allocated":
            leaf = decision.path[-1]
            assert now.get(leaf, 0) <= max(1, most.get(leaf, 0)), "another one started beside it"
        most = now
        digests.append(simulation.digest())
    taken = simulation.position
    for number in (taken // 2, 0, taken // 3):
        if number < taken:
            simulation.goto(number)
            assert simulation.digest() == digests[number], f"step {number}"

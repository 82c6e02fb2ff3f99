"""What another release would do with the same design and inputs: the first difference, on both sides of it. Chapter 11."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import explain
from workbench.scheduler.records.events import Preempted, Released, Unreserved
from workbench.simulation import Simulation
from workbench.simulation.scenario import example, load_scenario
from workbench.values.errors import CommandError, ConfigError

RECORDED = Path(__file__).resolve().parents[1] / "conformance" / "release-1.9"
BOTH = sorted(path.name for path in (RECORDED / "scenarios-1.8").glob("release19-*.json.gz"))
NEVER = 2**63


def recorded(name: str, release: str):
    return load_scenario(RECORDED / f"scenarios-{release}" / name)


def first_difference_ms(name: str) -> int:
    """When the two cores first answered otherwise; that late if they never did."""
    traces = [recorded(name, release).expect["trace"] for release in ("1.8", "1.9")]
    return next((mine["t_ms"] for mine, theirs in zip(*traces) if mine["outcomes"] != theirs["outcomes"]), NEVER)


@pytest.mark.parametrize("name", BOTH)
def test_the_first_difference_is_found_where_the_real_cores_part(name):
    sim = Simulation.from_scenario(recorded(name, "1.8"))
    before, found = sim.digest(), sim.upgrade("1.9")
    at_ms = NEVER if found.at_ns is None else found.at_ns / 10**6
    quiet = all(isinstance(event, Unreserved) for event in (*found.now.only, *found.then.only))
    # The time of a trace item is that after it; an end of a reservation is nothing that the resource manager is told.
    assert at_ms <= first_difference_ms(name) and (quiet or first_difference_ms(name) < NEVER)
    assert sim.digest() == before and sim.position == 0, "the simulation itself stays"


def test_both_sides_stand_right_before_the_difference():
    found = Simulation.from_scenario(recorded("release19-fence-parent-max.json.gz", "1.8")).upgrade("1.9")
    assert found.at_ns is not None
    for side, other in ((found.now, found.then), (found.then, found.now)):
        assert side.simulation.release == side.release
        assert side.simulation.now_ns <= found.at_ns
        assert side.simulation.position == found.step - 1 == other.simulation.position
    decided = [side for side in (found.now, found.then) if any(isinstance(event, Preempted) for event in side.only)]
    assert decided
    for side in decided:
        assert side.simulation.step().victims == next(event.victims for event in side.only if isinstance(event, Preempted))


def test_a_run_for_a_quota_beside_the_cycles_is_a_difference():
    found = Simulation.from_scenario(recorded("release19-q-no-pending.json.gz", "1.8")).upgrade("1.9")
    assert found.now.only == ()
    assert {type(event) for event in found.then.only} == {Released}
    assert found.at_ns is not None and found.at_ns % 10**9 == 0
    told = "\n".join(explain.upgrade(found))
    assert "Release 1.8 does nothing of that kind then" in told
    assert "Quota Preemption results summary" in told


def test_both_reasons_are_told():
    found = Simulation.from_scenario(recorded("release19-fence-parent-max.json.gz", "1.8")).upgrade("1.9")
    head, *rest = explain.upgrade(found)
    assert head.startswith("Release 1.9 first decides otherwise than 1.8 at ")
    sides = [index for index, line in enumerate(rest) if line.startswith("Release ")]
    assert len(sides) == 2 and all(rest[index + 1].startswith("  ") for index in sides), "each with a reason"


def test_releases_that_decide_alike_are_said_to():
    found = Simulation.from_scenario(example("multitenancy")).upgrade("1.9")
    assert found.alike and found.at_ns is None
    assert explain.upgrade(found) == ("Release 1.9 decides as release 1.8 does, in all of 11 steps.",)


def test_it_can_be_asked_in_the_other_direction_and_in_the_midst():
    sim = Simulation.from_scenario(example("state-aware"))
    sim.run(max_steps=2)
    found = sim.upgrade("1.8")
    assert (found.now.release, found.then.release, found.alike, sim.position) == ("1.4", "1.8", False, 2)


def test_a_release_that_nobody_follows_or_that_refuses_the_design_is_told():
    sim = Simulation.from_scenario(example("multitenancy"))
    with pytest.raises(CommandError, match="there is no release '2'"):
        sim.upgrade("2")
    text = (
        "partitions: [{name: default, queues: [{name: root, limits: [{limit: l, users: [u], maxapplications: 5}],"
        " queues: [{name: root, parent: true, limits: [{limit: l, users: [u], maxapplications: 9}]}]}]}]"
    )
    with pytest.raises(ConfigError, match="of queue root is greater than"):
        Simulation(text, release="1.8").upgrade("1.9")

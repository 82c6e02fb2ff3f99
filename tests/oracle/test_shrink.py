"""A planted difference shrinks to the planted one. The core is this engine, with one answer changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from benchmarks.replay import recording

from oracle.findings import examine
from oracle.scenarios import SMALL, scenario
from oracle.shrink import Shrinking, shrunk
from oracle.verdict import judge
from workbench.config import load_config
from workbench.simulation.scenario import Scenario, Schedule

SCENARIO = scenario(0, release="1.8", size=SMALL)


def planted(changed: Callable[[dict[str, Any]], None]) -> Callable[[Scenario], dict[str, Any]]:
    """A core that answers as the engine does, with its outcomes changed."""

    def play(given: Scenario) -> dict[str, Any]:
        found = copy.deepcopy(recording(given))
        for item in found["trace"]:
            for outcome in item["outcomes"]:
                changed(outcome)
        return found

    return play


def first_placed(scenario: Scenario) -> str:
    return next(o["allocated"] for item in recording(scenario)["trace"] for o in item["outcomes"] if "allocated" in o)


def elsewhere(key: str):
    def changed(outcome: dict[str, Any]) -> None:
        if outcome.get("allocated") == key:
            outcome["node"] = "elsewhere"

    return planted(changed)


def test_it_shrinks_to_a_node_an_application_a_request_and_a_cycle():
    play = elsewhere(first_placed(SCENARIO))
    least = shrunk(SCENARIO, lambda each: judge(each, play, times=1).kind == "differs", tries=2_000)
    assert sorted(type(event.command).__name__ for event in least.events) == ["AddApplication", "AddAsk", "AddNode", "Schedule"]
    (cycles,) = [event.command.cycles for event in least.events if isinstance(event.command, Schedule)]
    assert cycles == 1
    (root,) = [partition.root for partition in load_config(least.text).partitions]
    assert len(root.queues) == 1 and "guaranteed" not in least.text and "properties" not in least.text
    assert judge(least, play, times=1).kind == "differs"


def test_it_is_reported_as_a_real_difference_with_the_smallest_as_a_recording():
    found = examine(SCENARIO, elsewhere(first_placed(SCENARIO)), further=5, tries=2_000)
    assert found.kind == "real difference"
    assert found.least is not None and found.least.expect is not None and len(found.least.events) == 4
    assert "of 40 events 4 show it" in str(found).replace(f"of {len(SCENARIO.events)} events", "of 40 events")


def test_where_nothing_differs_nothing_is_left_out():
    assert shrunk(SCENARIO, lambda each: False, tries=50) == SCENARIO


@pytest.mark.parametrize("tries", [1, 10])
def test_no_more_is_asked_than_is_allowed_and_nothing_twice(tries):
    asked: list[Scenario] = []

    def differs(each: Scenario) -> bool:
        asked.append(each)
        return len(each.events) > 5

    search = Shrinking(differs, tries=tries)
    assert len(search.of(SCENARIO).events) <= len(SCENARIO.events)
    assert len(asked) <= tries and search.left == tries - len(asked)
    assert all(each not in asked[:at] for at, each in enumerate(asked))

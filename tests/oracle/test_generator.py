"""What the generator promises: scenarios that can be played, the same for the same seed, of every family, and far from small."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from benchmarks.replay import recording

from oracle.scenarios import FAMILIES, LARGE, NARROW, SMALL, scenario
from oracle.trees import is_accepted
from workbench.config import load_config
from workbench.simulation.scenario import parse_scenario, scenario_to_json

SEEDS = range(2 * len(FAMILIES))


def made(seed: int, size=SMALL, release: str = "1.9"):
    return scenario(seed, release=release, size=size)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_scenario_can_be_played_to_its_end_and_its_configurations_are_accepted(seed):
    each = made(seed)
    played = recording(each)
    assert sum(item["cycle"] < 2 for item in played["trace"]) == len(each.events)
    assert not [outcome for item in played["trace"] for outcome in item["outcomes"] if "config_rejected" in outcome]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_makes_the_same_scenario_and_it_reads_back(seed):
    text = scenario_to_json(made(seed))
    assert text == scenario_to_json(made(seed))
    assert scenario_to_json(parse_scenario(text, "json")) == text


def test_another_seed_makes_another_scenario_and_the_release_only_says_by_which_rules():
    assert made(3).events != made(3 + len(FAMILIES)).events
    of_1_8, of_1_9 = (json.loads(scenario_to_json(made(3, release=release))) for release in ("1.8", "1.9"))
    assert of_1_8.pop("engine", "1.8") == "1.8" and of_1_9.pop("engine", "1.9") == "1.9"
    assert of_1_8 == of_1_9


def test_large_ones_have_trees_of_six_levels_sixty_queues_and_two_hundred_nodes():
    levels, queues, nodes = set(), set(), set()
    for seed in range(0, 40 * len(FAMILIES), len(FAMILIES)):  # all of the family "deep"
        each = made(seed, LARGE)
        paths = [path for path, _ in _queues(each.text)]
        levels.add(max(path.count(".") for path in paths))
        queues.add(len(paths))
        nodes.add(sum("AddNode" in type(event.command).__name__ for event in each.events))
    assert max(levels) == 6 and 50 <= max(queues) <= 60 and 150 <= max(nodes) <= 200 + LARGE.happenings


def _queues(text: str):
    pending = [("root", load_config(text).partitions[0].root)]
    for path, queue in pending:
        pending += [(f"{path}.{child.name}", child) for child in queue.queues]
    return pending[1:]


def test_what_the_families_are_for_happens():
    """Preemption, replaced placeholders, time-outs, reservations that show as waiting, confirmations that come late."""
    told: Counter[str] = Counter()
    for seed in range(4 * len(FAMILIES)):
        for item in recording(made(seed, NARROW))["trace"]:
            for outcome in item["outcomes"]:
                told[outcome.get("type", next(iter(outcome)))] += 1
    assert {"PREEMPTED_BY_SCHEDULER", "PLACEHOLDER_REPLACED", "TIMEOUT", "STOPPED_BY_RM", "allocated", "app_rejected"} <= set(told)


def test_a_text_that_the_scheduler_refuses_is_not_accepted():
    assert not is_accepted("partitions: [{name: default, queues: [{name: 'a!'}]}]")
    assert is_accepted("partitions: [{name: default, queues: [{name: root}]}]")

"""Preemption that keeps what it knows decides as the plain one: attempt by attempt, and all that follows.

`general.attempt` is the definition. The incremental search asks `search.preempting` in its place, whose answers are compared with
those of `general.attempt` in the same state: success, node, victims in order, texts, reservations given up.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from command_lists import commands
from crowds import crowds
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from properties.attempts import compared_attempts
from takers import story, takers
from twins import Twins

from workbench.config import load_config
from workbench.simulation import driver
from workbench.simulation.scenario import load_scenario

SCENARIOS = sorted((Path(__file__).parents[1] / "conformance" / "scenarios").glob("*.json"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_attempt_of_a_recorded_scenario_is_answered_alike(path):
    scenario = load_scenario(path)
    with compared_attempts():
        twins = Twins(load_config(scenario.config), release=scenario.engine)
        driver.begin(twins)
        for _ in driver.items(twins, scenario):
            pass
    twins.agree_in_state()


@examples(60)
@given(takers(), st.randoms(use_true_random=False))
def test_every_attempt_in_a_full_cluster_is_answered_alike(takers, chance):
    with compared_attempts():
        twins = Twins(takers.loaded, release=takers.release)
        for _ in commands(twins, takers.steps):
            if not chance.randrange(60):
                twins.retrace(chance.choice([1, 2, 5, 12]))
    twins.agree_in_state()


@examples(10)
@given(crowds())
def test_every_attempt_of_a_crowd_is_answered_alike(crowd):
    with compared_attempts():
        twins = Twins(crowd.loaded, release=crowd.release)
        for _ in commands(twins, crowd.steps):
            pass
    twins.agree_in_state()


def test_the_stories_come_to_every_end_that_an_attempt_can_have():
    seen: Counter[str] = Counter()
    for number in range(40):
        with compared_attempts(seen):
            twins = Twins(story(number, 15).loaded, release=story(number, 15).release)
            for _ in commands(twins, story(number, 15).steps):
                pass
    assert {"ok", "queue-guarantees", "no-node", "shortfall"} <= set(seen)
    assert {"several victims", "gives up a reservation"} <= set(seen)


def test_another_answer_is_told_with_both_sides(monkeypatch):
    from workbench.scheduler.search import preempting

    monkeypatch.setattr(preempting.Preempting, "attempt", lambda *given, **more: preempting.IN_VAIN)
    with pytest.raises(AssertionError, match="plain: .*kept: "), compared_attempts():
        for number in range(40):
            for _ in commands(Twins(story(number, 15).loaded), story(number, 15).steps):
                pass

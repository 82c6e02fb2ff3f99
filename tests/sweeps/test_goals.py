"""What is best: bounds first, then goal by goal; and what no other beats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.sweeps.goals import Goal, goals_of, rank
from workbench.sweeps.pareto import front
from workbench.values.errors import CommandError

PROMPT = Goal("wait.p95", of="root.prod", at_most="5m")
FEW = Goal("preempted")
BUSY = Goal("utilization.cpu")


def key(*goals: Goal, **numbers: float | None):
    values = {"wait": ("wait.p95", "root.prod"), "preempted": ("preempted", "cluster"), "use": ("utilization.vcore", "cluster")}
    there = {values[name]: value for name, value in numbers.items()}
    return rank(goals, lambda measure, of: there.get((measure, of)))


def test_whatever_keeps_a_bound_comes_before_whatever_does_not():
    assert key(PROMPT, FEW, wait=299, preempted=50) < key(PROMPT, FEW, wait=301, preempted=0)


def test_of_those_that_keep_the_bounds_the_other_goals_decide_one_after_the_other():
    assert key(PROMPT, FEW, BUSY, wait=10, preempted=1, use=0.9) < key(PROMPT, FEW, BUSY, wait=5, preempted=2, use=0.9)
    assert key(PROMPT, FEW, BUSY, wait=10, preempted=1, use=0.9) < key(PROMPT, FEW, BUSY, wait=5, preempted=1, use=0.8)


def test_of_those_that_do_not_the_nearest_is_best():
    assert key(PROMPT, wait=310) < key(PROMPT, wait=900) < key(PROMPT, wait=None)


def test_what_is_better_for_a_measure_is_what_its_goal_is_after():
    assert FEW.aim == "least" and BUSY.aim == "most"
    assert BUSY.cost(0.9) < BUSY.cost(0.8) < BUSY.cost(None)


def test_a_bound_by_itself_wants_no_more_than_to_be_kept():
    assert key(PROMPT, wait=1) == key(PROMPT, wait=299)


def test_bounds_may_be_texts_with_units():
    assert PROMPT.at_most == 300
    assert Goal("utilization.vcore", at_least="80%").at_least == 0.8
    assert str(PROMPT).endswith("root.prod: at most 5 minutes")


def test_goals_may_be_given_as_mappings():
    assert goals_of([{"measure": "wait.p95", "of": "root.prod", "at_most": "5m"}, "preempted"]) == (PROMPT, FEW)
    assert goals_of(None) == ()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Goal("wait.p59"), "there is no measure 'wait.p59'"),
        (lambda: Goal("wait.p95", "prod"), "'prod' is no scope"),
        (
            lambda: Goal("wait.p95", at_most="soon"),
            "is a duration such as 5m or a number of seconds, found the text 'soon'",
        ),
        (lambda: Goal("wait.p95", at_most=1, at_least=2), "nothing is at least"),
        (lambda: Goal("requests"), "neither less nor more is better"),
        (lambda: Goal("wait.p95", aim="best"), "least or most, found the text 'best'"),
        (lambda: goals_of([5]), "a goal is a Goal, or a mapping with its measure, found 5"),
        (lambda: goals_of([{"measure": "preempted", "at_mots": 5}]), "there is no 'at_mots' in a goal"),
    ],
)
def test_a_goal_that_makes_no_sense_is_told(make, says):
    with pytest.raises(CommandError) as told:
        make()
    assert says in str(told.value)


numbers = st.one_of(st.integers(0, 4).map(float), st.just(float("inf")))


@given(st.integers(1, 3).flatmap(lambda size: st.lists(st.tuples(*[numbers] * size), max_size=30)))
def test_the_front_is_what_no_other_beats(costs):
    def is_beaten(one):
        return any(all(a <= b for a, b in zip(other, one)) and other != one for other in costs)

    assert front(costs) == [place for place, each in enumerate(costs) if float("inf") not in each and not is_beaten(each)]

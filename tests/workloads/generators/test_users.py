"""Users by Zipf's law."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from workbench.workloads.generators.users import Users


def test_users_submit_in_proportion_to_their_rank():
    users = Users(count=10, zipf=1.0)
    weights = users.weights()
    assert math.fsum(weights) == pytest.approx(1)
    assert [weights[0] / weight for weight in weights] == pytest.approx(range(1, 11))


def test_an_exponent_of_zero_makes_all_alike():
    assert Users(count=4, zipf=0).weights() == (0.25,) * 4


def test_draws_follow_the_weights():
    users, source, draws = Users(count=20, zipf=1.3), random.Random(11), 50_000
    choose = users.chooser()
    counts = Counter(choose(source) for _ in range(draws))
    statistic = math.fsum((counts[rank] - draws * weight) ** 2 / (draws * weight) for rank, weight in enumerate(users.weights()))
    # Chi squared with 19 degrees of freedom: beyond 43.8 for one seed in a thousand.
    assert statistic < 43.8


def test_users_are_numbered_or_named_and_take_turns_in_groups():
    numbered = Users(count=12, groups=("a", "b"))
    assert [numbered.name(0), numbered.name(11)] == ["user-01", "user-12"]
    assert [numbered.groups_of(rank) for rank in range(3)] == [("a",), ("b",), ("a",)]
    assert Users(names=("ann", "bob")).count == 2
    assert Users(names=("ann", "bob")).name(1) == "bob"
    assert Users().groups_of(0) == ()


@pytest.mark.parametrize("wrong", [{"count": 0}, {"zipf": -1}, {"zipf": 11}, {"count": 100_001}], ids=str)
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="from"):
        Users(**wrong)

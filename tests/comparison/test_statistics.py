"""CP-2: how sure a difference is, against hand computations and known coverage."""

from __future__ import annotations

import math
from random import Random

import pytest

from workbench.comparison.statistics import Interval, block_interval, paired_interval, student_quantile


@pytest.mark.parametrize(
    ("share", "degrees", "quantile"),  # from printed tables of Student's t
    [(0.975, 1, 12.706), (0.975, 2, 4.303), (0.975, 3, 3.182), (0.975, 9, 2.262), (0.995, 10, 3.169), (0.95, 120, 1.658)],
)
def test_students_t_is_that_of_the_tables(share, degrees, quantile):
    assert student_quantile(share, degrees) == pytest.approx(quantile, abs=5e-4)


def test_one_pair_tells_nothing():
    assert paired_interval([]) is None
    assert paired_interval([3.0]) is None


def test_few_pairs_have_the_interval_of_students_t():
    # mean 2, standard deviation 1, error 1 / sqrt(3), t(2) = 4.3027
    low, high = paired_interval([1.0, 2.0, 3.0])[1:]
    assert (low, high) == (pytest.approx(2 - 4.3027 / math.sqrt(3), abs=1e-4), pytest.approx(2 + 4.3027 / math.sqrt(3), abs=1e-4))


def test_pairs_that_all_agree_leave_no_doubt():
    assert paired_interval([-4.0] * 7) == Interval(-4.0, -4.0, -4.0)


def test_the_same_pairs_give_the_same_interval():
    numbers = [Random(5).gauss(1, 2) for _ in range(12)]
    assert paired_interval(numbers) == paired_interval(list(numbers))


def test_an_interval_moves_and_grows_with_its_numbers():
    numbers = [float(each) for each in (3, -1, 4, 1, 5, -9, 2, 6)]
    found, moved = paired_interval(numbers), paired_interval([10 + 2 * each for each in numbers])
    assert moved == tuple(pytest.approx(10 + 2 * each) for each in found)
    assert found.low < sum(numbers) / 8 < found.high


@pytest.mark.parametrize(
    ("count", "draw"),
    [
        (3, lambda chance: chance.gauss(0, 1)),
        (7, lambda chance: chance.gauss(0, 1)),
        (8, lambda chance: chance.gauss(0, 1)),
        (20, lambda chance: chance.uniform(-1, 1)),
        (30, lambda chance: chance.expovariate(1) - 1),
    ],
    ids=["3 normal", "7 normal", "8 normal", "20 uniform", "30 skewed"],
)
def test_95_of_100_intervals_hold_the_true_difference(count, draw):
    chance = Random(20)
    found = [paired_interval([draw(chance) for _ in range(count)], resamples=300) for _ in range(400)]
    assert 0.93 <= sum(each.holds_zero for each in found) / len(found) <= 0.985


def test_requests_have_the_difference_of_their_statistic():
    ours = [[float(each)] for each in range(100)]
    theirs = [[float(each) + 7] for each in range(100)]
    for percent in (None, 50, 95):
        assert block_interval(ours, theirs, percent) == Interval(7.0, 7.0, 7.0)


def test_of_few_jobs_nothing_is_said():
    assert block_interval([[1.0]] * 19, [[2.0]] * 19) is None
    assert block_interval([[1.0]] * 19 + [[]] * 20, [[2.0]] * 39) is None


@pytest.mark.parametrize("percent", [None, 50, 90])
def test_95_of_100_intervals_of_paired_requests_hold_the_true_difference(percent):
    chance = Random(8)
    held = 0
    for _ in range(150):
        both = [chance.expovariate(1) for _ in range(240)]
        ours = [[each + chance.expovariate(2)] for each in both]
        theirs = [[each + chance.expovariate(2)] for each in both]
        held += block_interval(ours, theirs, percent, resamples=200).holds_zero
    assert 0.9 <= held / 150 <= 1


def test_jobs_that_wait_behind_each_other_do_not_count_as_many_proofs():
    # Ten stretches of forty jobs, all of a stretch alike: as good as ten numbers, and so are their intervals.
    chance = Random(3)
    held = 0
    for _ in range(60):
        stretches = [chance.gauss(0, 1) for _ in range(10) for _ in range(40)]
        held += block_interval([[0.0]] * 400, [[each] for each in stretches], resamples=200).holds_zero
    assert held / 60 >= 0.7  # resampled one by one it would be 0.3

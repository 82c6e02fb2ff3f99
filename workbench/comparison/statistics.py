"""How sure a difference is: intervals for the mean of paired differences, and for a statistic of paired requests. CP-2.

Pairs are what two designs did with the same arrivals: one number a seed, or the requests of one job. Whatever makes a seed or a job
long in both falls out of the difference.

- Over seeds: the bootstrap-t interval (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 12.5): every
  resample is measured by its own standard error, so that numbers that lie lopsided have a lopsided interval. For a dozen pairs it
  still is a little narrow, so it is never narrower than that of Student's t on either side, which alone holds below `FEWEST` pairs.
- Over jobs: whole stretches of jobs that came one after another are resampled (block bootstrap, Kuensch 1989), since jobs that wait
  behind each other are not independent, and percentiles taken that are moved outwards for how few stretches there are (Hesterberg,
  "What teachers should know about the bootstrap", The American Statistician 69, 2015).

The same numbers give the same interval: chance comes from a generator of its own with a fixed seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95
"""How often an interval holds the true difference."""
RESAMPLES = 2000
FEWEST = 8
"""Pairs below which the bootstrap cannot be wide enough."""
BLOCKS = 40
"""Stretches that jobs are cut into."""
FEWEST_JOBS = 20
"""Jobs below which nothing is said about how sure a difference is."""
BLOCK_RESAMPLES = 400
MOST_VALUES = 2000
"""Of more requests every so-manieth counts for the interval, not for the value itself."""


class Interval(NamedTuple):
    """A difference, and the bounds within which the true one lies in 95 of 100 cases."""

    estimate: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half its width, for "plus or minus"."""
        return (self.high - self.low) / 2

    @property
    def holds_zero(self) -> bool:
        """Whether there may be no difference at all."""
        return self.low <= 0 <= self.high


def paired_interval(
    differences: Sequence[float], *, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0
) -> Interval | None:
    """The interval of the mean of paired differences; None for fewer than two, which tell nothing about each other.

    >>> paired_interval([2.0, 2.0, 2.0])
    Interval(estimate=2.0, low=2.0, high=2.0)
    >>> interval = paired_interval([1.0, 2.0, 3.0])
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.484, 4.484)
    """
    count = len(differences)
    if count < 2:
        return None
    mean = math.fsum(differences) / count
    if min(differences) == max(differences):
        return Interval(differences[0], differences[0], differences[0])
    error = _error(differences, mean)
    margin = student_quantile((1 + level) / 2, count - 1) * error
    if count < FEWEST:
        return Interval(mean, mean - margin, mean + margin)
    chance = Random(seed)
    found = []
    for _ in range(resamples):
        drawn = chance.choices(differences, k=count)
        middle = math.fsum(drawn) / count
        if spread := _error(drawn, middle):
            found.append((middle - mean) / spread)
    found.sort()
    low, high = (_at(found, share) * error for share in ((1 - level) / 2, (1 + level) / 2)) if found else (-margin, margin)
    return Interval(mean, mean - max(high, margin), mean - min(low, -margin))


def _error(numbers: Sequence[float], mean: float) -> float:
    """The standard error of their mean."""
    return math.sqrt(math.fsum((each - mean) ** 2 for each in numbers) / (len(numbers) - 1) / len(numbers))


def block_interval(
    ours: Sequence[Sequence[float]],
    theirs: Sequence[Sequence[float]],
    percent: int | None = None,
    *,
    level: float = LEVEL,
    resamples: int = BLOCK_RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """The interval of the difference, theirs less ours, of a percentile of the numbers, or of their mean.

    Args:
        ours, theirs: of every job, in the order in which they came, its numbers in the one run and in the other.
        percent: of the percentile, as `measures.spread` has it; None for the mean.

    Returns:
        None for fewer than `FEWEST_JOBS` jobs that have numbers in both.
    """
    pairs = [(mine, other) for mine, other in zip(ours, theirs) if mine and other]
    if len(pairs) < FEWEST_JOBS:
        return None
    blocks = min(BLOCKS, len(pairs) // 2)
    sides = [_Blocks([pair[side] for pair in pairs], blocks, percent) for side in (0, 1)]
    everything = [1] * blocks
    estimate = sides[1].statistic(everything) - sides[0].statistic(everything)
    chance = Random(seed)
    found = []
    for _ in range(resamples):
        weights = [0] * blocks
        for _ in range(blocks):
            weights[chance.randrange(blocks)] += 1
        found.append(sides[1].statistic(weights) - sides[0].statistic(weights))
    return _between(estimate, sorted(found), blocks, level)


class _Blocks:
    """The numbers of one run in stretches of jobs, ready for a statistic of any mixture of them."""

    def __init__(self, jobs: Sequence[Sequence[float]], blocks: int, percent: int | None):
        self._percent = percent
        numbered = [(value, at * blocks // len(jobs)) for at, values in enumerate(jobs) for value in values]
        self._sums, self._counts = [0.0] * blocks, [0] * blocks
        every = 1 if percent is None else -(-len(numbered) // MOST_VALUES)
        # By size before thinning, so that what is left is spread as all are.
        self._sorted = sorted(numbered)[every // 2 :: every] if percent is not None else numbered
        for value, block in self._sorted:
            self._sums[block] += value
            self._counts[block] += 1

    def statistic(self, weights: Sequence[int]) -> float:
        total = sum(weight * count for weight, count in zip(weights, self._counts))
        if not total:
            return 0.0
        if self._percent is None:
            return math.fsum(weight * each for weight, each in zip(weights, self._sums)) / total
        # From the top: of the percentiles that people ask for, most are near it.
        left = total - max(-(-self._percent * total // 100), 1)
        for value, block in reversed(self._sorted):
            left -= weights[block]
            if left < 0:
                return value
        return self._sorted[0][0]


def _between(estimate: float, found: Sequence[float], count: int, level: float) -> Interval:
    """The expanded percentile interval; `found` are the statistics of the resamples in order."""
    normal = NormalDist()
    tail = normal.cdf(-math.sqrt(count / (count - 1)) * student_quantile((1 + level) / 2, count - 1))
    low, high = (_at(found, share) for share in (tail, 1 - tail))
    return Interval(estimate, min(low, estimate), max(high, estimate))


def _at(ordered: Sequence[float], share: float) -> float:
    """Between the two numbers next to that share of all."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def student_quantile(share: float, degrees: int) -> float:
    """The number that Student's t with so many degrees of freedom does not exceed in this share of cases, above one half.

    >>> [round(student_quantile(0.975, degrees), 3) for degrees in (1, 2, 4, 9, 30)]
    [12.706, 4.303, 2.776, 2.262, 2.042]
    """
    low, high = 0.0, 1.0
    while _student(high, degrees) < share:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _student(middle, degrees) < share else (low, middle)
    return high


def _student(value: float, degrees: int) -> float:
    """The distribution function of Student's t, from 0 up, by its finite series (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(value / math.sqrt(degrees))
    cosine = math.cos(angle) ** 2
    term = total = 1.0 if degrees % 2 == 0 else math.cos(angle)
    for step in range(2 if degrees % 2 == 0 else 3, degrees, 2):
        term *= cosine * (step - 1) / step
        total += term
    if degrees % 2 == 0:
        both = math.sin(angle) * total
    else:
        both = 2 / math.pi * (angle + (math.sin(angle) * total if degrees > 1 else 0))
    return (1 + both) / 2

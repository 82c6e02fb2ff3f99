"""Whole numbers from distributions: how many tasks, how many jobs at once. At least 1, halves go to the even neighbour."""

from __future__ import annotations

import math
import random

from workbench.workloads.generators.distributions import Constant, Distribution, Empirical

MOST = 1_000_000
"""No job has more tasks, no burst more jobs; a draw beyond it is cut."""
_POINTS = 4096


def count_of(distribution: Distribution, source: random.Random) -> int:
    """One draw as a whole number from 1 to `MOST`."""
    return whole(distribution.sample(source))


def whole(value: float) -> int:
    """The whole number from 1 to `MOST` that a draw stands for."""
    return max(round(value), 1) if value < MOST else MOST


def mean_count(distribution: Distribution) -> float:
    """The mean of `count_of`: of the rounded draws, not of the draws.

    Exact for constant and empirical ones, else the mean over 4,096 evenly spaced quantiles.
    """
    if isinstance(distribution, Constant):
        return float(whole(distribution.value))
    if isinstance(distribution, Empirical):
        weights = distribution.weights or (1.0,) * len(distribution.values)
        return math.fsum(whole(value) * weight for value, weight in zip(distribution.values, weights)) / math.fsum(weights)
    return math.fsum(whole(distribution.quantile((point + 0.5) / _POINTS)) for point in range(_POINTS)) / _POINTS


def scaled_count(distribution: Distribution, factor: float) -> Distribution:
    """A distribution whose `mean_count` is so many times that of another, as near as whole numbers from 1 on can be.

    A constant becomes a mixture of its two whole neighbours.
    """
    if not isinstance(distribution, Constant):
        return distribution.scaled(factor)
    value = whole(distribution.value) * factor
    below = math.floor(value)
    if value <= 1 or value >= MOST or value == below:
        return Constant(max(value, 1.0))
    return Empirical((float(below), below + 1.0), (below + 1.0 - value, value - below))

"""Which distribution some measured values are from: estimates of greatest likelihood, and how far off the best one is.

Estimates that have no formula (the shape of a Weibull distribution, the exponent of Zipf's law) are found by halving. Results
are rounded to five digits, so that the last bits of `math` do not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.workloads.generators.distributions import (
    Constant,
    Distribution,
    Empirical,
    Exponential,
    Lognormal,
    Pareto,
    Uniform,
    Weibull,
)

FEWEST = 20
"""With fewer values no law is told from another; they are kept as they are."""
MOST_VALUES = 100
"""So many values stand for an empirical distribution at most."""
MOST_LOOKED_AT = 4000
"""Of more values, so many quantiles stand for all when likelihoods are compared."""
CLOSE = 0.06
"""A distance that is good enough, whatever the number of values."""
DIGITS = 5


@dataclass(frozen=True, slots=True)
class Best:
    """The distribution chosen, and its distance from the values: the largest difference of the two cumulative distributions."""

    distribution: Distribution
    distance: float


def best(values: Sequence[float]) -> Best:
    """The distribution by which values above 0 are described best.

    Of those whose distance no test would reject (Kolmogorov-Smirnov, 1 %) or that are close anyway, and whose mean is that of the
    values within a sixth, the one of least AIC; if there is none, an empirical one.
    """
    ordered = sorted(values)
    mean = math.fsum(ordered) / len(ordered)
    if ordered[-1] - ordered[0] <= 1e-3 * mean:
        return Best(Constant(rounded(mean)), 0.0)
    if len(ordered) >= FEWEST:
        enough = max(CLOSE, 1.63 / math.sqrt(len(ordered)))
        looked_at = thinned(ordered)
        found = []
        for distribution, free in estimates(looked_at):
            distance = ks_distance(distribution, ordered)
            if distance <= enough and abs(distribution.mean() / mean - 1) <= 1 / 6:
                found.append((2 * free - 2 * log_likelihood(distribution, looked_at), distance, distribution))
        if found:
            _, distance, distribution = min(found, key=lambda each: each[:2])
            return Best(distribution, distance)
    empirical = compressed(ordered)
    return Best(empirical, ks_distance(empirical, ordered))


def estimates(ordered: Sequence[float]) -> list[tuple[Distribution, int]]:
    """Each law with the parameters under which the values, in order, are most likely, and how many parameters are free."""
    count, least, most = len(ordered), ordered[0], ordered[-1]
    mean = math.fsum(ordered) / count
    logs = [math.log(value) for value in ordered]
    log_mean = math.fsum(logs) / count
    sigma = math.sqrt(math.fsum((each - log_mean) ** 2 for each in logs) / count)
    found: list[tuple[Distribution, int]] = [
        (Exponential(rounded(mean)), 1),
        (Lognormal(rounded(math.exp(log_mean)), rounded(sigma)), 2),
        (Uniform(rounded(least), rounded(most)), 2),
    ]
    shape = weibull_shape(logs)
    scale = math.exp(log_mean) * (math.fsum(math.exp(shape * (each - log_mean)) for each in logs) / count) ** (1 / shape)
    found.append((Weibull(rounded(scale), rounded(shape)), 2))
    tail = log_mean - math.log(least)
    if tail > 0 and 0.05 <= 1 / tail <= 1000:
        found.append((Pareto(rounded(least), rounded(1 / tail)), 2))
    return found


def weibull_shape(logs: Sequence[float]) -> float:
    """The shape of greatest likelihood for values whose logarithms these are."""
    count = len(logs)
    middle = math.fsum(logs) / count
    centred = [each - middle for each in logs]
    top = max(centred)

    def slope(shape: float) -> float:
        weights = [math.exp(shape * (each - top)) for each in centred]
        return math.fsum(w * each for w, each in zip(weights, centred)) / math.fsum(weights) - 1 / shape

    low, high = 0.06, 100.0
    for _ in range(50):
        shape = math.sqrt(low * high)
        low, high = (shape, high) if slope(shape) < 0 else (low, shape)
    return math.sqrt(low * high)


def zipf_exponent(counts: Sequence[int]) -> float:
    """The exponent of greatest likelihood for how much each of some users did, from 0 to 5; 0 for fewer than two."""
    ranked = sorted(counts, reverse=True)
    if len(ranked) < 2:
        return 0.0
    logs = [math.log(rank) for rank in range(1, len(ranked) + 1)]
    found = math.fsum(count * each for count, each in zip(ranked, logs)) / sum(ranked)

    def expected(exponent: float) -> float:
        weights = [math.exp(-exponent * each) for each in logs]
        return math.fsum(w * each for w, each in zip(weights, logs)) / math.fsum(weights)

    low, high = 0.0, 5.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle) > found else (low, middle)
    return round((low + high) / 2, 3)


def log_likelihood(distribution: Distribution, values: Sequence[float]) -> float:
    """Of the laws that `estimates` gives."""
    match distribution:
        case Exponential(scale=scale):
            return -len(values) * math.log(scale) - math.fsum(values) / scale
        case Uniform(low=low, high=high):
            return -len(values) * math.log(high - low) if high > low else -math.inf
        case Lognormal(median=median, sigma=sigma):
            if not sigma:
                return -math.inf
            middle, constant = math.log(median), math.log(sigma * math.sqrt(2 * math.pi))
            logs = [math.log(value) for value in values]
            return math.fsum(-constant - each - (each - middle) ** 2 / (2 * sigma * sigma) for each in logs)
        case Weibull(scale=scale, shape=shape):
            constant, logs = math.log(shape / scale), [math.log(value / scale) for value in values]
            return math.fsum(constant + (shape - 1) * each - math.exp(shape * each) for each in logs)
        case Pareto(least=least, shape=shape):
            constant = math.log(shape) + shape * math.log(least)
            return math.fsum(constant - (shape + 1) * math.log(value) for value in values)
    raise ValueError(f"no likelihood of {distribution.name} is known")


def ks_distance(distribution: Distribution, ordered: Sequence[float]) -> float:
    """The largest difference between the share of values up to some point and the probability of that. Kolmogorov-Smirnov."""
    below = distribution.cdf_below if isinstance(distribution, Empirical) else distribution.cdf
    count, largest, at = len(ordered), 0.0, 0
    while at < count:
        value, start = ordered[at], at
        while at < count and ordered[at] == value:
            at += 1
        largest = max(largest, abs(distribution.cdf(value) - at / count), abs(below(value) - start / count))
    return largest


def compressed(ordered: Sequence[float], most: int = MOST_VALUES) -> Empirical:
    """The values themselves if they are few, else the means of equally many next to each other: the mean stays as it is."""
    if len(set(ordered)) <= most:
        return Empirical(tuple(ordered))
    means, weights = [], []
    for part in range(most):
        some = ordered[len(ordered) * part // most : len(ordered) * (part + 1) // most]
        means.append(float(round(math.fsum(some) / len(some))))
        weights.append(float(len(some)))
    return Empirical(tuple(means), tuple(weights))


def thinned(ordered: Sequence[float]) -> Sequence[float]:
    """At most `MOST_LOOKED_AT` of the values, evenly spaced by rank."""
    count = len(ordered)
    if count <= MOST_LOOKED_AT:
        return ordered
    return [ordered[(2 * place + 1) * count // (2 * MOST_LOOKED_AT)] for place in range(MOST_LOOKED_AT)]


def rounded(value: float) -> float:
    """To the digits that are worth writing."""
    return float(f"{value:.{DIGITS}g}")

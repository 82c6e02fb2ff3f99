"""How numbers are spread: how many, their sum, mean, percentiles and largest.

A percentile is the smallest of the numbers that at least so many percent of them do not exceed: always one that occurred, and exact
in whole nanoseconds. This is the inverse of the empirical distribution function, definition 1 of Hyndman and Fan, "Sample quantiles
in statistical packages", The American Statistician 50 (1996); numpy calls it `inverted_cdf`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Spread:
    """Of some numbers, in their own unit; `count` is at least 1."""

    count: int
    total: float
    p50: float
    p90: float
    p95: float
    p99: float
    max: float

    @property
    def mean(self) -> float:
        return self.total / self.count


STATISTICS = ("mean", "p50", "p90", "p95", "p99", "max")
_TITLES = {
    "mean": "average {what}",
    "p50": "median {what}",
    "p90": "{what} that 90 of 100 do not exceed",
    "p95": "{what} that 95 of 100 do not exceed",
    "p99": "{what} that 99 of 100 do not exceed",
    "max": "longest {what}",
}


def title_of(statistic: str, what: str) -> str:
    """A statistic in plain words: `title_of("p50", "wait")` is `median wait`."""
    return _TITLES[statistic].format(what=what)


def percentile(ordered: Sequence[Number], percent: int) -> Number:
    """The smallest number that at least `percent` of 100 do not exceed; `ordered` is not empty.

    >>> percentile([1, 2, 3, 4], 50), percentile([1, 2, 3, 4], 51), percentile([7], 1), percentile(list(range(1, 101)), 95)
    (2, 3, 7, 95)
    """
    return ordered[max(-(-percent * len(ordered) // 100) - 1, 0)]


def spread(numbers: Iterable[int] | Iterable[float]) -> Spread | None:
    """How the numbers are spread; None if there is none."""
    ordered = sorted(numbers)
    if not ordered:
        return None
    p50, p90, p95, p99 = (percentile(ordered, percent) for percent in (50, 90, 95, 99))
    return Spread(len(ordered), sum(ordered), p50, p90, p95, p99, ordered[-1])


def gathered(column: array[int], starts: array[int], jobs: Iterable[int]) -> list[int]:
    """The numbers of some jobs, of a column that has those of job `j` from `starts[j]` to `starts[j + 1]`."""
    if isinstance(jobs, range) and len(jobs) == len(starts) - 1:
        return column.tolist()
    found: list[int] = []
    for job in jobs:
        found.extend(column[starts[job] : starts[job + 1]])
    return found

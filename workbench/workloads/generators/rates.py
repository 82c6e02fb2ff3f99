"""By which arrival process some measured instants are described."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.workloads.generators.arrivals import ONE, Arrivals, Bursts, Poisson, Regular
from workbench.workloads.generators.distributions import Constant, Distribution, Exponential
from workbench.workloads.generators.likelihood import compressed, ks_distance, rounded
from workbench.workloads.generators.profiles import FLAT, HOUR_MS, HOURS_OF_WEEK, Profile

DAY_MS, WEEK_MS = 24 * HOUR_MS, HOURS_OF_WEEK * HOUR_MS
IN_AN_HOUR = 20
"""So many instants in each hour of the week, on average, are enough for a rate of its own."""
TOGETHER = 1.5
"""So many jobs at one instant, on average, are bursts."""
STEADY = 0.02
"""Gaps whose deviation is at most this part of their mean are those of a clock."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The process chosen, and how far its gaps are from the measured ones (Kolmogorov-Smirnov; busy hours counted as longer)."""

    arrivals: Arrivals
    distance: float


def best_arrivals(times: Sequence[int], length_ms: int) -> Rate:
    """The process for instants in order, all before `length_ms`; at least one."""
    counts = Counter(times)
    instants = sorted(counts)
    together = len(times) / len(instants) >= TOGETHER
    jobs = number_of([counts[instant] for instant in instants]) if together else ONE
    moments = instants if together else list(times)
    every_ms = _clock(moments, length_ms)
    if every_ms is not None:
        return Rate(Regular(every_ms, float(moments[0]), jobs), 0.0)
    profile = _profile(moments, length_ms)
    apart = rounded(length_ms * profile.over(length_ms) / len(moments))
    distance = _gap_distance(moments, profile, apart)
    return Rate(Bursts(apart, jobs, 0.0, profile) if together else Poisson(apart, profile), distance)


def number_of(counts: Sequence[int]) -> Distribution:
    """The distribution of some whole numbers: constant, or the numbers themselves."""
    ordered = sorted(float(count) for count in counts)
    return Constant(ordered[0]) if ordered[0] == ordered[-1] else compressed(ordered, 50)


def _clock(instants: Sequence[int], length_ms: int) -> float | None:
    """How far apart instants are that come by the clock; None if they do not, or if they ended long before the time does.

    A few that were close together by chance would otherwise go on to the end, many times as many as there were.
    """
    if len(instants) < 4:
        return None
    gaps = [later - earlier for earlier, later in zip(instants, instants[1:])]
    mean = (instants[-1] - instants[0]) / len(gaps)
    deviation = math.sqrt(math.fsum((gap - mean) ** 2 for gap in gaps) / len(gaps))
    goes_on = length_ms - instants[-1] <= 2 * mean
    return mean if goes_on and mean > 0 and deviation <= STEADY * mean else None


def _profile(instants: Sequence[int], length_ms: int) -> Profile:
    """The hours of the week if there are enough instants, else of a day and the days of the week; flat where chance explains it."""
    if length_ms < 2 * DAY_MS or len(instants) < 5 * 24:
        return FLAT
    shown = [0.0] * HOURS_OF_WEEK
    for hour in range(HOURS_OF_WEEK):
        weeks, rest = divmod(length_ms - hour * HOUR_MS, WEEK_MS)
        shown[hour] = max(weeks, 0) * HOUR_MS + (min(rest, HOUR_MS) if length_ms > hour * HOUR_MS else 0)
    seen = [0] * HOURS_OF_WEEK
    for instant in instants:
        seen[instant // HOUR_MS % HOURS_OF_WEEK] += 1
    if length_ms >= WEEK_MS and len(instants) >= IN_AN_HOUR * HOURS_OF_WEEK:
        return _uneven([[hour] for hour in range(HOURS_OF_WEEK)], seen, shown) or FLAT
    by_hour = [[hour + 24 * day for day in range(7)] for hour in range(24)]
    by_day = [[hour + 24 * day for hour in range(24)] for day in range(7)]
    day = _uneven(by_hour, seen, shown)
    week = _uneven(by_day, seen, shown) if length_ms >= WEEK_MS else None
    return Profile(day=(day or FLAT).weights[:24], week=(week or FLAT).weights[::24])


def _uneven(parts: list[list[int]], seen: list[int], shown: list[float]) -> Profile | None:
    """The profile by parts of the week, if chi squared says that they are not all alike; those never seen count as the mean."""
    counts = [sum(seen[hour] for hour in part) for part in parts]
    times = [math.fsum(shown[hour] for hour in part) for part in parts]
    rate = sum(counts) / math.fsum(times)
    expected = [rate * time for time in times]
    statistic = math.fsum((count - mean) ** 2 / mean for count, mean in zip(counts, expected) if mean)
    freedom = sum(1 for mean in expected if mean) - 1
    if statistic <= freedom + 4 * math.sqrt(2 * max(freedom, 1)):
        return None
    hours = [1.0] * HOURS_OF_WEEK
    for part, count, mean in zip(parts, counts, expected):
        for hour in part:
            hours[hour] = float(f"{count / mean:.3g}") if mean else 1.0
    return Profile(tuple(hours))


def _gap_distance(instants: Sequence[int], profile: Profile, apart: float) -> float:
    """Between the gaps, in units of what is expected at their time, and exponential ones."""
    passed = [instant * profile.over(instant) / apart if instant else 0.0 for instant in instants]
    gaps = sorted(later - earlier for earlier, later in zip(passed, passed[1:]))
    return ks_distance(Exponential(1.0), gaps) if gaps else 0.0

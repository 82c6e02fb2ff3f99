"""What changes from one design to another, measure by measure, with how sure it is. CP-1, CP-2."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from workbench.comparison.sides import Side
from workbench.comparison.statistics import Interval, block_interval, paired_interval
from workbench.measures import Measure, MeasureTable, Scope, measure_named
from workbench.measures.registry import measures_of
from workbench.measures.wait import job_waits

SAME, NO_DIFFERENCE, BETTER, WORSE, DIFFERENT = "same", "no difference", "better", "worse", "different"
VERDICTS = (SAME, NO_DIFFERENCE, BETTER, WORSE, DIFFERENT)

MOST_PEOPLE = 30
"""Users, groups or classes that are listed one by one; of more, winners and losers tell."""
_FLOORS = {"seconds": 10.0, "share": 0.02, "times": 0.5}
"""By unit, what is small: a difference of that size between nothing and it is half of a difference."""
_FLOOR = 3.0
"""The same of what is counted."""
_STATISTICS: dict[str, int | None] = {"mean": None, "p50": 50, "p90": 90, "p95": 95, "p99": 99}


class Change(NamedTuple):
    """One measure of one part of the runs, under the first design and under another one.

    Attributes:
        measure, title, unit, better: as in `MeasureRow`.
        scope: of whom: cluster, a queue, user:..., group:..., class:...
        design: the name of the other design.
        a, b: the value under the first design and under the other, means over the seeds; None where there is nothing to measure.
        change: b less a.
        low, high: between these the true change lies in 95 of 100 cases; None where that cannot be said.
        verdict: "better", "worse", "different" where neither would be better, "no difference" that these runs can show, or "same".
        jobs: how many jobs it is about, in all seeds.
        seeds: how many runs of each.
        never_a, never_b: requests that never ran, for measures of waiting.
    """

    measure: str
    title: str
    scope: str
    unit: str
    better: str
    design: str
    a: float | None
    b: float | None
    change: float | None
    low: float | None
    high: float | None
    verdict: str
    jobs: int
    seeds: int
    never_a: float | None
    never_b: float | None

    @property
    def counts(self) -> bool:
        """Whether there is a difference that these runs show."""
        return self.verdict not in (SAME, NO_DIFFERENCE)

    @property
    def size(self) -> float:
        """How large the difference is, from 0 for none to 1, so that measures of different units can be ranked."""
        if self.a is None or self.b is None:
            return 0.0 if self.a == self.b else 1.0
        return abs(self.b - self.a) / (max(abs(self.a), abs(self.b)) + _FLOORS.get(self.unit, _FLOOR))


def names_and_scopes(*sides: Side) -> tuple[list[str], list[Scope]]:
    """Every measure and every part that any of the runs has, in the order of the first that has it."""
    names: dict[str, None] = {}
    scopes: dict[Scope, None] = {}
    for side in sides:
        for table in side.tables:
            names.update(dict.fromkeys(each.name for each in measures_of(table.reading)))
            scopes.update(dict.fromkeys(_scopes(table)))
    return list(names), list(scopes)


def _scopes(table: MeasureTable) -> Iterator[Scope]:
    yield from table.scopes("cluster", "queue")
    for kind in ("class", "user", "group"):
        named = table.scopes(kind)
        if 1 < len(named) <= MOST_PEOPLE:
            yield from named


def changes(first: Side, other: Side, names: Iterable[str], scopes: Iterable[Scope]) -> list[Change]:
    """Every measure that there is for every part, in that order."""
    wanted = [measure_named(name) for name in names]
    places = list(scopes)
    return [
        found
        for measure in wanted
        for scope in places
        if scope.kind in measure.scopes and (found := change(first, other, measure, scope)) is not None
    ]


def change(first: Side, other: Side, measure: Measure, scope: Scope) -> Change | None:
    """One difference; None if neither design has anything to measure."""
    ours, theirs = first.values(measure.name, scope), other.values(measure.name, scope)
    a, b = _mean(ours), _mean(theirs)
    if a is None and b is None:
        return None
    pairs = [(mine, its) for mine, its in zip(ours, theirs) if mine is not None and its is not None]
    if pairs and a is not None and b is not None:
        # Where a seed lacks one of the two, the difference is that of the others.
        differences = [its - mine for mine, its in pairs]
        difference = math.fsum(differences) / len(differences)
        interval = _interval(first, other, measure, scope, differences)
    else:
        differences, difference, interval = [], None, None
    never_a, never_b = (_never(side, measure, scope) for side in (first, other))
    return Change(
        measure.name,
        measure.title,
        str(scope),
        measure.unit,
        measure.direction,
        other.name,
        a,
        b,
        difference,
        None if interval is None else interval.low,
        None if interval is None else interval.high,
        _verdict(measure, ours == theirs, difference, interval),
        sum(len(table.reading.scopes.jobs(scope)) for table in first.tables),
        len(first.runs),
        never_a,
        never_b,
    )


def _verdict(measure: Measure, same: bool, difference: float | None, interval: Interval | None) -> str:
    if same:
        return SAME
    if difference is None:
        return DIFFERENT
    if difference == 0 or interval is not None and interval.holds_zero:
        return NO_DIFFERENCE
    if measure.direction == "neither":
        return DIFFERENT
    return BETTER if (difference < 0) == (measure.direction == "lower") else WORSE


def _interval(first: Side, other: Side, measure: Measure, scope: Scope, differences: list[float]) -> Interval | None:
    if len(first.runs) > 1:
        return paired_interval(differences)
    family, _, statistic = measure.name.rpartition(".")
    if family != "wait" or statistic not in _STATISTICS or differences == [0.0]:
        return None
    jobs = sorted({*first.tables[0].reading.scopes.jobs(scope), *other.tables[0].reading.scopes.jobs(scope)})
    ours, theirs = (_waits_by_job(side.tables[0], jobs) for side in (first, other))
    found = block_interval(ours, theirs, _STATISTICS[statistic])
    if found is None:
        return None
    # What the interval is thinned to, the difference itself is not.
    moved = differences[0] - found.estimate
    return Interval(differences[0], found.low + moved, found.high + moved)


def _waits_by_job(table: MeasureTable, jobs: Iterable[int]) -> list[list[float]]:
    """The waits of each job in seconds, those that arrived before the end of the warm-up left out."""
    reading = table.reading
    return [[each.wait_ns / 1e9 for each in job_waits(reading, job) if each.arrived_ns >= reading.from_ns] for job in jobs]


def _never(side: Side, measure: Measure, scope: Scope) -> float | None:
    """Requests that never ran, which every percentile of waits has to be seen beside."""
    if not measure.name.startswith("wait.") or measure.name == "wait.never":
        return None
    found = [each for each in side.values("wait.never", scope) if each is not None]
    return sum(found) if found else None


def _mean(values: list[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return math.fsum(known) / len(known) if known else None

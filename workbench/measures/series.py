"""M-9: use, waiting and guarantee debt over time, as steps to draw.

A series has rows `queue, since_s, until_s, amount`: so much from one time to the other, one queue after the other, each without
a gap over the window; amounts as the configuration counts them (cores, GiB). If there are more changes than points, the window
is cut into so many equal slices, and a row has the average of its slice: nothing is lost of the sum, and a month of a million
tasks can be drawn.

The sum of a row's amount over its time is what `used.R` and `debt.R` of the queue measure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from workbench.files.rows import Rows
from workbench.measures import units
from workbench.measures.debt import DebtChange, debt_changes
from workbench.measures.reading import Reading
from workbench.measures.scopes import Scope
from workbench.measures.timeline import Turns, shapes_of, timeline_of
from workbench.measures.tree import tree_of
from workbench.runs.record import NOBODY
from workbench.values.errors import CommandError

POINTS = 500
"""How many steps a picture of usual width can show."""

Span: TypeAlias = tuple[int, int, int, int]
"""(number of the queue, from, to, amount)."""


class Step(NamedTuple):
    """One step of a series: what `queue` had of a resource from one time to another, in seconds since the workload's zero."""

    queue: str
    since_s: float
    until_s: float
    amount: float


def use_over_time(
    reading: Reading, resource: str = "vcore", queues: Sequence[str] | None = None, *, points: int = POINTS
) -> Rows[Step]:
    """What ran in each queue with all below it; of all queues unless some are named.

    Raises:
        CommandError: there is no such queue, or no point.
    """
    timeline = timeline_of(reading)
    spans = _running(reading, resource, timeline.began_to_run, reading.ran_until_ns, reading.record.placed_ns.__getitem__)
    times = chain(timeline.began_to_run.times, timeline.stopped_to_run.times)
    return _series(reading, resource, queues, points, spans, times)


def waiting_over_time(
    reading: Reading, resource: str = "vcore", queues: Sequence[str] | None = None, *, points: int = POINTS
) -> Rows[Step]:
    """What waited in each queue with all below it; of all queues unless some are named.

    Raises:
        CommandError: there is no such queue, or no point.
    """
    timeline = timeline_of(reading)
    spans = _running(reading, resource, timeline.began_to_wait, reading.waited_until_ns, reading.record.arrived_ns.__getitem__)
    times = chain(timeline.began_to_wait.times, timeline.stopped_to_wait.times)
    return _series(reading, resource, queues, points, spans, times)


def debt_over_time(
    reading: Reading, resource: str = "vcore", queues: Sequence[str] | None = None, *, points: int = POINTS
) -> Rows[Step]:
    """What each queue with all below it was short of; of all queues that have a guarantee or one below them, unless some are named.

    Raises:
        CommandError: there is no such queue, or no point.
    """
    tree = tree_of(reading)
    if queues is None:
        concerned = {above for queue in tree if queue.guaranteed.amounts for above in tree.up(queue.number)}
        queues = [queue.path for queue in tree if queue.number in concerned]
    changes = reading.once("debt changes", lambda: debt_changes(reading))
    return _series(reading, resource, queues, points, _lacking(reading, resource, changes), (each.at_ns for each in changes))


def _lacking(reading: Reading, resource: str, changes: list[DebtChange]) -> Iterator[Span]:
    """For every queue: from when to when it lacked how much."""
    if resource not in reading.resources:
        return
    place = reading.resources.index(resource)
    standing: dict[int, tuple[int, int]] = {}
    for change in changes:
        since, amount = standing.get(change.queue, (0, 0))
        if amount:
            yield change.queue, since, change.at_ns, amount
        standing[change.queue] = change.at_ns, change.short[place]


def _running(
    reading: Reading, resource: str, turns: Turns, until: Callable[[int], int], since: Callable[[int], int]
) -> Iterator[Span]:
    """For every attempt, and every queue on its way up: from when to when it held how much."""
    if resource not in reading.resources:
        return
    record, shapes, tree = reading.record, shapes_of(reading), tree_of(reading)
    place = reading.resources.index(resource)
    amounts = [each[place] for each in shapes.amounts]
    ways = [tuple(tree.up(tree.paths[path])) for path in record.queues]
    for attempt in turns.attempts:
        leaf, amount = record.job_queue[record.job[attempt]], amounts[shapes.of[attempt]]
        if amount and leaf != NOBODY:
            for queue in ways[leaf]:
                yield queue, since(attempt), until(attempt), amount


class _Steps:
    """Sums of one queue over the stretches between `edges`: each span touches the two stretches where it begins and ends."""

    def __init__(self, edges: list[int]):
        self._edges = edges
        self._parts = [0] * (len(edges) - 1)
        self._rises = [0] * len(edges)

    def add(self, since: int, until: int, amount: int) -> None:
        edges = self._edges
        since, until = max(since, edges[0]), min(until, edges[-1])
        if until <= since:
            return
        first = bisect_right(edges, since) - 1
        last = min(bisect_right(edges, until), len(edges) - 1) - 1
        if first == last:
            self._parts[first] += amount * (until - since)
            return
        self._parts[first] += amount * (edges[first + 1] - since)
        self._parts[last] += amount * (until - edges[last])
        self._rises[first + 1] += amount
        self._rises[last] -= amount

    def rows(self) -> Iterator[tuple[int, int, float]]:
        """From when to when, and how much on average; neighbours of one amount are one row."""
        level = 0
        since, kept = self._edges[0], -1.0
        for place, (start, end) in enumerate(zip(self._edges, self._edges[1:])):
            level += self._rises[place]
            amount = level + self._parts[place] / (end - start)
            if amount != kept:
                if start > since:
                    yield since, start, kept
                since, kept = start, amount
        yield since, self._edges[-1], kept


def _edges(reading: Reading, times: Iterable[int], points: int) -> list[int]:
    """Where steps may be: at every change if there are not too many, else evenly spread."""
    start, end = reading.from_ns, reading.until_ns
    found: set[int] = set()
    for time in times:
        if start < time < end:
            found.add(time)
            if len(found) >= points:
                return sorted({start + (end - start) * place // points for place in range(points + 1)})
    return [start, *sorted(found), end]


def _series(
    reading: Reading, resource: str, queues: Sequence[str] | None, points: int, spans: Iterable[Span], times: Iterable[int]
) -> Rows[Step]:
    if points < 1:
        raise CommandError(f"a series has at least 1 point, found {points}")
    tree = tree_of(reading)
    paths = [queue.path for queue in tree] if queues is None else list(queues)
    for path in paths:
        if path not in tree.paths:
            raise reading.scopes.missing(Scope("queue", path), list(tree.paths))
    if not reading.window_ns:
        return Rows(Step._fields, ())
    edges = _edges(reading, times, points)
    steps = {tree.paths[path]: _Steps(edges) for path in paths}
    for queue, since, until, amount in spans:
        if queue in steps:
            steps[queue].add(since, until, amount)
    scale = units.scale_of(resource)
    return Rows(
        Step._fields,
        (
            Step(path, since / units.NS, until / units.NS, amount / scale)
            for path in paths
            for since, until, amount in steps[tree.paths[path]].rows()
        ),
    )

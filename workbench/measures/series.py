"""M-9: use, waiting and guarantee debt over time, as steps to draw.

A series has rows `queue, since_s, until_s, amount`: so much from one time to the other, one queue after the other, each without
a gap over the window; amounts as the configuration counts them (cores, GiB). If there are more changes than points, the window
is cut into so many equal slices, and a row has the average of its slice: nothing is lost of the sum, and a month of a million
tasks can be drawn.

The sum of a row's amount over its time is what `used.R` and `debt.R` of the queue measure.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from workbench.files.rows import Rows
from workbench.measures import units
from workbench.measures.debt import DebtChange, debt_changes
from workbench.measures.reading import Reading
from workbench.measures.scopes import Scope
from workbench.measures.slices import Slices, edges_of
from workbench.measures.timeline import shapes_of, timeline_of
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
    spans = _held(reading, resource, timeline.began_to_run.attempts, reading.record.placed_ns, reading.ran_until)
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
    spans = _held(reading, resource, timeline.began_to_wait.attempts, reading.record.arrived_ns, reading.waited_until)
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


def _held(reading: Reading, resource: str, attempts: array[int], since: array[int], until: array[int]) -> Iterator[Span]:
    """For every attempt, and every queue on its way up: from when to when it held how much."""
    if resource not in reading.resources:
        return
    record, shapes, tree = reading.record, shapes_of(reading), tree_of(reading)
    place = reading.resources.index(resource)
    amounts = [each[place] for each in shapes.amounts]
    ways = [tuple(tree.up(tree.paths[path])) for path in record.queues]
    for attempt in attempts:
        leaf, amount = record.job_queue[record.job[attempt]], amounts[shapes.of[attempt]]
        if amount and leaf != NOBODY:
            for queue in ways[leaf]:
                yield queue, since[attempt], until[attempt], amount


def _steps(edges: list[int], amounts: list[float]) -> Iterator[tuple[int, int, float]]:
    """From when to when, and how much; neighbours of one amount are one step."""
    since, kept = edges[0], amounts[0]
    for start, amount in zip(edges, amounts):
        if amount != kept:
            yield since, start, kept
            since, kept = start, amount
    yield since, edges[-1], kept


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
    edges = edges_of(reading, times, points)
    slices = {tree.paths[path]: Slices(edges, 1) for path in paths}
    for queue, since, until, amount in spans:
        if queue in slices:
            slices[queue].add(since, until, (amount,))
    scale = units.scale_of(resource)
    return Rows(
        Step._fields,
        (
            Step(path, since / units.NS, until / units.NS, amount / scale)
            for path in paths
            for since, until, amount in _steps(edges, slices[tree.paths[path]].averages(0))
        ),
    )

"""Timers of applications: armed and cancelled through the journal, fired in the order of their instants.

The dict of timers in the cluster is the truth. `TimerQueue` is a derived order over it: a heap of (due, id) whose stale
entries are dropped when met, rebuilt after an undo.
"""

from __future__ import annotations

import heapq

from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Application, Cluster, Partition, Timer

SECOND_NS = 1_000_000_000
PLACEHOLDER_DEFAULT_NS = 15 * 60 * SECOND_NS
"""R-720. How long states last is in the release's profile."""


def arm(ctx: Context, partition: Partition, application: Application, kind: str, after_ns: int) -> int:
    """Start a timer and return its id."""
    number = ctx.next_seq()
    ctx.journal.put(ctx.cluster, "timers", number, Timer(number, ctx.now_ns + after_ns, kind, partition, application))
    return number


def cancel(ctx: Context, application: Application, field: str) -> None:
    """Stop the timer whose id stands in `field` ("state_timer" or "placeholder_timer"), if one runs."""
    number = getattr(application, field)
    if number is None:
        return
    if number in ctx.cluster.timers:
        ctx.journal.drop(ctx.cluster, "timers", number)
    ctx.journal.set(application, field, None)


class TimerQueue:
    """The timers in the order in which they fall due; ties go to the one armed first."""

    __slots__ = ("_cluster", "_heap", "_seen")

    def __init__(self, cluster: Cluster):
        self._cluster = cluster
        self.rebuild()

    def rebuild(self) -> None:
        """Start again from the state; needed after an undo, when cancelled timers can be back."""
        self._heap = [(timer.due_ns, timer.id) for timer in self._cluster.timers.values()]
        heapq.heapify(self._heap)
        self._seen = max(self._cluster.timers, default=-1)

    def next(self) -> Timer | None:
        """The timer that falls due first, or None."""
        timers = self._cluster.timers
        # Ids only grow, and a dict keeps insertion order, so the new ones are at its end.
        fresh = []
        for number in reversed(timers):
            if number <= self._seen:
                break
            fresh.append(number)
        for number in fresh:
            heapq.heappush(self._heap, (timers[number].due_ns, number))
        if fresh:
            self._seen = fresh[0]
        while self._heap and self._heap[0][1] not in timers:
            heapq.heappop(self._heap)
        return timers[self._heap[0][1]] if self._heap else None

"""Passing time: timers that fall due and the jobs that run at fixed periods from registration. R-405, R-452, C-163."""

from __future__ import annotations

from workbench.scheduler.objects import gang, lifecycle, tree
from workbench.scheduler.objects.timers import SECOND_NS, TimerQueue
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Cluster, Timer


def remove_empty_queues(ctx: Context) -> None:
    """Empty dynamic and draining queues go. C-163."""
    for partition in ctx.cluster.partitions.values():
        tree.clean(ctx, partition.root)


def drop_expired(ctx: Context) -> None:
    """Expired applications leave all tables. R-405."""
    for partition in ctx.cluster.partitions.values():
        for table in ("completed", "rejected"):
            for name in [name for name, application in getattr(partition, table).items() if application.state == "Expired"]:
                ctx.journal.drop(partition, table, name)


JOBS = ((10 * SECOND_NS, remove_empty_queues), (24 * 3600 * SECOND_NS, drop_expired))
"""(period in ns, what runs at every multiple of it)."""
SHORTEST_NS = min(period for period, _ in JOBS)
"""The other periods are multiples of it."""


def advance(ctx: Context, due_timers: TimerQueue, ns: int) -> None:
    """Let `ns` nanoseconds pass. At one instant timers fire before the jobs run."""
    now_ns = ctx.now_ns
    target = now_ns + ns
    first = due_timers.next()
    if now_ns // SHORTEST_NS == target // SHORTEST_NS and (first is None or first.due_ns > target):
        # Most steps of the clock are a moment after a message, and nothing falls due in them.
        _set_now(ctx, target)
        return
    # A job that ran finds nothing more to do until a timer changed something, so each waits for the next change.
    job_due = {period: _next_multiple(period, ctx.now_ns) for period, _ in JOBS}
    while True:
        timer = due_timers.next()
        period = min(job_due, key=lambda each: (job_due[each], each), default=None)
        if timer is not None and timer.due_ns <= target and (period is None or timer.due_ns <= job_due[period]):
            _set_now(ctx, timer.due_ns)
            _fire(ctx, timer)
            for each, _ in JOBS:
                job_due.setdefault(each, _next_multiple(each, ctx.now_ns - 1))
        elif period is not None and job_due[period] <= target:
            _set_now(ctx, job_due.pop(period))
            dict(JOBS)[period](ctx)
        else:
            break
    _set_now(ctx, target)


def next_due_ns(cluster: Cluster, due_timers: TimerQueue) -> int | None:
    """The instant of the next timer, or None."""
    timer = due_timers.next()
    return timer.due_ns if timer is not None else None


def _next_multiple(period: int, now_ns: int) -> int:
    return (now_ns // period + 1) * period


def _set_now(ctx: Context, now_ns: int) -> None:
    if now_ns != ctx.now_ns:
        ctx.journal.set(ctx.cluster, "now_ns", now_ns)


def _fire(ctx: Context, timer: Timer) -> None:
    ctx.journal.drop(ctx.cluster, "timers", timer.id)
    application = timer.application
    if timer.kind == "placeholder":
        gang.timed_out(ctx, timer.partition, application)
    elif timer.kind == "completing":
        gang.completing_timed_out(ctx, timer.partition, application)
    else:
        ctx.journal.set(application, "state_timer", None)
        lifecycle.fire(ctx, timer.partition, application, timer.kind)

"""Passing time: timers that fall due and the jobs that run at fixed periods from registration. R-405, R-452, C-163."""

from __future__ import annotations

from workbench.scheduler.objects import gang, lifecycle, tree
from workbench.scheduler.objects.timers import SECOND_NS, TimerQueue
from workbench.scheduler.preemption import quota_rules
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


NEVER_NS = 2**64
"""Beyond the end of the clock."""

JOBS = ((10 * SECOND_NS, remove_empty_queues), (24 * 3600 * SECOND_NS, drop_expired))
"""(period in ns, what runs at every multiple of it)."""
SHORTEST_NS = min(period for period, _ in JOBS)
"""The other periods are multiples of it."""


def advance(ctx: Context, due_timers: TimerQueue, ns: int) -> None:
    """Let `ns` nanoseconds pass. At one instant timers fire before quotas are looked at, and these before the jobs run."""
    now_ns = looked_ns = ctx.now_ns
    target = now_ns + ns
    first, look_ns = due_timers.next(), _next_look_ns(ctx, looked_ns, target)
    if now_ns // SHORTEST_NS == target // SHORTEST_NS and (first is None or first.due_ns > target) and look_ns > target:
        # Most steps of the clock are a moment after a message, and nothing falls due in them.
        _set_now(ctx, target)
        return
    # A job that ran finds nothing more to do until a timer changed something, so each waits for the next change.
    job_due = {period: _next_multiple(period, ctx.now_ns) for period, _ in JOBS}
    while True:
        timer = due_timers.next()
        period = min(job_due, key=lambda each: (job_due[each], each), default=None)
        if timer is not None and timer.due_ns <= min(target, look_ns) and (period is None or timer.due_ns <= job_due[period]):
            _set_now(ctx, timer.due_ns)
            _fire(ctx, timer)
            # One that falls due at the instant of a look comes first, and the look is still to come.
            look_ns = _next_look_ns(ctx, max(looked_ns, ctx.now_ns - 1), target)
            for each, _ in JOBS:
                job_due.setdefault(each, _next_multiple(each, ctx.now_ns - 1))
        elif look_ns <= target and (period is None or look_ns <= job_due[period]):
            _set_now(ctx, look_ns)
            quota_rules.look(ctx)
            looked_ns = look_ns
            look_ns = _next_look_ns(ctx, looked_ns, target)
            for each, _ in JOBS:
                job_due.setdefault(each, _next_multiple(each, ctx.now_ns - 1))
        elif period is not None and job_due[period] <= target:
            _set_now(ctx, job_due.pop(period))
            dict(JOBS)[period](ctx)
        else:
            break
    _set_now(ctx, target)


def next_due_ns(cluster: Cluster, due_timers: TimerQueue) -> int | None:
    """The instant of the next timer, or of the next look at quotas that finds something to do; None if there is neither."""
    timer, look_ns = due_timers.next(), quota_rules.next_look_ns(cluster, cluster.now_ns)
    if timer is None or (look_ns is not None and look_ns < timer.due_ns):
        return look_ns
    return timer.due_ns


def _next_look_ns(ctx: Context, since_ns: int, target_ns: int) -> int:
    """The first instant after `since_ns` at which quotas are looked at with some effect; later than `target_ns` if that is."""
    if since_ns // SECOND_NS == target_ns // SECOND_NS:
        return NEVER_NS
    found = quota_rules.next_look_ns(ctx.cluster, since_ns)
    return NEVER_NS if found is None else found


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

"""Placeholders: their task groups, their time-out, and what their end means for the application. Chapter 07."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.scheduler.objects import asks, lifecycle, reservations, timers
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Released, Surprised
from workbench.scheduler.records.state import Allocation, Application, Partition, TaskGroup
from workbench.values.resources import is_zero

REPLACED = "PLACEHOLDER_REPLACED"
TIMEOUT = "TIMEOUT"
CRASH = "it waits without placeholders while its gang times out: the core crashes here; this engine lets it time out, too"


def open_group(application: Application, ask: Allocation) -> TaskGroup | None:
    """The task group of a real ask, while a placeholder of it can still be replaced; else None. R-715."""
    group = application.task_groups.get(ask.task_group) if ask.task_group and not ask.placeholder else None
    return group if group is not None and group.count > group.replaced + group.timed_out else None


def start_timer(ctx: Context, partition: Partition, application: Application) -> None:
    """The first placeholder of an Accepted application is allocated: the clock of the gang starts. R-712."""
    if application.state == "Accepted" and application.placeholder_timer is None:
        number = timers.arm(ctx, partition, application, "placeholder", application.placeholder_timeout_ns)
        ctx.journal.set(application, "placeholder_timer", number)


def count_removal(ctx: Context, application: Application, placeholder: Allocation, type: str) -> None:
    """A placeholder allocation is gone: replaced, or timed out, which every other end counts as. R-714, R-742.

    Where announced time-outs count, that one has been counted already (R-760).
    """
    if type == REPLACED:
        _count(ctx, application, placeholder, "replaced")
    elif type != TIMEOUT or not ctx.profile.announced_time_outs_count:
        _count(ctx, application, placeholder, "timed_out")


def _count(ctx: Context, application: Application, ask: Allocation, field: str) -> None:
    """One more of the ask's task group is "replaced" or "timed_out"."""
    group = application.task_groups.get(ask.task_group)
    if group is not None:
        ctx.journal.set(group, field, getattr(group, field) + 1)


def last_placeholder_gone(ctx: Context, partition: Partition, application: Application) -> bool:
    """No placeholder is left: the timer stops and the application moves on. R-725, R-740.

    True if the application no longer counts for its user and group (PL-127); one that resumes still does.
    """
    timers.cancel(ctx, application, "placeholder_timer")
    idle = is_zero(application.pending) and is_zero(application.allocated)
    if application.state == "Failing":
        lifecycle.fire(ctx, partition, application, "failApplication")
        return True
    if application.state == "Resuming":
        lifecycle.fire(ctx, partition, application, "runApplication")
    elif idle or (application.state == "Completing" and application.completing_timed_out):
        lifecycle.fire(ctx, partition, application, "completeApplication")
        return True
    return False


def timed_out(ctx: Context, partition: Partition, application: Application) -> None:
    """The placeholder timer fires. R-722."""
    ctx.journal.set(application, "placeholder_timer", None)
    complete = application.state in ctx.profile.running_states or application.state == "Completing"
    if complete and not is_zero(application.placeholder_allocated):
        _release_placeholders(ctx, application, "releasing allocated placeholders on placeholder timeout")
        return
    event = "failApplication" if application.gang_style == "Hard" else "resumeApplication"
    lifecycle.fire(ctx, partition, application, event, "ResourceReservationTimeout")
    for allocation in _by_seq(application.allocations.values()):
        # One that is being replaced is announced once more.
        if not allocation.preempted:
            announce(ctx, application, allocation, "releasing allocated placeholders on placeholder timeout")
    for ask in _by_seq(application.asks.values()):
        if ask.allocated:
            continue
        if ctx.profile.time_outs_crash and not ask.placeholder and ask.task_group not in application.task_groups:
            ctx.emit(Surprised("R-723", f"{ask.key!r} of {application.id!r}", CRASH))
        _count(ctx, application, ask, "timed_out")
        ctx.emit(Released(ask.key, application.id, TIMEOUT, "releasing pending placeholders on placeholder timeout"))
    # The allocated ones are forgotten, too: their keys can come again as new asks.
    reservations.unreserve_all(ctx, partition, application)
    asks.forget_all(ctx, application)


def completing_timed_out(ctx: Context, partition: Partition, application: Application) -> None:
    """30 s of Completing are over: complete, after any placeholders left are released. R-741."""
    ctx.journal.set(application, "state_timer", None)
    if is_zero(application.placeholder_allocated):
        lifecycle.fire(ctx, partition, application, "completeApplication")
        return
    ctx.journal.set(application, "completing_timed_out", True)
    _release_placeholders(ctx, application, "releasing placeholders on app complete")


def _release_placeholders(ctx: Context, application: Application, message: str) -> None:
    for allocation in _by_seq(application.allocations.values()):
        if allocation.placeholder and not allocation.released and not allocation.preempted:
            announce(ctx, application, allocation, message)


def announce(ctx: Context, application: Application, allocation: Allocation, message: str) -> None:
    """Mark an allocation released and tell the resource manager, which confirms it. R-473, R-760."""
    ctx.journal.set(allocation, "released", True)
    if allocation.placeholder and ctx.profile.announced_time_outs_count:
        _count(ctx, application, allocation, "timed_out")
    ctx.emit(Released(allocation.key, application.id, TIMEOUT, message))


def _by_seq(allocations: Iterable[Allocation]) -> list[Allocation]:
    return sorted(allocations, key=lambda allocation: allocation.seq)

"""How an application leaves its queue and the active table. R-405, R-446, R-453."""

from __future__ import annotations

from workbench.scheduler.objects import asks, miscounts, priority, reservations
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Application, Partition
from workbench.values.resources import is_zero

EPOCH_SECONDS = 946_684_800
"""Unix seconds of simulated time 0: 2000-01-01 UTC. Only tags and names that carry unix seconds see it."""


def leave_queue(ctx: Context, application: Application) -> None:
    """The queue forgets the application; its totals are lowered by whatever the application still holds. R-405."""
    journal, queue = ctx.journal, application.queue
    if queue is None or application.id not in queue.applications:
        return
    if not is_zero(application.pending):
        journal.lower_path(queue, "pending", application.pending)
    # One after the other: what was booked as real for a placeholder may be more than the queue holds.
    for held in (application.allocated, application.placeholder_allocated):
        if not is_zero(held):
            miscounts.lower_queue(ctx, queue, held)
    for allocation in application.allocations.values():
        if allocation.preempted:
            journal.lower_path(queue, "preempting", allocation.resource)
    journal.drop(queue, "applications", application.id)
    # Quirk: only the leaf lets go of an application that never ran; above it a slot of maxapplications stays taken.
    if application.id in queue.allocating_accepted:
        journal.drop(queue, "allocating_accepted", application.id)
    if application.id in queue.reserved_applications:
        journal.drop(queue, "reserved_applications", application.id)
    priority.leave(journal, queue, application.id)


def finish(ctx: Context, partition: Partition, application: Application) -> None:
    """A completed or failed application drops its asks, leaves its queue and moves to the completed table. R-405, R-453.

    An application that was removed before it got here is in no table and stays in none (R-446).
    """
    reservations.unreserve_all(ctx, partition, application)
    if application.asks:
        asks.forget_all(ctx, application)
    leave_queue(ctx, application)
    ctx.journal.set(application, "finished_ns", ctx.now_ns)
    if partition.applications.get(application.id) is application:
        ctx.journal.drop(partition, "applications", application.id)
        seconds = EPOCH_SECONDS + ctx.now_ns // 1_000_000_000
        ctx.journal.put(partition, "completed", f"{application.id}-{seconds}", application)

"""Requests that wait only for a larger cluster: what an autoscaler would be told. R-585.

The core reports them every second in its automatic mode. Here it is a question that changes nothing; an ask that was told
before is marked by whoever tells it.
"""

from __future__ import annotations

from workbench.resources import EMPTY, Resource, add, component_wise_min, fit_in_max_undef, sub_only_existing
from workbench.scheduler import gang, policies
from workbench.scheduler.context import Context
from workbench.scheduler.limits import user_headroom
from workbench.scheduler.state import Allocation, Application, Partition, Queue


def outstanding_requests(ctx: Context, partition: Partition) -> list[tuple[Application, Allocation]]:
    """(application, ask) in scheduling order for every ask that quotas allow and that was tried, but found no node. R-585."""
    found: list[tuple[Application, Allocation]] = []
    _visit(ctx, partition, partition.root, None, None, found)
    return found


def _visit(ctx: Context, partition: Partition, queue: Queue, above: Resource | None, fair_above: Resource | None,
           found: list[tuple[Application, Allocation]]) -> Resource:
    """Collect below `queue`; the sum of what was collected, which later siblings no longer have. The root's size is no bound."""
    room = above
    if queue.parent is not None and queue.maximum is not None:
        room = component_wise_min(above, sub_only_existing(queue.maximum, queue.allocated))
    total = EMPTY
    fair_maximum = policies.fair_maximum(fair_above, queue)
    children = [] if queue.is_leaf else [child for _, child in policies.order_queues(queue, fair_maximum, ctx.profile)[1]]
    for child in children:
        part = _visit(ctx, partition, child, room, fair_maximum, found)
        total, room = add(total, part), sub_only_existing(room, part)
    applications = policies.order_applications(queue, ctx.now_ns, all_admitted=True)[1] if queue.is_leaf else []
    for _, application in applications:
        part = _asks(ctx, partition, application, room, found)
        total, room = add(total, part), sub_only_existing(room, part)
    return total


def _asks(ctx: Context, partition: Partition, application: Application, room: Resource | None,
          found: list[tuple[Application, Allocation]]) -> Resource:
    """Within an application every ask that fits takes from the room, whether it is told or not."""
    total, user_room = EMPTY, user_headroom(ctx.journal, partition, application)
    for ask in application.ask_order:
        fits = fit_in_max_undef(room, ask.resource) and fit_in_max_undef(user_room, ask.resource)
        if ask.allocated or not ask.scheduling_attempted or not fits:
            continue
        room, user_room = sub_only_existing(room, ask.resource), sub_only_existing(user_room, ask.resource)
        if not ask.scale_up_triggered and not ask.required_node and gang.open_group(application, ask) is None:
            found.append((application, ask))
            total = add(total, ask.resource)
    return total

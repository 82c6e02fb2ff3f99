"""Requests that wait only for a larger cluster: what an autoscaler would be told. R-585.

The core reports them every second in its automatic mode. Here it is a question that changes nothing; an ask that was told
before is marked by whoever tells it.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.scheduler import policies
from workbench.scheduler.objects import gang
from workbench.scheduler.objects.limits import user_headroom
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Allocation, Application, Partition, Queue
from workbench.values.resources import EMPTY, Resource, add, component_wise_min, fit_in_max_undef, sub_only_existing

Found = list[tuple[Application, Allocation]]


def outstanding_requests(ctx: Context, partition: Partition) -> Found:
    """(application, ask) in scheduling order for every ask that quotas allow and that was tried, but found no node. R-585."""
    return _below(ctx, partition, partition.root, None, None)[0]


def _below(
    ctx: Context, partition: Partition, queue: Queue, above: Resource | None, fair_above: Resource | None
) -> tuple[Found, Resource]:
    """What is found below `queue`, and its sum, which later siblings no longer have. The root's size is no bound."""
    room = above
    if queue.parent is not None and queue.maximum is not None:
        room = component_wise_min(above, sub_only_existing(queue.maximum, queue.allocated))
    fair_maximum = policies.fair_maximum(fair_above, queue)
    found: Found = []
    total = EMPTY
    for part, amount in _parts(ctx, partition, queue, fair_maximum, room):
        found += part
        total = add(total, amount)
    return found, total


def _parts(
    ctx: Context, partition: Partition, queue: Queue, fair_maximum: Resource | None, room: Resource | None
) -> Iterator[tuple[Found, Resource]]:
    """Child by child, or application by application, each with what the earlier ones left."""
    if queue.is_leaf:
        for _, application in policies.order_applications(queue, ctx.now_ns, all_admitted=True)[1]:
            part = _asks(ctx, partition, application, room)
            room = sub_only_existing(room, part[1])
            yield part
    else:
        for _, child in policies.order_queues(queue, fair_maximum, ctx.profile)[1]:
            part = _below(ctx, partition, child, room, fair_maximum)
            room = sub_only_existing(room, part[1])
            yield part


def _asks(ctx: Context, partition: Partition, application: Application, room: Resource | None) -> tuple[Found, Resource]:
    """Within an application every ask that fits takes from the room, whether it is told or not."""
    found: Found = []
    total, user_room = EMPTY, user_headroom(ctx.journal, partition, application)
    for ask in application.ask_order:
        fits = fit_in_max_undef(room, ask.resource) and fit_in_max_undef(user_room, ask.resource)
        if ask.allocated or not ask.scheduling_attempted or not fits:
            continue
        room, user_room = sub_only_existing(room, ask.resource), sub_only_existing(user_room, ask.resource)
        if not ask.scale_up_triggered and not ask.required_node and gang.open_group(application, ask) is None:
            found.append((application, ask))
            total = add(total, ask.resource)
    return found, total

"""Allocations: placing one, reporting one that already runs, releasing. Chapter 04 sections 7 to 9."""

from __future__ import annotations

from workbench.resources import Resource, deep_equals, is_zero, prune, sub
from workbench.scheduler import accounting, asks, gang, lifecycle, nodes, reservations
from workbench.scheduler.context import Context
from workbench.scheduler.events import Allocated, Released
from workbench.scheduler.state import Allocation, Application, Node, Partition

STOPPED = "STOPPED_BY_RM"
TIMEOUT = "TIMEOUT"
REPLACED = "PLACEHOLDER_REPLACED"
PREEMPTED = "PREEMPTED_BY_SCHEDULER"


def place(ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node) -> None:
    """The scheduler puts a pending ask on a node: node, queues, ask, application, in this order. Chapter 05 section 11."""
    _hold(ctx, partition, application, ask, node)
    asks.bind(ctx, application, ask, node.id)
    _joined(ctx, partition, application, ask)
    ctx.emit(Allocated(ask.key, application.id, node.id))


def report(ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node) -> None:
    """Something that already runs on `node` is reported, unchecked: a recovered allocation. R-425, R-451."""
    if application.state in ("New", "Completing"):
        lifecycle.fire(ctx, partition, application, "runApplication")
    asks.join(ctx, application, ask)
    ctx.journal.set(ask, "allocated", True)
    ctx.journal.set(ask, "node_id", node.id)
    ctx.journal.set(ask, "bound_ns", ctx.now_ns)
    _hold(ctx, partition, application, ask, node)
    _joined(ctx, partition, application, ask)
    ctx.emit(Allocated(ask.key, application.id, node.id))


def place_externally(ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node) -> None:
    """The resource manager itself put a pending ask on a node, unchecked. R-476."""
    _hold(ctx, partition, application, ask, node)
    asks.bind(ctx, application, ask, node.id)
    _joined(ctx, partition, application, ask)
    reservations.unreserve(ctx, partition, application, ask.key)
    ctx.emit(Allocated(ask.key, application.id, node.id))


def resize(ctx: Context, partition: Partition, application: Application, ask: Allocation, resource: Resource) -> None:
    """A running allocation gets a new size, unchecked; the node's score is left as it is. R-475, R-559."""
    delta = sub(resource, ask.resource)
    ctx.journal.set(ask, "resource", resource)
    field = "placeholder_allocated" if ask.placeholder else "allocated"
    accounting.change_application(ctx.journal, application, field, delta)
    accounting.add_to_queues(ctx.journal, application.queue, "allocated", delta)
    accounting.change_node(ctx.journal, partition.nodes[ask.node_id], allocated=delta)


def release(ctx: Context, partition: Partition, application: Application, key: str, type: str) -> None:
    """A release message for one key, or for all with an empty key. R-490 to R-493.

    Allocations go first, then, unless the type is TIMEOUT, the asks of the same keys.
    """
    if not key and type == REPLACED:
        return
    known = [application.allocations[key]] if key in application.allocations else []
    if not key:
        known = sorted(application.allocations.values(), key=lambda allocation: allocation.seq)
    for allocation in known:
        take_off(ctx, partition, application, allocation, type, last=allocation is known[-1], all_at_once=not key)
        if type in (STOPPED, "UNKNOWN_TERMINATION_TYPE"):
            ctx.emit(Released(allocation.key, application.id, STOPPED))
    if type == TIMEOUT:
        return
    if key:
        if key in application.asks:
            reservations.unreserve(ctx, partition, application, key)
            asks.forget(ctx, application, application.asks[key])
    else:
        reservations.unreserve_all(ctx, partition, application)
        asks.forget_all(ctx, application)
    complete_if_idle(ctx, partition, application)


def take_off(ctx: Context, partition: Partition, application: Application, allocation: Allocation, type: str, *,
             last: bool = True, all_at_once: bool = False, node: Node | None = None, from_queue: bool = True) -> None:
    """Remove one allocation: application totals and state first, then node, then queue. R-493.

    With `all_at_once` the application is judged once, when the `last` one goes. `node` is given when it already left
    the partition; `from_queue` is false when the application left its queue before, taking its totals along (R-446).
    """
    journal = ctx.journal
    journal.drop(application.allocations, allocation.key)
    field = "placeholder_allocated" if allocation.placeholder else "allocated"
    accounting.change_application(journal, application, field, allocation.resource, lower=True)
    if allocation.placeholder:
        journal.set(partition, "placeholder_count", partition.placeholder_count - 1)
        gang.count_removal(ctx, application, allocation, replaced=type == REPLACED)
    if all_at_once:
        if last and is_zero(application.pending):
            lifecycle.fire(ctx, partition, application, "completeApplication")
    elif allocation.placeholder:
        if is_zero(application.placeholder_allocated):
            gang.last_placeholder_gone(ctx, partition, application)
    elif is_zero(application.pending) and is_zero(application.allocated):
        lifecycle.fire(ctx, partition, application, "completeApplication")
    on = node or partition.nodes.get(allocation.node_id)
    if on is not None and allocation.key in on.allocations:
        journal.drop(on.allocations, allocation.key)
        accounting.change_node(journal, on, allocated=allocation.resource, lower=True)
        nodes.refresh_score(ctx, partition, on)
    if not from_queue:
        return
    accounting.take_from_queues(journal, application.queue, "allocated", allocation.resource)
    if allocation.preempted:
        accounting.take_from_queues(journal, application.queue, "preempting", allocation.resource)


def complete_if_idle(ctx: Context, partition: Partition, application: Application) -> None:
    """After asks were removed: with nothing pending and nothing allocated the application completes. R-451."""
    if (is_zero(application.pending) and is_zero(application.allocated) and is_zero(application.placeholder_allocated)
            and application.state not in ("Failing", "Completing")):
        lifecycle.fire(ctx, partition, application, "completeApplication")


def report_foreign(ctx: Context, partition: Partition, allocation: Allocation, node: Node) -> None:
    """Another scheduler holds something on the node, or changed its size: only occupied and available move. R-415."""
    journal = ctx.journal
    known = partition.foreign.get(allocation.key)
    if known is not None:
        delta = sub(allocation.resource, known.resource)
        journal.set(known, "resource", allocation.resource)
        accounting.change_node(journal, partition.nodes[known.node_id], occupied=delta)
        return
    journal.set(allocation, "allocated", True)
    journal.set(allocation, "node_id", node.id)
    journal.set(allocation, "bound_ns", ctx.now_ns)
    journal.put(partition.foreign, allocation.key, allocation)
    journal.put(node.foreign, allocation.key, allocation)
    accounting.change_node(journal, node, occupied=allocation.resource)


def release_foreign(ctx: Context, partition: Partition, key: str) -> None:
    """The other scheduler's allocation is gone."""
    allocation = ctx.journal.drop(partition.foreign, key)
    node = partition.nodes.get(allocation.node_id)
    if node is not None:
        ctx.journal.drop(node.foreign, key)
        accounting.change_node(ctx.journal, node, occupied=allocation.resource, lower=True)


def _hold(ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node) -> None:
    """Node and queues carry the allocation from now on."""
    ctx.journal.put(node.allocations, ask.key, ask)
    accounting.change_node(ctx.journal, node, allocated=ask.resource)
    nodes.refresh_score(ctx, partition, node)
    accounting.add_to_queues(ctx.journal, application.queue, "allocated", ask.resource)


def _joined(ctx: Context, partition: Partition, application: Application, ask: Allocation) -> None:
    """The application has one more allocation; what that means for its state. R-451, R-711, R-712."""
    journal = ctx.journal
    journal.put(application.allocations, ask.key, ask)
    if not ask.placeholder:
        accounting.change_application(journal, application, "allocated", ask.resource)
        lifecycle.fire(ctx, partition, application, "runApplication")
        return
    journal.set(partition, "placeholder_count", partition.placeholder_count + 1)
    if is_zero(application.placeholder_allocated):
        gang.start_timer(ctx, partition, application)
    accounting.change_application(journal, application, "placeholder_allocated", ask.resource)
    if deep_equals(application.placeholder_allocated, prune(application.placeholder_ask)):
        lifecycle.fire(ctx, partition, application, "runApplication")

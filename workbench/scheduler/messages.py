"""Messages of the resource manager, one handler each: looked up, checked, passed on. Chapter 04 sections 2, 8 and 9.

A message about something unknown changes nothing; where the core answers it, so does the handler, and where the core
only logs, an `Ignored` event says so to people.
"""

from __future__ import annotations

from workbench.scheduler.objects import allocations, applications, asks, lifecycle, nodes, reservations
from workbench.scheduler.preemption.quota_rules import rules_of
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    AskSpec,
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
    UpdateNode,
)
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import AskRejected, Ignored, Released
from workbench.scheduler.records.state import Allocation, Application, Node, Partition
from workbench.values.errors import CommandError

PartitionCommand = (
    AddNode
    | UpdateNode
    | DrainNode
    | UndrainNode
    | RemoveNode
    | AddApplication
    | RemoveApplication
    | AddAsk
    | AddAllocation
    | Release
)
"""What is said to one partition."""


def add_node(ctx: Context, command: AddNode) -> None:
    nodes.register(ctx, partition_of(ctx, command), command)


def update_node(ctx: Context, command: UpdateNode) -> None:
    partition, node = _node(ctx, command)
    if node is None:
        return
    fault = nodes.overflow_fault(partition, command.capacity)
    if fault is not None:
        ctx.emit(Ignored(f"node {node.id!r} keeps its capacity: {fault}"))
        return
    nodes.resize(ctx, partition, node, command.capacity)


def drain_node(ctx: Context, command: DrainNode) -> None:
    partition, node = _node(ctx, command)
    if node is not None:
        nodes.set_schedulable(ctx, partition, node, False)


def undrain_node(ctx: Context, command: UndrainNode) -> None:
    partition, node = _node(ctx, command)
    if node is not None:
        nodes.set_schedulable(ctx, partition, node, True)


def remove_node(ctx: Context, command: RemoveNode) -> None:
    """The node leaves: reservations, then allocations, then its capacity. R-413."""
    partition, node = _node(ctx, command)
    if node is None:
        return
    reservations.unreserve_node(ctx, partition, node)
    nodes.drop(ctx, partition, node)
    for allocation in sorted(node.allocations.values(), key=lambda each: each.seq):
        application = partition.applications.get(allocation.application_id)
        if application is None:
            continue
        if _settle_replacement(ctx, partition, application, allocation, node):
            continue
        if allocation.key not in application.allocations:
            continue
        allocations.take_off(ctx, partition, application, allocation, allocations.STOPPED, node=node)
        ctx.emit(Released(allocation.key, application.id, allocations.STOPPED))
    nodes.forget_capacity(ctx, partition, node)


def add_application(ctx: Context, command: AddApplication) -> None:
    applications.submit(ctx, partition_of(ctx, command), command.application)


def remove_application(ctx: Context, command: RemoveApplication) -> None:
    partition = partition_of(ctx, command)
    application = partition.applications.get(command.application_id)
    if application is None:
        ctx.emit(Ignored(f"no active application {command.application_id!r} to remove"))
        return
    applications.remove(ctx, partition, application)


def add_ask(ctx: Context, command: AddAsk) -> None:
    """A new ask, or a new size for a known key. R-472, R-475, R-481."""
    partition, spec = partition_of(ctx, command), command.ask
    application = None if _turned_away(ctx, partition, spec) else _application(ctx, partition, spec)
    if application is None:
        return
    fault = asks.resource_fault(spec.resource) or asks.overflow_fault(application.leaf, spec.resource)
    if fault is not None:
        ctx.emit(AskRejected(spec.key, spec.application_id, fault))
    elif spec.key in application.asks:
        _resize(ctx, partition, application, spec)
    elif not _still_held(ctx, application, spec):
        _arrive(ctx, partition, application, asks.record(ctx, spec))


def add_allocation(ctx: Context, command: AddAllocation) -> None:
    """Something that already runs: recovered, placed by the resource manager, or foreign. R-415, R-451, R-476."""
    partition, spec = partition_of(ctx, command), command.ask
    if _turned_away(ctx, partition, spec):
        return
    if command.foreign:
        node = partition.nodes.get(command.node_id)
        if node is None:
            ctx.emit(AskRejected(spec.key, spec.application_id, f"failed to find node {command.node_id} for allocation {spec.key}"))
            return
        allocations.report_foreign(ctx, partition, asks.record(ctx, spec, foreign=True), node)
        return
    application = _application(ctx, partition, spec)
    if application is None:
        return
    node = partition.nodes.get(command.node_id)
    if node is None:
        ctx.emit(AskRejected(spec.key, spec.application_id, f"failed to find node {command.node_id}"))
        return
    fault = asks.resource_fault(spec.resource) or asks.overflow_fault(application.leaf, spec.resource)
    known = application.asks.get(spec.key)
    if fault is not None:
        ctx.emit(AskRejected(spec.key, spec.application_id, fault))
    elif known is not None and known.allocated:
        _resize(ctx, partition, application, spec)
    elif known is not None:
        allocations.place_externally(ctx, partition, application, known, spec.resource, node)
        _usage_grew(ctx, partition, application)
    elif not _still_held(ctx, application, spec):
        allocations.report(ctx, partition, application, asks.record(ctx, spec), node)
        _usage_grew(ctx, partition, application)


def release(ctx: Context, command: Release) -> None:
    """A release, or the confirmation of one. Unknown applications and keys are ignored. R-490 to R-492."""
    partition = partition_of(ctx, command)
    if not command.application_id and command.key in partition.foreign:
        allocations.release_foreign(ctx, partition, command.key)
        return
    application = partition.applications.get(command.application_id)
    if application is None:
        ctx.emit(Ignored(f"no active application {command.application_id!r} holds {command.key!r}"))
        return
    allocations.release(ctx, partition, application, command.key, command.type)


def partition_of(ctx: Context, command: PartitionCommand) -> Partition:
    """The partition a command is for. CommandError if there is none of that name."""
    partition = ctx.cluster.partitions.get(command.partition.lower())
    if partition is None:
        known = ", ".join(sorted(ctx.cluster.partitions)) or "none"
        raise CommandError(f"no partition {command.partition!r}; the configuration has: {known}")
    return partition


def _settle_replacement(ctx: Context, partition: Partition, application: Application, allocation: Allocation, node: Node) -> bool:
    """A lost node holds one of a placeholder and its replacement. True if there is nothing left to release. R-414."""
    other = allocation.replacement
    if other is None:
        return False
    if not allocation.placeholder:
        allocations.undo_replacement(ctx, application, other)
        return True
    if other.node_id != node.id:
        allocations.confirm_replacement(ctx, partition, application, allocation, node=node)
        ctx.emit(Released(allocation.key, application.id, allocations.STOPPED))
        return True
    allocations.undo_replacement(ctx, application, allocation)
    return False


def _arrive(ctx: Context, partition: Partition, application: Application, ask: Allocation) -> None:
    """A new pending ask. R-451, R-630."""
    if application.state in ("New", "Completing"):
        lifecycle.fire(ctx, partition, application, "runApplication")
    asks.join(ctx, application, ask)
    asks.await_placement(ctx, application, ask)


def _resize(ctx: Context, partition: Partition, application: Application, spec: AskSpec) -> None:
    """A known key is sent again: only its size counts. R-475."""
    known = application.asks[spec.key]
    if not known.allocated:
        asks.resize_pending(ctx, application, known, spec.resource)
    elif known.node_id not in partition.nodes:
        # Quirk: the ask of a removed node stays known as allocated there. R-413
        ctx.emit(AskRejected(spec.key, spec.application_id, f"failed to find node {known.node_id}"))
    else:
        allocations.resize(ctx, partition, application, known, spec.resource)
        _usage_grew(ctx, partition, application)


def _usage_grew(ctx: Context, partition: Partition, application: Application) -> None:
    """What the resource manager says has been done is not held against any maximum; from 1.9 on it may have to go again. R-905."""
    if application.queue is not None:
        rules_of(ctx.profile).usage_grew(ctx, partition, application.queue)


def _node(ctx: Context, command: UpdateNode | DrainNode | UndrainNode | RemoveNode) -> tuple[Partition, Node | None]:
    partition = partition_of(ctx, command)
    node = partition.nodes.get(command.node_id)
    if node is None:
        ctx.emit(Ignored(f"no node {command.node_id!r} is registered"))
    return partition, node


def _turned_away(ctx: Context, partition: Partition, spec: AskSpec) -> bool:
    """What is not even looked at: placeholders of no task group, dropped silently, and all asks of a stopped partition.

    R-472, R-481, R-497. A draining partition takes asks.
    """
    if spec.placeholder and not spec.task_group:
        ctx.emit(Ignored(f"placeholder {spec.key!r} of {spec.application_id!r} names no task group and is dropped"))
        return True
    if partition.status != "Stopped":
        return False
    ctx.emit(
        AskRejected(
            spec.key,
            spec.application_id,
            f"partition {nodes.internal_name(partition)} is stopped; cannot process allocation {spec.key}",
        )
    )
    return True


def _still_held(ctx: Context, application: Application, spec: AskSpec) -> bool:
    """A placeholder that timed out keeps its allocation until the end is confirmed, and no ask: its key is not free yet. R-722.

    Nor is that of the real ask that was about to replace it. The core would take the key twice and lose count of the first.
    """
    replacing = application.task_groups and any(
        each.replacement is not None and each.replacement.key == spec.key for each in application.allocations.values()
    )
    if spec.key not in application.allocations and not replacing:
        return False
    ctx.emit(Ignored(f"{spec.key!r} of {spec.application_id!r} is being released; its key is not free yet"))
    return True


def _application(ctx: Context, partition: Partition, spec: AskSpec) -> Application | None:
    application = partition.applications.get(spec.application_id)
    if application is None:
        ctx.emit(AskRejected(spec.key, spec.application_id, f"failed to find application {spec.application_id}"))
    return application

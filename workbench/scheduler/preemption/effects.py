"""What a decided preemption does: marks, sums, the announcement, and the reservation of the node. P-110, P-111, P-125."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.scheduler.objects import reservations
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Preempted, Released
from workbench.scheduler.records.state import Allocation, Application, Node, Partition

PREEMPTED = "PREEMPTED_BY_SCHEDULER"


def stop_for_ask(
    ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node, victims: Sequence[Allocation]
) -> None:
    """General preemption: the victims are stopped, and the chosen node waits for the ask. P-110.

    An older reservation of the ask on another node is given up.
    """
    _stop(ctx, partition, victims, f"preempting allocations to free up resources to run ask: {ask.key}")
    ctx.journal.set(ask, "preemption_triggered", True)
    ctx.emit(Preempted(ask.key, application.id, node.id, tuple(victim.key for victim in victims)))
    if application.reservations.get(ask.key) != node.id:
        reservations.unreserve(ctx, partition, application, ask.key)
        reservations.reserve(ctx, partition, application, node, ask)


def stop_for_required_node(
    ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node, victims: Sequence[Allocation]
) -> None:
    """Required-node preemption: the ask keeps the reservation that it has. P-125."""
    _stop(ctx, partition, victims, f"preempting allocations to free up resources to run daemon set ask: {ask.key}")
    ctx.journal.set(ask, "preemption_triggered", True)
    ctx.emit(Preempted(ask.key, application.id, node.id, tuple(victim.key for victim in victims)))


def stop_for_quota(ctx: Context, partition: Partition, leaf_path: str, victims: Sequence[Allocation]) -> None:
    """Quota preemption in one leaf. P-138."""
    _stop(ctx, partition, victims, f"preempting allocations to enforce new max quota for queue : {leaf_path}")


def _stop(ctx: Context, partition: Partition, victims: Sequence[Allocation], message: str) -> None:
    """Mark, count as preempting, announce. The victims stay allocated until the resource manager confirms. P-111."""
    for victim in victims:
        ctx.journal.set(victim, "preempted", True)
        leaf = partition.applications[victim.application_id].queue
        ctx.journal.raise_path(leaf, "preempting", victim.resource)
        ctx.emit(Released(victim.key, victim.application_id, PREEMPTED, message))

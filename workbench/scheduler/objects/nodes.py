"""Nodes: registration, capacity, draining, removal, and their order. Chapter 04 section 2, chapter 05 section 10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workbench.scheduler.objects import accounting
from workbench.scheduler.policies.node_usage import DEFAULT_WEIGHTS
from workbench.scheduler.policies.orders import NODE_ORDERS
from workbench.scheduler.policies.spreading import ORDER as FAIR
from workbench.scheduler.records.commands import AddNode
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import NodeAccepted, NodeRejected
from workbench.scheduler.records.state import Node, Partition
from workbench.values.quantities import MAX_INT64
from workbench.values.resources import Resource, add, equals, prune, strictly_greater_than_zero, sub


class NodeKey(NamedTuple):
    """Nodes with a smaller score go first, equal ones by id compared bytewise. R-557."""

    score: float
    id: str


def score(node: Node, policy: str, weights: Mapping[str, float]) -> float:
    """The sort score of a node under a policy; an unknown one means fair. R-556, R-561."""
    return NODE_ORDERS.get(policy, FAIR).score(node, weights or DEFAULT_WEIGHTS)


def refresh_score(ctx: Context, partition: Partition, node: Node) -> None:
    """Store the node's present score. Called at the moments R-559 lists and at no other."""
    ctx.journal.set(node, "score", score(node, partition.node_policy, partition.node_weights))


def key(node: Node) -> NodeKey:
    return NodeKey(node.score, node.id)


def in_order(partition: Partition) -> list[Node]:
    """All nodes, best first: the full iteration. R-557, R-560."""
    return sorted(partition.nodes.values(), key=key)


def unreserved(partition: Partition) -> list[Node]:
    """The nodes without any reservation, best first. R-560."""
    return sorted((node for node in partition.nodes.values() if not node.reservations), key=key)


def register(ctx: Context, partition: Partition, command: AddNode) -> None:
    """A node joins, or is refused because its id is taken or the partition stopped. Section 2, R-481."""
    if command.node_id in partition.nodes:
        name = internal_name(partition)
        ctx.emit(
            NodeRejected(
                command.node_id,
                (
                    "failure while adding new node, node rejected with error: \n"
                    f"failed to add node {command.node_id} to partition {name}, error: partition {name} has an existing node "
                    f"{command.node_id}, node name must be unique"
                ),
            )
        )
        return
    if partition.status != "Active":
        ctx.emit(
            NodeRejected(
                command.node_id,
                (
                    "failure while adding new node, node rejected with error: \n"
                    f"partition {internal_name(partition)} is stopped cannot add a new node {command.node_id}"
                ),
            )
        )
        return
    fault = overflow_fault(partition, command.capacity)
    if fault is not None:
        ctx.emit(NodeRejected(command.node_id, fault))
        return
    capacity = _capacity(ctx, command.capacity)
    node = Node(
        id=command.node_id,
        seq=ctx.next_seq(),
        attributes=command.attributes,
        capacity=capacity,
        available=capacity,
        schedulable=command.schedulable,
        taints=command.taints,
    )
    ctx.journal.put(partition, "nodes", node.id, node)
    refresh_score(ctx, partition, node)
    _set_total(ctx, partition, add(partition.total, node.capacity))
    ctx.emit(NodeAccepted(node.id))


def _capacity(ctx: Context, said: Resource) -> Resource:
    """What a node has of what it is said to have: nothing of a type is no type, but in 1.8. R-952."""
    return said if ctx.profile.keeps_empty_capacity else prune(said)


def overflow_fault(partition: Partition, capacity: Resource) -> str | None:
    """Why so large a node cannot be counted, or None. The core's total would saturate and never be right again. R-20."""
    for name, amount in sorted(capacity.items()):
        if amount + partition.total.get(name, 0) > MAX_INT64:
            return f"{amount} of {name} is too much: the total of all nodes would leave 64 bits"
    return None


def resize(ctx: Context, partition: Partition, node: Node, capacity: Resource) -> None:
    """The node gets a new capacity; nothing is evicted. R-410, R-411.

    Quirk: the capacity that the node has already changes nothing, not even a stale score. R-559
    """
    capacity = _capacity(ctx, capacity)
    if equals(capacity, node.capacity):
        return
    _set_total(ctx, partition, add(partition.total, sub(capacity, node.capacity)))
    ctx.journal.set(node, "capacity", capacity)
    accounting.refresh_available(ctx.journal, node)
    refresh_score(ctx, partition, node)


def set_schedulable(ctx: Context, partition: Partition, node: Node, schedulable: bool) -> None:
    """Drain the node or open it again. R-411, R-412. Quirk: as for the capacity, no change refreshes no score."""
    if schedulable == node.schedulable:
        return
    ctx.journal.set(node, "schedulable", schedulable)
    refresh_score(ctx, partition, node)


def drop(ctx: Context, partition: Partition, node: Node) -> None:
    """Take the node out of the collection; its capacity is lowered from the total by `forget_capacity`. R-413."""
    ctx.journal.set(node, "schedulable", False)
    ctx.journal.drop(partition, "nodes", node.id)


def forget_capacity(ctx: Context, partition: Partition, node: Node) -> None:
    """The last step of a removal: the partition total shrinks. R-413."""
    _set_total(ctx, partition, sub(partition.total, node.capacity))


def internal_name(partition: Partition) -> str:
    """The partition's name as it stands in some of the core's texts. R-401, C-24."""
    return f"[rm:1]{partition.name}"


def _set_total(ctx: Context, partition: Partition, total: Resource) -> None:
    """The cluster's size is the maximum of the root queue; without any positive quantity root has none. R-402."""
    total = prune(total)
    ctx.journal.set(partition, "total", total)
    ctx.journal.set(partition.root, "maximum", total if strictly_greater_than_zero(total) else None)

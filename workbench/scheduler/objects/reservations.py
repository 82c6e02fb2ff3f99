"""Reservations: a node that waits for one ask. R-564 to R-569.

The same fact stands in five places, which change together here: the application, the node (with the time at which it was
made), the leaf's count per application, and the partition's count.
"""

from __future__ import annotations

from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Reserved, Unreserved
from workbench.scheduler.records.state import Allocation, Application, Node, Partition, Queue
from workbench.scheduler.releases.profiles import Profile
from workbench.values.resources import fit_in

DELAY_NS = 2_000_000_000
"""Age from which a normal ask reserves a node. R-565."""


def fault(partition: Partition, application: Application, node: Node, ask: Allocation) -> str | None:
    """Why the ask cannot reserve the node, in the core's words, or None. R-564, R-565."""
    if ask.allocated:
        return "ask already allocated, no reservation allowed"
    if ask.key in application.reservations:
        return "reservation already exists"
    if node.reservations and not (ask.required_node and shared_by_required(partition, node)):
        return "node is already reserved"
    if not fit_in(node.capacity, ask.resource):
        return "reservation does not fit on node"
    return None


def shared_by_required(partition: Partition, node: Node) -> bool:
    """Whether only asks that require this node hold it; such reservations may share a node. R-564."""
    return all(
        key in (asks := partition.applications[owner].asks) and asks[key].required_node for key, owner in node.reservations.items()
    )


def counts_from_ns(profile: Profile, node: Node, holder: Allocation) -> int:
    """From when the age of the reservation counts that `holder` has of `node`.

    Quirk of 1.8: from the making of the ask, and the documented hour counts twice. P-67, R-931
    """
    return node.reserved_ns[holder.key] if profile.reservations_age else holder.created_ns


def is_stale(profile: Profile, node: Node, holder: Allocation, now_ns: int) -> bool:
    """Whether the reservation is so old that it may be given up. P-67, R-931, R-951."""
    return now_ns - counts_from_ns(profile, node, holder) > profile.stale_reservation_ns


def next_end_ns(partition: Partition, leaf: Queue, now_ns: int) -> int | None:
    """The first instant after now at which a reservation of the leaf may end because it is old; None if none does. R-951."""
    profile = partition.profile
    if not profile.reservations_age:
        return None
    made = [
        partition.nodes[node_id].reserved_ns[key]
        for application_id in leaf.reserved_applications
        if application_id in leaf.applications
        for key, node_id in leaf.applications[application_id].reservations.items()
    ]
    return min((at for each in made if (at := each + profile.stale_reservation_ns + 1) > now_ns), default=None)


def reserve(ctx: Context, partition: Partition, application: Application, node: Node, ask: Allocation) -> None:
    """The node waits for the ask from now on."""
    journal, leaf = ctx.journal, application.leaf
    journal.put(application, "reservations", ask.key, node.id)
    journal.put(node, "reservations", ask.key, application.id)
    journal.put(node, "reserved_ns", ask.key, ctx.now_ns)
    journal.put(leaf, "reserved_applications", application.id, leaf.reserved_applications.get(application.id, 0) + 1)
    journal.set(partition, "reservation_count", partition.reservation_count + 1)
    ctx.emit(Reserved(ask.key, application.id, node.id))


def unreserve(ctx: Context, partition: Partition, application: Application, key: str) -> None:
    """The reservation of that ask key, if there is one, ends. R-568."""
    node_id = application.reservations.get(key)
    if node_id is None:
        return
    journal, leaf = ctx.journal, application.leaf
    journal.drop(application, "reservations", key)
    node = partition.nodes.get(node_id)
    if node is not None and key in node.reservations:
        journal.drop(node, "reservations", key)
        journal.drop(node, "reserved_ns", key)
    left = leaf.reserved_applications[application.id] - 1
    if left:
        journal.put(leaf, "reserved_applications", application.id, left)
    else:
        journal.drop(leaf, "reserved_applications", application.id)
    journal.set(partition, "reservation_count", partition.reservation_count - 1)
    ctx.emit(Unreserved(key, application.id, node_id))


def unreserve_all(ctx: Context, partition: Partition, application: Application) -> None:
    for key in sorted(application.reservations):
        unreserve(ctx, partition, application, key)


def unreserve_node(ctx: Context, partition: Partition, node: Node, *, keep_required: bool = False) -> None:
    """End the reservations on a node; with `keep_required` only the normal ones, as a required-node ask does. R-576."""
    for key, owner in sorted(node.reservations.items()):
        application = partition.applications[owner]
        if keep_required and key in application.asks and application.asks[key].required_node:
            continue
        unreserve(ctx, partition, application, key)

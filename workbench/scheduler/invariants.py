"""What always holds of the state, whatever was asked of the scheduler. Tests check it after every command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.scheduler.objects import nodes, tree
from workbench.scheduler.objects.miscounts import off_by
from workbench.scheduler.records.state import Cluster, Partition, Queue
from workbench.values.resources import EMPTY, Resource, add, equals_or_empty, prune, sub


def check(cluster: Cluster) -> list[str]:
    """Every violation as a sentence; empty when all is well."""
    found: list[str] = []
    for partition in cluster.partitions.values():
        found.extend(_queues(partition))
        found.extend(_applications(partition))
        found.extend(_nodes(partition))
        found.extend(_reservations(partition))
    return found


def total(resources: Iterable[Resource]) -> Resource:
    """The sum."""
    result = EMPTY
    for resource in resources:
        result = add(result, resource)
    return result


def _queues(partition: Partition) -> Iterator[str]:
    """A parent's amounts are the sums over its children, a leaf's those over its applications. R-424."""
    for queue in tree.walk(partition.root):
        children = list(queue.children.values())
        # A reload can turn a leaf with applications into a parent and back (C-154), so both kinds of parts count.
        applications = list(queue.applications.values())
        held = [add(each.allocated, each.placeholder_allocated) for each in applications]
        held += [each.allocated for each in children]
        pending = [each.pending for each in applications] + [each.pending for each in children]
        going = [each.resource for application in applications for each in application.allocations.values() if each.preempted]
        going += [each.preempting for each in children]
        going += [off_by(queue, "preempting")]
        held += [off_by(queue, "allocated")]
        yield from _differs(f"queue {queue.path} preempting", queue.preempting, total(going))
        if queue.running_applications < 0:
            yield f"queue {queue.path} counts {queue.running_applications} running applications"
        yield from _differs(f"queue {queue.path} allocated", queue.allocated, total(held))
        yield from _differs(f"queue {queue.path} pending", queue.pending, total(pending))
        if not any(_is_astray(below) for below in tree.walk(queue)):
            yield from _negative(f"queue {queue.path} allocated", queue.allocated)
        yield from _negative(f"queue {queue.path} pending", queue.pending)
        members = {*queue.applications, *queue.children}
        if set(queue.priority_inputs) != members:
            yield f"queue {queue.path} keeps priorities of {sorted(queue.priority_inputs)}, but holds {sorted(members)}"


def _is_astray(queue: Queue) -> bool:
    return bool(queue.astray) or any(application.astray for application in queue.applications.values())


def _applications(partition: Partition) -> Iterator[str]:
    """An application's amounts are those of its records, and each record has one place. R-443."""
    for application in partition.applications.values():
        name = f"application {application.id}"
        waiting = [ask for ask in application.asks.values() if not ask.allocated]
        yield from _differs(f"{name} pending", application.pending, total(ask.resource for ask in waiting))
        # Together only: a placeholder's change of size is booked as real.
        held = add(application.allocated, application.placeholder_allocated)
        parts = [each.resource for each in application.allocations.values()] + [off_by(application, "allocated")]
        yield from _differs(f"{name} allocations", held, total(parts))
        ordered = [ask.key for ask in application.ask_order]
        known = {key for key in ordered if key in application.asks}
        if len(ordered) != len(known) or not known >= {ask.key for ask in waiting}:
            yield f"{name} orders {ordered}, but knows {sorted(application.asks)}"
        if application.queue is None or application.queue.applications.get(application.id) is not application:
            yield f"{name} is active, but its queue does not hold it"
        for allocation in application.allocations.values():
            node = partition.nodes.get(allocation.node_id)
            # Where a node's table has the key for somebody else, it no longer knows this one.
            if (node is None or node.allocations.get(allocation.key) is not allocation) and not off_by(application, "listed"):
                yield f"{name} has {allocation.key} on {allocation.node_id}, but the node does not"


def _nodes(partition: Partition) -> Iterator[str]:
    """A node holds its allocations and what is left is the rest; the root's maximum is the sum of capacities. R-402, R-410."""
    capacity = prune(total(node.capacity for node in partition.nodes.values()))
    yield from _differs("total of the partition", partition.total, capacity)
    for node in partition.nodes.values():
        for field, table in (("allocated", node.allocations), ("occupied", node.foreign)):
            parts = [each.resource for each in table.values()] + [off_by(node, field)]
            yield from _differs(f"node {node.id} {field}", getattr(node, field), total(parts))
        if node.allocations.keys() & node.foreign.keys():
            yield f"node {node.id} has a key twice in its table"
        yield from _differs(f"node {node.id} available", node.available, sub(sub(node.capacity, node.allocated), node.occupied))
        if node.score != node.score:
            yield f"node {node.id} has no score"
    names = [key.id for key in (nodes.key(node) for node in nodes.in_order(partition))]
    if sorted(names) != sorted(partition.nodes):
        yield "the node order misses nodes"


def _reservations(partition: Partition) -> Iterator[str]:
    """A reservation stands with the application, the node, the leaf and the partition alike. R-564."""
    count = 0
    for each in partition.nodes.values():
        if each.reserved_ns.keys() != each.reservations.keys():
            yield f"node {each.id} waits for {sorted(each.reservations)}, but since when for {sorted(each.reserved_ns)}"
    for application in partition.applications.values():
        count += len(application.reservations)
        expected = application.queue.reserved_applications.get(application.id, 0) if application.queue else 0
        if expected != len(application.reservations):
            yield f"queue of {application.id} counts {expected} reservations, the application {len(application.reservations)}"
        for key, node_id in application.reservations.items():
            node = partition.nodes.get(node_id)
            if node is None or node.reservations.get(key) != application.id:
                yield f"{key} of {application.id} reserves {node_id}, but the node does not know"
    if count != partition.reservation_count or count != sum(len(node.reservations) for node in partition.nodes.values()):
        yield f"partition counts {partition.reservation_count} reservations, applications {count}"


def _differs(what: str, stored: Resource, computed: Resource) -> Iterator[str]:
    if not equals_or_empty(stored, computed):
        yield f"{what} is {stored}, but the parts add up to {computed}"


def _negative(what: str, amount: Resource) -> Iterator[str]:
    if any(value < 0 for value in amount.values()):
        yield f"{what} is negative: {amount}"

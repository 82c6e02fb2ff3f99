"""The state of a partition as plain values, in the form that recorded scenarios expect. Reads, never changes."""

from __future__ import annotations

from typing import Any

from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Application, Cluster, Node, Partition, Queue
from workbench.values.resources import Resource


def snapshot(cluster: Cluster, partition: str = "default") -> dict[str, Any]:
    """Queues by path, nodes and applications by id. KeyError if there is no such partition."""
    at = cluster.partitions[partition.lower()]
    return {
        "queues": {queue.path: _queue(queue) for queue in tree.walk(at.root)},
        "nodes": {node_id: _node(at.nodes[node_id]) for node_id in sorted(at.nodes)},
        "apps": _applications(at),
    }


def _queue(queue: Queue) -> dict[str, Any]:
    return {
        "allocated": _used(queue.allocated),
        "pending": _used(queue.pending),
        "preempting": _used(queue.preempting),
        "priority": queue.priority,
        "status": queue.status,
        "leaf": queue.is_leaf,
        "managed": queue.is_managed,
        "running_apps": queue.running_applications,
    }


def _node(node: Node) -> dict[str, Any]:
    return {
        "capacity": dict(node.capacity.items()),
        "allocated": _used(node.allocated),
        "available": dict(node.available.items()),
        "occupied": _used(node.occupied),
        "schedulable": node.schedulable,
        "allocations": sorted(node.allocations),
        "reservations": sorted(node.reservations),
    }


def _applications(partition: Partition) -> dict[str, Any]:
    """Active ones with their sums, completed ones with their queue, rejected ones with their state only.

    An id can be in several tables; the later table covers the earlier, as in the recordings.
    """
    found = {each.id: _active(each) for _, each in sorted(partition.applications.items())}
    for each in sorted(partition.completed.values(), key=lambda application: application.seq):
        found[each.id] = {"state": each.state, "queue": each.queue_path}
    for _, each in sorted(partition.rejected.items()):
        found[each.id] = {"state": each.state}
    return found


def _active(application: Application) -> dict[str, Any]:
    return {
        "state": application.state,
        "queue": application.queue_path,
        "allocated": _used(application.allocated),
        "pending": _used(application.pending),
        "placeholder": _used(application.placeholder_allocated),
    }


def _used(resource: Resource) -> dict[str, int]:
    """Without zero amounts."""
    return {name: amount for name, amount in resource.items() if amount}

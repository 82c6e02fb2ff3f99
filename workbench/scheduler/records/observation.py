"""What a decision changed: the values people look at, before and after. A-12."""

from __future__ import annotations

from typing import Any

from workbench.scheduler.objects.limits import queue_headroom
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.decision import Change
from workbench.scheduler.records.state import Partition

Observation = dict[tuple[str, str, str], Any]


def observe(partition: Partition) -> Observation:
    """(kind, subject, what) -> value for everything a decision can change, in a fixed order."""
    seen: Observation = {}
    for queue in walk(partition.root):
        seen["queue", queue.path, "priority"] = queue.priority
        seen["queue", queue.path, "allocated"] = queue.allocated
        seen["queue", queue.path, "pending"] = queue.pending
        seen["queue", queue.path, "headroom"] = queue_headroom(queue)
        seen["queue", queue.path, "running applications"] = queue.running_applications
    for application in sorted(partition.applications.values(), key=lambda application: application.seq):
        seen["application", application.id, "state"] = application.state
        seen["application", application.id, "priority"] = application.priority
        seen["application", application.id, "allocated"] = application.allocated
    for node in sorted(partition.nodes.values(), key=lambda node: node.id):
        seen["node", node.id, "available"] = node.available
        seen["node", node.id, "score"] = node.score
        seen["node", node.id, "reservations"] = tuple(sorted(node.reservations))
    return seen


def changes_between(before: Observation, after: Observation) -> tuple[Change, ...]:
    """The values that differ, in the order of `observe`."""
    return tuple(
        Change(subject, what, before.get((kind, subject, what)), value)
        for (kind, subject, what), value in after.items()
        if before.get((kind, subject, what)) != value
    )

"""`queues` and `queue`: a queue, with all below it or alone. Chapter 11, section 2."""

from __future__ import annotations

from typing import Any

from workbench.config import may_preempt
from workbench.config.model import ChildTemplate
from workbench.rest.amounts import amounts, said
from workbench.rest.lookups import partition_of, queue_of
from workbench.rest.routes import Request
from workbench.rest.source import Source
from workbench.scheduler.objects import tree as queue_tree
from workbench.scheduler.objects.limits import queue_headroom
from workbench.scheduler.records.state import Queue
from workbench.values.durations import format_duration
from workbench.values.resources import abs_used_capacity, from_config


def tree(source: Source, request: Request) -> dict[str, Any]:
    """The root with everything below it."""
    partition = partition_of(source, request)
    return {**document(partition.root, below=True), "partition": partition.name}


def queue(source: Source, request: Request) -> dict[str, Any]:
    """One queue; with `subtree` everything below it, too."""
    return document(queue_of(partition_of(source, request), request), below="subtree" in request.query)


def document(queue: Queue, *, below: bool) -> dict[str, Any]:
    """A queue, with everything below it or without."""
    settings, children = queue.settings, queue_tree.children(queue)
    return {
        "queuename": queue.path,
        "status": queue.status,
        "partition": "",
        "isLeaf": queue.is_leaf,
        "isManaged": queue.is_managed,
        "currentPriority": queue.priority,
        "prioritySorting": settings.priority_sorting,
        "preemptionEnabled": not may_preempt.is_disabled(queue),
        "isPreemptionFence": may_preempt.is_fence(queue),
        "isPriorityFence": may_preempt.is_priority_fence(queue),
        "preemptionDelay": format_duration(settings.preemption_delay_ns),
        "quotaPreemptionDelay": format_duration(settings.quota_preemption_delay_ns),
        "sortingPolicy": settings.application_sort_policy if queue.is_leaf else "fair",
        **said(
            parent=queue.parent.path if queue.parent is not None else "",
            pendingResource=amounts(queue.pending),
            maxResource=amounts(queue.maximum),
            guaranteedResource=amounts(queue.guaranteed),
            allocatedResource=amounts(queue.allocated),
            preemptingResource=amounts(queue.preempting),
            headroom=amounts(queue_headroom(queue)),
            absUsedCapacity=amounts(abs_used_capacity(queue.maximum, queue.allocated)),
            properties=dict(queue.properties),
            template=_template(queue.template),
            childNames=[child.path for child in children],
            children=[document(child, below=True) for child in children] if below else None,
            runningApps=queue.running_applications,
            maxRunningApps=queue.max_applications,
            allocatingAcceptedApps=sorted(queue.allocating_accepted),
            priorityOffset=settings.priority_offset,
        ),
    }


def _template(template: ChildTemplate | None) -> dict[str, Any]:
    if template is None:
        return {}
    return said(
        maxApplications=template.max_applications,
        properties=dict(template.properties),
        maxResource=amounts(from_config(template.resources.max)),
        guaranteedResource=amounts(from_config(template.resources.guaranteed)),
    )

"""What an application waits for and what it holds, as entries of other documents. RE-4."""

from __future__ import annotations

from typing import Any

from workbench.rest.amounts import amounts, said
from workbench.rest.source import Source
from workbench.scheduler.records.state import Allocation

Document = dict[str, Any]

REQUIRED_NODE_TAG = "yunikorn.apache.org/requiredNode"
FOREIGN_TAG = "foreign"


def request(source: Source, ask: Allocation) -> Document:
    """An ask that waits, with the core's own log of why."""
    log = [
        {"message": message, "lastOccurrence": source.at(last), "count": count}
        for message, (count, last) in sorted(ask.log.items())
    ]
    return {
        **_common(source, ask),
        **said(
            requiredNodeId=ask.required_node,
            allocationLog=log,
            triggeredPreemption=ask.preemption_triggered,
            triggeredScaleUp=ask.scale_up_triggered,
            schedulingAttempted=ask.scheduling_attempted,
        ),
    }


def allocation(source: Source, held: Allocation) -> Document:
    """Something that has a node."""
    bound = held.bound_ns if held.bound_ns is not None else held.created_ns
    return {
        **_common(source, held),
        "allocationTime": source.at(bound),
        **said(
            nodeId=held.node_id,
            allocationDelay=bound - held.created_ns,
            preempted=held.preempted,
            placeholderUsed=not held.placeholder and bool(held.task_group),
        ),
    }


def foreign(source: Source, held: Allocation) -> Document:
    """What another scheduler placed."""
    return {
        "allocationKey": held.key,
        "allocationTime": source.at(held.bound_ns or 0),
        "nodeId": held.node_id,
        "priority": str(held.priority),
        "resource": amounts(held.resource),
        "allocationTags": {FOREIGN_TAG: "default", **held.tags},
        "preemptable": True,
    }


def _common(source: Source, each: Allocation) -> Document:
    tags = dict(each.tags)
    if each.required_node:
        tags[REQUIRED_NODE_TAG] = each.required_node
    return {
        "allocationKey": each.key,
        "requestTime": source.at(each.created_ns),
        "resource": amounts(each.resource),
        "priority": str(each.priority),
        "applicationId": each.application_id,
        **said(
            allocationTags=tags,
            placeholder=each.placeholder,
            taskGroupName=each.task_group,
            originator=each.originator,
        ),
    }

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
    log = [{"message": message, "lastOccurrence": source.at(last), "count": count} for message, (count, last) in ask.log.items()]
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
    """Something that has a node.

    Quirk: its time is that of the ask, and if a placeholder held its place, it was requested when that was.
    """
    replaced = source.past.replaced(held)
    requested = held.created_ns if replaced is None else replaced.created_ns
    return {
        **_common(source, held),
        "requestTime": source.at(requested),
        "allocationTime": source.at(held.created_ns),
        **said(
            nodeId=held.node_id,
            allocationDelay=held.created_ns - requested,
            preempted=held.preempted,
            placeholderUsed=replaced is not None,
        ),
    }


def foreign(source: Source, held: Allocation) -> Document:
    """What another scheduler placed."""
    return {
        "allocationKey": held.key,
        "allocationTime": source.at(held.created_ns),
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

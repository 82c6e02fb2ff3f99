"""Applications, of a partition or of a queue, in a state or by name. Chapter 11, section 2; RE-4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.rest import allocations
from workbench.rest.amounts import amounts, said
from workbench.rest.answer import Refusal
from workbench.rest.lookups import partition_of, queue_of
from workbench.rest.past.counters import is_unplaced
from workbench.rest.past.usage import Usage
from workbench.rest.routes import Request
from workbench.rest.source import Source
from workbench.scheduler.records.state import Application, Partition, TaskGroup

NOT_STARTED_MS = -62_135_596_800_000
"""The core's zero of time, which it counts from the year 1."""
ACTIVE_STATES = ("new", "accepted", "running", "completing", "failing", "resuming")
MS_NS = 1_000_000

Document = dict[str, Any]


def in_state(source: Source, request: Request) -> list[Document]:
    """Those of a partition that are active, completed or rejected."""
    partition = partition_of(source, request)
    wanted = request.names["state"].lower()
    if wanted == "active":
        return _documents(source, partition, _with_status(_sorted(partition.applications), request))
    if wanted == "completed":
        return _documents(source, partition, _sorted(partition.completed))
    if wanted == "rejected":
        return _documents(source, partition, _sorted(partition.rejected))
    raise Refusal(400, "Only following application states are allowed: active, rejected, completed")


def of_queue(source: Source, request: Request) -> list[Document]:
    """Active ones of a queue; none for one that has queues below it."""
    partition = partition_of(source, request)
    return _documents(source, partition, _sorted(queue_of(partition, request).applications))


def of_queue_in_state(source: Source, request: Request) -> list[Document]:
    """The same, which can only be asked for those that are active."""
    partition = partition_of(source, request)
    queue = queue_of(partition, request)
    if request.names["state"].lower() != "active":
        raise Refusal(400, "Only following application states are allowed: active")
    return _documents(source, partition, _with_status(_sorted(queue.applications), request))


def one(source: Source, request: Request) -> Document:
    """One application of a partition, also one that has ended."""
    partition = partition_of(source, request)
    return _found(source, partition, _any(partition, request.names["application"]))


def one_in_queue(source: Source, request: Request) -> Document:
    """One active application of a queue."""
    partition = partition_of(source, request)
    return _found(source, partition, queue_of(partition, request).applications.get(request.names["application"]))


def _any(partition: Partition, wanted: str) -> Application | None:
    return partition.applications.get(wanted) or partition.rejected.get(wanted) or partition.completed.get(wanted)


def _found(source: Source, partition: Partition, application: Application | None) -> Document:
    if application is None:
        raise Refusal(404, "Application not found")
    return document(source, partition, application)


def _sorted(table: Mapping[str, Application]) -> list[Application]:
    """In order of creation. RE-5"""
    return sorted(table.values(), key=lambda each: each.seq)


def _with_status(found: Iterable[Application], request: Request) -> list[Application]:
    wanted = request.query.get("status", "").lower()
    if wanted and wanted not in ACTIVE_STATES:
        raise Refusal(400, f"Only following active statuses are allowed: {','.join(sorted(ACTIVE_STATES))}")
    return [each for each in found if not wanted or each.state.lower() == wanted]


def _documents(source: Source, partition: Partition, found: Iterable[Application]) -> list[Document]:
    return [document(source, partition, each) for each in found]


def document(source: Source, partition: Partition, application: Application) -> Document:
    """One application with what it asks for, holds, and used so far."""
    started = application.started_ns
    asks = sorted((each for each in application.asks.values() if not each.allocated), key=lambda each: each.seq)
    held = sorted(application.allocations.values(), key=lambda each: each.seq)
    used = source.past.usage_of(application)
    return {
        "applicationID": application.id,
        "partition": partition.name,
        "queueName": "" if is_unplaced(application) else application.queue_path,
        "submissionTime": source.at(application.submitted_ns),
        "startTime": NOT_STARTED_MS if started is None else source.at(started) // MS_NS,
        "applicationState": application.state,
        "user": application.user,
        "resourceHistory": _history(used),
        **said(
            usedResource=amounts(application.allocated),
            maxUsedResource=amounts(application.peak),
            pendingResource=amounts(application.pending),
            finishedTime=source.at(application.finished_ns) if application.finished_ns is not None else None,
            requests=[allocations.request(source, each) for each in asks],
            allocations=[allocations.allocation(source, each) for each in held],
            groups=list(application.groups) or [application.user],
            rejectedMessage=application.rejection,
            stateLog=[{"time": source.at(time), "applicationState": state} for time, state in application.state_log],
            placeholderData=[_task_group(group) for _, group in sorted(application.task_groups.items())],
            hasReserved=bool(application.reservations),
            reservations=sorted(application.reservations),
            maxRequestPriority=application.priority,
        ),
    }


def _task_group(group: TaskGroup) -> Document:
    return {
        "taskGroupName": group.name,
        "minResource": amounts(group.size),
        **said(count=group.count, replaced=group.replaced, timedout=group.timed_out),
    }


def _history(used: Usage) -> Document:
    """What was used so far, in amounts times seconds, by kind of node: nobody says of which kind a node is."""
    kinds = (("resourceUsage", used.real), ("preemptedResource", used.preempted), ("placeholderResource", used.placeholders))
    return {name: {"UNKNOWN": amounts(total)} for name, total in kinds if total is not None}

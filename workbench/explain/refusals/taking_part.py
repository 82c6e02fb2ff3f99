"""Queues, applications and asks that do not take part, or were not reached."""

from __future__ import annotations

from workbench.explain.refusals.saying import says
from workbench.explain.wording import name, seconds
from workbench.scheduler.records.refusals.taking_part import (
    AlreadyAllocated,
    ApplicationWithoutPending,
    NothingPlaced,
    NotReached,
    NotScheduled,
    OneStart,
    QueueStopped,
    QueueWithoutPending,
)


@says(NotScheduled, "not-scheduled")
def _not_scheduled(it: NotScheduled) -> str:
    return f"Partition {name(it.subject)} is not scheduled: {name(it.state).lower()}."


@says(QueueStopped, "queue-stopped")
def _queue_stopped(it: QueueStopped) -> str:
    return f"Queue {name(it.subject)} is {name(it.state).lower()}; nothing in it is scheduled."


@says(NotReached, "not-reached")
def _not_reached(it: NotReached) -> str:
    if it.lost is None:
        return "Not reached: an earlier candidate was served."
    return f"Not reached: at {name(it.lost.level)}, {name(it.lost.winner)} goes before {name(it.lost.loser)}."


@says(OneStart, "one-start")
def _one_start(it: OneStart) -> str:
    if it.starting:
        return (
            f"Application {name(it.subject)} may not start while {name(it.starting)} is Starting, for "
            f"{seconds(it.age_ns)} now: stateaware starts one application of a queue at a time."
        )
    return (
        f"Application {name(it.subject)} may not start before {name(it.admitted)}, which is older: stateaware starts "
        "one application of a queue at a time."
    )


@says(QueueWithoutPending, "no-pending")
def _queue_without_pending(it: QueueWithoutPending) -> str:
    return f"Nothing in {name(it.subject)} waits to be placed."


@says(NothingPlaced, "nothing-placed")
def _nothing_placed(it: NothingPlaced) -> str:
    return f"{name(it.subject)} was tried, and nothing in it could be placed."


@says(ApplicationWithoutPending, "no-pending")
def _application_without_pending(it: ApplicationWithoutPending) -> str:
    return f"Nothing in {name(it.subject)} waits to be placed."


@says(AlreadyAllocated, "allocated")
def _already_allocated(it: AlreadyAllocated) -> str:
    return f"Already allocated on node {name(it.node)}."

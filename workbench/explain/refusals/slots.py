"""Applications that may not run, or may not go on, for now."""

from __future__ import annotations

from workbench.explain.refusals.saying import says
from workbench.explain.wording import counted, name, seconds
from workbench.scheduler.records.refusals.slots import Backoff, BackoffReached, GangWait, HolderFull, QueueFull


@says(QueueFull, "max-apps")
def _queue_full(it: QueueFull) -> str:
    starting = f" and {it.allocating} starting" if it.allocating else ""
    return (
        f"Queue {name(it.subject)} may run {counted(it.limit, 'application')}: {it.running} running"
        f"{starting}, so another must wait."
    )


@says(HolderFull, "app-limit")
def _holder_full(it: HolderFull) -> str:
    return (
        f"In {name(it.subject)} {name(it.kind)} {name(it.who)} may run {counted(it.limit, 'application')}: "
        f"{it.running} running, so another must wait."
    )


@says(Backoff, "backoff")
def _backoff(it: Backoff) -> str:
    asks = counted(it.threshold, "unschedulable request")
    return f"Application {name(it.subject)} pauses after {asks}: {seconds(it.left_ns)} left."


@says(BackoffReached, "backoff-reached")
def _backoff_reached(it: BackoffReached) -> str:
    asks = counted(it.threshold, "request")
    return f"{asks} of {name(it.subject)} found no place in this attempt, so its later requests are not looked at."


@says(GangWait, "gang-wait")
def _gang_wait(it: GangWait) -> str:
    group = name(it.task_group)
    if it.count is None:
        return f"No placeholder of task group {group} can be replaced now."
    return (
        f"Waits to replace a placeholder of task group {group}: {it.count} placed, {it.replaced} replaced, "
        f"{it.timed_out} timed out."
    )

"""States of applications, queues and partitions as transition tables, and what entering a state does. R-450 to R-456, R-495."""

from __future__ import annotations

from workbench.scheduler import accounting, departures, timers
from workbench.scheduler.context import Context
from workbench.scheduler.events import ApplicationUpdated
from workbench.scheduler.state import Application, Partition

APPLICATION_TRANSITIONS: dict[str, dict[str, str]] = {
    "New": {"runApplication": "Accepted", "rejectApplication": "Rejected", "failApplication": "Failing",
            "resumeApplication": "Resuming"},
    "Accepted": {"runApplication": "Running", "completeApplication": "Completing", "failApplication": "Failing",
                 "resumeApplication": "Resuming"},
    "Running": {"runApplication": "Running", "completeApplication": "Completing", "failApplication": "Failing"},
    "Completing": {"runApplication": "Running", "completeApplication": "Completed"},
    "Failing": {"failApplication": "Failed"},
    "Resuming": {"runApplication": "Accepted"},
    "Completed": {"expireApplication": "Expired"},
    "Failed": {"expireApplication": "Expired"},
    "Rejected": {"expireApplication": "Expired"},
    "Expired": {},
}
"""State -> event -> new state; what is missing is refused. R-450."""

OBJECT_TRANSITIONS: dict[str, dict[str, str]] = {
    "Active": {"Remove": "Draining", "Start": "Active", "Stop": "Stopped"},
    "Draining": {"Remove": "Draining", "Start": "Active"},
    "Stopped": {"Start": "Active", "Stop": "Stopped"},
}
"""The same for queues and partitions. R-495."""

STATE_TIMERS = {
    "Completing": ("completing", timers.COMPLETING_NS),
    "Completed": ("terminated", timers.TERMINATED_NS),
    "Failed": ("terminated", timers.TERMINATED_NS),
    "Rejected": ("terminated", timers.TERMINATED_NS),
}
"""State -> (kind, length in ns) of the timer armed on entering it. R-452."""


def next_state(transitions: dict[str, dict[str, str]], state: str, event: str) -> str | None:
    """The state after `event`, or None if it is refused."""
    return transitions[state].get(event)


def refusal_text(state: str, event: str) -> str:
    """The core's words for a refused event. R-450, R-495."""
    return f"event {event} inappropriate in current state {state}"


def fire(ctx: Context, partition: Partition, application: Application, event: str, message: str = "") -> bool:
    """Raise `event` on the application. False, and no change, if its state refuses it. R-450."""
    old = application.state
    new = next_state(APPLICATION_TRANSITIONS, old, event)
    if new is None:
        return False
    if new == old:
        return True
    journal = ctx.journal
    timers.cancel(ctx, application, "state_timer")
    journal.set(application, "state", new)
    journal.set(application, "state_log", application.state_log + ((ctx.now_ns, new),))
    if new != "Rejected":
        ctx.emit(ApplicationUpdated(application.id, new, message or event))
    _count_running(ctx, application, old, new)
    if application.completing_timed_out:
        journal.set(application, "completing_timed_out", False)
    if new in STATE_TIMERS:
        kind, length_ns = STATE_TIMERS[new]
        journal.set(application, "state_timer", timers.arm(ctx, partition, application, kind, length_ns))
    if new == "Rejected":
        journal.set(application, "finished_ns", ctx.now_ns)
        journal.set(application, "rejection", message)
    if new in ("Completed", "Failed"):
        if new == "Completed":
            timers.cancel(ctx, application, "placeholder_timer")
        departures.finish(ctx, partition, application)
    return True


def _count_running(ctx: Context, application: Application, old: str, new: str) -> None:
    """Keep the running counters and the allocating-accepted sets of the path. R-426, R-427, R-453."""
    if new == "Running":
        ctx.journal.set(application, "started_ns", ctx.now_ns)
        accounting.count_running(ctx.journal, application.queue, +1)
        for queue in accounting.ancestry(application.queue):
            if application.id in queue.allocating_accepted:
                ctx.journal.drop(queue.allocating_accepted, application.id)
    elif old == "Running":
        accounting.count_running(ctx.journal, application.queue, -1)

"""States of applications, queues and partitions, and what entering a state does. R-450 to R-456, R-460 to R-464, R-495.

The transition table and the timers of applications are those of the release (`profiles`).
"""

from __future__ import annotations

from workbench.scheduler.objects import accounting, departures, timers
from workbench.scheduler.placement import tags
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import ApplicationUpdated, Surprised
from workbench.scheduler.records.state import Application, Partition
from workbench.scheduler.releases.profile import StateTimer, Transitions

OBJECT_TRANSITIONS: Transitions = {
    "Active": {"Remove": "Draining", "Start": "Active", "Stop": "Stopped"},
    "Draining": {"Remove": "Draining", "Start": "Active"},
    "Stopped": {"Start": "Active", "Stop": "Stopped"},
}
"""Of queues and partitions: state -> event -> new state; what is missing is refused. R-495."""


def next_state(transitions: Transitions, state: str, event: str) -> str | None:
    """The state after `event`, or None if it is refused."""
    return transitions[state].get(event)


def refusal_text(state: str, event: str) -> str:
    """The core's words for a refused event. R-450, R-495."""
    return f"event {event} inappropriate in current state {state}"


def fire(ctx: Context, partition: Partition, application: Application, event: str, message: str = "") -> bool:
    """Raise `event` on the application. False, and no change, if its state refuses it. R-450."""
    old = application.state
    new = next_state(ctx.profile.transitions, old, event)
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
    if new in ctx.profile.state_timers:
        _start_timer(ctx, partition, application, ctx.profile.state_timers[new])
    if new == "Rejected":
        journal.set(application, "finished_ns", ctx.now_ns)
        journal.set(application, "rejection", message)
    if new in ("Completed", "Failed"):
        if new == "Completed":
            timers.cancel(ctx, application, "placeholder_timer")
        departures.finish(ctx, partition, application)
    return True


def _start_timer(ctx: Context, partition: Partition, application: Application, timer: StateTimer) -> None:
    """Arm the timer of the state just entered; an application with the tag that skips it moves on at once. R-452, R-462.

    Quirk: any value of the tag will do, "false" as well.
    """
    if timer.skipped_by and tags.value(application.tags, timer.skipped_by):
        fire(ctx, partition, application, timer.kind)
        return
    number = timers.arm(ctx, partition, application, timer.kind, timer.length_ns)
    ctx.journal.set(application, "state_timer", number)


def _count_running(ctx: Context, application: Application, old: str, new: str) -> None:
    """Keep the running counters and the allocating-accepted sets of the path. R-426, R-427, R-453, R-461."""
    was_running, is_running = (state in ctx.profile.running_states for state in (old, new))
    if is_running and not was_running:
        ctx.journal.set(application, "started_ns", ctx.now_ns)
        for queue in accounting.count_running(ctx.journal, application.queue, +1):
            ctx.emit(
                Surprised("R-426", f"queue {queue.path}", f"{application.id!r} runs, too, but no more than the maximum is counted")
            )
        for queue in accounting.ancestry(application.queue):
            if application.id in queue.allocating_accepted:
                ctx.journal.drop(queue, "allocating_accepted", application.id)
    elif was_running and not is_running:
        accounting.count_running(ctx.journal, application.queue, -1)

"""Priorities of applications and queues: offsets, fences, and the rules of when a value is passed up. Chapter 06."""

from __future__ import annotations

from workbench.config.properties import QueueSettings
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import NO_PRIORITY, Allocation, Application, Queue

MAX_PRIORITY = 2**31 - 1


def adjusted(value: int, settings: QueueSettings) -> int:
    """The value that a queue with these settings shows for a raw value: offset added, or the fence's offset. R-621."""
    if value == NO_PRIORITY:
        return NO_PRIORITY
    if settings.priority_policy == "fence":
        return settings.priority_offset
    return max(NO_PRIORITY, min(MAX_PRIORITY, value + settings.priority_offset))


def raw_value(queue: Queue) -> int:
    """Highest value received from applications or children; NO_PRIORITY if there is none. R-620.

    Quirk: a queue that a reload made a leaf, or a parent (C-154), hears only what is its own kind to hear.
    """
    if queue.applications and queue.children:
        members = queue.applications if queue.is_leaf else queue.children
        return max((value for name, value in queue.priority_inputs.items() if name in members), default=NO_PRIORITY)
    if queue.applications if not queue.is_leaf else queue.children:
        return NO_PRIORITY
    return max(queue.priority_tally, default=NO_PRIORITY)


def effective_path(queue: Queue, priority: int) -> tuple[tuple[str, int], ...]:
    """What an ask of this priority in leaf `queue` would show, alone, at every queue from the leaf up to root. R-650."""
    steps = []
    at: Queue | None = queue
    while at is not None:
        priority = adjusted(priority, at.settings)
        steps.append((at.path, priority))
        at = at.parent
    return tuple(steps)


def highest_pending(application: Application) -> int:
    """Highest priority among the unallocated asks, placeholders included. R-610."""
    return max(application.pending_priorities, default=NO_PRIORITY)


def enter(journal: Journal, queue: Queue, name: str) -> None:
    """A new application or child queue joins `queue` with nothing pending. R-636."""
    _hear(journal, queue, name, NO_PRIORITY)


def leave(journal: Journal, queue: Queue, name: str) -> None:
    """An application or child queue leaves; the queue is recomputed. R-633."""
    if name in queue.priority_inputs:
        _tally(journal, queue, queue.priority_inputs[name], -1)
        journal.drop(queue, "priority_inputs", name)
        refresh(journal, queue)


def ask_added(journal: Journal, application: Application, ask: Allocation) -> None:
    """An ask became pending. Only a new maximum is passed up. R-630, R-632."""
    if ask.priority > application.priority:
        _set_application(journal, application, ask.priority)


def ask_gone(journal: Journal, application: Application, ask: Allocation) -> None:
    """A pending ask was allocated or removed. R-631."""
    if ask.priority < application.priority:
        return
    value = highest_pending(application)
    if value != application.priority or not _passed_up(application.queue, application.id, value):
        _set_application(journal, application, value)


def all_asks_gone(journal: Journal, application: Application) -> None:
    """All asks were dropped at once. R-633."""
    _set_application(journal, application, NO_PRIORITY)


def refresh(journal: Journal, queue: Queue) -> None:
    """Recompute a queue from what it received and pass its value up to the root. R-634."""
    at: Queue | None = queue
    while at is not None:
        raw = raw_value(at)
        settings = at.settings
        plain = raw == NO_PRIORITY or (settings.priority_offset == 0 and settings.priority_policy != "fence")
        value = raw if plain else adjusted(raw, settings)
        if at.priority_settings is not settings:
            journal.set(at, "priority_settings", settings)
        if raw != at.raw_priority:
            journal.set(at, "raw_priority", raw)
        if value != at.priority:
            journal.set(at, "priority", value)
        above = at.parent
        if above is not None and above.is_leaf:
            return
        if above is not None and above.priority_inputs.get(at.name) != value:
            _hear(journal, above, at.name, value)
        at = above


def settings_changed(journal: Journal, queue: Queue) -> None:
    """A new offset or policy shows in the queue itself at once. Quirk: the parent keeps the old value. R-644."""
    value = adjusted(queue.raw_priority, queue.settings)
    if value != queue.priority:
        journal.set(queue, "priority", value)


def _set_application(journal: Journal, application: Application, value: int) -> None:
    if value != application.priority:
        journal.set(application, "priority", value)
    if application.queue is not None and application.queue.is_leaf:
        if application.queue.priority_inputs.get(application.id) != value:
            _hear(journal, application.queue, application.id, value)
        refresh(journal, application.queue)


def _hear(journal: Journal, queue: Queue, name: str, value: int) -> None:
    """The queue keeps the value that an application or child now shows."""
    old = queue.priority_inputs.get(name)
    if old == value:
        return
    journal.put(queue, "priority_inputs", name, value)
    if old is not None:
        _tally(journal, queue, old, -1)
    _tally(journal, queue, value, +1)


def _tally(journal: Journal, queue: Queue, value: int, change: int) -> None:
    count = queue.priority_tally.get(value, 0) + change
    if count:
        journal.put(queue, "priority_tally", value, count)
    else:
        journal.drop(queue, "priority_tally", value)


def _passed_up(queue: Queue | None, name: str, value: int) -> bool:
    """Whether every queue of the path heard the value and passed its own up, so that the same value again changes nothing.

    A queue that was no leaf for a while did not hear what its applications said meanwhile.
    """
    while queue is not None:
        if queue.priority_settings is not queue.settings or queue.priority_inputs.get(name) != value:
            return False
        name, value, queue = queue.name, queue.priority, queue.parent
    return True

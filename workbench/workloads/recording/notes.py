"""What a recording could not see or had to assume, in sentences with counts."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.workloads.recording.record import Record

OF_RECORD = {
    "lost": "Lost: {} that the scheduler forgot before they were asked for; what ended meanwhile is taken to end then.",
    "restarts": "The scheduler started anew {}; what ended meanwhile is taken to end then.",
    "outages": "The scheduler could not be asked {}.",
    "unreadable": "Left out: {} that could not be read.",
    "node_changes": "Nodes are those at the beginning; left out: {} of nodes that came or went.",
}
"""Field of a record -> sentence."""
OF_JOBS = {
    "unseen": "Ended while nobody looked: {}.",
    "rejected": "Left out: {} that the scheduler rejected.",
    "empty": "Left out: {} that ran nothing and waited for nothing.",
    "gave up": "Left out: {}, taken back before being placed.",
    "waiting, left out": "Left out: {} that waited at the end, so that nothing says how long they run.",
    "waiting": "Waited at the end, and are taken to run as long as is usual there: {}.",
    "running": "Ran at the end of the record, and are taken to end there: {}.",
    "before": "Ran before the record began, and arrive with it for what was left: {}.",
    "stopped": "Stopped for others or with their node, and are taken to run as long as they did the last time: {}.",
    "later": "Asked for later than the rest of their application, and are jobs of their own (ID.2 and so on): {}.",
    "gangs": "Whether a gang is soft or hard is not told, and is taken to be soft: {}.",
    "users": "Whose they are was not told, so that the user is nobody: {}.",
}
"""What was counted while jobs were made -> sentence."""
NOUNS = {
    "lost": ("event", "events"),
    "restarts": ("time", "times"),
    "outages": ("time", "times"),
    "unreadable": ("event or application", "events or applications"),
    "node_changes": ("event", "events"),
    "rejected": ("application", "applications"),
    "empty": ("application", "applications"),
    "gave up": ("request", "requests"),
    "waiting, left out": ("request", "requests"),
    "waiting": ("request", "requests"),
    "later": ("group of requests", "groups of requests"),
    "gangs": ("gang", "gangs"),
    "users": ("application", "applications"),
}
CONSTRAINTS = "Constraints on nodes are not told by the scheduler, and left out."


def notes_of(record: Record, counts: Mapping[str, int]) -> tuple[str, ...]:
    """The sentences on a record, and on the jobs that were made of it."""
    said = [(what, getattr(record, what), text) for what, text in OF_RECORD.items()]
    said += [(what, counts.get(what, 0), text) for what, text in OF_JOBS.items()]
    return (*(text.format(_number(what, number)) for what, number, text in said if number), CONSTRAINTS)


def _number(what: str, number: int) -> str:
    one, several = NOUNS.get(what, ("task", "tasks"))
    return f"{number:,} {one if number == 1 else several}"

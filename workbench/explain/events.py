"""What the scheduler said so far, as a table: when, what kind of message, about whom, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workbench.explain import words
from workbench.explain.tables import Table
from workbench.explain.wording import amounts, clock, counted, listing, name
from workbench.scheduler.records import events
from workbench.scheduler.records.event_log import Told
from workbench.scheduler.records.events import Event
from workbench.simulation import Simulation
from workbench.values.resources import Resource

EVENT_CAPTION = "What the scheduler said so far, newest first"
EVENT_COLUMNS = ("time", "kind", "subject", "text")
EVENT_KINDS: Mapping[str, str] = {
    "Allocated": "allocated",
    "Released": "released",
    "ApplicationAccepted": "app accepted",
    "ApplicationRejected": "app rejected",
    "ApplicationUpdated": "app state",
    "AskRejected": "request rejected",
    "NodeAccepted": "node accepted",
    "NodeRejected": "node rejected",
    "ConfigRejected": "config rejected",
    "Reserved": "reserved",
    "Unreserved": "unreserved",
    "Preempted": "preemption",
    "QuotaPreempted": "quota preemption",
    "QueueCreated": "queue created",
    "QueueRemoved": "queue removed",
    "Noticed": "notice",
    "Ignored": "ignored",
    "Surprised": "known surprise",
}
"""Class of an event -> its word in the table."""
RELEASE_TYPES: Mapping[str, str] = {
    "STOPPED_BY_RM": "stopped by the cluster",
    "TIMEOUT": "timed out",
    "PREEMPTED_BY_SCHEDULER": "preempted",
    "PLACEHOLDER_REPLACED": "placeholder replaced",
}

MOST_EVENTS = 200
LONGEST_TEXT = 200


def event_rows(sim: Simulation, most: int = MOST_EVENTS) -> Table:
    """The latest events, newest first; how many came before them is in the note. CommandError without history."""
    said = sim.said
    latest = said[max(0, len(said) - most) :][::-1]
    return Table(
        EVENT_CAPTION,
        EVENT_COLUMNS,
        tuple(_row(told) for told in latest),
        frozenset(("time",)),
        tuple(range(len(said), len(said) - len(latest), -1)),
        words.NOTHING_SAID,
        earlier_events(len(said) - len(latest)),
    )


def _row(told: Told) -> tuple[str, ...]:
    subject, text = _SAID[type(told.event)](told.event)
    return clock(told.now_ns), EVENT_KINDS[type(told.event).__name__], subject, text


def said(event: Event) -> str:
    """One event in a few words: what kind, about whom, and what it says."""
    subject, text = _SAID[type(event)](event)
    return " ".join(part for part in (EVENT_KINDS[type(event).__name__], subject, text) if part)


def _request(event: _OfRequest) -> str:
    return words.request(event.key, event.application_id)


def _named(text: str) -> str:
    return name(text, LONGEST_TEXT) if text else ""


def _released(event: events.Released) -> tuple[str, str]:
    who = _request(event) if event.application_id else name(event.key)
    why = RELEASE_TYPES.get(event.type) or name(event.type)
    return who, f"{why}: {_named(event.message)}" if event.message else why


_OfRequest = events.Allocated | events.Reserved | events.Unreserved | events.Released | events.Preempted | events.AskRejected


def _on_node(event: events.Allocated | events.Reserved | events.Unreserved) -> tuple[str, str]:
    return _request(event), on_node(name(event.node_id))


def _preempted(event: events.Preempted) -> tuple[str, str]:
    return _request(event), stops_on(listing([name(key) for key in event.victims]), name(event.node_id))


def _updated(event: events.ApplicationUpdated) -> tuple[str, str]:
    return name(event.application_id), is_now(name(event.state), _named(event.message))


_SAID: Mapping[type[Event], Callable[..., tuple[str, str]]] = {
    events.Allocated: _on_node,
    events.Released: _released,
    events.ApplicationAccepted: lambda event: (name(event.application_id), goes_to(name(event.queue))),
    events.ApplicationRejected: lambda event: (name(event.application_id), _named(event.reason)),
    events.ApplicationUpdated: _updated,
    events.AskRejected: lambda event: (_request(event), _named(event.reason)),
    events.NodeAccepted: lambda event: (name(event.node_id), ""),
    events.NodeRejected: lambda event: (name(event.node_id), _named(event.reason)),
    events.ConfigRejected: lambda event: ("", _named(event.reason)),
    events.Reserved: _on_node,
    events.Unreserved: _on_node,
    events.Preempted: _preempted,
    events.QuotaPreempted: lambda event: (name(event.queue), _named(event.text)),
    events.QueueCreated: lambda event: (name(event.queue), ""),
    events.QueueRemoved: lambda event: (name(event.queue), ""),
    events.Noticed: lambda event: (name(event.application_id), _named(event.text)),
    events.Ignored: lambda event: ("", _named(event.reason)),
    events.Surprised: lambda event: (name(event.subject), counts_wrong(_named(event.text), event.counts, event.amount, event.rule)),
}
"""Event -> its subject and text; a test sees to it that every event is here."""


# ---- in words ---------------------------------------------------------------------------------------------------------


def earlier_events(number: int) -> str:
    return f"and {counted(number, 'earlier event')}" if number > 0 else ""


def on_node(node: str) -> str:
    return f"on {node}"


def stops_on(victims: str, node: str) -> str:
    return f"stops {victims} on {node}"


def goes_to(queue: str) -> str:
    return f"in {queue}"


def counts_wrong(text: str, counts: str, amount: Resource, rule: str) -> str:
    """What happened; by how much a sum is off from now on; by which rule."""
    much = [
        f"{amounts(Resource({kind: abs(each) for kind, each in amount.items() if each * sign > 0}))} too {word}"
        for sign, word in ((1, "much"), (-1, "little"))
        if any(each * sign > 0 for each in amount.values())
    ]
    off = f": its {counts} counts {' and '.join(much)} from now on" if much else ""
    return f"{text}{off} ({rule})"


def is_now(state: str, message: str) -> str:
    return f"is now {state} ({message})" if message else f"is now {state}"

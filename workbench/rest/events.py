"""`events/batch`, and where `events/stream` begins. RE-23"""

from __future__ import annotations

from typing import Any

from workbench.rest.answer import JSON, Answer, Following, Refusal
from workbench.rest.past.ring import Told
from workbench.rest.routes import Request
from workbench.rest.source import Source

MOST = 10_000
"""So many events one answer holds at most."""


def batch(source: Source, request: Request) -> dict[str, Any]:
    """Events from number `start` on, at most `count`."""
    count = _number(request, "count", MOST)
    if not count:
        raise Refusal(400, '0 is not a valid value for "count"')
    ring = source.past.events
    start = _number(request, "start", ring.lowest)
    found = [document(source, event) for event in ring.since(start, min(count, MOST))]
    ends = {"InstanceUUID": source.instance, "LowestID": ring.lowest, "HighestID": ring.highest}
    return {**ends, "EventRecords": found or None}


def stream(source: Source, request: Request) -> Answer:
    """Events without end; at most `count` past ones come first."""
    return Answer(200, JSON, b"", following=Following(_number(request, "count", 0)))


def document(source: Source, event: Told) -> dict[str, Any]:
    """One event; numbers that are zero and texts that are empty are left out."""
    found: dict[str, Any] = {"type": event.type}
    for name, value in (
        ("objectID", event.object),
        ("message", event.message),
        ("referenceID", event.reference),
        ("eventChangeType", event.change),
        ("eventChangeDetail", event.detail),
    ):
        if value:
            found[name] = value
    amounts = {name: {"value": amount} if amount else {} for name, amount in sorted(event.resource.items())}
    found["timestampNano"] = source.at(event.now_ns)
    found["resource"] = {"resources": amounts} if amounts else {}
    return found


def _number(request: Request, name: str, default: int) -> int:
    """A parameter that is a whole number below 2**64, as the core reads it."""
    text = request.query.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit()):
        raise Refusal(400, f"strconv.ParseUint: parsing {_quoted(text)}: invalid syntax")
    if int(text) >= 2**64:
        raise Refusal(400, f"strconv.ParseUint: parsing {_quoted(text)}: value out of range")
    return int(text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

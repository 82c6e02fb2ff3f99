"""`events/stream`: what is sent to one listener, as it happens."""

from __future__ import annotations

import json
from typing import Any

from workbench.rest.events import document
from workbench.rest.source import Source

MOST_LISTENERS, MOST_OF_A_HOST = 100, 15
"""More are refused with 503."""


class Listener:
    """One who follows the events.

    Args:
        source: whose events.
        count: so many past events are told first, at most.
    """

    def __init__(self, source: Source, count: int):
        self._source = source
        ring = source.past.events
        self._next = max(ring.lowest, ring.next - count)
        self._greeted = False

    def lines(self, most: int = 1000) -> list[bytes]:
        """What is to be sent now, each line ended; at most so many, so that a slow listener can be asked again.

        First comes the instance. What is undone is not taken back, and what comes instead is told, too.
        """
        found: list[bytes] = []
        if not self._greeted:
            self._greeted = True
            found.append(_line({"InstanceUUID": self._source.instance}))
        ring = self._source.past.events
        self._next = min(self._next, ring.next)
        self._next = max(self._next, ring.lowest)
        told = ring.since(self._next, most)
        self._next += len(told)
        return found + [_line(document(self._source, event)) for event in told]


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"

"""How much there was at the end of each minute."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from workbench.rest.past.counters import Counters
from workbench.rest.past.keeper import Keeper, Moment

KEPT = 1440
"""So many minutes, a day."""
MINUTE_NS = 60_000_000_000


@dataclass(frozen=True, slots=True)
class Minute:
    """What there was when it ended, at `now_ns`."""

    now_ns: int
    applications: int
    containers: int


class Minutes(Keeper):
    """The latest minutes."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._entries: deque[Minute] = deque(maxlen=KEPT)

    def entries(self) -> list[Minute]:
        return list(self._entries)

    def passes(self, moment: Moment, until_ns: int) -> None:
        first = max(moment.now_ns // MINUTE_NS + 1, until_ns // MINUTE_NS - KEPT + 1)
        for minute in range(first, until_ns // MINUTE_NS + 1):
            entry = Minute(minute * MINUTE_NS, self._counters.running, self._counters.containers)
            self._entries.append(entry)

"""How much there was at the end of each minute."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

KEPT = 1440
"""So many minutes, a day."""
MINUTE_NS = 60_000_000_000


@dataclass(frozen=True, slots=True)
class Minute:
    """What there was when it ended, at `now_ns`."""

    now_ns: int
    applications: int
    containers: int


class Minutes:
    """The latest minutes."""

    def __init__(self) -> None:
        self._entries: deque[Minute] = deque(maxlen=KEPT)

    def add(self, entry: Minute) -> None:
        self._entries.append(entry)

    def entries(self) -> list[Minute]:
        return list(self._entries)

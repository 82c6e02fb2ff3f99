"""Sorted entries of which mostly the first is taken away, and a line that wakes its entries when their time has come."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from typing import Any

Entry = tuple[Any, ...]
SLACK = 64
"""Vacated places at the front from which closing the gap is considered."""


class Line:
    """Distinct tuples in ascending order. Taking the first, and putting it back, costs nothing that grows with the length."""

    __slots__ = ("_entries", "_head")

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._head = 0

    def __len__(self) -> int:
        return len(self._entries) - self._head

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries[self._head :])

    def add(self, entry: Entry) -> None:
        entries, head = self._entries, self._head
        if len(entries) == head or entry > entries[-1]:
            entries.append(entry)
        elif head and entry < entries[head]:
            self._head = head - 1
            entries[head - 1] = entry
        else:
            insort(entries, entry, lo=head)

    def remove(self, entry: Entry) -> bool:
        """Take an entry out; False if it is not there."""
        entries, head = self._entries, self._head
        if head < len(entries) and entries[head] == entry:
            self._head = head + 1
            if head > SLACK and head * 2 > len(entries):
                del entries[: head + 1]
                self._head = 0
            return True
        index = bisect_left(entries, entry, lo=head)
        if index == len(entries) or entries[index] != entry:
            return False
        del entries[index]
        return True

    def first(self, after: Entry | None = None) -> Entry | None:
        """The first entry, or the first behind `after`."""
        entries = self._entries
        index = self._head if after is None else bisect_right(entries, after, lo=self._head)
        return entries[index] if index < len(entries) else None


class Alarm:
    """Of the entries of a line those whose time has come, in the order of the line.

    `when` tells the instant at which an entry is due, None for never. Time may also go back, by an undo: then an entry can
    be called due too early, never too late.
    """

    __slots__ = ("_added", "_due", "_heap", "_when")

    def __init__(self, entries: Line, when: Callable[[Entry], int | None]):
        self._when = when
        self._heap: list[tuple[int, int, Entry]] = []
        self._due = Line()
        self._added = 0
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        instant = self._when(entry)
        if instant is not None:
            # The number keeps entries from being compared: of one that is gone and one in its place, neither is the lesser.
            self._added += 1
            heapq.heappush(self._heap, (instant, self._added, entry))

    def remove(self, entry: Entry) -> None:
        self._due.remove(entry)

    def due(self, now_ns: int, alive: Callable[[Entry], bool]) -> Line:
        """The entries that are due; `alive` tells whether an entry still stands in the line."""
        while self._heap and self._heap[0][0] <= now_ns:
            _, _, entry = heapq.heappop(self._heap)
            # An entry may have been added again under another instant, and stand in the heap more than once.
            if alive(entry) and (instant := self._when(entry)) is not None:
                if instant > now_ns:
                    self.add(entry)
                else:
                    self._due.remove(entry)
                    self._due.add(entry)
        return self._due

    def next_ns(self) -> int | None:
        """When the next of those that sleep wakes, at the earliest."""
        return self._heap[0][0] if self._heap else None

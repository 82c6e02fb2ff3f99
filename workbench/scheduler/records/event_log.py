"""Everything that the scheduler said, with the simulated time of each event. What is undone is forgotten with it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from workbench.scheduler.records.events import Event


class Told(NamedTuple):
    """An event and when it happened."""

    now_ns: int
    event: Event


class Marked(NamedTuple):
    """An event, when it happened, and where the history stood then."""

    mark: int
    now_ns: int
    event: Event


class EventLog(Sequence[Told]):
    """Events in the order in which they happened, kept in a few bytes each.

    Each is noted with the mark of the history at its time, so that unwinding to a mark drops exactly what came after it: time
    passes, and is written, between any event and a later mark.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._times, self._marks = array("q"), array("q")

    def note(self, mark: int, now_ns: int, event: Event) -> None:
        self._events.append(event)
        self._times.append(now_ns)
        self._marks.append(mark)

    def marked(self, since: int) -> list[Marked]:
        """The events from number `since` on, with their places in the history."""
        return list(map(Marked, self._marks[since:], self._times[since:], self._events[since:]))

    def cut(self, mark: int) -> None:
        """Forget what was said at `mark` or after it."""
        length = len(self._marks)
        while length and self._marks[length - 1] >= mark:
            length -= 1
        self.cut_to(length)

    def cut_to(self, length: int) -> None:
        """Forget all but the first events."""
        del self._events[length:], self._times[length:], self._marks[length:]

    def of(self, *kinds: type[Event]) -> Iterator[Told]:
        """The events of these classes, in order."""
        return (Told(self._times[at], event) for at, event in enumerate(self._events) if isinstance(event, kinds))

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, index: int) -> Told: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Told, ...]: ...

    def __getitem__(self, index: int | slice) -> Told | tuple[Told, ...]:
        if isinstance(index, slice):
            return tuple(map(Told, self._times[index], self._events[index]))
        return Told(self._times[index], self._events[index])

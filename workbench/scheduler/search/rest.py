"""What is known of an application or queue that was asked in vain: it need not be asked again until something changes.

A look had no effect, and a further one would have none, while

- nothing in or below it was touched (`Search` forgets the rest then),
- no instant passed at which an ask may reserve, preempt, or ends its backoff,
- the room in the queues above still holds what it held, and is still too small for what it was too small for, so that every
  answer stays what it was,
- the limits that the answers came from, of running applications and of users, stand as they stood,
- no node gained anything that one of the shapes waits for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.scheduler.records.state import Queue, UsageLevel
from workbench.scheduler.search.fit_table import FitTable
from workbench.scheduler.search.shapes import Shape
from workbench.values.resources import Resource, fit_in_max_undef

NEVER = 2**63
LARGEST = 4096
"""Shapes and witnesses beyond which a rest would cost more than the look it saves."""


Slots = tuple[int, int] | None


@dataclass(slots=True, eq=False)
class Rest:
    """Attributes:
    until_ns: the next instant that matters.
    preempts_ns: the next instant that matters to whoever may still try to preempt in this visit to the leaf (P-24).
    held: largest need by type of what has room in the queues.
    lacking: shapes for which the queues had no room.
    room: the headroom of the queue, or of the application's leaf, at the time.
    no_room, no_place: shapes for which there was no node with room, and none to reserve.
    slots: the queues that may limit running applications, each with its limit and count (`slots_of`).
    levels: (level, usage, number of applications) for users' levels that limit something.
    structure: the search's count of changes in which levels exist.
    """

    until_ns: int
    held: dict[str, int]
    lacking: frozenset[Shape]
    room: Resource | None
    no_room: frozenset[Shape]
    no_place: frozenset[Shape]
    slots: tuple[tuple[Queue, Slots], ...]
    levels: tuple[tuple[UsageLevel, Resource | None, int], ...]
    structure: int
    preempts_ns: int = NEVER
    news: tuple[int, int] = (-1, 0)
    """The table's news when the shapes were last asked for."""
    seen: int = -1
    """The search's `stirred` when the rest was made, or last found to hold."""

    def merged(self) -> Rest | None:
        return self

    def is_over(self, now_ns: int, *, exhausted: bool) -> bool:
        """Whether an instant that matters has passed."""
        return now_ns >= self.until_ns or (now_ns >= self.preempts_ns and not exhausted)

    def holds(self, table: FitTable, now_ns: int, room: Resource | None, structure: int, *, exhausted: bool = False) -> bool:
        """Whether a look would still change nothing; `exhausted`: nobody may try to preempt any more in this visit."""
        if self.is_over(now_ns, exhausted=exhausted) or structure != self.structure or not self._same_answers(room):
            return False
        for queue, slots in self.slots:
            if slots_of(queue) != slots:
                return False
        for level, usage, applications in self.levels:
            if level.usage is not usage or len(level.applications) != applications:
                return False
        if self.news != table.news:
            if not (
                all(table.has_no_room(shape) for shape in self.no_room)
                and all(table.has_no_place(shape) for shape in self.no_place)
            ):
                return False
            self.news = table.news
        return True

    def _same_answers(self, room: Resource | None) -> bool:
        if room is self.room:
            return True
        if room is None or self.room is None:
            return False
        before, now, grown = self.room.amounts, room.amounts, False
        if len(before) != len(now):
            return False
        for name, amount in now.items():
            if name not in before or amount < self.held.get(name, amount):
                return False
            grown = grown or amount > before[name]
        return not grown or not any(fit_in_max_undef(room, shape.resource) for shape in self.lacking)


def slots_of(queue: Queue) -> Slots:
    """The limit of a queue on running applications and how many it counts; None if it does not limit them."""
    if not queue.max_applications:
        return None
    return queue.max_applications, queue.running_applications + len(queue.allocating_accepted)


def may_limit_applications(queue: Queue) -> bool:
    """Whether the answer of the queue can change: a dynamic one gets its limit from tags of whoever comes last (PL-87)."""
    return bool(queue.max_applications) or not queue.is_managed


class Together:
    """The rest of a queue, from those of everything below it. What these have in common is put together when it is asked for."""

    __slots__ = ("_merged", "_rests", "_room", "preempts_ns", "seen", "structure", "until_ns")

    def __init__(self, rests: Sequence[Rest | Together], room: Resource | None, structure: int):
        self._rests: Sequence[Rest | Together] | None = rests
        self._merged: Rest | None = None
        self._room, self.structure = room, structure
        self.until_ns: int = min((rest.until_ns for rest in rests), default=NEVER)
        self.preempts_ns: int = min((rest.preempts_ns for rest in rests), default=NEVER)
        self.seen = -1

    def is_over(self, now_ns: int, *, exhausted: bool) -> bool:
        """Whether an instant that matters has passed."""
        return now_ns >= self.until_ns or (now_ns >= self.preempts_ns and not exhausted)

    def holds(self, table: FitTable, now_ns: int, room: Resource | None, structure: int, *, exhausted: bool = False) -> bool:
        """As that of each of them; False if it is too large to be asked."""
        if structure != self.structure or self.is_over(now_ns, exhausted=exhausted):
            return False
        merged = self.merged()
        return merged is not None and merged.holds(table, now_ns, room, structure, exhausted=exhausted)

    def merged(self) -> Rest | None:
        """All of them in one; None if it would be too large."""
        if self._rests is not None:
            parts = [part for rest in self._rests if (part := rest.merged()) is not None]
            self._merged = _merged(parts, self._room, self.structure) if len(parts) == len(self._rests) else None
            self._rests = None
        return self._merged


def together(rests: Sequence[Rest | Together], room: Resource | None, structure: int) -> Together | None:
    """The rest of a queue, from those of everything below it; None if one is of an older structure."""
    if any(rest.structure != structure for rest in rests):
        return None
    return Together(rests, room, structure)


def _merged(rests: Iterable[Rest], room: Resource | None, structure: int) -> Rest | None:
    until_ns = preempts_ns = NEVER
    held: dict[str, int] = {}
    lacking: set[Shape] = set()
    no_room: set[Shape] = set()
    no_place: set[Shape] = set()
    slots: dict[tuple[Queue, Slots], None] = {}
    levels: dict[UsageLevel, tuple[UsageLevel, Resource | None, int]] = {}
    for rest in rests:
        until_ns = min(until_ns, rest.until_ns)
        preempts_ns = min(preempts_ns, rest.preempts_ns)
        for name, need in rest.held.items():
            if need > held.get(name, 0):
                held[name] = need
        lacking |= rest.lacking
        no_room |= rest.no_room
        no_place |= rest.no_place
        slots.update(dict.fromkeys(rest.slots))
        for level in rest.levels:
            levels[level[0]] = level
    if len(lacking) + len(no_room) + len(no_place) + len(slots) + len(levels) > LARGEST:
        return None
    return Rest(
        until_ns,
        held,
        frozenset(lacking),
        room,
        frozenset(no_room),
        frozenset(no_place),
        tuple(slots),
        tuple(levels.values()),
        structure,
        preempts_ns,
    )

"""The pending asks of one application, sorted by what a look at them would find.

Asks of one *kind* share their shape, their task group and the answers they got last. A kind in which no ask would get
another answer than last time, or a place, is passed over as a whole.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.config.properties import QueueSettings
from workbench.scheduler.objects import reservations
from workbench.scheduler.policies.request_order import rank
from workbench.scheduler.preemption import general
from workbench.scheduler.records.state import Allocation, Application
from workbench.scheduler.search.line import Alarm, Entry, Line
from workbench.scheduler.search.shapes import Shape, Shapes


class Kind(NamedTuple):
    shape: Shape | None
    """None for all that were never looked at and wait for nobody: whatever their shape, a look changes something."""
    task_group: str
    """Of a real ask; placeholders wait for nobody."""
    required_node: str
    attempted: bool
    lacks_user_room: bool
    lacks_queue_room: bool


FRESH = Kind(None, "", "", False, False, False)


class Pending:
    """The asks of one kind, as (rank ..., ask), and of these the ones old enough to reserve or to preempt."""

    __slots__ = ("_old", "_ready", "_ready_under", "book", "kind", "line")

    def __init__(self, book: AskBook, kind: Kind):
        self.book, self.kind = book, kind
        self.line = Line()
        self._old: Alarm | None = None
        self._ready: Alarm | None = None
        self._ready_under: QueueSettings | None = None

    def add(self, entry: Entry) -> None:
        self.line.add(entry)
        for alarm in self._alarms():
            alarm.add(entry)

    def remove(self, entry: Entry) -> None:
        self.line.remove(entry)
        for alarm in self._alarms():
            alarm.remove(entry)

    def _alarms(self) -> list[Alarm]:
        """Those to keep up. One made under another delay is given up, or it would call some at the instants of that delay."""
        ready = self._ready
        if ready is not None:
            leaf = self.book.application.queue
            if leaf is None or self._ready_under is not leaf.settings:
                self._ready = ready = None
        if self._old is None:
            return [] if ready is None else [ready]
        return [self._old] if ready is None else [self._old, ready]

    def reserving(self) -> Alarm:
        """Asks past the reservation delay. R-565."""
        if self._old is None:
            self._old = Alarm(self.line, lambda entry: entry[3].created_ns + reservations.DELAY_NS + 1)
        return self._old

    def preempting(self) -> Alarm:
        """Asks that meet the preconditions of preemption. P-21, P-23."""
        leaf = self.book.application.leaf
        if self._ready is None or self._ready_under is not leaf.settings:
            # Under another delay everybody is due at another instant.
            self._ready_under = leaf.settings
            self._ready = Alarm(self.line, lambda entry: general.earliest_ns(entry[3], leaf))
        return self._ready

    def reconsider(self, entry: Entry) -> None:
        """The ask stays, but may be due at another instant."""
        for alarm in self._alarms():
            alarm.remove(entry)
            alarm.add(entry)

    def alive(self, entry: Entry) -> bool:
        stands = self.book.where.get(entry[3])
        return stands is not None and stands[1] is entry and stands[0] is self


class AskBook:
    """The pending asks of an application by kind. `where` tells of every ask of the search where, and as what, it stands."""

    __slots__ = ("_shapes", "application", "kinds", "where")

    def __init__(self, application: Application, shapes: Shapes, where: dict[Allocation, tuple[Pending, Entry]]):
        self.application, self._shapes, self.where = application, shapes, where
        self.kinds: dict[Kind, Pending] = {}
        for ask in application.ask_order:
            self.enter(ask)

    def kind_of(self, ask: Allocation) -> Kind | None:
        """Where the ask belongs; None if it does not wait."""
        if ask.allocated or self.application.asks.get(ask.key) is not ask:
            return None
        if not ask.scheduling_attempted and not ask.lacks_user_room and (ask.placeholder or not ask.task_group):
            return FRESH
        return Kind(
            self._shapes.of(ask),
            "" if ask.placeholder else ask.task_group,
            ask.required_node,
            ask.scheduling_attempted,
            ask.lacks_user_room,
            ask.lacks_queue_room,
        )

    def leave(self, ask: Allocation) -> None:
        """The ask changed or went. One that still belongs where it stands stays; others stand nowhere until they enter again."""
        pending, entry = self.where[ask]
        if not ask.allocated and self.kind_of(ask) == pending.kind and rank(ask) == entry[:3]:
            pending.reconsider(entry)
            return
        del self.where[ask]
        pending.remove(entry)
        if not len(pending.line):
            del self.kinds[pending.kind]

    def enter(self, ask: Allocation) -> None:
        """The ask came or changed; one that does not wait stays out."""
        kind = self.kind_of(ask) if ask not in self.where else None
        if kind is None:
            return
        pending = self.kinds.get(kind)
        if pending is None:
            pending = self.kinds[kind] = Pending(self, kind)
        entry: Entry = (*rank(ask), ask)
        self.where[ask] = pending, entry
        pending.add(entry)

    def forget(self) -> None:
        """The application is gone."""
        for pending in self.kinds.values():
            for entry in pending.line:
                self.where.pop(entry[3], None)
        self.kinds.clear()

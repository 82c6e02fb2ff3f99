"""Request shapes: all that decides on which nodes an ask fits. Asks of one shape get one answer."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from workbench.scheduler.policies import predicates
from workbench.scheduler.records.state import Allocation, Node
from workbench.values.resources import Resource, strictly_greater_than_zero


@dataclass(slots=True)
class Closed:
    """Up to where in the log of gains (`fit_table`) nothing was found; `epoch` is that of the log, -1 for never proved."""

    epoch: int = -1
    gains: int = 0


@dataclass(slots=True, eq=False, weakref_slot=True)
class Shape:
    """One shape: an ask to show to the rules, its size, and what it needs more than nothing of.

    The ask is a copy of the first that had the shape, as it was then: that one may get another size, and go.
    `no_room` and `no_place` are what is known of there being no node with room for it now, and no node that it could reserve.
    """

    ask: Allocation
    resource: Resource
    needs: tuple[tuple[str, int], ...]
    possible: bool
    every_type_counts: bool
    """No quantity is 0: then what has the room of the queues is within their maxima as well."""
    unconstrained: bool
    no_room: Closed = field(default_factory=Closed)
    no_place: Closed = field(default_factory=Closed)

    def has_place(self, node: Node) -> bool:
        """Whether the node, if nobody waits for it, could ever hold the shape."""
        if node.reservations or not node.schedulable:
            return False
        capacity = node.capacity.amounts
        for name, need in self.needs:
            if need > capacity.get(name, 0):
                return False
        return True

    def fits(self, node: Node) -> bool:
        """Whether the node takes the shape now; the queues are not asked. Tests 1 to 4 of section 11 of chapter 05."""
        available, capacity = node.available.amounts, node.capacity.amounts
        for name, need in self.needs:
            if need > available.get(name, 0) or need > capacity.get(name, 0):
                return False
        if node.reservations or not node.schedulable or not self.possible:
            return False
        return (self.unconstrained and not node.taints) or predicates.refusal_text(node, self.ask) is None


class Shapes:
    """The shapes in use, one object each."""

    __slots__ = ("_known", "_last", "_only_built_in")

    def __init__(self) -> None:
        self._known: WeakValueDictionary[tuple[object, ...], Shape] = WeakValueDictionary()
        self._last: Shape | None = None
        self._only_built_in = predicates.only_built_in()

    def of(self, ask: Allocation) -> Shape:
        unconstrained = self._only_built_in and predicates.unconstrained(ask)
        last = self._last
        # Asks often come in runs of one shape.
        if unconstrained and last is not None and last.unconstrained and last.resource.amounts == ask.resource.amounts:
            return last
        identity = (tuple(sorted(ask.resource.amounts.items())), () if unconstrained else predicates.constraints(ask))
        shape = self._known.get(identity)
        if shape is None:
            needs = tuple((name, need) for name, need in ask.resource.items() if need > 0)
            shape = Shape(
                copy(ask),
                ask.resource,
                needs,
                strictly_greater_than_zero(ask.resource),
                0 not in ask.resource.amounts.values(),
                unconstrained,
            )
            self._known[identity] = shape
        self._last = shape
        return shape

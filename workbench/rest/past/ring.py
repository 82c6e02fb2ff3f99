"""Events as the core tells them, the latest of them held in a ring. RE-23."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import islice

from workbench.values.resources import EMPTY, Resource

REQUEST, APPLICATION, NODE, QUEUE, USER = 1, 2, 3, 4, 5
NONE, SET, ADD, REMOVE = 0, 1, 2, 3
CAPACITY = 100_000
"""So many events the core holds; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class Told:
    """One event.

    Attributes:
        now_ns: simulated time.
        type, change, detail: numbers of the scheduler interface.
        object, reference: what it is about, and what else takes part; "" for nothing.
        message: for people; "" for none.
        resource: an amount that belongs to it.
    """

    now_ns: int
    type: int
    object: str
    change: int = NONE
    detail: int = 0
    reference: str = ""
    message: str = ""
    resource: Resource = EMPTY


class Ring:
    """The latest events. Each has a number, from 0 on."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._held: deque[Told] = deque(maxlen=capacity)
        self.next = 0
        """Number of the event that comes next."""

    def add(self, event: Told) -> None:
        self._held.append(event)
        self.next += 1

    def clear(self) -> None:
        """Forget everything, and begin with number 0 again."""
        self._held.clear()
        self.next = 0

    @property
    def lowest(self) -> int:
        """Number of the oldest event held."""
        return self.next - len(self._held)

    @property
    def highest(self) -> int:
        """Number of the latest event; 0 if there is none."""
        return max(0, self.next - 1)

    def since(self, number: int, count: int) -> list[Told]:
        """At most so many events from that number on; none if that is no longer held, or not yet."""
        if not self.lowest <= number < self.next:
            return []
        begin = number - self.lowest
        return list(islice(self._held, begin, begin + count))

"""What is to happen to a cluster from outside, in the order in which it will."""

from __future__ import annotations

import heapq
from enum import IntEnum
from typing import NamedTuple


class Kind(IntEnum):
    """What happens; of one instant the smaller first, so that what leaves makes room for what comes."""

    END = 0
    """A task has run for its duration. `what` is its attempt."""
    NODE = 1
    """Something happens to a node. `what` indexes the events of the workload."""
    FAILS = 2
    """A node fails. `what` is its place among the nodes that can."""
    REPAIRED = 3
    IDLE = 4
    """A node of an elastic pool may have been empty for long enough. `what` is its place among those nodes."""
    STARTED = 5
    """A node that an elastic pool asked for is there. `what` is its place among those nodes."""
    COMES_BACK = 6
    """A task that was stopped asks again. `what` is the attempt that was stopped."""
    SUBMIT = 7
    """A job arrives. `what` is its index."""


class Due(NamedTuple):
    """Something that is to happen at `at_ns`; `number` tells equals apart, in the order in which they were planned."""

    at_ns: int
    kind: Kind
    number: int
    what: int


class Agenda:
    """A heap of what is to happen, and how much of each kind there is."""

    def __init__(self) -> None:
        self._heap: list[Due] = []
        self._planned = 0
        self._waiting = [0] * len(Kind)

    def plan(self, at_ns: int, kind: Kind, what: int) -> None:
        """Something will happen."""
        self._planned += 1
        self._waiting[kind] += 1
        heapq.heappush(self._heap, Due(at_ns, kind, self._planned, what))

    @property
    def next_ns(self) -> int | None:
        """When the next thing happens."""
        return self._heap[0].at_ns if self._heap else None

    def take(self, now_ns: int) -> Due | None:
        """What happens next, if its time has come."""
        if not self._heap or self._heap[0].at_ns > now_ns:
            return None
        due = heapq.heappop(self._heap)
        self._waiting[due.kind] -= 1
        return due

    def count(self, kind: Kind) -> int:
        """How many of a kind are planned."""
        return self._waiting[kind]

    @property
    def only_wear(self) -> bool:
        """Whether nothing is planned but failures and checks of empty nodes, which go on for ever."""
        return len(self._heap) == self._waiting[Kind.FAILS] + self._waiting[Kind.IDLE]

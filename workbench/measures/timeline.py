"""A run instant by instant: who begins and stops to wait or run at each, and what happens to nodes.

What begins and ends at one instant never was: a request that is placed when it arrives does not wait. So between two instants
everything stands still, and what is measured over time is a sum of amounts times nanoseconds, in whole numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from workbench.measures.reading import Reading
from workbench.runs.record import NodeChange
from workbench.values.resources import Resource

NO_QUEUE = -1


class Instant(NamedTuple):
    """What happens at one instant: attempts by index."""

    at_ns: int
    begin_to_wait: array[int]
    stop_to_wait: array[int]
    begin_to_run: array[int]
    stop_to_run: array[int]
    nodes: list[NodeChange]


class Shapes:
    """What attempts ask for: the amounts of a shape are in the order of `Reading.resources`.

    Attributes:
        amounts: by shape.
        of: shape by attempt.
    """

    def __init__(self, reading: Reading):
        record, resources = reading.record, reading.resources
        self.amounts: list[tuple[int, ...]] = []
        known: dict[tuple[int, ...], int] = {}
        by_job: list[list[int]] = []
        for job in record.workload.jobs:
            mine = []
            for tasks in job.tasks:
                amounts = amounts_of(tasks.resource, resources)
                if amounts not in known:
                    known[amounts] = len(self.amounts)
                    self.amounts.append(amounts)
                mine.append(known[amounts])
            by_job.append(mine)
        self.of = array("l", (by_job[job][group] for job, group in zip(record.job, record.group)))


class Timeline:
    """The instants of a run, in order."""

    def __init__(self, reading: Reading):
        self._reading = reading

    @cached_property
    def began_to_wait(self) -> Turns:
        """Attempts that waited, by when they began to."""
        return Turns.sorted_by(self._reading.waiting, self._reading.record.arrived_ns.__getitem__)

    @cached_property
    def stopped_to_wait(self) -> Turns:
        """Attempts that waited, by when they stopped to."""
        return Turns.sorted_by(self._reading.waiting, self._reading.waited_until.__getitem__)

    @cached_property
    def began_to_run(self) -> Turns:
        """Attempts that ran, by when they began to."""
        return Turns.sorted_by(self._reading.running, self._reading.record.placed_ns.__getitem__)

    @cached_property
    def stopped_to_run(self) -> Turns:
        """Attempts that ran, by when they stopped to."""
        return Turns.sorted_by(self._reading.running, self._reading.ran_until.__getitem__)

    @property
    def turns(self) -> tuple[Turns, ...]:
        """All four: who began and stopped to wait, who began and stopped to run."""
        return self.began_to_wait, self.stopped_to_wait, self.began_to_run, self.stopped_to_run

    def __iter__(self) -> Iterator[Instant]:
        """Every instant at which something changes, up to the end of the run, where everything stops."""
        lists = self.turns
        times = [turns.times for turns in lists]
        attempts = [turns.attempts for turns in lists]
        at = [0, 0, 0, 0]
        changes, changed = self._reading.record.node_changes, 0
        sizes = [len(each) for each in times]
        while True:
            upcoming = [times[kind][at[kind]] for kind in range(4) if at[kind] < sizes[kind]]
            if changed < len(changes):
                upcoming.append(changes[changed].at_ns)
            if not upcoming:
                return
            now = min(upcoming)
            found = []
            for kind in range(4):
                start = end = at[kind]
                column, size = times[kind], sizes[kind]
                while end < size and column[end] == now:
                    end += 1
                at[kind] = end
                found.append(attempts[kind][start:end])
            first = changed
            while changed < len(changes) and changes[changed].at_ns == now:
                changed += 1
            yield Instant(now, found[0], found[1], found[2], found[3], changes[first:changed])


class Turns(NamedTuple):
    """Attempts in the order of some times of theirs."""

    attempts: array[int]
    times: array[int]

    @classmethod
    def sorted_by(cls, attempts: array[int], time: Callable[[int], int]) -> Turns:
        ordered = array("l", sorted(attempts, key=time))
        return cls(ordered, array("q", map(time, ordered)))


def timeline_of(reading: Reading) -> Timeline:
    """The instants of a run."""
    return reading.once("timeline", lambda: Timeline(reading))


def shapes_of(reading: Reading) -> Shapes:
    """What its attempts ask for."""
    return reading.once("shapes", lambda: Shapes(reading))


def amounts_of(resource: Resource | None, resources: tuple[str, ...]) -> tuple[int, ...]:
    """A vector as amounts in the order of `resources`."""
    held = {} if resource is None else resource.amounts
    return tuple(held.get(name, 0) for name in resources)


def clipped_ns(reading: Reading, since_ns: int, until_ns: int) -> int:
    """How much of a time lies in the window."""
    return max(min(until_ns, reading.until_ns) - max(since_ns, reading.from_ns), 0)

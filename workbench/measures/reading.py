"""A run as measures read it: its record, the tree of its queues, who belongs to which scope. Nothing is computed before it is asked
for, and nothing twice.

What counts. Measures look at the time from the end of the warm-up to the end of the run, the *window*:

- those of requests and jobs (wait, slowdown, reasons) at all that arrived in it, with all that became of them;
- those of time (use, debt, fairness) at what held within it, and clip whatever lasts longer;
- those of what happens (preemption, throughput) at what happened in it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from typing import Any, Protocol, TypeVar

from workbench.config.model import SchedulerConfig
from workbench.measures.scopes import Scope, ScopeIndex
from workbench.measures.words import UNKNOWN
from workbench.runs.record import NEVER, Fate, Record
from workbench.values.errors import CommandError
from workbench.values.found import shown

T = TypeVar("T")

_REJECTED = int(Fate.REJECTED)


class MeasuredRun(Protocol):
    """What measures need of a run."""

    @property
    def record(self) -> Record: ...

    @property
    def config(self) -> SchedulerConfig: ...


class Reading:
    """One run, read for measures.

    Attributes:
        run: the run.
        record: what happened.
        config: the design that it ran under.
        from_ns, until_ns: the window.
        scopes: the jobs of every scope.
    """

    def __init__(self, run: MeasuredRun):
        self.run = run
        self.record = run.record
        self.config = run.config
        self.until_ns = self.record.ended_ns
        self.from_ns = min(max(self.record.measured_from_ns, self.record.started_ns), self.until_ns)
        self.scopes = ScopeIndex(self.record)
        self._kept: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, which is kept under `key` for the next who asks."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    @property
    def window_ns(self) -> int:
        """How long the window is."""
        return self.until_ns - self.from_ns

    @cached_property
    def resources(self) -> tuple[str, ...]:
        """The resources that nodes have or tasks ask for: vcore and memory first, the others by name."""
        names = {name for change in self.record.node_changes for name in change.capacity or ()}
        names.update(name for job in self.record.workload.jobs for tasks in job.tasks for name in tasks.resource.amounts)
        return tuple(sorted(names, key=lambda name: (name != "vcore", name != "memory", name)))

    def resource_drawn(self, resource: str | None = None) -> str:
        """The resource that a picture is of: the one that is named, else vcore where there is any, else the first.

        Raises:
            CommandError: no node has it and nobody asks for it.
        """
        known = self.resources
        if resource is None:
            return known[0] if known and "vcore" not in known else "vcore"
        if resource not in known:
            raise CommandError(f"no node has {shown(resource)} and nobody asks for it; there is {', '.join(known) or 'nothing'}")
        return resource

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that held somebody back, and the name of those that were not kept."""
        return (*dict.fromkeys(self.record.reasons), UNKNOWN)

    @cached_property
    def attempts_by_job(self) -> tuple[array[int], array[int]]:
        """(starts, attempts): those of job `j` are `attempts[starts[j]:starts[j + 1]]`, in the order of their arrival."""
        column = self.record.job
        starts = array("l", bytes(8 * (len(self.record.workload.jobs) + 1)))
        for job in column:
            starts[job + 1] += 1
        for job in range(1, len(starts)):
            starts[job] += starts[job - 1]
        free = array("l", starts)
        attempts = array("l", bytes(8 * len(column)))
        for attempt, job in enumerate(column):
            attempts[free[job]] = attempt
            free[job] += 1
        return starts, attempts

    def attempts_of_job(self, job: int) -> array[int]:
        """The attempts of one job, in the order of their arrival."""
        starts, attempts = self.attempts_by_job
        return attempts[starts[job] : starts[job + 1]]

    def attempts(self, scope: Scope) -> Iterator[int]:
        """The attempts of a scope; by job, for a cluster in the order of their arrival."""
        if scope.kind == "cluster":
            yield from range(len(self.record))
            return
        starts, attempts = self.attempts_by_job
        for job in self.scopes.jobs(scope):
            yield from attempts[starts[job] : starts[job + 1]]

    @cached_property
    def waited_until(self) -> array[int]:
        """By attempt: when it stopped waiting: it was placed, or ended without that, or the run did. When it arrived, if it was
        refused."""
        record, end = self.record, self.record.ended_ns
        columns = zip(record.placed_ns, record.ended_at_ns, record.arrived_ns, record.fate)
        return array(
            "q",
            [
                arrived if fate == _REJECTED else placed if placed != NEVER else ended if ended != NEVER else end
                for placed, ended, arrived, fate in columns
            ],
        )

    @cached_property
    def ran_until(self) -> array[int]:
        """By attempt: when one that was placed ended, or the run did; when it arrived, if it never ran."""
        record, end = self.record, self.record.ended_ns
        columns = zip(record.placed_ns, record.ended_at_ns, record.arrived_ns)
        return array("q", [arrived if placed == NEVER else ended if ended != NEVER else end for placed, ended, arrived in columns])

    @cached_property
    def waiting(self) -> array[int]:
        """The attempts that waited for some time."""
        until = self.waited_until
        return array("l", [attempt for attempt, arrived in enumerate(self.record.arrived_ns) if until[attempt] > arrived])

    @cached_property
    def running(self) -> array[int]:
        """The attempts that ran for some time."""
        until = self.ran_until
        return array(
            "l", [attempt for attempt, placed in enumerate(self.record.placed_ns) if placed != NEVER and until[attempt] > placed]
        )

    def waiting_of(self, scope: Scope) -> Iterator[int]:
        """The attempts of a scope that waited for some time."""
        if scope.kind == "cluster":
            return iter(self.waiting)
        arrived, until = self.record.arrived_ns, self.waited_until
        return (attempt for attempt in self.attempts(scope) if until[attempt] > arrived[attempt])

"""What happened in a run, as columns: one row for every attempt to run a task, one for every job, one for every change of a node.

A run of a week has millions of attempts; a row of columns is some forty bytes where an object would be some hundred. Measures
read columns; people and tests read rows (`attempts()`, `jobs()`), which are made as they are asked for.

Times are nanoseconds since the workload's zero, `NEVER` where it did not come to that. They are those of the instants at which
things happen: an arrival, an end, a timer. What the messages of one instant take on the engine's own clock, a microsecond
each, is left out.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from workbench.values.resources import Resource
from workbench.workloads.model import Job, Tasks, Workload

NEVER = -1
NOBODY = -1


class Fate(IntEnum):
    """How an attempt to run a task stands at the end of the run, or ended."""

    WAITS = 0
    """Asked, not placed."""
    RUNS = 1
    """Placed, not ended."""
    FINISHED = 2
    """Ran for its duration."""
    PREEMPTED = 3
    """Stopped by the scheduler for another ask, or for a quota."""
    NODE_LOST = 4
    """Its node was removed or failed."""
    TIMED_OUT = 5
    """A placeholder whose time was over, or a task whose gang failed with it."""
    REPLACED = 6
    """A placeholder whose real task came."""
    REJECTED = 7
    """The scheduler did not take the ask, or not its application."""
    WITHDRAWN = 8
    """Taken back while it waited: its application ended, or was removed."""


class JobState(IntEnum):
    """How a job stands at the end of the run, or ended."""

    NOT_SUBMITTED = 0
    """Its time did not come, or a job that it waits for did not end."""
    WAITING = 1
    """Submitted; nothing of it ever ran."""
    RUNNING = 2
    """Some of it ran, and not all of it has ended."""
    FINISHED = 3
    """All its tasks ran to their end."""
    FAILED = 4
    """A hard gang whose time was over, or a task that was stopped and does not come back."""
    REJECTED = 5
    """The scheduler did not take it."""


class Attempt(NamedTuple):
    """One attempt to run one task: from its ask to its end. The columns of `Record`, read as a row.

    Attributes:
        job, group, number: index of the job, of the `Tasks` in it, and of the task among them, all from 0.
        restart: how often the task was stopped before, from 0.
        placeholder: it holds the place of a task of a gang.
        arrived_ns: when the scheduler got the ask.
        placed_ns: when it was placed; `NEVER` if not.
        ended_ns: when it ended or was stopped or withdrawn; `NEVER` if not.
        fate: how it ended.
        node: index in `Record.nodes`, `NOBODY` if it was never placed.
        order: the how-manieth placement of the run it was, from 0; `NEVER` if it was never placed.
        kept_ns: work done by earlier attempts that counts for this one (restart `keeps` or `checkpoint`).
        stopped_for: the attempt that it was preempted for; `NOBODY` if none, or a quota.
    """

    job: int
    group: int
    number: int
    restart: int
    placeholder: bool
    arrived_ns: int
    placed_ns: int
    ended_ns: int
    fate: Fate
    node: int
    order: int
    kept_ns: int
    stopped_for: int


class NodeChange(NamedTuple):
    """A node came, went or changed at an instant: `capacity` and `schedulable` hold from then on, None once it is gone."""

    at_ns: int
    node: int
    capacity: Resource | None
    schedulable: bool


class Hold(NamedTuple):
    """For some time one reason held back one attempt that waited. M-7. `reason` indexes `Record.reasons`."""

    attempt: int
    reason: int
    since_ns: int
    until_ns: int


@dataclass(slots=True)
class Record:
    """Everything that happened in one run.

    Attributes:
        workload: what arrived. `workload.jobs[i]` is the job of index i everywhere here.
        started_ns, ended_ns: what the run covers; measures look at `measured_from_ns` to `ended_ns`.
        nodes: node ids, in the order in which they first registered.
        node_changes: by time.
        job, group, number ...: a column for each attribute of `Attempt`.
        job_submitted_ns, job_ended_ns: by job.
        job_state: a `JobState` by job.
        job_queue: by job, index in `queues` of the leaf that took it, `NOBODY` if none did.
        job_reason: by job, why it was rejected or failed; only of those that were.
        queues: paths of leaves that took jobs.
        reasons: codes of reasons that held somebody back (chapter 09, or those of `runs.reasons`).
        holds: the columns of `Hold`; empty unless the run was asked to keep them.
        reservations: how many were made.
    """

    workload: Workload
    started_ns: int = 0
    ended_ns: int = 0
    nodes: list[str] = field(default_factory=list)
    node_changes: list[NodeChange] = field(default_factory=list)

    job: array[int] = field(default_factory=lambda: array("l"))
    group: array[int] = field(default_factory=lambda: array("H"))
    number: array[int] = field(default_factory=lambda: array("l"))
    restart: array[int] = field(default_factory=lambda: array("l"))
    placeholder: array[int] = field(default_factory=lambda: array("b"))
    arrived_ns: array[int] = field(default_factory=lambda: array("q"))
    placed_ns: array[int] = field(default_factory=lambda: array("q"))
    ended_at_ns: array[int] = field(default_factory=lambda: array("q"))
    fate: array[int] = field(default_factory=lambda: array("b"))
    node: array[int] = field(default_factory=lambda: array("l"))
    order: array[int] = field(default_factory=lambda: array("l"))
    kept_ns: array[int] = field(default_factory=lambda: array("q"))
    stopped_for: array[int] = field(default_factory=lambda: array("l"))

    job_submitted_ns: array[int] = field(default_factory=lambda: array("q"))
    job_ended_ns: array[int] = field(default_factory=lambda: array("q"))
    job_state: array[int] = field(default_factory=lambda: array("b"))
    job_queue: array[int] = field(default_factory=lambda: array("l"))
    job_reason: dict[int, str] = field(default_factory=dict)
    queues: list[str] = field(default_factory=list)

    reasons: list[str] = field(default_factory=list)
    hold_attempt: array[int] = field(default_factory=lambda: array("l"))
    hold_reason: array[int] = field(default_factory=lambda: array("h"))
    hold_since_ns: array[int] = field(default_factory=lambda: array("q"))
    hold_until_ns: array[int] = field(default_factory=lambda: array("q"))
    reservations: int = 0

    @property
    def measured_from_ns(self) -> int:
        """Where the warm-up ends."""
        return self.workload.warm_up_ms * 1_000_000

    def __len__(self) -> int:
        """How many attempts there were."""
        return len(self.job)

    def attempt(self, index: int) -> Attempt:
        """One row."""
        return Attempt(
            self.job[index],
            self.group[index],
            self.number[index],
            self.restart[index],
            bool(self.placeholder[index]),
            self.arrived_ns[index],
            self.placed_ns[index],
            self.ended_at_ns[index],
            Fate(self.fate[index]),
            self.node[index],
            self.order[index],
            self.kept_ns[index],
            self.stopped_for[index],
        )

    def attempts(self) -> Iterator[Attempt]:
        """Every row, in the order in which the asks arrived."""
        return (self.attempt(index) for index in range(len(self)))

    def holds(self) -> Iterator[Hold]:
        """Who was held back, for how long, by what."""
        return (Hold(*row) for row in zip(self.hold_attempt, self.hold_reason, self.hold_since_ns, self.hold_until_ns))

    def job_of(self, index: int) -> Job:
        """The job of an attempt."""
        return self.workload.jobs[self.job[index]]

    def tasks_of(self, index: int) -> Tasks:
        """The kind of task of an attempt."""
        return self.job_of(index).tasks[self.group[index]]

    def resource_of(self, index: int) -> Resource:
        """What an attempt asks for."""
        return self.tasks_of(index).resource

    def queue_of(self, index: int) -> str:
        """The leaf of an attempt; empty if no queue took its job."""
        place = self.job_queue[self.job[index]]
        return self.queues[place] if place >= 0 else ""

    def placements(self) -> Sequence[int]:
        """The attempts that were placed, in the order of their placement."""
        placed = [index for index in range(len(self)) if self.order[index] >= 0]
        placed.sort(key=self.order.__getitem__)
        return placed

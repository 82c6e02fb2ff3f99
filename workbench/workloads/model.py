"""What arrives at a cluster and when, as frozen values: jobs with their tasks, and the nodes and what happens to them. WL-1, WL-4.

Times are whole milliseconds since the workload's zero, resources are `Resource` (vcore in millicores, memory in bytes). Nothing
here decides anything: `workbench.runs` turns a workload into commands of the scheduler.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from workbench.values.frozen import own_copies
from workbench.values.resources import Resource

NOTHING: Mapping[str, str] = MappingProxyType({})

SECOND_MS = 1000
LAST_MS = 36_525 * 24 * 3600 * 1000
"""No time of a workload is later: a hundred years after its zero, where the simulated clock ends."""

FOREVER = None
"""Duration of a task that does not end."""

Style = Literal["Soft", "Hard"]
Restart = Literal["from_start", "keeps", "checkpoint"]
Happens = Literal["added", "drained", "undrained", "removed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tasks:
    """Some tasks of one kind in a job. WL-1.

    Attributes:
        resource: what each of them asks for.
        count: how many there are, at least 1.
        name: tells the kinds of one job apart; the name of the task group in a gang.
        duration_ms: how long each runs once it was placed; one number for all, or one for each of `count`; None for tasks that do
            not end by themselves.
        priority: of its asks; None for that of the job.
        preemptible: whether it may be stopped for others (`allow_preempt_self`).
        may_preempt: whether others may be stopped for it (`allow_preempt_other`).
        node_selector, tolerations, allowed_nodes, required_node: constraints, as those of an `AskSpec`.
        tags: of its asks.
    """

    resource: Resource
    count: int = 1
    name: str = ""
    duration_ms: int | tuple[int | None, ...] | None = FOREVER
    priority: int | None = None
    preemptible: bool = True
    may_preempt: bool = True
    node_selector: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    tolerations: tuple[str, ...] = ()
    allowed_nodes: tuple[str, ...] | None = None
    required_node: str = ""
    tags: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    def __post_init__(self) -> None:
        own_copies(self, "duration_ms", "node_selector", "tolerations", "allowed_nodes", "tags")

    def duration_of(self, number: int) -> int | None:
        """How long the task with this number, from 0, runs, in milliseconds; None if it does not end."""
        return self.duration_ms[number] if isinstance(self.duration_ms, tuple) else self.duration_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Gang:
    """The job runs with all its tasks or not at all: placeholders hold their room until the last has some. Chapter 07.

    Every `Tasks` of the job is a task group, named by its `name`. `timeout_ms` is the placeholder time-out, 0 for the core's
    default of 15 minutes.
    """

    style: Style = "Soft"
    timeout_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job, an application to the scheduler. WL-1.

    Attributes:
        id: unique in the workload; the id of the application.
        submit_ms: when it arrives.
        tasks: its tasks, at least one kind.
        user, groups: who submits it.
        queue: full path; empty where placement rules decide.
        tags: of the application.
        kind: a free word for reports, the class of the job.
        priority: of its asks.
        gang: how its tasks belong together; None if they do not.
        after: ids of the jobs that have to end before it arrives.
    """

    id: str
    submit_ms: int
    tasks: tuple[Tasks, ...]
    user: str = ""
    groups: tuple[str, ...] = ()
    queue: str = ""
    tags: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    kind: str = ""
    priority: int = 0
    gang: Gang | None = None
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        own_copies(self, "tasks", "groups", "tags", "after")

    @property
    def size(self) -> int:
        """How many tasks it has."""
        return sum(each.count for each in self.tasks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Equal nodes, named like the pool with a number behind it: `gpu-000`, `gpu-001` ... WL-4.

    Attributes:
        count: how many there are at the start.
        minimum, maximum: a pool that grows and shrinks on demand stays between these; None for both is one of fixed size.
        start_delay_ms: how long a node that is asked for takes to come.
        idle_ms: how long a node has to be empty before it goes.
        fails_every_ms: mean time between two failures of one node, exponentially distributed; None for nodes that do not fail.
        repair_ms: how long a failed node is away.
    """

    name: str
    capacity: Resource
    count: int = 1
    attributes: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    taints: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    start_delay_ms: int = 120 * SECOND_MS
    idle_ms: int = 600 * SECOND_MS
    fails_every_ms: int | None = None
    repair_ms: int = 3600 * SECOND_MS

    def __post_init__(self) -> None:
        own_copies(self, "attributes", "taints")

    @property
    def elastic(self) -> bool:
        """Whether it grows and shrinks on demand."""
        return self.maximum is not None

    def node_id(self, number: int) -> str:
        """The id of its node with this number, from 0."""
        return f"{self.name}-{number:03d}"

    def has_node(self, node_id: str) -> bool:
        """Whether it may have a node of this id, at the start or once it has grown."""
        name, _, digits = node_id.rpartition("-")
        if name != self.name or not (digits.isascii() and digits.isdecimal()) or len(digits) > 9:
            return False
        return self.node_id(int(digits)) == node_id and int(digits) < max(self.count, self.maximum or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEvent:
    """Something that happens to one node at a time. WL-4. `capacity`, `attributes` and `taints` are for one that is added."""

    at_ms: int
    node_id: str
    happens: Happens
    capacity: Resource | None = None
    attributes: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    taints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        own_copies(self, "attributes", "taints")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarts:
    """What becomes of a task that was stopped in the midst of its run. WL-3.

    Attributes:
        comes_back_after_ms: then it asks again; None for never.
        how: `from_start` runs again in full, `keeps` only what was left, `checkpoint` what came since the last checkpoint.
        checkpoint_ms: how far apart checkpoints are.
    """

    comes_back_after_ms: int | None = 5 * SECOND_MS
    how: Restart = "from_start"
    checkpoint_ms: int = 600 * SECOND_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What arrives at a cluster and when. WL-1.

    Attributes:
        jobs: by `submit_ms`, those of one instant in the order in which they arrive.
        pools: the nodes; none where they are given otherwise.
        node_events: what happens to nodes, by time.
        restarts: what becomes of tasks that were stopped.
        start_delay_ms: from the placement of a task to its start. WL-2
        warm_up_ms: measures count from here on; what came before only fills the cluster.
        ends_ms: where the record of it ends; None if it has no end of its own.
        zero: the instant that its times count from, ISO 8601, empty if unknown; for people only.
        name: for people.
        notes: what whoever made it could not read or had to assume, sentences for people.
    """

    jobs: tuple[Job, ...] = ()
    pools: tuple[Pool, ...] = ()
    node_events: tuple[NodeEvent, ...] = ()
    restarts: Restarts = Restarts()
    start_delay_ms: int = 0
    warm_up_ms: int = 0
    ends_ms: int | None = None
    zero: str = ""
    name: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        own_copies(self, "jobs", "pools", "node_events", "notes")

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In a notebook: what it is like, as its ten thousand jobs one by one help nobody."""
        from workbench.workloads.description import describe

        printer.text(str(describe(self)))

    def _repr_html_(self) -> str:
        from workbench.workloads.description import describe

        return describe(self)._repr_html_()

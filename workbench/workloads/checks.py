"""The gate for workloads, whoever made them: what passes can be turned into commands, played, written and read back.

`check_workload` judges a whole one; readers ask `check_job` and its neighbours about each part, so that they can say where it
stands. What a single field may hold is what the scheduler's own gate lets through (`scheduler.records.command_checks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any

from workbench.scheduler.records.command_checks import (
    AMOUNTS,
    LEAST_PRIORITY,
    MOST_PRIORITY,
    NAME,
    SWITCH,
    TEXT,
    TEXT_MAP,
    TEXTS,
    Kind,
    is_whole,
    one_of,
    whole,
)
from workbench.values.errors import WorkloadError
from workbench.values.found import found, shown
from workbench.workloads.dependencies import circle_of
from workbench.workloads.model import LAST_MS, Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload

MOST_TASKS = 10_000_000
"""Tasks of one workload."""
MOST_NODES = 1_000_000
"""Nodes of one pool."""


class WorkloadFault(WorkloadError):
    """A field of a workload that holds what it may not.

    Attributes:
        record: the kind of record, such as `Job`.
        field: the field's name in code, such as `submit_ms`; empty where several together are wrong.
        job: id of the job, if it is about one.
    """

    def __init__(self, text: str, *, record: type, field: str = "", job: str = "", hint: str = ""):
        self.record, self.field, self.job = record, field, job
        super().__init__(text, hint=hint)


def _or_none(kind: Kind) -> Kind:
    return Kind(f"{kind.allowed} or None", lambda value: value is None or kind.fits(value))


def _tuple_of(kind: type, what: str) -> Kind:
    return Kind(f"a tuple of {what}", lambda value: isinstance(value, tuple) and all(type(each) is kind for each in value))


def _is_span(value: object) -> bool:
    return value is None or is_whole(value, 0, LAST_MS)


_MS = whole(0, LAST_MS, " of milliseconds")
_COUNT = whole(1, MOST_TASKS)
_NODES = whole(0, MOST_NODES)
_DURATION = Kind(
    f"whole milliseconds from 0 to {LAST_MS}, None, or a tuple with one of these for each task",
    lambda value: all(map(_is_span, value)) if isinstance(value, tuple) else _is_span(value),
)
_CONSTRAINTS = {
    "node_selector": TEXT_MAP,
    "tolerations": TEXTS,
    "allowed_nodes": _or_none(TEXTS),
    "required_node": TEXT,
    "tags": TEXT_MAP,
}
_PRIORITY = whole(LEAST_PRIORITY, MOST_PRIORITY)

FIELDS: Mapping[type, Mapping[str, Kind]] = {
    Tasks: {
        "resource": AMOUNTS,
        "count": _COUNT,
        "name": TEXT,
        "duration_ms": _DURATION,
        "priority": _or_none(_PRIORITY),
        "preemptible": SWITCH,
        "may_preempt": SWITCH,
        **_CONSTRAINTS,
    },
    Gang: {"style": one_of("Soft", "Hard"), "timeout_ms": _MS},
    Job: {
        "id": NAME,
        "submit_ms": _MS,
        "tasks": _tuple_of(Tasks, "Tasks"),
        "user": TEXT,
        "groups": TEXTS,
        "queue": TEXT,
        "tags": TEXT_MAP,
        "kind": TEXT,
        "priority": _PRIORITY,
        "gang": Kind("a Gang or None", lambda value: value is None or type(value) is Gang),
        "after": TEXTS,
    },
    Pool: {
        "name": NAME,
        "capacity": AMOUNTS,
        "count": _NODES,
        "attributes": TEXT_MAP,
        "taints": TEXTS,
        "minimum": _or_none(_NODES),
        "maximum": _or_none(_NODES),
        "start_delay_ms": _MS,
        "idle_ms": _MS,
        "fails_every_ms": _or_none(whole(1, LAST_MS, " of milliseconds")),
        "repair_ms": _MS,
    },
    NodeEvent: {
        "at_ms": _MS,
        "node_id": NAME,
        "happens": one_of("added", "drained", "undrained", "removed"),
        "capacity": _or_none(AMOUNTS),
        "attributes": TEXT_MAP,
        "taints": TEXTS,
    },
    Restarts: {
        "comes_back_after_ms": _or_none(_MS),
        "how": one_of("from_start", "keeps", "checkpoint"),
        "checkpoint_ms": whole(1, LAST_MS, " of milliseconds"),
    },
    Workload: {
        "jobs": _tuple_of(Job, "Job"),
        "pools": _tuple_of(Pool, "Pool"),
        "node_events": _tuple_of(NodeEvent, "NodeEvent"),
        "restarts": Kind("a Restarts", lambda value: type(value) is Restarts),
        "start_delay_ms": _MS,
        "warm_up_ms": _MS,
        "ends_ms": _or_none(_MS),
        "zero": TEXT,
        "name": TEXT,
        "notes": TEXTS,
    },
}
"""Record -> its fields -> what they may hold."""


def check_workload(workload: Workload) -> None:
    """Nothing, if the workload can be played.

    Raises:
        WorkloadError: with the job, pool or node, what was found and what is allowed.
    """
    check_frame(workload)
    for job in workload.jobs:
        check_job(job)
    check_jobs(workload.jobs)
    for pool in workload.pools:
        check_pool(pool)
    check_pools(workload.pools)
    for event in workload.node_events:
        check_node_event(event)
    check_node_events(workload)


def check_frame(workload: Workload) -> None:
    """Nothing, if all beside jobs, pools and what happens to nodes is well. Raises WorkloadFault."""
    _check_fields(workload, Workload, "the workload")
    _check_fields(workload.restarts, Restarts, "restarts")
    if workload.ends_ms is not None and workload.ends_ms < workload.warm_up_ms:
        raise WorkloadFault(
            f"the record ends at {workload.ends_ms} ms, before the warm-up of {workload.warm_up_ms} ms is over",
            record=Workload,
            field="ends_ms",
        )


def check_job(job: Job) -> None:
    """Nothing, if one job is well by itself. Raises WorkloadFault."""
    _check_fields(job, Job, f"job {_shown(job.id)}")
    if not job.tasks:
        raise _job_fault(job, "tasks", "has no tasks", "a job has at least one kind of task")
    for tasks in job.tasks:
        _check_fields(
            tasks, Tasks, f"job {_shown(job.id)}: tasks {_shown(tasks.name)}" if len(job.tasks) > 1 else f"job {_shown(job.id)}"
        )
        if isinstance(tasks.duration_ms, tuple) and len(tasks.duration_ms) != tasks.count:
            said = f"has {len(tasks.duration_ms)} durations for {tasks.count} tasks"
            raise _job_fault(job, "duration_ms", said, "give one for all, or one for each", Tasks)
        for name, amount in tasks.resource.amounts.items():
            if amount < 0:
                raise _job_fault(job, "resource", f"asks for {amount} of {shown(name)}", "amounts are from 0 up", Tasks)
        if tasks.allowed_nodes == ():
            raise _job_fault(job, "allowed_nodes", "allows no node at all", "None if every node will do, or name some", Tasks)
    if job.gang is not None:
        _check_fields(job.gang, Gang, f"job {_shown(job.id)}: gang")
        names = [tasks.name for tasks in job.tasks]
        if "" in names:
            raise _job_fault(job, "name", "is a gang with tasks that have no name", "each is a task group and needs one", Tasks)
        if (twice := _twice(names)) is not None:
            raise _job_fault(job, "name", f"is a gang with two task groups {shown(twice)}", "give each its own name", Tasks)
    if (twice := _twice(job.after)) is not None:
        raise _job_fault(job, "after", f"waits for {shown(twice)} twice", "name it once")


def check_jobs(jobs: tuple[Job, ...]) -> None:
    """Nothing, if jobs that are well by themselves are so together: ids, order, `after`, how many. Raises WorkloadFault."""
    ids = set()
    last = size = 0
    waits = False
    for job in jobs:
        if job.id in ids:
            raise _job_fault(job, "id", "occurs twice", "ids are unique in a workload")
        ids.add(job.id)
        if job.submit_ms < last:
            raise _job_fault(
                job, "submit_ms", f"arrives at {job.submit_ms} ms, behind one at {last} ms", "jobs are in the order of time"
            )
        last = job.submit_ms
        size += job.size
        waits = waits or bool(job.after)
    if size > MOST_TASKS:
        raise WorkloadFault(f"there are {size} tasks", record=Workload, field="jobs", hint=f"at most {MOST_TASKS} can be simulated")
    if waits:
        _check_after(jobs, ids)


def check_pool(pool: Pool) -> None:
    """Nothing, if one pool is well by itself. Raises WorkloadFault."""
    what = f"pool {_shown(pool.name)}"
    _check_fields(pool, Pool, what)
    for name, amount in pool.capacity.amounts.items():
        if amount < 0:
            raise WorkloadFault(
                f"{what}: a node with {amount} of {shown(name)}", record=Pool, field="capacity", hint="amounts are from 0 up"
            )
    if (pool.minimum is None) != (pool.maximum is None):
        raise WorkloadFault(f"{what}: has only one of minimum and maximum", record=Pool, field="minimum", hint="give both, or none")
    if pool.minimum is not None and pool.maximum is not None and not pool.minimum <= pool.count <= pool.maximum:
        raise WorkloadFault(
            f"{what}: starts with {pool.count} nodes, its minimum is {pool.minimum}, its maximum {pool.maximum}",
            record=Pool,
            field="count",
            hint="minimum, count and maximum go up",
        )
    if not pool.elastic and not pool.count:
        raise WorkloadFault(
            f"{what}: has no nodes", record=Pool, field="count", hint="only one with minimum and maximum may start empty"
        )


def check_pools(pools: tuple[Pool, ...]) -> None:
    """Nothing, if no two pools have a node in common. Raises WorkloadFault."""
    # Node ids end in a number behind a dash, so that only pools of equal names have equal ones.
    if (twice := _twice([pool.name for pool in pools])) is not None:
        raise WorkloadFault(
            f"two pools are called {shown(twice)}", record=Pool, field="name", hint="their nodes would have equal names"
        )


def check_node_event(event: NodeEvent) -> None:
    """Nothing, if what happens to one node makes sense by itself. Raises WorkloadFault."""
    what = f"node {_shown(event.node_id)}"
    _check_fields(event, NodeEvent, what)
    if (event.happens == "added") != (event.capacity is not None):
        said = "is added without a capacity" if event.capacity is None else f"is {event.happens} and has a capacity"
        raise WorkloadFault(f"{what}: {said}", record=NodeEvent, field="capacity", hint="a node that is added has one, no other")
    for name, amount in (event.capacity or {}).items():
        if amount < 0:
            raise WorkloadFault(
                f"{what}: has {amount} of {shown(name)}", record=NodeEvent, field="capacity", hint="amounts are from 0 up"
            )


def check_node_events(workload: Workload) -> None:
    """Nothing, if what happens to nodes is in the order of time, and to nodes that are there. Raises WorkloadFault."""
    last = 0
    there: dict[str, bool] = {}
    for event in workload.node_events:
        what = f"node {_shown(event.node_id)}"
        if event.at_ms < last:
            raise WorkloadFault(
                f"{what}: {event.happens} at {event.at_ms} ms, behind {last} ms",
                record=NodeEvent,
                field="at_ms",
                hint="what happens to nodes is in the order of time",
            )
        last = event.at_ms
        known = there.get(event.node_id)
        if known is None:
            # Without pools the nodes are given when it is played, and nothing is known of them.
            known = any(pool.has_node(event.node_id) for pool in workload.pools) if workload.pools else event.happens != "added"
        if event.happens == "added" and known:
            raise WorkloadFault(f"{what}: is added and is there already", record=NodeEvent, field="node_id", hint="remove it first")
        if event.happens != "added" and not known:
            raise WorkloadFault(
                f"{what}: is {event.happens} and is not there", record=NodeEvent, field="node_id", hint="add it first"
            )
        there[event.node_id] = event.happens != "removed"


def _check_after(jobs: tuple[Job, ...], ids: set[str]) -> None:
    """Jobs wait for jobs that there are, and never for themselves."""
    waits = {}
    for job in jobs:
        for other in job.after:
            if other not in ids:
                raise _job_fault(job, "after", f"waits for {shown(other)}, which is no job", "name ids of this workload")
        if job.after:
            waits[job.id] = job.after
    if circle := circle_of(waits):
        said = " -> ".join(map(_shown, circle if len(circle) < 8 else [*circle[:6], "...", circle[-1]]))
        text = f"jobs wait for each other in a circle: {said}"
        raise WorkloadFault(text, record=Job, field="after", job=circle[0], hint="none of them would ever arrive")


def _job_fault(job: Job, field: str, said: str, hint: str, record: type = Job) -> WorkloadFault:
    return WorkloadFault(f"job {_shown(job.id)} {said}", record=record, field=field, job=job.id, hint=hint)


def _shown(value: object) -> str:
    return shown(value) if isinstance(value, str) else found(value)


def _twice(names: Iterable[str]) -> str | None:
    """The first of the names that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _check_fields(record: object, kind: type, what: str) -> None:
    if type(record) is not kind:
        raise WorkloadFault(f"{what}: must be a {kind.__name__}, found {found(record)}", record=kind)
    getter, rules = _RULES[kind]
    for value, (default, fits, name) in zip(getter(record), rules):
        # Most fields are at their default, and nobody needs to look at these.
        if value is not default and not fits(value):
            raise WorkloadFault(
                f"{what}: {name} must be {FIELDS[kind][name].allowed}, found {found(value)}", record=kind, field=name
            )


def _default(kind: type, name: str) -> object:
    """The very object that a field holds that was not given; the class itself, which no field holds, for those that must be."""
    declared = next(each for each in fields(kind) if each.name == name)
    if declared.default is not MISSING:
        return declared.default
    return declared.default_factory() if declared.default_factory is not MISSING else kind


_RULES: dict[type, tuple[Callable[[Any], tuple[Any, ...]], list[tuple[object, Callable[[Any], bool], str]]]] = {
    kind: (attrgetter(*rules), [(_default(kind, name), rule.fits, name) for name, rule in rules.items()])
    for kind, rules in FIELDS.items()
}

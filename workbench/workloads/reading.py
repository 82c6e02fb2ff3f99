"""Workloads in YAML or JSON: a file with the key `workload`, by itself or beside the `config` and `events` of a scenario. WL-10.

    workload:
      zero: 2024-03-04T00:00:00Z        # for people
      warm_up: 1h
      ends: 1d
      restarts: {comes_back_after: 5s, how: checkpoint, checkpoint: 10m}
      pools: 20 x vcore=8,memory=32Gi   # or a list
      node_events:
        - {at: 2h, node: node-003, happens: drained}
      jobs:
        - {submit: 10s, duration: 5m, queue: root.a, user: ann, resources: {vcore: "1"}, count: 3}
        - {submit: 1m, repeat: 60, every: 30s, duration: 20s, user: ci, resources: {vcore: "2"}}
        - id: train
          submit: 1h
          gang: {style: Hard, timeout: 10m}
          after: [job-000001]
          tasks:
            - {name: driver, resources: {vcore: "1"}, duration: 2h}
            - {name: worker, resources: {vcore: "8"}, duration: [2h, 1h30m], count: 2}

Spans of time are texts such as `1h30m`, or numbers of seconds; resources are as in a configuration, so that `vcore: 2` is two
cores. A job without `id` is called `job-000001` by its place. A job with one kind of task says of it what it likes directly.
Without `duration` tasks do not end. Jobs may stand in any order. With `synthetic` or `preset` it is not a list of jobs but a
description of how to make them; a file that has nothing but such a description needs no `workload` above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from workbench.scheduler.records.command_checks import LEAST_PRIORITY, MOST_PRIORITY
from workbench.simulation.scenario.document import Cursor
from workbench.simulation.scenario.document import read as read_document
from workbench.values.errors import ScenarioError, WorkloadError
from workbench.workloads.checks import (
    MOST_NODES,
    MOST_TASKS,
    WorkloadFault,
    check_frame,
    check_job,
    check_jobs,
    check_node_event,
    check_node_events,
    check_pool,
    check_pools,
)
from workbench.workloads.dependencies import met
from workbench.workloads.faults import Faults
from workbench.workloads.model import NOTHING, Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload
from workbench.workloads.nodes import parse_nodes
from workbench.workloads.seeded import Seeded
from workbench.workloads.spans import FORM, parse_span

Fields = dict[str, Cursor]

BESIDE = ("name", "description", "engine", "config", "confirm_releases", "events", "expect")
"""What else may stand at the top of the file: the keys of a scenario."""
GENERATORS = {"synthetic": "workbench.workloads.generators", "preset": "workbench.workloads.generators"}
"""Key of `workload` -> the module whose `read(cursor)` makes something with `.workload(seed)` of the mapping that holds it."""
UNNAMED_GROUP = "tasks"
"""The task group of a gang with one kind of task that has no name."""

_ABOUT_TASKS = (
    "resources",
    "count",
    "duration",
    "preemptible",
    "may_preempt",
    "node_selector",
    "tolerations",
    "allowed_nodes",
    "required_node",
)
_ABOUT_JOBS = ("id", "submit", "user", "groups", "queue", "tags", "class", "priority", "gang", "after", "repeat", "every")


def parse_workload(
    text: str, format: str = "yaml", *, source: str | None = None, keep_going: bool = False, first: int | None = None
) -> Workload | Seeded:
    """The workload that a text says. `format` is "yaml" or "json".

    Args:
        source: name of the file, for messages.
        keep_going: leave out jobs that cannot be read and say so in the notes, instead of stopping at the first.
        first: take only so many of the first jobs.

    Raises:
        WorkloadError: with the line (YAML), the path of the value, what was found and what is allowed.
    """
    try:
        top = read_document(text, format, source=source)
        if isinstance(top.value, dict) and "workload" not in top.value and any(key in top.value for key in GENERATORS):
            return read_workload(top)
        if not isinstance(top.value, dict) or "workload" not in top.value:
            hint = "a file of a workload has the key workload, with jobs below it"
            raise top.fault("the key workload is missing" if isinstance(top.value, dict) else "this is no workload", hint)
        return read_workload(top.fields(*BESIDE, "workload")["workload"], keep_going=keep_going, first=first)
    except ScenarioError as error:
        raise _of_workload(error) from None
    except KeyError:
        raise WorkloadError("the key workload has no value", source=source, hint="it holds jobs") from None


def read_workload(at: Cursor, *, keep_going: bool = False, first: int | None = None) -> Workload | Seeded:
    """The value of the key `workload` of some document. Raises ScenarioError or WorkloadError with its place."""
    for key, module in GENERATORS.items():
        if isinstance(at.value, dict) and key in at.value:
            if find_spec(module) is None:
                raise at.at(key).fault(f"{key} is not known here")
            made: Workload | Seeded = import_module(module).read(at)
            return made
    given = at.fields("name", "zero", "start_delay", "warm_up", "ends", "restarts", "pools", "node_events", "jobs", "notes")
    faults = Faults(keep_going=keep_going)
    notes = given["notes"].texts() if "notes" in given else ()
    jobs, left = _jobs(given["jobs"], faults, first) if "jobs" in given else ((), ())
    workload = Workload(
        jobs=jobs,
        pools=read_pools(given["pools"]) if "pools" in given else (),
        node_events=_node_events(given["node_events"]) if "node_events" in given else (),
        restarts=read_restarts(given["restarts"]) if "restarts" in given else Restarts(),
        start_delay_ms=_span_of(given, "start_delay", 0),
        warm_up_ms=_span_of(given, "warm_up", 0),
        ends_ms=_span_of(given, "ends", None),
        zero=_text_of(given, "zero"),
        name=_text_of(given, "name"),
        notes=(*notes, *left, *faults.notes("job")),
    )
    _asked(at, lambda: check_frame(workload))
    if "pools" in given:
        _asked(given["pools"], lambda: check_pools(workload.pools))
    if "node_events" in given:
        _asked(given["node_events"], lambda: check_node_events(workload))
    return workload


def _of_workload(error: ScenarioError) -> WorkloadError:
    return WorkloadError(error.text, line=error.line, source=error.source, hint=error.hint)


# -- jobs -------------------------------------------------------------------------------------------------------------


def _jobs(at: Cursor, faults: Faults, first: int | None) -> tuple[tuple[Job, ...], tuple[str, ...]]:
    """The jobs in the order of time, and what is to be said of those that were left out on purpose."""
    jobs: list[Job] = []
    places: dict[str, Cursor] = {}
    size = number = 0
    left: tuple[str, ...] = ()
    for entry in at.items():
        if first is not None and number >= first:
            left = (f"Only the first {first:,} jobs were taken.",)
            break
        try:
            for job in _job(entry, number):
                if first is not None and number >= first:
                    left = (f"Only the first {first:,} jobs were taken.",)
                    break
                number += 1
                size += job.size
                if job.id in places:
                    above = f", as on line {places[job.id].line}" if places[job.id].line else ""
                    raise entry.fault(f"job {job.id!r} occurs twice{above}", "ids are unique in a workload")
                if size > MOST_TASKS:
                    raise entry.fault(f"with this there are more than {MOST_TASKS} tasks", "repeat less, or count less")
                places[job.id] = entry
                jobs.append(job)
        except ScenarioError as error:
            faults.meet(_of_workload(error))
    jobs.sort(key=lambda job: job.submit_ms)
    ordered = tuple(jobs)
    if faults.keep_going:
        ordered, said = met(ordered)
        left += said
    try:
        check_jobs(ordered)
    except WorkloadFault as fault:
        place = places.get(fault.job, at)
        raise place.fault(fault.text, fault.hint) from None
    return ordered, left


def _job(at: Cursor, number: int) -> Iterator[Job]:
    """The job of an entry, or as many as it has repeated; `number` is how many there are before it."""
    long = isinstance(at.value, dict) and "tasks" in at.value
    given = at.fields(*_ABOUT_JOBS, "tasks", *_ABOUT_TASKS) if not long else _fields_of_long(at)
    if not long and "resources" not in given:
        raise at.fault("the key resources is missing", "say what each task asks for, or give a list of tasks")
    gang = _gang(given["gang"]) if "gang" in given else None
    tasks = tuple(_tasks(each) for each in given["tasks"].items()) if long else (_task(given, UNNAMED_GROUP if gang else ""),)
    repeat = given["repeat"].integer(1, MOST_TASKS) if "repeat" in given else None
    if "every" in given and repeat is None:
        raise given["every"].fault("says how far apart repeated jobs are", "give repeat beside it")
    every = _span_of(given, "every", 0)
    submit = _span_of(given, "submit", 0)
    job = Job(
        id=given["id"].name() if "id" in given else made_up_id(number),
        submit_ms=submit,
        tasks=tasks,
        user=_text_of(given, "user"),
        groups=given["groups"].texts() if "groups" in given else (),
        queue=_text_of(given, "queue"),
        tags=given["tags"].text_map() if "tags" in given else NOTHING,
        kind=_text_of(given, "class"),
        priority=given["priority"].integer(LEAST_PRIORITY, MOST_PRIORITY) if "priority" in given else 0,
        gang=gang,
        after=given["after"].texts() if "after" in given else (),
    )
    _asked(at, lambda: check_job(job))
    if repeat is None:
        yield job
        return
    for step in range(repeat):
        name = f"{job.id}-{step:03d}" if "id" in given else made_up_id(number + step)
        again = replace(job, id=name, submit_ms=submit + step * every)
        if step == repeat - 1:
            _asked(at, lambda: check_job(again))  # noqa: B023 - asked at once
        yield again


def made_up_id(number: int) -> str:
    """The id of a job that has none, from its place among all jobs, from 0.

    >>> made_up_id(0)
    'job-000001'
    """
    return f"job-{number + 1:06d}"


def _fields_of_long(at: Cursor) -> Fields:
    for key in _ABOUT_TASKS:
        if isinstance(at.value, dict) and key in at.value:
            raise at.at(key).fault("stands beside tasks", "say it of each of the tasks")
    return at.fields(*_ABOUT_JOBS, "tasks")


def _tasks(at: Cursor) -> Tasks:
    given = at.fields("name", *_ABOUT_TASKS, "priority", "tags")
    if "resources" not in given:
        raise at.fault("the key resources is missing", "say what each of these tasks asks for")
    return _task(given, "", own=True)


def _task(given: Fields, name: str, *, own: bool = False) -> Tasks:
    """One kind of task; `own` for an entry of `tasks`, where name, priority and tags are those of the tasks and not the job's."""
    allowed = given["allowed_nodes"].texts() if "allowed_nodes" in given else None
    if allowed == ():
        raise given["allowed_nodes"].fault("is empty", "leave it out if every node will do")
    priority = given["priority"].integer(LEAST_PRIORITY, MOST_PRIORITY) if own and "priority" in given else None
    count = given["count"].integer(1, MOST_TASKS) if "count" in given else 1
    return Tasks(
        resource=given["resources"].configured_resource(),
        count=count,
        name=_text_of(given, "name") if own else name,
        duration_ms=_duration(given["duration"], count) if "duration" in given else None,
        priority=priority,
        preemptible=given["preemptible"].switch() if "preemptible" in given else True,
        may_preempt=given["may_preempt"].switch() if "may_preempt" in given else True,
        node_selector=given["node_selector"].text_map() if "node_selector" in given else NOTHING,
        tolerations=given["tolerations"].texts() if "tolerations" in given else (),
        allowed_nodes=allowed,
        required_node=_text_of(given, "required_node"),
        tags=given["tags"].text_map() if own and "tags" in given else NOTHING,
    )


def _duration(at: Cursor, count: int) -> int | tuple[int | None, ...] | None:
    if not isinstance(at.value, list):
        return _span_or(at, "forever")
    found = tuple(_span_or(each, "forever") for each in at.items())
    if len(found) != count:
        raise at.fault(f"has {len(found)} entries, count is {count}", "give one for all, or one for each")
    return found


def _gang(at: Cursor) -> Gang | None:
    if isinstance(at.value, bool):
        return Gang() if at.value else None
    given = at.fields("style", "timeout")
    style = given["style"].text() if "style" in given else "Soft"
    if style not in ("Soft", "Hard"):
        raise given["style"].fault(f"there is no style {style[:40]!r}", "allowed are Soft and Hard")
    return Gang(style="Hard" if style == "Hard" else "Soft", timeout_ms=_span_of(given, "timeout", 0))


# -- nodes ------------------------------------------------------------------------------------------------------------


def read_pools(at: Cursor) -> tuple[Pool, ...]:
    """The value of a key `pools`: a line as for `parse_nodes`, or a list. ScenarioError or WorkloadError with its place."""
    if isinstance(at.value, str):
        try:
            return parse_nodes(at.value)
        except WorkloadError as error:
            raise at.fault(error.text, error.hint) from None
    return tuple(_pool(each) for each in at.items())


def _pool(at: Cursor) -> Pool:
    given = at.fields(
        "name",
        "count",
        "resources",
        "attributes",
        "taints",
        "minimum",
        "maximum",
        "start_delay",
        "idle",
        "fails_every",
        "repair",
    )
    for key in ("name", "resources"):
        if key not in given:
            raise at.fault(f"the key {key} is missing")
    usual = Pool(name="usual", capacity=given["resources"].configured_resource())
    minimum, maximum = (given[key].integer(0, MOST_NODES) if key in given else None for key in ("minimum", "maximum"))
    pool = Pool(
        name=given["name"].name(),
        capacity=usual.capacity,
        count=given["count"].integer(0, MOST_NODES) if "count" in given else 1,
        attributes=given["attributes"].text_map() if "attributes" in given else NOTHING,
        taints=given["taints"].texts() if "taints" in given else (),
        minimum=minimum,
        maximum=maximum,
        start_delay_ms=_span_of(given, "start_delay", usual.start_delay_ms),
        idle_ms=_span_of(given, "idle", usual.idle_ms),
        fails_every_ms=_span_of(given, "fails_every", None),
        repair_ms=_span_of(given, "repair", usual.repair_ms),
    )
    _asked(at, lambda: check_pool(pool))
    return pool


def _node_events(at: Cursor) -> tuple[NodeEvent, ...]:
    return tuple(sorted((_node_event(each) for each in at.items()), key=lambda event: event.at_ms))


def _node_event(at: Cursor) -> NodeEvent:
    given = at.fields("at", "node", "happens", "resources", "attributes", "taints")
    for key in ("at", "node", "happens"):
        if key not in given:
            raise at.fault(f"the key {key} is missing")
    event = NodeEvent(
        at_ms=_span_of(given, "at", 0),
        node_id=given["node"].name(),
        happens=given["happens"].text(),  # type: ignore[arg-type]  # the gate refuses other words
        capacity=given["resources"].configured_resource() if "resources" in given else None,
        attributes=given["attributes"].text_map() if "attributes" in given else NOTHING,
        taints=given["taints"].texts() if "taints" in given else (),
    )
    _asked(at, lambda: check_node_event(event))
    return event


def read_restarts(at: Cursor) -> Restarts:
    """The value of a key `restarts`. ScenarioError or WorkloadError with its place."""
    given = at.fields("comes_back_after", "how", "checkpoint")
    usual = Restarts()
    restarts = Restarts(
        comes_back_after_ms=_span_or(given["comes_back_after"], "never")
        if "comes_back_after" in given
        else usual.comes_back_after_ms,
        how=given["how"].text() if "how" in given else usual.how,  # type: ignore[arg-type]  # the gate refuses other words
        checkpoint_ms=_span_of(given, "checkpoint", usual.checkpoint_ms),
    )
    _asked(at, lambda: check_frame(Workload(restarts=restarts)))
    return restarts


# -- parts ------------------------------------------------------------------------------------------------------------

_KEYS = {
    "submit_ms": "submit",
    "duration_ms": "duration",
    "resource": "resources",
    "capacity": "resources",
    "kind": "class",
    "at_ms": "at",
    "node_id": "node",
    "timeout_ms": "timeout",
    "start_delay_ms": "start_delay",
    "warm_up_ms": "warm_up",
    "ends_ms": "ends",
    "idle_ms": "idle",
    "fails_every_ms": "fails_every",
    "repair_ms": "repair",
    "comes_back_after_ms": "comes_back_after",
    "checkpoint_ms": "checkpoint",
}
"""Field of a record -> key of the form, where they differ."""


def _asked(at: Cursor, check: Callable[[], None]) -> None:
    """What is read passes the gate of every workload; its fault is told at the key that it is about."""
    try:
        check()
    except WorkloadFault as fault:
        key = _KEYS.get(fault.field, fault.field)
        place = at.at(key) if isinstance(at.value, dict) and key in at.value else at
        raise place.fault(fault.text, fault.hint) from None


def _text_of(given: Fields, key: str) -> str:
    return given[key].text() if key in given else ""


def _span_of(given: Fields, key: str, default: Any) -> Any:
    return _span(given[key]) if key in given else default


def _span(at: Cursor) -> int:
    try:
        return parse_span(at.value)
    except ValueError as error:
        raise at.fault(str(error), FORM) from None


def _span_or(at: Cursor, word: str) -> int | None:
    """A span, or None for the word that says that there is none."""
    if at.value == word:
        return None
    try:
        return parse_span(at.value)
    except ValueError as error:
        raise at.fault(str(error), f"{FORM}, or {word}") from None

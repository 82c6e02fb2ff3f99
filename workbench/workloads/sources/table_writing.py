"""A workload as a CSV table, a row for each job. What a table cannot say is told."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from workbench.values.errors import WorkloadError
from workbench.values.resources import Resource
from workbench.workloads.checks import check_workload
from workbench.workloads.model import Job, Tasks, Workload
from workbench.workloads.nodes import amounts_text, parse_amounts
from workbench.workloads.sources.registry import Written
from workbench.workloads.sources.table_rows import BETWEEN
from workbench.workloads.sources.tally import Tally

_ONE_KIND = "Several kinds of tasks, of which each is written as a job of its own"
_CONSTRAINTS = "Where tasks may run, and who may stop them, left out"
_SEPARATOR = f"Names with {BETWEEN} or = in them, or with blanks around them, left out"
_GANG = "The time-out of a gang, left out"
_RESOURCES = "Resources whose names a table cannot say, left out"


def as_csv(workload: Workload) -> Written:
    """The table, with the columns that are needed. WorkloadError for a workload that makes no sense, as `check_workload`."""
    check_workload(workload)
    tally = Tally()
    jobs = list(_split(workload.jobs, tally))
    written = {meaning: [write(job, tally) for job in jobs] for meaning, write in _WRITERS.items()}
    kept = [meaning for meaning, cells in written.items() if meaning in _ALWAYS or any(cells)]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(kept)
    table.writerows(zip(*(written[meaning] for meaning in kept)))
    frame = replace(workload, jobs=(), name="", notes=())
    lost = ("A table has jobs only: nodes, what happens to them, restarts and the times of the record are left out.",)
    return Written(out.getvalue(), (*(lost if frame != Workload() else ()), *tally.notes()))


def _split(jobs: Iterable[Job], tally: Tally) -> Iterator[Job]:
    """Jobs with one kind of task each."""
    ids = {job.id for job in jobs}
    parts: dict[str, tuple[str, ...]] = {}
    for job in jobs:
        after = tuple(dict.fromkeys(part for each in job.after for part in parts.get(each, (each,))))
        if len(job.tasks) == 1:
            yield replace(job, after=after)
            continue
        tally.add(_ONE_KIND)
        named: list[str] = []
        for number, tasks in enumerate(job.tasks, 1):
            name = _free(f"{job.id}/{tasks.name or number}", ids)
            named.append(name)
            yield replace(job, id=name, tasks=(tasks,), after=after)
        parts[job.id] = tuple(named)


def _free(name: str, ids: set[str]) -> str:
    while name in ids:
        name += "'"
    ids.add(name)
    return name


def _tasks(job: Job) -> Tasks:
    return job.tasks[0]


def _duration(job: Job, tally: Tally) -> str:
    tasks = _tasks(job)
    usual = Tasks(resource=tasks.resource)
    if replace(tasks, resource=usual.resource, count=1, name="", duration_ms=None, priority=None) != usual:
        tally.add(_CONSTRAINTS)
    if not isinstance(tasks.duration_ms, tuple):
        return _seconds(tasks.duration_ms)
    if len(tasks.duration_ms) == 1:
        return _seconds(tasks.duration_ms[0])
    return BETWEEN.join(map(_seconds, tasks.duration_ms))


def _seconds(ms: int | None) -> str:
    """A decimal number that is exactly this."""
    if ms is None:
        return ""
    whole, rest = divmod(ms, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def _resources(job: Job, tally: Tally) -> str:
    resource = _tasks(job).resource
    text = amounts_text(resource)
    try:
        if not text or BETWEEN not in text and parse_amounts(text) == resource:
            return text
    except WorkloadError:
        pass
    tally.add(_RESOURCES)
    return amounts_text(Resource({name: amount for name, amount in resource.items() if _SAYABLE.fullmatch(name)}))


def _gang(job: Job, tally: Tally) -> str:
    if job.gang is None:
        return ""
    if job.gang.timeout_ms:
        tally.add(_GANG)
    return job.gang.style


def _priority(job: Job, tally: Tally) -> str:
    own = _tasks(job).priority
    priority = job.priority if own is None else own
    return str(priority) if priority else ""


def _several(entries: Iterable[str], tally: Tally) -> str:
    given = list(entries)
    kept = [each for each in given if each and BETWEEN not in each and each == each.strip()]
    if len(kept) < len(given):
        tally.add(_SEPARATOR)
    return BETWEEN.join(kept)


def _tags(job: Job, tally: Tally) -> str:
    tags = {**job.tags, **_tasks(job).tags}
    wrong = [key for key in tags if not key or "=" in key]
    if wrong:
        tally.add(_SEPARATOR)
    return _several((f"{key}={value}" for key, value in tags.items() if key not in wrong), tally)


_SAYABLE = re.compile(r"[^\s,;=]+")
_ALWAYS = ("id", "submit", "duration", "resources")
_WRITERS: dict[str, Callable[[Job, Tally], str]] = {
    "id": lambda job, _: job.id,
    "submit": lambda job, _: _seconds(job.submit_ms),
    "duration": _duration,
    "user": lambda job, _: job.user,
    "groups": lambda job, tally: _several(job.groups, tally),
    "queue": lambda job, _: job.queue,
    "class": lambda job, _: job.kind,
    "priority": _priority,
    "count": lambda job, _: str(_tasks(job).count) if _tasks(job).count != 1 else "",
    "resources": _resources,
    "gang": _gang,
    "tags": _tags,
    "after": lambda job, tally: _several(job.after, tally),
}
"""Column -> what a job has in it."""

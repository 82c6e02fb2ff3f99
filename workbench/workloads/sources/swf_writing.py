"""A workload as a file of the Standard Workload Format: what the format can say, and sentences about what it cannot.

The wait times may be those of a run, so that a run is a log that other programs read.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from workbench.files.writing import write_file
from workbench.workloads.model import Job, Restarts, Tasks, Workload
from workbench.workloads.sources.swf_lines import STATES, UNKNOWN
from workbench.workloads.sources.tally import NOBODY, Tally

Waits: TypeAlias = Mapping[str, float | None]
"""Seconds from arrival to start, by id of the job; None for one that never ran."""

_STATUS: Final = {name: number for number, name in STATES.items()}
_OWN_TAGS: Final = frozenset(("executable", "partition", "status"))

RENUMBERED = "Jobs have other numbers, in the order of arrival, since the format knows only numbers"
NUMBERED = "Users, groups or queues have a number of their own, since the format knows only numbers"
ENDLESS = "Do not end by themselves, so that the run time is not known"
LONGEST = "Have tasks that run for different times; the run time is the longest"
KINDS = "Have tasks of several kinds, of which only the sum of processors is told"
APART = "Have several tasks that are not a gang, which reading it again makes one"
ROUNDED = "Ask for a part of a processor, or of a KiB for each processor, rounded up"
RESOURCES = "Ask for more than processors and memory, which is left out"
CONSTRAINTS = "May run only on some nodes, which is left out"
PRIORITIES = "Have a priority, which is left out"
PREEMPTION = "May not be stopped, or nobody may be stopped for them, which is left out"
TAGS = "Have a class or tags that the format has no field for"
GROUPS = "Have several groups, of which the first is told"
AFTERS = "Wait for several jobs, of which the first is told"


class Row(NamedTuple):
    """The 18 fields of a job."""

    number: int
    submit_ms: int
    wait_ms: int
    run_ms: int
    processors: int
    requested_kb: int
    status: int
    user: int
    group: int
    executable: int
    queue: int
    partition: int
    preceding: int

    def text(self) -> str:
        """As a line, without its end."""
        return (
            f"{self.number} {_seconds(self.submit_ms)} {_seconds(self.wait_ms)} {_seconds(self.run_ms)} {self.processors} -1 -1 "
            f"{self.processors} -1 {self.requested_kb} {self.status} {self.user} {self.group} {self.executable} {self.queue} "
            f"{self.partition} {self.preceding} {0 if self.preceding != UNKNOWN else -1}"
        )


def write_swf(workload: Workload, path: str | os.PathLike[str], *, waits: Waits | None = None) -> tuple[str, ...]:
    """Write a workload to a file, packed with gzip if its name ends in `.gz`: all of it or nothing.

    Args:
        waits: by id of the job, how many seconds it waited in a run; None or no entry for one that never ran.

    Returns:
        Sentences about what the format cannot say.

    Raises:
        FileError: the file cannot be written; what was in it still is.
    """
    text, notes = swf_text(workload, waits=waits)
    data = text.encode("utf-8")
    write_file(path, gzip.compress(data, mtime=0) if Path(path).name.lower().endswith(".gz") else data)
    return notes


def swf_text(workload: Workload, *, waits: Waits | None = None) -> tuple[str, tuple[str, ...]]:
    """The text of the file, and sentences about what the format cannot say."""
    tally = Tally()
    numbers = _Numbers(workload, tally)
    rows = [row.text() for row in swf_rows(workload, numbers, tally, waits=waits)]
    notes = [*tally.notes(), *_left_out(workload)]
    return "\n".join([*_head(workload, numbers), *rows, ""]), tuple(notes)


def swf_rows(
    workload: Workload,
    numbers: _Numbers | None = None,
    tally: Tally | None = None,
    *,
    waits: Waits | None = None,
) -> Iterator[Row]:
    """The jobs as rows, in the order of arrival; `tally` counts what is lost."""
    tally = tally or Tally()
    numbers = numbers or _Numbers(workload, tally)
    for job in workload.jobs:
        yield _row(job, numbers, tally, waits)


class _Numbers:
    """Numbers for names: the one in `user-7` or `root.queue-7`, else the next that no other name has."""

    def __init__(self, workload: Workload, tally: Tally):
        jobs = workload.jobs
        own = all(_number(job.id) is not None for job in jobs)
        self.jobs = {job.id: int(job.id) if own else place for place, job in enumerate(jobs, 1)}
        if not own:
            tally.add(RENUMBERED, count=len(jobs))
        self.users = _numbered("user-", (job.user for job in jobs))
        self.groups = _numbered("group-", (each for job in jobs for each in job.groups[:1]))
        self.queues = _numbered("root.queue-", (job.queue for job in jobs))
        self.renamed = {
            name
            for prefix, known in (("user-", self.users), ("group-", self.groups))
            for name, number in known.items()
            if number != UNKNOWN and name != f"{prefix}{number}"
        }


def _numbered(prefix: str, names: Iterator[str]) -> dict[str, int]:
    found: dict[str, int] = {"": UNKNOWN, **({NOBODY: UNKNOWN} if prefix == "user-" else {})}
    others = []
    for name in dict.fromkeys(names):
        number = _number(name.removeprefix(prefix), least=0) if name.startswith(prefix) else None
        if number is not None:
            found[name] = number
        elif name not in found:
            others.append(name)
    taken, free = set(found.values()), 1
    for name in others:
        while free in taken:
            free += 1
        found[name] = free
        free += 1
    return found


def _number(text: str, *, least: int = 1) -> int | None:
    """The number that is written like that and no other way."""
    if not text.isdecimal() or not text.isascii() or len(text) > 15:
        return None
    number = int(text)
    return number if number >= least and str(number) == text else None


def _row(job: Job, numbers: _Numbers, tally: Tally, waits: Waits | None) -> Row:
    processors, kb = _size(job, tally)
    wait = waits.get(job.id) if waits is not None else None
    before = [numbers.jobs[each] for each in job.after if each in numbers.jobs]
    executable, part = (_number(job.tags.get(name, ""), least=0) for name in ("executable", "partition"))
    if job.user in numbers.renamed or any(each in numbers.renamed for each in job.groups[:1]):
        tally.add(NUMBERED)
    _count_lost(job, tally)
    return Row(
        number=numbers.jobs[job.id],
        submit_ms=job.submit_ms,
        wait_ms=round(wait * 1000) if wait is not None else UNKNOWN,
        run_ms=_run_ms(job, tally),
        processors=processors,
        requested_kb=kb,
        status=_STATUS.get(job.tags.get("status", ""), UNKNOWN),
        user=numbers.users[job.user],
        group=numbers.groups[job.groups[0]] if job.groups else UNKNOWN,
        executable=UNKNOWN if executable is None else executable,
        queue=numbers.queues[job.queue],
        partition=UNKNOWN if part is None else part,
        preceding=before[0] if before else UNKNOWN,
    )


def _size(job: Job, tally: Tally) -> tuple[int, int]:
    """Processors of all tasks, and memory in KiB for each of them, -1 for none."""
    processors = memory = 0
    rounded = False
    for each in job.tasks:
        milli = each.resource.get("vcore", 0)
        processors += max(1, -(-milli // 1000)) * each.count
        memory += each.resource.get("memory", 0) * each.count
        rounded = rounded or milli % 1000 != 0 or milli == 0
    if not memory:
        kb = UNKNOWN
    else:
        kb = -(-memory // (1024 * processors))
        rounded = rounded or memory % (1024 * processors) != 0
    if rounded:
        tally.add(ROUNDED)
    return processors, kb


def _run_ms(job: Job, tally: Tally) -> int:
    """How long the longest task runs; -1 if one does not end."""
    durations = {
        ms for each in job.tasks for ms in (each.duration_ms if isinstance(each.duration_ms, tuple) else (each.duration_ms,))
    }
    ends = {ms for ms in durations if ms is not None}
    if len(ends) < len(durations):
        tally.add(ENDLESS)
        return UNKNOWN
    if len(ends) > 1:
        tally.add(LONGEST)
    return max(ends)


def _count_lost(job: Job, tally: Tally) -> None:
    tasks = job.tasks
    lost = {
        KINDS: len(tasks) > 1 and not (job.gang and len(tasks) == 2 and tasks[1].count == 1),
        APART: job.gang is None and job.size > 1,
        RESOURCES: any(name not in ("vcore", "memory") for each in tasks for name in each.resource),
        CONSTRAINTS: any(
            each.node_selector or each.tolerations or each.allowed_nodes is not None or each.required_node for each in tasks
        ),
        PRIORITIES: job.priority != 0 or any(each.priority for each in tasks),
        PREEMPTION: any(not (each.preemptible and each.may_preempt) for each in tasks),
        TAGS: bool(job.kind) or not _OWN_TAGS.issuperset(job.tags) or any(each.tags for each in tasks),
        GROUPS: len(job.groups) > 1,
        AFTERS: len(job.after) > 1,
    }
    for what, is_so in lost.items():
        if is_so:
            tally.add(what)


def _constrained(tasks: Tasks) -> bool:
    return bool(tasks.node_selector or tasks.tolerations or tasks.required_node) or tasks.allowed_nodes is not None


def _left_out(workload: Workload) -> Iterator[str]:
    sizes = {pool.capacity.get("vcore", 0) for pool in workload.pools}
    if len(sizes) > 1 or any(size % 1000 for size in sizes):
        yield "The nodes are not of one size in whole processors; only their number and the sum of their processors are told."
    if any(set(pool.capacity) - {"vcore", "memory"} or pool.attributes or pool.taints for pool in workload.pools):
        yield "Other resources, attributes and taints of nodes are left out."
    if workload.node_events or any(pool.elastic or pool.fails_every_ms for pool in workload.pools):
        yield "What happens to nodes is left out."
    if workload.restarts != Restarts() or workload.start_delay_ms or workload.warm_up_ms or workload.ends_ms is not None:
        yield "Restarts, start delay, warm-up and end of the workload are left out."


def _head(workload: Workload, numbers: _Numbers) -> Iterator[str]:
    count = len(workload.jobs)
    yield "; Version: 2.2"
    if workload.name:
        yield f"; Note: {' '.join(workload.name.split())}"
    yield f"; MaxJobs: {count}"
    yield f"; MaxRecords: {count}"
    start = _unix(workload.zero)
    if start is not None:
        yield f"; UnixStartTime: {start}"
    if workload.pools:
        yield f"; MaxNodes: {sum(pool.count for pool in workload.pools)}"
        yield f"; MaxProcs: {sum(pool.count * (pool.capacity.get('vcore', 0) // 1000) for pool in workload.pools)}"
    named = sorted((number, name) for name, number in numbers.queues.items() if name)
    if named:
        yield f"; MaxQueues: {len(named)}"
        for number, name in named:
            yield f"; Queue: {number} {name}"


def _unix(zero: str) -> int | None:
    """Seconds since 1970 of an instant with its time zone; None if there is none, or it is none."""
    try:
        instant = datetime.fromisoformat(zero.replace("Z", "+00:00"))
        seconds = instant.timestamp() if instant.tzinfo is not None else -1.0
    except (ValueError, OverflowError):
        return None
    return int(seconds) if seconds > 0 and seconds == int(seconds) else None


def _seconds(ms: int) -> str:
    """Seconds without a fraction where there is none; -1 stays."""
    if ms == UNKNOWN:
        return "-1"
    whole, rest = divmod(ms, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)

"""Slurm's accounting, as `sacct --parsable2` prints it: a row of names, then a row for each job, with `|` between. WL-11.

A good call is `sacct --parsable2 --allusers --duplicates --allocations --starttime ... --endtime ... --format
JobID,User,Group,Account,Partition,QOS,State,Submit,Eligible,Start,End,Elapsed,Timelimit,Priority,NNodes,AllocTRES,ReqTRES`. What
becomes of the columns, which may come in any order and be fewer:

- *JobID* (or *JobIDRaw*): the id of the job. Tasks of arrays (`123_4`) are jobs of their own; an array that has not started
  (`123_[5-9]`) stands for all its tasks. Components of a heterogeneous job (`123+0`, `123+1`) are kinds of tasks of one gang. Steps
  (`123.batch`) are left out. Several rows of one id are a job that was requeued: it arrives once, at the first submission, and runs
  for as long as in its last row; what was lost before is for the scheduler to decide here. With a column *Cluster* the ids of all
  clusters but the first have its name behind an `@`.
- *Submit*, *Eligible*: it arrives when it was eligible: what held it before, such as a dependency, is not in the record
  (`arrives="submit"` takes the submission). *Start* and *End*: only where *Elapsed* or *ElapsedRaw* is missing. Times are those of
  one clock; an hour that a time zone leaves out or has twice stays.
- *Elapsed*: the duration of its tasks.
- *State*: the tag `state`. Cancelled without having run: left out and counted. Still running or waiting at the end of the record:
  see `censored`. Stopped by the cluster (NODE_FAIL, PREEMPTED): it runs as long as it had run, and is counted.
- *AllocTRES*, *ReqTRES*: what it was given; what it requested where that is not told (`amounts="requested"` turns that around).
  `cpu` becomes vcore, `mem` memory, `gres/gpu` the resource `nvidia.com/gpu` (option `gpu`), its kind the tag `gpu-type` of the
  tasks, `node` the number of nodes. `billing` and `energy` are left out; other resources, too, and are counted. Without these
  columns *AllocCPUS*, *NCPUS*, *ReqCPUS*, *NNodes*, *AllocNodes*, *ReqNodes* and *ReqMem* (`4Gc` for each processor, `16Gn` for
  each node) say it.
- A job on several nodes is a gang of a task on each, as equal as they can be (`spread` has other ways).
- *Partition*: by default the queue, `root.{partition}`; the option `queue` is a pattern with `{account}`, `{partition}`, `{qos}`,
  `{user}`, `{group}` and `{cluster}`. Names that no queue may have are changed, which is noted.
- *User*, *Group*: user, `nobody` if it is not told, and only group. *QOS*: the class of the job.
- *Priority*: nothing, since it is the sum of factors at one instant; with the option `priority` that of the job.
- *Timelimit*: only for what had not ended, see `censored`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from workbench.config.validation.names import is_group_name, is_user_name
from workbench.values.errors import WorkloadError
from workbench.values.found import shown
from workbench.values.resources import Resource
from workbench.workloads.faults import Faults
from workbench.workloads.model import LAST_MS, NOTHING, Gang, Job, Tasks, Workload
from workbench.workloads.sources.lines import Progress, lines
from workbench.workloads.sources.queue_names import QueuePattern
from workbench.workloads.sources.registry import Option, Read, Source, register_source
from workbench.workloads.sources.sacct_values import (
    Amounts,
    is_step,
    parse_count,
    parse_id,
    parse_instant,
    parse_limit,
    parse_memory,
    parse_span,
    parse_tres,
)
from workbench.workloads.sources.spread import GANG, MOST_TASKS, SINGLE, SPREADS, evenly
from workbench.workloads.sources.tally import NOBODY, Tally

T = TypeVar("T")

QUEUE_FIELDS: Final = ("partition", "account", "qos", "user", "group", "cluster")
QUEUE_FIELD_LIST: Final = ", ".join(f"{{{each}}}" for each in QUEUE_FIELDS)
CENSORED: Final = ("elapsed", "limit", "leave_out")
GPU: Final = "nvidia.com/gpu"
_MOST_PRIORITY: Final = 2**31 - 1

WAITING: Final = frozenset(("PENDING", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT"))
RUNNING: Final = frozenset(("RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "STOPPED", "STAGE_OUT", "SIGNALING", "RESIZING"))
STOPPED: Final = frozenset(("NODE_FAIL", "PREEMPTED", "REQUEUED", "BOOT_FAIL"))
ENDED: Final = frozenset(("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "OUT_OF_MEMORY", "DEADLINE", "LAUNCH_FAILED"))
REVOKED: Final = "REVOKED"

_CANCELLED = "Left out, since they were cancelled before they ran"
_REVOKED = "Left out, since another cluster ran them"
_AT_ONCE = "Ran for less than a second, which is a duration of 0"
_REQUEUED = "Were requeued: they arrive once and run as long as they did the last time"
_STOPPED = "Were stopped by the cluster and not seen again: they run as long as they had run"
_STILL_RUNNING = "Were still running at the end of the record, and are taken to end there (the option 'censored' has other ways)"
_TO_LIMIT = "Had not ended at the end of the record, and are taken to run to their time limit"
_NO_LIMIT = "Left out: had not ended at the end of the record, and have no time limit"
_OPEN = "Left out: had not ended at the end of the record"
_WAITING = (
    "Left out: were waiting at the end of the record, so that nothing says how long they run (censored='limit' takes their limit)"
)
_LATER = "Were eligible later than they were submitted, and arrive then"
_NO_MEMORY = "Ask for no memory, since none is known"
_OTHERS = "Asked for resources that have no counterpart here, which are left out"
_NO_USER = f"Without a user, whose user is called {NOBODY}"
_ODD_STATE = "Have a state that is not known here"
_PRIORITY = "Have a priority above 2147483647, which is the highest here"

_FREE: Final = ("jobname", "comment", "admincomment", "systemcomment", "constraints", "workdir", "submitline", "reason", "extra")
"""Columns in which people, or Slurm, may write a `|`."""
_NOT_IN_USER = re.compile(r"[^a-zA-Z0-9:#/_.@-]")
_NOT_IN_GROUP = re.compile(r"[^a-zA-Z0-9:_.-]")


def read_sacct(
    path: str | os.PathLike[str],
    *,
    keep_going: bool = False,
    first: int | None = None,
    progress: Progress | None = None,
    queue: str = "root.{partition}",
    spread: str = GANG,
    arrives: str = "eligible",
    amounts: str = "allocated",
    censored: str = "elapsed",
    gpu: str = GPU,
    priority: bool = False,
) -> Read:
    """The workload in the output of `sacct --parsable2`.

    Args:
        path: the file, packed with gzip or not.
        keep_going: leave out rows that cannot be read, and count them, instead of stopping at the first.
        first: only so many of the first jobs, by arrival.
        progress: told now and then how much was read.
        queue: pattern of the queue, see above; empty to leave it to placement rules.
        spread: of jobs on several nodes: `gang`, `independent` tasks, or a `single` task.
        arrives: `eligible` or `submit`.
        amounts: `allocated` or `requested`, whichever counts first.
        censored: what runs at the end of the record ends there (`elapsed`), at its time `limit`, as does then what was waiting, or
            is left out (`leave_out`).
        gpu: the name of the resource for graphics cards.
        priority: take the priority of Slurm as that of the job.

    Raises:
        WorkloadError: with file, line and column.
    """
    for name, value, allowed in (
        ("spread", spread, SPREADS),
        ("arrives", arrives, ("eligible", "submit")),
        ("amounts", amounts, ("allocated", "requested")),
        ("censored", censored, CENSORED),
    ):
        if value not in allowed:
            raise WorkloadError(f"{name} is {shown(str(value))}", hint=f"allowed are {', '.join(allowed)}")
    faults, tally = Faults(keep_going=keep_going), Tally()
    pattern = QueuePattern(queue, QUEUE_FIELDS)
    runs = _runs(
        _Rows(str(path), faults, tally, requested_first=amounts == "requested"),
        faults.over(lines(path, progress=progress)),
        tally,
    )
    maker = _Maker(
        str(path),
        pattern,
        faults,
        tally,
        spread=spread,
        by_eligible=arrives == "eligible",
        censored=censored,
        gpu=gpu,
        priority=priority,
    )
    found = [ready for each in runs if (ready := maker.ready(each)) is not None]
    found.sort(key=lambda ready: ready.arrives_s)
    cut = first is not None and len(found) > first
    found = found[:first]
    zero_s = found[0].arrives_s if found else 0.0
    made = tuple(maker.job(ready, zero_s) for ready in found)
    notes = [*faults.notes("row"), *tally.notes(), *maker.renamed(), *pattern.notes()]
    if cut:
        notes.append(f"Only the first {first:,} jobs were taken.")
    notes.append("The accounting does not tell of nodes; they have to be given.")
    zero = (datetime(1970, 1, 1) + timedelta(seconds=zero_s)).isoformat() if found else ""
    return Read(Workload(jobs=made, zero=zero), tuple(notes))


@dataclass(slots=True)
class _Row:
    """What one row says of a job, or of one component of it."""

    line: int
    ids: tuple[str, ...]
    component: str
    submit_s: float
    eligible_s: float | None
    elapsed_s: int | None
    limit: str
    state: str
    amounts: Amounts
    texts: MappingProxyType[str, str]
    """Of the fields of a pattern of queues."""
    priority: int


@dataclass(slots=True)
class _Run:
    """All that is known of a job: its last row, and when it was there first; of a heterogeneous one for each component."""

    id: str
    rows: dict[str, _Row]
    submit_s: float
    eligible_s: float | None
    requeued: bool = False


class _Rows:
    """Reads rows under a header."""

    def __init__(self, source: str, faults: Faults, tally: Tally, *, requested_first: bool):
        self._source, self._faults, self._tally = source, faults, tally
        self._order = ("reqtres", "alloctres") if requested_first else ("alloctres", "reqtres")
        self._cpus = ("reqcpus", "alloccpus", "ncpus") if requested_first else ("alloccpus", "ncpus", "reqcpus")
        self._nodes = ("reqnodes", "nnodes", "allocnodes") if requested_first else ("allocnodes", "nnodes", "reqnodes")
        self._header: list[str] = []
        self._id = ""
        self._free: int | None = None
        self._texts: dict[tuple[str, ...], MappingProxyType[str, str]] = {}
        self._tres: dict[str, Amounts] = {}

    def read(self, found: Iterator[tuple[int, str]]) -> Iterator[_Row]:
        """Every row of a job. WorkloadError, with line and column, for what cannot be read."""
        for line, text in found:
            text = text.rstrip("\r\n")
            if not text.strip():
                continue
            if not self._header:
                self._start(line, text)
                continue
            try:
                row = self._row(line, text)
            except WorkloadError as fault:
                self._faults.meet(fault)
                continue
            if row is not None:
                yield row
        if not self._header:
            raise WorkloadError("the file is empty", source=self._source)

    def _start(self, line: int, text: str) -> None:
        names = [each.strip().partition("%")[0].lower() for each in text.split("|")]
        self._id = next((each for each in ("jobid", "jobidraw") if each in names), "")
        missing = [] if self._id else ["JobID"]
        missing += [] if "submit" in names else ["Submit"]
        missing += [] if {"elapsed", "elapsedraw"} & {*names} or {"start", "end"} <= {*names} else ["Elapsed"]
        missing += [] if {"alloctres", "reqtres", *self._cpus} & {*names} else ["AllocTRES"]
        if missing:
            raise WorkloadError(
                f"there is no column {missing[0]}",
                line=line,
                source=self._source,
                hint="the first row must name the columns: call sacct --parsable2 without --noheader, with --format JobID,User,"
                "Account,Partition,QOS,State,Submit,Eligible,Start,End,Elapsed,Timelimit,NNodes,AllocTRES,ReqTRES",
            )
        twice = next((each for each in names if each and names.count(each) > 1), "")
        if twice:
            raise WorkloadError(f"two columns are called {twice}", line=line, source=self._source)
        free = [place for place, name in enumerate(names) if name in _FREE]
        self._header, self._free = names, free[0] if len(free) == 1 else None

    def _row(self, line: int, text: str) -> _Row | None:
        fields = text.split("|")
        surplus = len(fields) - len(self._header)
        if surplus > 0 and self._free is not None:
            fields[self._free : self._free + surplus + 1] = ["|".join(fields[self._free : self._free + surplus + 1])]
            surplus = 0
        if surplus:
            raise WorkloadError(
                f"the row has {len(fields)} fields, the header {len(self._header)}",
                line=line,
                source=self._source,
                hint="leave columns with free text, such as JobName, out of --format",
            )
        at = {name: field.strip() for name, field in zip(self._header, fields)}
        id_text = at[self._id]
        if is_step(id_text):
            return None

        def parsed(name: str, parse: Callable[[str], T]) -> T:
            try:
                return parse(at.get(name, ""))
            except ValueError as fault:
                raise WorkloadError(f"column {name}: {fault}", line=line, source=self._source) from None

        ids, component = parsed(self._id, parse_id)
        submit = parsed("submit", parse_instant)
        if submit is None:
            raise WorkloadError("column submit: is not known", line=line, source=self._source, hint="every job was submitted once")
        start, end = parsed("start", parse_instant), parsed("end", parse_instant)
        elapsed = parsed("elapsedraw", parse_count) if at.get("elapsedraw") else parsed("elapsed", parse_span)
        if elapsed is None and start is not None and end is not None:
            elapsed = round(end - start)
            if elapsed < 0:
                said = f"column end: {at['end']} is before the start {at['start']}"
                raise WorkloadError(said, line=line, source=self._source)
        limit = at.get("timelimit", "")
        parsed("timelimit", parse_limit)
        priority = parsed("priority", parse_count) or 0
        return _Row(
            line,
            ids,
            component,
            submit,
            parsed("eligible", parse_instant),
            elapsed,
            limit,
            (at.get("state", "").split() or [""])[0].rstrip("+").upper(),
            self._amounts(at, parsed),
            self._shared(at),
            priority,
        )

    def _amounts(self, at: dict[str, str], parsed: Callable[[str, Callable[[str], Amounts]], Amounts]) -> Amounts:
        """Of all columns that tell amounts the first that knows."""
        found = Amounts()
        for name in self._order:
            text = at.get(name, "")
            known = self._tres.get(text)
            if known is None:
                known = self._tres[text] = parsed(name, parse_tres)
            if known.cpus or known.memory or known.gpus:
                found = known
                break
        counts: list[int | None] = []
        for names, told in ((self._cpus, found.cpus), (self._nodes, found.nodes)):
            for name in names:
                if told is None and at.get(name):
                    told = parsed(name, lambda text: Amounts(cpus=parse_count(text))).cpus or None
            counts.append(told)
        cpus, nodes = counts
        memory = found.memory
        if memory is None and at.get("reqmem", "").lower() not in ("", "0", "0n", "0c", "unknown", "none"):
            each = parsed("reqmem", lambda text: Amounts(None, *_of_memory(text, cpus, nodes)))
            memory = each.memory
        return found._replace(cpus=cpus, nodes=nodes, memory=memory)

    def _shared(self, at: dict[str, str]) -> MappingProxyType[str, str]:
        user = at.get("user") or at.get("uid", "")
        partition = at.get("partition", "").split(",")[0]
        key = (partition, at.get("account", ""), at.get("qos", ""), user, at.get("group", ""), at.get("cluster", ""))
        texts = self._texts.get(key)
        if texts is None:
            texts = self._texts[key] = MappingProxyType(dict(zip(QUEUE_FIELDS, key)))
        return texts


def _of_memory(text: str, cpus: int | None, nodes: int | None) -> tuple[int]:
    amount, each = parse_memory(text)
    return (amount * ({"c": cpus, "n": nodes}.get(each) or 1),)


def _runs(rows: _Rows, found: Iterator[tuple[int, str]], tally: Tally) -> Iterator[_Run]:
    """The jobs in the order in which they come first, all rows of one together."""
    runs: dict[str, _Run] = {}
    home = ""
    for row in rows.read(found):
        cluster = row.texts["cluster"]
        home = home or cluster
        for id in row.ids:
            id = id if cluster == home else f"{id}@{cluster}"
            run = runs.get(id)
            if run is None:
                runs[id] = _Run(id, {row.component: row}, row.submit_s, row.eligible_s)
                continue
            before = run.rows.get(row.component)
            if before is not None and not run.requeued:
                run.requeued = True
                tally.add(_REQUEUED, line=row.line)
            if before is None or row.submit_s >= before.submit_s:
                run.rows[row.component] = row
            if row.submit_s < run.submit_s:
                run.submit_s, run.eligible_s = row.submit_s, row.eligible_s
    while runs:
        yield runs.pop(next(iter(runs)))


@dataclass(slots=True)
class _Ready:
    """A job that is to be made: when it arrives, and its rows, each with how long it runs in milliseconds."""

    id: str
    arrives_s: float
    rows: tuple[tuple[_Row, int], ...]


class _Maker:
    """Makes jobs of runs. Values that many jobs share are held once."""

    def __init__(
        self,
        source: str,
        pattern: QueuePattern,
        faults: Faults,
        tally: Tally,
        *,
        spread: str,
        by_eligible: bool,
        censored: str,
        gpu: str,
        priority: bool,
    ):
        self._source, self._pattern, self._faults, self._tally = source, pattern, faults, tally
        self._spread, self._by_eligible, self._censored, self._gpu, self._priority = spread, by_eligible, censored, gpu, priority
        self._parts: dict[Amounts, tuple[tuple[int, Resource], ...]] = {}
        self._tags: dict[str, MappingProxyType[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def ready(self, run: _Run) -> _Ready | None:
        """When the job arrives and how long it runs; None for one that is left out."""
        rows = []
        for row in run.rows.values():
            duration = self._duration(row)
            if duration is None:
                continue
            try:
                self._spread_out(row.amounts)
            except ValueError as fault:
                self._faults.meet(WorkloadError(str(fault), line=row.line, source=self._source))
                continue
            rows.append((row, min(duration * 1000, LAST_MS)))
        if not rows:
            return None
        arrives = run.submit_s
        if self._by_eligible and run.eligible_s is not None and run.eligible_s > run.submit_s:
            self._tally.add(_LATER, line=rows[0][0].line)
            arrives = run.eligible_s
        return _Ready(run.id, arrives, tuple(rows))

    def _duration(self, row: _Row) -> int | None:
        state, elapsed = row.state, row.elapsed_s or 0
        said: str | None = None
        duration: int | None = elapsed
        if state in WAITING or state in RUNNING:
            limit = parse_limit(row.limit) if self._censored == "limit" else None
            if self._censored == "limit":
                said, duration = (_NO_LIMIT, None) if limit is None else (_TO_LIMIT, max(limit, elapsed))
            elif self._censored == "leave_out":
                said, duration = _OPEN, None
            elif state in WAITING:
                said, duration = _WAITING, None
            else:
                said = _STILL_RUNNING
        elif state == REVOKED:
            said, duration = _REVOKED, None
        elif state == "CANCELLED" and not elapsed:
            said, duration = _CANCELLED, None
        elif state in STOPPED:
            said = _STOPPED
        elif state and state not in ENDED:
            said = _ODD_STATE
        if said is not None:
            self._tally.add(said, line=row.line)
        if duration == 0:
            self._tally.add(_AT_ONCE, line=row.line)
        return duration

    def job(self, ready: _Ready, zero_s: float) -> Job:
        """The job, in times since the instant `zero_s`."""
        tasks: list[Tasks] = []
        for row, duration_ms in ready.rows:
            tags = MappingProxyType({"gpu-type": row.amounts.gpu_type}) if row.amounts.gpu_type else NOTHING
            for count, resource in self._spread_out(row.amounts):
                tasks.append(Tasks(resource=resource, count=count, duration_ms=duration_ms, tags=tags))
            self._note(row)
        first = ready.rows[0][0]
        texts = first.texts
        several = sum(each.count for each in tasks) > 1
        if several:
            tasks = [_named(each, f"node-{place}" if place > 1 else "node") for place, each in enumerate(tasks, 1)]
        group = self._legal("group", texts["group"])
        return Job(
            id=ready.id,
            submit_ms=round((ready.arrives_s - zero_s) * 1000),
            tasks=tuple(tasks),
            user=self._legal("user", texts["user"]) or NOBODY,
            groups=(group,) if group else (),
            queue=self._pattern.path(texts),
            tags=self._tag(first.state),
            kind=texts["qos"],
            priority=min(first.priority, _MOST_PRIORITY) if self._priority else 0,
            gang=Gang() if several and self._spread == GANG else None,
        )

    def _note(self, row: _Row) -> None:
        if not row.amounts.memory:
            self._tally.add(_NO_MEMORY, line=row.line)
        if row.amounts.others:
            self._tally.add(f"{_OTHERS} ({', '.join(row.amounts.others)})", line=row.line)
        if not row.texts["user"]:
            self._tally.add(_NO_USER, line=row.line)
        if self._priority and row.priority > _MOST_PRIORITY:
            self._tally.add(_PRIORITY, line=row.line)

    def _spread_out(self, amounts: Amounts) -> tuple[tuple[int, Resource], ...]:
        """(how many tasks, what each asks for). ValueError for amounts that cannot be."""
        key = amounts._replace(gpu_type="", others=())
        parts = self._parts.get(key)
        if parts is None:
            if not amounts.cpus:
                raise ValueError("nothing says how many processors the job had")
            total = {"vcore": amounts.cpus * 1000, "memory": amounts.memory or 0, self._gpu: amounts.gpus}
            total = {name: amount for name, amount in total.items() if amount}
            nodes = 1 if self._spread == SINGLE else max(1, min(amounts.nodes or 1, amounts.cpus))
            if nodes > MOST_TASKS:
                raise ValueError(f"{nodes} nodes are more than {MOST_TASKS}")
            split = evenly(total, nodes, {"vcore": 1000, self._gpu: 1})
            parts = self._parts[key] = tuple((count, Resource(each)) for count, each in split)
        return parts

    def _tag(self, state: str) -> MappingProxyType[str, str]:
        return self._tags.setdefault(state, MappingProxyType({"state": state.lower()} if state else {}))

    def _legal(self, kind: str, name: str) -> str:
        """The name of a user or group, as the scheduler takes it."""
        legal = self._names.get((kind, name))
        if legal is None:
            fits, other = (is_user_name, _NOT_IN_USER) if kind == "user" else (is_group_name, _NOT_IN_GROUP)
            legal = name if not name or fits(name) else other.sub("-", name)
            if legal and not fits(legal):
                legal = f"_{legal}"
            self._names[kind, name] = legal
        return legal

    def renamed(self) -> Iterator[str]:
        """What had to be called otherwise."""
        for (kind, name), legal in self._names.items():
            if name != legal:
                yield f"The {kind} {shown(name)} is called {legal!r}."


def _named(tasks: Tasks, name: str) -> Tasks:
    return Tasks(resource=tasks.resource, count=tasks.count, name=name, duration_ms=tasks.duration_ms, tags=tasks.tags)


def _recognises(path: Path, start: bytes) -> bool:
    wide = start.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = start.decode("utf-16" if wide else "utf-8", "replace").lstrip("\ufeff\r\n ")
    names = {each.strip().partition("%")[0].lower() for each in text.splitlines()[0].split("|")} if text else set()
    return bool(names & {"jobid", "jobidraw"}) and len(names) > 1


SACCT = register_source(
    "sacct",
    Source(
        title="Slurm accounting",
        description="What sacct --parsable2 prints, with the row of names. A job on several nodes is a gang, a requeued one "
        "arrives once; the partition becomes the queue.",
        suffixes=(".psv", ".sacct"),
        recognises=_recognises,
        read=read_sacct,
        options=(
            Option(
                "queue", f"the queue: a path, or a pattern with {', '.join(f'{{{each}}}' for each in QUEUE_FIELDS)}", str, "PATTERN"
            ),
            Option("spread", "what becomes of a job on several nodes", str, choices=SPREADS),
            Option("arrives", "when a job arrives", str, choices=("eligible", "submit")),
            Option("amounts", "which amounts count first", str, choices=("allocated", "requested")),
            Option("censored", "how long what had not ended runs", str, choices=CENSORED),
            Option("gpu", "the name of the resource for graphics cards", str, "NAME"),
            Option("priority", "take the priority of Slurm", bool),
        ),
    ),
)

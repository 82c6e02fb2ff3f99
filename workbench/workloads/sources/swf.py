"""The Standard Workload Format (`.swf`, also packed with gzip), in which the Parallel Workloads Archive keeps its logs. WL-11.

What becomes of the fields, in their order:

1. *job number*: the id of the job. A number that occurs twice is a fault.
2. *submit time*: when it arrives. Lines that do not follow each other in time are sorted.
3. *wait time*: nothing; it is for the scheduler to decide here.
4. *run time*: the duration of its tasks. 0 stands for less than half a second and stays 0. A job without one never ran; it is left
   out and counted.
5. *allocated processors* and 8. *requested processors*: how many vcore it asks for. What it requested counts, what it was given
   where that is not known (`processors="allocated"` turns that around). A job with neither is left out and counted.
6. *average CPU time used*, 9. *requested time*: nothing; the scheduler knows no run times in advance.
7. *used memory* and 10. *requested memory*, in KiB for each processor: the memory that it asks for is what it requested, none if
   that is not known (`memory="used"` takes what it used, `memory="none"` asks for none).
11. *status*: the tag `status`: failed, completed or cancelled. Lines for a part of a job's execution (2, 3 and 4) are left out,
    since the line of the whole job stands before them.
12. *user*, 13. *group*: `user-N`, `nobody` if it is not known, and the only group `group-N`.
14. *executable*, 16. *partition*: the tags `executable` and `partition`.
15. *queue*: `root.queue-N`, or what the head names it if that is the path of a queue, such as `; Queue: 3 root.prod`. With
    `queue` a pattern such as `root.{queue_name}` or `root.{group}.{queue}`, or one queue for all. Jobs without a number go where
    placement rules say.
17. *preceding job*: what the job waits for, with `after=True`. In a log the submit time is already that of the person who waited,
    so by default it stands alone. 18. *think time*: nothing.

From the head come MaxProcs and MaxNodes: nodes of equal size. A job that is larger than a node becomes a gang of one task for
each node that it fills and one with the rest (`spread` has other ways). Where only MaxProcs is known the machine is one node that
has all processors. The format tells no memory of nodes, so they get enough for what asks for most, unless `memory_per_node` says
how much.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from workbench.config.validation.names import is_queue_name
from workbench.values.errors import WorkloadError
from workbench.values.quantities import QuantityError, parse_quantity
from workbench.values.resources import Resource
from workbench.workloads.faults import Faults
from workbench.workloads.model import NOTHING, Gang, Job, Pool, Tasks, Workload
from workbench.workloads.sources.lines import HEAD_BYTES, Progress, head, lines
from workbench.workloads.sources.queue_names import QueuePattern
from workbench.workloads.sources.registry import Option, Read, Source, Written, register_source
from workbench.workloads.sources.spread import GANG, MOST_TASKS, SINGLE, SPREADS, over_nodes
from workbench.workloads.sources.swf_lines import PARTIAL, STATES, UNKNOWN, BrokenLine, Header, Line, looks_like_swf, parse_line
from workbench.workloads.sources.swf_writing import swf_text
from workbench.workloads.sources.tally import NOBODY, Tally

NUMBERS: Final = ("queue", "partition", "user", "group", "executable")
QUEUE_FIELDS: Final = (*NUMBERS, "queue_name")
KIB: Final = 1024
NODE: Final = "node"
REST: Final = "rest"

CANCELLED = "Left out, since they were cancelled before they ran"
NO_RUN_TIME = "Left out, since nothing says how long they ran"
NO_PROCESSORS = "Left out, since nothing says how many processors they had"
PARTS = "Left out, since they tell only a part of the execution of a job"
AT_ONCE = "Ran for less than half a second, which is a duration of 0"
NO_USER = f"Without a user, whose user is called {NOBODY}"
NO_QUEUE = "Without a queue, left to the placement rules"
NO_MEMORY = "Ask for no memory, since none is known"
OTHER_COUNT = "Were given another number of processors than they requested, which was taken"
PRECEDED = "Name a job that precedes them; the time of their submission stands alone (the option 'after' has them wait)"
THINK_TIME = "Wait for the job that precedes them, but not for their think time after it"
NOT_BEFORE = "Name a job that precedes them and is not in the file before them; they wait for none"
ODD_STATUS = "Have a status that the format does not define"
TOO_LARGE = "Ask for more processors than the cluster has, so that they can never run"
TOO_MUCH_MEMORY = "Ask for more memory than a node has, so that they can never run"


def read_swf(
    path: str | os.PathLike[str],
    *,
    keep_going: bool = False,
    first: int | None = None,
    progress: Progress | None = None,
    queue: str | None = None,
    processors: str = "requested",
    memory: str = "requested",
    cores_per_node: int | None = None,
    memory_per_node: str | None = None,
    spread: str = GANG,
    after: bool = False,
) -> Read:
    """The workload in a file of the Standard Workload Format, read line by line.

    Args:
        path: the file, packed with gzip or not.
        keep_going: leave out lines that cannot be read, and count them, instead of stopping at the first.
        first: only so many of the first jobs that ran.
        progress: told now and then how much was read.
        queue: pattern of the queue with the fields `{queue}`, `{partition}`, `{user}`, `{group}` and `{executable}`, which are
            numbers, and `{queue_name}`, what the head calls the queue; or one path for all; empty to leave the queue to placement
            rules.
        processors: `requested` or `allocated`, whichever counts first.
        memory: `requested`, `used` or `none`.
        cores_per_node: processors of a node, where the head of the file does not say it or says it wrongly.
        memory_per_node: such as `64Gi`.
        spread: of jobs larger than a node: `gang`, `independent` tasks, or a `single` task.
        after: jobs wait for the one that they name as preceding.

    Raises:
        WorkloadError: with file and line.
    """
    reader = _Reader(
        str(path),
        Faults(keep_going=keep_going),
        queue=queue,
        processors=processors,
        memory=memory,
        cores_per_node=cores_per_node,
        memory_per_node=memory_per_node,
        spread=spread,
        after=after,
    )
    wide = head(path).startswith((b"\xff\xfe", b"\xfe\xff"))
    cut = False
    for number, text in reader.faults.over(lines(path, encoding=None if wide else "latin-1", progress=progress)):
        if first is not None and len(reader.jobs) >= first:
            cut = bool(text.strip()) and not text.lstrip().startswith(";")
            if cut:
                break
            continue
        reader.take(number, text)
    return reader.finish(f"Only the first {first:,} jobs were read." if cut else "")


class _Reader:
    """The jobs so far, with what was met on the way. Values that many jobs share are held once."""

    def __init__(
        self,
        source: str,
        faults: Faults,
        *,
        queue: str | None,
        processors: str,
        memory: str,
        cores_per_node: int | None,
        memory_per_node: str | None,
        spread: str,
        after: bool,
    ):
        _refuse_other("processors", processors, ("requested", "allocated"))
        _refuse_other("memory", memory, ("requested", "used", "none"))
        _refuse_other("spread", spread, SPREADS)
        if cores_per_node is not None and (type(cores_per_node) is not int or cores_per_node < 1):
            raise WorkloadError(f"cores_per_node is {cores_per_node!r}", hint="a node has at least 1")
        self.jobs: list[Job] = []
        self.header = Header()
        self._source = source
        self.faults = faults
        self._tally = Tally()
        self._pattern = QueuePattern(queue, QUEUE_FIELDS) if queue is not None else None
        self._requested_first = processors == "requested"
        self._memory = memory
        self._told_cores = cores_per_node
        self._node_memory = _memory(memory_per_node)
        self._spread = spread
        self._after = after
        self._started = False
        self._node_size: int | None = None
        self._most_kb = 0
        self._last_number = -1
        self._seen: set[int] | None = None
        self._kept: set[int] = set()
        self._sorted = True
        self._last_submit = 0
        self._total: int | None = None
        self._users: dict[int, str] = {}
        self._groups: dict[int, tuple[str, ...]] = {}
        self._queues: dict[int, str] = {}
        self._tags: dict[tuple[int, int, int], MappingProxyType[str, str]] = {}
        self._parts: dict[tuple[int, int], tuple[tuple[str, int, Resource], ...]] = {}

    def take(self, number: int, text: str) -> None:
        """The next line of the file."""
        if number == 1:
            text = text.removeprefix("\ufeff").removeprefix("\xef\xbb\xbf")
        text = text.strip()
        if not text:
            return
        if text.startswith(";"):
            if not self._started:
                self.header.add(_as_utf8(text))
            return
        if not self._started:
            self._start()
        try:
            self._job(number, parse_line(text))
        except BrokenLine as fault:
            self.faults.meet(WorkloadError(str(fault), line=number, source=self._source))

    def _start(self) -> None:
        """What the head says counts from the first job on."""
        self._started = True
        self._total, nodes = self.header.number("MaxProcs"), self.header.number("MaxNodes")
        self._total = self._total or nodes
        self._node_size = self._told_cores or (max(1, self._total // nodes) if nodes and self._total else None)

    def _job(self, number: int, line: Line) -> None:
        self._refuse_twice(line)
        tally = partial(self._tally.add, line=number)
        if line.status in PARTIAL:
            return tally(PARTS, of="line")
        if line.run_ms < 0:
            return tally(CANCELLED if line.status == 5 else NO_RUN_TIME)
        wanted, other = (line.requested, line.allocated) if self._requested_first else (line.allocated, line.requested)
        count = wanted if wanted > 0 else other
        if count <= 0:
            return tally(CANCELLED if line.status == 5 and not line.run_ms else NO_PROCESSORS)
        kb = {"requested": line.requested_kb, "used": line.used_kb, "none": 0}[self._memory]
        parts = self._tasks_of(count, max(kb, 0))
        self._note(line, count, kb, tally)
        tasks = tuple(Tasks(name=name, count=many, resource=each, duration_ms=line.run_ms) for name, many, each in parts)
        job = Job(
            id=str(line.number),
            submit_ms=line.submit_ms,
            tasks=tasks,
            user=self._user(line.user),
            groups=self._group(line.group),
            queue=self._queue(line),
            tags=self._tag(line),
            gang=Gang() if self._spread == GANG and (len(parts) > 1 or parts[0][1] > 1) else None,
            after=self._preceding(line, tally),
        )
        self.jobs.append(job)
        self._most_kb = max(self._most_kb, kb)
        self._sorted = self._sorted and line.submit_ms >= self._last_submit
        self._last_submit = line.submit_ms

    def _note(self, line: Line, count: int, kb: int, tally: partial[None]) -> None:
        if line.run_ms == 0:
            tally(AT_ONCE)
        if line.user == UNKNOWN:
            tally(NO_USER)
        if line.queue == UNKNOWN and self._pattern is None:
            tally(NO_QUEUE)
        if kb <= 0 and self._memory != "none":
            tally(NO_MEMORY)
        if self._requested_first and 0 < line.allocated != line.requested > 0:
            tally(OTHER_COUNT)
        if line.status not in STATES and line.status != UNKNOWN:
            tally(ODD_STATUS)
        if self._total is not None and count > self._total:
            tally(TOO_LARGE)
        if self._node_memory is not None and kb * KIB * min(count, self._node_size or count) > self._node_memory:
            tally(TOO_MUCH_MEMORY)

    def _refuse_twice(self, line: Line) -> None:
        """Every number once; a set of them is kept only where they do not ascend."""
        if line.status in PARTIAL:
            return
        if self._seen is None:
            if line.number > self._last_number:
                self._last_number = line.number
                return
            self._seen = {int(job.id) for job in self.jobs} | {self._last_number}
        if line.number in self._seen:
            raise BrokenLine(f"field 1 (job number) is {line.number}, which a job before has")
        self._seen.add(line.number)

    def _tasks_of(self, count: int, kb: int) -> tuple[tuple[str, int, Resource], ...]:
        parts = self._parts.get((count, kb))
        if parts is None:
            split = over_nodes(count, None if self._spread == SINGLE else self._node_size)
            if sum(many for many, _ in split) > MOST_TASKS:
                raise BrokenLine(f"it asks for {count} processors, which are more than {MOST_TASKS} tasks: give cores_per_node")
            names = (NODE, REST) if len(split) > 1 or split[0][0] > 1 else ("",)
            try:
                parts = tuple((name, many, _resource(size, kb)) for name, (many, size) in zip(names, split))
            except ValueError:
                raise BrokenLine(f"field 10 (requested memory): {count} times {kb} KiB are more than 64 bits of bytes") from None
            self._parts[count, kb] = parts
        return parts

    def _user(self, number: int) -> str:
        return self._users.setdefault(number, f"user-{number}" if number != UNKNOWN else NOBODY)

    def _group(self, number: int) -> tuple[str, ...]:
        return self._groups.setdefault(number, (f"group-{number}",) if number != UNKNOWN else ())

    def _queue(self, line: Line) -> str:
        if self._pattern is not None:
            numbers = {field: getattr(line, field) for field in NUMBERS}
            values = {field: str(value) if value != UNKNOWN else "" for field, value in numbers.items()}
            words = self.header.queues.get(line.queue, "").split()
            return self._pattern.path({**values, "queue_name": words[0] if words else values["queue"]})
        if line.queue == UNKNOWN:
            return ""
        path = self._queues.get(line.queue)
        if path is None:
            named = self.header.queues.get(line.queue, "")
            levels = named.split(".")
            legal = levels[0] == "root" and all(is_queue_name(each) for each in levels)
            path = self._queues.setdefault(line.queue, named if legal else f"root.queue-{line.queue}")
        return path

    def _tag(self, line: Line) -> MappingProxyType[str, str]:
        key = line.executable, line.partition, line.status
        tags = self._tags.get(key)
        if tags is None:
            texts = {"executable": str(line.executable), "partition": str(line.partition), "status": STATES.get(line.status, "-1")}
            found = {name: text for name, text in texts.items() if text != "-1"}
            tags = self._tags[key] = MappingProxyType(found) if found else MappingProxyType(dict(NOTHING))
        return tags

    def _preceding(self, line: Line, tally: partial[None]) -> tuple[str, ...]:
        if not self._after:
            if line.preceding > 0:
                tally(PRECEDED)
            return ()
        known = line.preceding in self._kept
        self._kept.add(line.number)
        if line.preceding <= 0:
            return ()
        if not known:
            tally(NOT_BEFORE)
            return ()
        if line.think_s > 0:
            tally(THINK_TIME)
        return (str(line.preceding),)

    def finish(self, cut: str) -> Read:
        """The workload of all that was taken, and what has to be said about it."""
        notes = [*self.faults.notes("line"), *self._tally.notes()]
        if cut:
            notes.append(cut)
        if not self._sorted:
            self.jobs.sort(key=lambda job: job.submit_ms)
            notes.append("The lines do not follow each other in time; the jobs were sorted.")
        if self._pattern is not None:
            notes += self._pattern.notes()
        if not self._started:
            self._start()
        pools, said = self._pools()
        version = self.header.text("Version")
        if version and not version.startswith("2"):
            notes.append(f"The file says that it is of version {version[:20]}; it was read as version 2.")
        return Read(Workload(jobs=tuple(self.jobs), pools=pools, zero=self._zero()), (*notes, *said))

    def _pools(self) -> tuple[tuple[Pool, ...], list[str]]:
        """The machine that the head tells of: equal nodes, or as equal as they can be."""
        total, told = self._total, self.header.number("MaxNodes")
        if total is None:
            return (), ["The file does not say how large the cluster was; nodes have to be given."]
        said = []
        if self._told_cores:
            count = max(1, total // self._told_cores)
            size, more = self._told_cores, 0
            if count * size != total:
                said.append(f"{total:,} processors are no whole number of nodes of {size}; there are {count:,} nodes.")
        elif told:
            count = min(told, total)
            size, more = divmod(total, count)
            if more:
                said.append(f"{total:,} processors on {count:,} nodes are not equally many on each: {more:,} nodes have one more.")
        else:
            count, size, more = 1, total, 0
            said.append(
                f"The file does not say how many nodes the {total:,} processors were on: they are one node "
                "(the option 'cores_per_node' tells it)."
            )
        if self._node_memory is None and self._most_kb:
            said.append(
                "The file does not say how much memory a node had: as much as its processors times "
                f"{self._most_kb:,} KiB, the most that a job asks for a processor (the option 'memory_per_node' tells it)."
            )
        pools = [Pool(name=NODE, capacity=self._capacity(size), count=count - more)]
        if more:
            pools.insert(0, Pool(name=f"{NODE}-{size + 1}", capacity=self._capacity(size + 1), count=more))
        return tuple(pools), said

    def _capacity(self, size: int) -> Resource:
        memory = self._node_memory if self._node_memory is not None else size * self._most_kb * KIB
        try:
            return Resource({"vcore": size * 1000, **({"memory": memory} if memory else {})})
        except ValueError:
            raise WorkloadError(
                "the head tells a machine that is too large",
                source=self._source,
                hint="check MaxProcs, MaxNodes and the memory of jobs",
            ) from None

    def _zero(self) -> str:
        start = self.header.number("UnixStartTime")
        if not start or start >= 2**40:
            return ""
        try:
            return datetime.fromtimestamp(start, UTC).isoformat().replace("+00:00", "Z")
        except (OverflowError, OSError, ValueError):
            return ""


def _resource(processors: int, kb: int) -> Resource:
    return Resource({"vcore": processors * 1000, **({"memory": processors * kb * KIB} if kb else {})})


def _memory(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return parse_quantity(text, "memory")
    except QuantityError as error:
        raise WorkloadError(f"memory_per_node is {text[:40]!r}: {error}", hint="write 64Gi or 256G") from None


def _refuse_other(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise WorkloadError(f"{name} is {str(value)[:40]!r}", hint=f"allowed are {', '.join(allowed)}")


def _as_utf8(text: str) -> str:
    """Comments are in whatever their writer used; they were read as bytes."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _recognises(path: Path, start: bytes) -> bool:
    wide = start.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = start.decode("utf-16" if wide else "latin-1", "replace").removeprefix("\xef\xbb\xbf")
    return looks_like_swf(text, whole=len(start) < HEAD_BYTES)


def _write(workload: Workload) -> Written:
    text, notes = swf_text(workload)
    return Written(text, notes)


SWF = register_source(
    "swf",
    Source(
        title="Standard Workload Format",
        description="A line for each job of a batch system. Its processors become vcore, its memory that for each of them; a job "
        "larger than a node is a gang. The cluster is the one that the head of the file tells of.",
        suffixes=(".swf",),
        recognises=_recognises,
        read=read_swf,
        write=_write,
        options=(
            Option(
                "queue",
                "the queue: a path, or a pattern with {queue}, {queue_name}, {partition}, {user}, {group}, {executable}",
                str,
                "PATTERN",
            ),
            Option("processors", "which number of processors counts first", str, choices=("requested", "allocated")),
            Option("memory", "which memory a job asks for", str, choices=("requested", "used", "none")),
            Option("cores_per_node", "processors of a node", int, "N"),
            Option("memory_per_node", "memory of a node, such as 64Gi", str, "AMOUNT"),
            Option("spread", "what becomes of a job larger than a node", str, choices=SPREADS),
            Option("after", "jobs wait for the one that they name as preceding", bool),
        ),
    ),
)

"""A record as a workload: its applications as jobs, what they ran as tasks with durations, its nodes as pools. WL-12, WL-16.

- An application is a job, named like it. What it asked for later is a job of its own, `ID.2`, `ID.3` ..., since the tasks of a job
  arrive together; requests within BURST_NS are together.
- A gang's members arrive with it; its placeholders are for the scheduler to make again. Soft or hard is unknown: soft.
- A task runs for as long as it ran the last time; what was stopped for others and asked for anew is one task.
- What ran before the record began arrives at its beginning and runs for what was left. What runs at its end is taken to end there.
- What waits at the end has the usual duration (the median) of its application, or else of its queue; without one it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from statistics import median_low

from workbench.values.resources import Resource
from workbench.workloads.model import LAST_MS, Gang, Job, Pool, Tasks, Workload
from workbench.workloads.recording.notes import notes_of
from workbench.workloads.recording.record import Application, Record, Task

BURST_NS = 10**9
_MS = 10**6


def workload_of(record: Record, *, name: str = "") -> Workload:
    """What was recorded so far, whole: it may be asked for at any time."""
    return _Making(record).made(name)


class _Making:
    def __init__(self, record: Record):
        self.record = record
        self.zero = record.zero_ns if record.zero_ns is not None else record.last_ns
        self.end = max(record.last_ns, self.zero)
        self.counts: dict[str, int] = {}
        self.usual = self._usual()

    def made(self, name: str) -> Workload:
        jobs = [job for app in self.record.applications.values() for job in self._jobs(app)]
        jobs.sort(key=lambda job: job.submit_ms)
        zero = datetime.fromtimestamp(self.zero // 10**9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if self.zero else ""
        return Workload(
            jobs=tuple(jobs),
            pools=tuple(self._pools()),
            ends_ms=self._at(self.end) or None,
            zero=zero,
            name=name,
            notes=notes_of(self.record, self.counts),
        )

    def _at(self, ns: int) -> int:
        """Milliseconds since the beginning."""
        return min(max(0, (ns - self.zero) // _MS), LAST_MS)

    def _count(self, what: str, number: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + number

    # -- jobs -------------------------------------------------------------------------------------------------------------

    def _jobs(self, app: Application) -> Iterator[Job]:
        if app.rejected:
            self._count("rejected")
            return
        tasks = [each for each in app.tasks.values() if not each.placeholder and each.resource and self._counts(each)]
        durations = {each.key: found for each in tasks if (found := self._duration(app, each)) is not None}
        tasks = sorted((each for each in tasks if each.key in durations), key=lambda each: each.asked_ns)
        if not tasks:
            if all(each.placeholder for each in app.tasks.values()):
                self._count("empty")
            return
        if not app.user:
            self._count("users")
        gang = [each for each in tasks if app.gang and each.group]
        members = {each.key for each in gang}
        bursts = [gang] if gang else []
        for task in tasks:
            if task.key in members:
                continue
            if bursts and bursts[-1] is not gang and task.asked_ns - bursts[-1][0].asked_ns <= BURST_NS:
                bursts[-1].append(task)
            else:
                bursts.append([task])
        if gang:
            self._count("gangs")
        if len(bursts) > 1:
            self._count("later", len(bursts) - 1)
        for number, burst in enumerate(bursts):
            submitted = app.submitted_ns if burst is gang else burst[0].asked_ns
            yield Job(
                id=app.id if not number else self._id(app.id, number + 1),
                submit_ms=self._at(submitted),
                tasks=tuple(_kinds(burst, durations, named=burst is gang)),
                user=app.user or "nobody",
                groups=app.groups,
                queue=app.queue,
                tags={"namespace": app.namespace} if app.namespace else {},
                gang=Gang() if burst is gang else None,
            )

    def _id(self, id: str, number: int) -> str:
        """The id of a job that is a part of an application: none that an application has itself."""
        made = f"{id}.{number}"
        while made in self.record.applications:
            made += "-later"
        return made

    def _counts(self, task: Task) -> bool:
        """Whether it is of the time that was recorded."""
        return task.ended_ns is None or task.ended_ns >= self.zero

    def _duration(self, app: Application, task: Task) -> int | None:
        """How long it runs, in milliseconds; None for one that is left out."""
        if task.placed_ns is None:
            if task.ended_ns is not None:
                self._count("gave up")
                return None
            usual = self.usual.get(app.id) or self.usual.get(app.queue)
            self._count("waiting" if usual is not None else "waiting, left out")
            return usual
        if task.stopped:
            self._count("stopped")
        if task.unseen_end:
            self._count("unseen")
        if task.ended_ns is None:
            self._count("running")
        if task.placed_ns < self.zero:
            self._count("before")
        end = task.ended_ns if task.ended_ns is not None else self.end
        return max(1, (end - max(task.placed_ns, self.zero)) // _MS)

    def _usual(self) -> Mapping[str, int]:
        """Id of an application, and path of a queue -> the median of what ran there to its end."""
        found: dict[str, list[int]] = {}
        for app in self.record.applications.values():
            for task in app.tasks.values():
                if task.placed_ns is not None and task.ended_ns is not None and not task.placeholder and not task.unseen_end:
                    for key in (app.id, app.queue):
                        found.setdefault(key, []).append(max(1, (task.ended_ns - task.placed_ns) // _MS))
        return {key: median_low(each) for key, each in found.items()}

    # -- the rest ---------------------------------------------------------------------------------------------------------

    def _pools(self) -> Iterator[Pool]:
        """Equal nodes together."""
        alike: dict[tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str], ...]], int] = {}
        for _, capacity, attributes in self.record.nodes:
            key = (tuple(sorted(capacity.items())), attributes)
            alike[key] = alike.get(key, 0) + 1
        for number, ((capacity_of, attributes), count) in enumerate(alike.items()):
            yield Pool(name=f"pool{number + 1}", capacity=Resource(dict(capacity_of)), count=count, attributes=dict(attributes))


def _kinds(tasks: list[Task], durations: Mapping[str, int], *, named: bool) -> Iterator[Tasks]:
    """Equal tasks together, in the order in which the first of each was asked for."""
    alike: dict[tuple[str, Resource, int], list[int]] = {}
    for task in tasks:
        alike.setdefault((task.group if named else "", task.resource, task.priority), []).append(durations[task.key])
    for number, ((group, resource, priority), found) in enumerate(alike.items()):
        same = len(set(found)) == 1
        taken = [each[0] for each in list(alike)[:number]]
        name = f"{group}-{taken.count(group) + 1}" if group in taken and group else group
        yield Tasks(
            resource=resource,
            count=len(found),
            name=name,
            duration_ms=found[0] if same else tuple(found),
            priority=priority or None,
        )

"""What happened in a run or in a scenario, request by request, with the order of things that happen at one instant.

A moment is a `Point`: an instant, and a turn within it. At an instant of a run requests arrive first, then tasks are stopped, then
others are placed, one after the other. In a scenario everything has its own turn.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.expectations.moments import Moment, Task, What
from workbench.measures import MeasureTable, Reading, Scope, scope_of
from workbench.measures.scopes import paths_above
from workbench.runs import Run
from workbench.runs.keys import ask_key
from workbench.runs.record import NEVER, NOBODY, Fate, JobState
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, Advance, Cycle
from workbench.scheduler.records.events import (
    Allocated,
    ApplicationAccepted,
    ApplicationRejected,
    ApplicationUpdated,
    AskRejected,
    Event,
    Preempted,
    Released,
)
from workbench.simulation import driver
from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError, ScenarioError

MOST_CYCLES = 100_000
"""Cycles beyond the end of a scenario; one that goes on for ever has told its story by then."""
FIRST, STOPS = -2.0, -1.0
LAST = float("inf")


class Point(NamedTuple):
    """An instant, in nanoseconds, and the turn within it."""

    ns: int
    turn: float


End = Literal["waits", "runs", "ended", "stopped", "withdrawn"]


class Request(NamedTuple):
    """One request for one task.

    Attributes:
        job: the id of its job or application.
        key: its own.
        queue: the leaf.
        arrived: when it came.
        placed: when it was placed; None if it was not.
        over: when it ended, was stopped or was withdrawn; the end of all if it was not.
        end: how it stands then.
        takes_room: it was placed where nothing of its own job stood before; not so if it took the place of a placeholder.
        stopped_for: whom it was stopped for.
        attempt: its number in the record of a run.
    """

    job: str
    key: str
    queue: str
    arrived: Point
    placed: Point | None
    over: Point
    end: End
    takes_room: bool = True
    stopped_for: Task | None = None
    attempt: int = NOBODY

    @property
    def task(self) -> Task:
        return self.job, self.key

    @property
    def waited_until(self) -> Point:
        """When it stopped waiting."""
        return self.over if self.placed is None else self.placed


class Fact(NamedTuple):
    """What became of a job: `failed` and `rejected` say so, with the reason of the scheduler."""

    job: str
    queue: str
    arrived: Point
    over: Point
    state: Literal["", "failed", "rejected"]
    reason: str = ""


class Story(Protocol):
    """What happened, for whoever judges it."""

    @property
    def reading(self) -> Reading | None:
        """The run as measures read it; None for a scenario."""

    @property
    def end(self) -> Point:
        """Where it ends."""

    def scope(self, text: str | Scope) -> Scope:
        """A scope that is there. CommandError if there is none of that name."""

    def requests(self, scope: Scope) -> list[Request]:
        """The requests of a scope, in the order of their arrival."""

    def jobs(self, scope: Scope) -> list[Fact]:
        """The jobs of a scope that arrived."""

    def moment(
        self, at_ns: int, what: What = "", task: Task | None = None, waits: Task | None = None, queue: str = "", about: str = ""
    ) -> Moment:
        """A moment of it."""


# ---- runs -------------------------------------------------------------------------------------------------------------

_ENDS: dict[int, End] = {
    Fate.WAITS: "waits",
    Fate.RUNS: "runs",
    Fate.FINISHED: "ended",
    Fate.PREEMPTED: "stopped",
    Fate.NODE_LOST: "ended",
    Fate.TIMED_OUT: "ended",
    Fate.REPLACED: "ended",
    Fate.WITHDRAWN: "withdrawn",
}


class RunStory:
    """The story of a run."""

    def __init__(self, run: Run, table: MeasureTable):
        self.run, self.table = run, table
        self._kept: dict[Scope, list[Request]] = {}

    @property
    def reading(self) -> Reading:
        return self.table.reading

    @property
    def end(self) -> Point:
        return Point(self.run.record.ended_ns, LAST)

    def scope(self, text: str | Scope) -> Scope:
        return self.table.scope(text)

    def requests(self, scope: Scope) -> list[Request]:
        found = self._kept.get(scope)
        if found is None:
            record = self.run.record
            found = [self.request(each) for each in self.reading.attempts(scope) if record.fate[each] != Fate.REJECTED]
            found.sort(key=lambda each: (each.arrived, each.attempt))
            self._kept[scope] = found
        return found

    def jobs(self, scope: Scope) -> list[Fact]:
        record = self.run.record
        indices = list(self.reading.scopes.jobs(scope))
        if scope.kind == "queue":  # a job that was turned away is in no queue; it asked for one
            asked = (index for index, job in enumerate(record.workload.jobs) if record.job_queue[index] == NOBODY and job.queue)
            indices += [each for each in asked if scope.name in paths_above(record.workload.jobs[each].queue.lower())]
        return [self._fact(index) for index in indices if record.job_submitted_ns[index] != NEVER]

    def moment(
        self, at_ns: int, what: What = "", task: Task | None = None, waits: Task | None = None, queue: str = "", about: str = ""
    ) -> Moment:
        return Moment(self.run, at_ns, what, task, waits, queue, about)

    def request(self, attempt: int) -> Request:
        """An attempt of the record."""
        record = self.run.record
        placed, over, end = record.placed_ns[attempt], record.ended_at_ns[attempt], _ENDS[record.fate[attempt]]
        beneficiary = record.stopped_for[attempt]
        return Request(
            record.job_of(attempt).id,
            self._key(attempt),
            record.queue_of(attempt),
            Point(record.arrived_ns[attempt], FIRST),
            None if placed == NEVER else Point(placed, record.order[attempt]),
            self.end if over == NEVER else Point(over, STOPS if end == "stopped" else FIRST),
            end,
            attempt not in self._replacing,
            None if beneficiary == NOBODY else (record.job_of(beneficiary).id, self._key(beneficiary)),
            attempt,
        )

    def _key(self, attempt: int) -> str:
        record = self.run.record
        job = record.job_of(attempt)
        number = sum(each.count for each in job.tasks[: record.group[attempt]]) + record.number[attempt]
        return ask_key(job.id, number, restart=record.restart[attempt], placeholder=bool(record.placeholder[attempt]))

    @cached_property
    def _replacing(self) -> frozenset[int]:
        """The attempts that took the place of a placeholder: of each job and group so many of the first that were placed."""
        record = self.run.record
        left: dict[tuple[int, int], int] = {}
        for attempt, fate in enumerate(record.fate):
            if fate == Fate.REPLACED:
                group = (record.job[attempt], record.group[attempt])
                left[group] = left.get(group, 0) + 1
        found = set()
        for attempt in record.placements() if left else ():
            group = (record.job[attempt], record.group[attempt])
            if not record.placeholder[attempt] and left.get(group, 0):
                left[group] -= 1
                found.add(attempt)
        return frozenset(found)

    def _fact(self, index: int) -> Fact:
        record, job = self.run.record, self.run.workload.jobs[index]
        place, over, state = record.job_queue[index], record.job_ended_ns[index], record.job_state[index]
        return Fact(
            job.id,
            record.queues[place] if place != NOBODY else job.queue,
            Point(record.job_submitted_ns[index], FIRST),
            self.end if over == NEVER else Point(over, FIRST),
            "failed" if state == JobState.FAILED else "rejected" if state == JobState.REJECTED else "",
            record.job_reason.get(index, ""),
        )


# ---- scenarios --------------------------------------------------------------------------------------------------------


class ScenarioStory:
    """The story of a scenario under a design, played to its end and on until nothing changes."""

    reading = None

    def __init__(self, scenario: Scenario, config: SchedulerConfig):
        self.scenario, self.config = scenario, config
        self.engine = Engine(config, release=scenario.engine, history=False)
        self._clock = 0
        self._requests: dict[Task, Request] = {}
        self._past: list[Request] = []
        self._jobs: dict[str, Fact] = {}
        self._users: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._victims: dict[str, Task] = {}
        self._play()
        self.end = Point(self.engine.state.now_ns, LAST)
        for task, request in self._requests.items():
            self._requests[task] = request._replace(over=self.end)
        for job, fact in self._jobs.items():
            if fact.over == _OPEN:
                self._jobs[job] = fact._replace(over=self.end)

    def scope(self, text: str | Scope) -> Scope:
        scope = scope_of(text)
        names = {
            "cluster": [""],
            "queue": [queue.path for partition in self.engine.state.partitions.values() for queue in walk(partition.root)]
            + [above for fact in self._jobs.values() for above in paths_above(fact.queue)],
            "user": [user for user, _ in self._users.values()],
            "group": [group for _, groups in self._users.values() for group in groups],
            "class": [],
            "job": list(self._users),
        }[scope.kind]
        if scope.name not in names:
            there = ", ".join(dict.fromkeys(names[:10])) or "none"
            raise CommandError(f"there is no {scope.kind} {scope.name!r} in this scenario; there are {there}")
        return scope

    def requests(self, scope: Scope) -> list[Request]:
        found = [each for each in (*self._past, *self._requests.values()) if self._is_in(scope, each.job, each.queue)]
        return sorted(found, key=lambda each: each.arrived)

    def jobs(self, scope: Scope) -> list[Fact]:
        return [fact for fact in self._jobs.values() if self._is_in(scope, fact.job, fact.queue)]

    def moment(
        self, at_ns: int, what: What = "", task: Task | None = None, waits: Task | None = None, queue: str = "", about: str = ""
    ) -> Moment:
        return Moment(self.scenario, at_ns, what, task, waits, queue, about)

    def _is_in(self, scope: Scope, job: str, queue: str) -> bool:
        if scope.kind == "queue":
            return scope.name in paths_above(queue)
        user, groups = self._users.get(job, ("", ()))
        return {"cluster": True, "user": user == scope.name, "group": scope.name in groups, "job": job == scope.name}.get(
            scope.kind, False
        )

    def _play(self) -> None:
        engine, place = self.engine, driver.START
        driver.begin(engine, self.scenario.pace)
        commands = self.scenario.events
        planned = self.scenario.planned
        while not driver.finished(self.scenario, place):
            is_planned = driver.due_in_ns(engine, self.scenario, place) == 0
            command = planned[place.planned].command if is_planned else commands[place.event].command
            if isinstance(command, AddApplication):
                self._submitted(command)
            elif isinstance(command, AddAsk | AddAllocation):
                self._asked(command)
            try:
                item, place = driver.step(engine, self.scenario, place)
            except CommandError as error:
                raise ScenarioError(f"event {place.event + 1} cannot happen: {error}", source=self.scenario.name) from None
            self._heard((*item.events, *item.confirmed))
        for _ in range(MOST_CYCLES):
            if not self._cycle():
                break

    def _cycle(self) -> bool:
        """One more cycle, as a step past the end of a scenario; whether it changed something."""
        pace = self.scenario.pace
        events = self.engine.apply(Cycle())
        changed = any(decision.changed_something for decision in self.engine.decisions)
        events += self.engine.apply(Advance(ns=pace.cycle_ns + pace.message_ns))
        released = driver.announced(events) if self.scenario.confirm_releases else ()
        self._heard((*events, *(driver.confirm(self.engine, released, pace) if released else ())))
        return changed

    def _point(self) -> Point:
        self._clock += 1
        return Point(self.engine.state.now_ns, self._clock)

    def _submitted(self, command: AddApplication) -> None:
        spec = command.application
        self._users[spec.id] = (spec.user, tuple(spec.groups))
        self._jobs[spec.id] = Fact(spec.id, spec.queue.lower(), self._point(), _OPEN, "")

    def _asked(self, command: AddAsk | AddAllocation) -> None:
        ask = command.ask
        fact = self._jobs.get(ask.application_id)
        if fact is None or fact.state:
            return  # nobody takes a request of an application that was turned away
        arrived = self._point()
        request = Request(ask.application_id, ask.key, fact.queue, arrived, None, _OPEN, "waits")
        if isinstance(command, AddAllocation):
            request = request._replace(placed=arrived, end="runs", takes_room=False)
        self._requests.setdefault(request.task, request)

    def _heard(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, Preempted):
                self._victims.update(dict.fromkeys(event.victims, (event.application_id, event.key)))
        for event in events:
            if isinstance(event, ApplicationAccepted) and event.application_id in self._jobs:
                self._jobs[event.application_id] = self._jobs[event.application_id]._replace(queue=event.queue)
            elif isinstance(event, ApplicationRejected):
                self._over(event.application_id, "rejected", event.reason)
            elif isinstance(event, ApplicationUpdated) and event.state in ("Failing", "Failed"):
                self._over(event.application_id, "failed", event.message)
            elif isinstance(event, AskRejected):
                self._requests.pop((event.application_id, event.key), None)
            elif isinstance(event, Allocated):
                self._placed(event.application_id, event.key)
            elif isinstance(event, Released):
                self._released(event)

    def _over(self, job: str, state: Literal["failed", "rejected"], reason: str) -> None:
        fact = self._jobs.get(job)
        if fact is not None and not fact.state:
            self._jobs[job] = fact._replace(over=self._point(), state=state, reason=reason)

    def _placed(self, job: str, key: str) -> None:
        request = self._requests.get((job, key))
        if request is not None and request.placed is None:
            queue = self._jobs[job].queue if job in self._jobs else request.queue
            self._requests[job, key] = request._replace(placed=self._point(), end="runs", queue=queue)

    def _released(self, event: Released) -> None:
        request = self._requests.pop((event.application_id, event.key), None)
        if request is None:
            return
        stopped = event.type == "PREEMPTED_BY_SCHEDULER"
        end: End = "stopped" if stopped else "ended" if request.placed is not None else "withdrawn"
        self._past.append(
            request._replace(over=self._point(), end=end, stopped_for=self._victims.pop(event.key, None) if stopped else None)
        )


_OPEN = Point(-1, LAST)


def scenario_under(scenario: Scenario, config: SchedulerConfig | None) -> tuple[Scenario, SchedulerConfig]:
    """The scenario with a design in place of its own, if there is one."""
    if config is None:
        return scenario, scenario.config if isinstance(scenario.config, SchedulerConfig) else load_config(scenario.config)
    return replace(scenario, config=config.text or config), config

"""Plays a workload under a design: every arrival, end, restart and node event becomes a message to the engine. WL-2 to WL-5.

There is one scheduler, the engine; here is only what surrounds it: the resource manager that sends requests and confirms releases,
tasks that run for their durations, nodes that come and go. At each instant everything that is due happens; then cycles follow each
other until one changes nothing; then time jumps to what comes next: an arrival, an end, a node event, a timer of the core, or a
request that becomes old enough for something (`looks`).

Two clocks: the run's, which stands still at an instant whatever happens in it, and the engine's, on which every message takes a
microsecond, so that no two applications are submitted at one time and no order is left open. With a rate the cycles take time on
both.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.runs.agenda import Agenda, Due, Kind
from workbench.runs.elastic import Elastic
from workbench.runs.failures import Chances
from workbench.runs.keys import ask_key
from workbench.runs.ledger import Ledger
from workbench.runs.looks import Looks
from workbench.runs.reasons import Reasons
from workbench.runs.record import NOBODY, Fate, JobState, Record
from workbench.runs.submissions import MS_NS, application_of, ask_of
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import (
    AddNode,
    Advance,
    Command,
    Cycle,
    DrainNode,
    Release,
    RemoveNode,
    UndrainNode,
)
from workbench.scheduler.records.events import (
    Allocated,
    ApplicationAccepted,
    ApplicationRejected,
    ApplicationUpdated,
    AskRejected,
    Event,
    NodeRejected,
    Preempted,
    Released,
    Reserved,
)
from workbench.scheduler.records.state import Partition
from workbench.simulation import driver
from workbench.simulation.scenario import Pace, Schedule, Until
from workbench.simulation.scenario.model import Happening
from workbench.values.errors import CommandError
from workbench.workloads.model import Job, Pool, Tasks, Workload

QUICK = Pace(message_ns=1_000, cycle_ns=0)
"""A message takes a microsecond, and a cycle no time of its own."""
MOST_CYCLES = 10_000_000
"""Cycles at one instant beyond which something must be wrong."""
GANG_TIMED_OUT = "its gang was not complete when the time for it was over"
NOT_BACK = "a task of it was stopped and does not come back"


def pace_of(rate: float | None) -> Pace:
    """The pace at which at most so many are placed in a second; None: as fast as can be.

    Raises:
        CommandError: the rate is not positive.
    """
    if rate is None:
        return QUICK
    if not rate > 0:
        raise CommandError(f"the rate must be above 0 placements a second, found {rate}")
    return Pace(message_ns=QUICK.message_ns, cycle_ns=max(1, round(1e9 / rate) - QUICK.message_ns))


class Player:
    """One run.

    Args:
        config: a loaded configuration.
        workload: what arrives; checked (`workloads.checks`).
        release: of the core.
        seed: of what happens at random to nodes.
        pace: how long messages and cycles take.
        until_ns: where the run ends; None for its own end.
        commands: takes every command with the waits and cycles between them, as a scenario would say them; None to keep none.
        reasons: write down what holds back whoever waits.
    """

    def __init__(
        self,
        config: SchedulerConfig,
        workload: Workload,
        *,
        release: str,
        seed: int = 0,
        pace: Pace = QUICK,
        until_ns: int | None = None,
        commands: list[Happening] | None = None,
        reasons: bool = False,
    ):
        self.workload, self.pace, self.until_ns, self.seed = workload, pace, until_ns, seed
        self.engine = Engine(config, release=release, history=False)
        self.partition: Partition = _partition(self.engine)
        self.ledger = Ledger(workload)
        self._reasons = Reasons(self.ledger.record) if reasons else None
        self.ledger.reasons = self._reasons
        self.agenda = Agenda()
        self.looks = Looks(self.engine, self.partition)
        self.now_ns = 0
        self.live: dict[str, int] = {}
        """Key -> attempt, of all that wait or run."""
        self._commands = commands
        self._name = self.partition.name
        self._unconfirmed: tuple[Released, ...] = ()
        self._new: list[tuple[str, str]] = []
        """(application, key) of requests that arrived at this instant."""
        self._cause = Fate.WITHDRAWN
        """How those end that the scheduler releases because of what is being said to it."""
        self._preempting: dict[str, int] = {}
        """Victim -> the attempt that it is stopped for."""
        jobs = workload.jobs
        self._index = {job.id: index for index, job in enumerate(jobs)}
        self._left = array("l", [job.size for job in jobs])
        """Of each job, how many of its tasks have not ended for good."""
        self._spoilt = bytearray(len(jobs))
        """Whether a task of the job is gone for good."""
        self._gangs: dict[int, int] = {}
        """Job -> how many placeholders of its gang are still to be placed, while its tasks have not asked."""
        self._before = {index: len(set(job.after)) for index, job in enumerate(jobs) if job.after}
        """Job -> how many jobs it still waits for."""
        self._followers: dict[str, list[int]] = {}
        for index in self._before:
            for other in dict.fromkeys(jobs[index].after):
                self._followers.setdefault(other, []).append(index)
        self._arrivals = array("l", [index for index, job in enumerate(jobs) if not job.after])
        self._arrived = 0
        self.over = 0
        """How many jobs have come to their end."""
        self._pools: dict[str, Pool] = {}
        self._fragile: list[tuple[Pool, str, Chances]] = []
        self._hears: dict[type[Any], Callable[[Any], None]] = {
            Allocated: self._placed,
            Released: self._released,
            ApplicationAccepted: self._accepted,
            ApplicationRejected: self._rejected,
            ApplicationUpdated: self._updated,
            AskRejected: self._ask_rejected,
            Reserved: self._reserved,
            NodeRejected: self._node_rejected,
        }
        self._elastic = Elastic(self) if any(pool.elastic for pool in workload.pools) else None

    # ---- the run ---------------------------------------------------------------------------------------------

    def play(self, *, stop: Callable[[], bool] | None = None, tell: Callable[[float, str], None] | None = None) -> Record:
        """Everything, to the end. `stop` is asked at every instant; `tell` is told now and then how much is done, of 1."""
        self._begin()
        instants = 0
        stopped = False
        while (target := self._next()) is not None and (self.until_ns is None or _instant(target) <= self.until_ns):
            if stop is not None and stop():
                stopped = True
                break
            self._go(target)
            self._due()
            self._cycles()
            self._rest()
            instants += 1
            if tell is not None and instants % 256 == 0:
                tell(*self.progress())
        # The end of time counts for what waits or runs until then; without one, the last thing that happened does.
        self.now_ns = self.now_ns if stopped else self.ledger.changed_ns if self.until_ns is None else self.until_ns
        if self._reasons is not None:
            self._reasons.ended(self)
        return self.ledger.close(self.now_ns)

    def progress(self) -> tuple[float, str]:
        """How much is done, of 1, and a phrase for it."""
        count = len(self.workload.jobs)
        done = self.over / count if count else 1.0
        if self.until_ns:
            done = max(done, min(1.0, self.now_ns / self.until_ns))
        return done, f"{self.over} of {count} jobs, at {self.now_ns / 3.6e12:.1f} h"

    def _begin(self) -> None:
        driver.begin(self.engine, self.pace)
        for pool in self.workload.pools:
            for number in range(pool.count):
                node_id = pool.node_id(number)
                self.add_node(pool, node_id)
                if pool.fails_every_ms:
                    self._fragile.append((pool, node_id, Chances(self.seed, pool, number)))
        for place in range(len(self._fragile)):
            self._plan_failure(place)
        for index, event in enumerate(self.workload.node_events):
            self.agenda.plan(event.at_ms * MS_NS, Kind.NODE, index)
        self._due()
        self._cycles()
        self._rest()

    def _next(self) -> int | None:
        """The next instant on the engine's clock at which something happens; None if nothing will."""
        arrival = self._next_arrival_ns()
        if arrival is None and not self.ledger.running and self.agenda.only_wear:
            # Nobody comes and nobody leaves: what waits can only wait for the clock, and that not for ever.
            if not self.ledger.waiting:
                return None
            due = [self.engine.next_due_ns()]
            if not self.looks.only_repeats(self.ledger.changed_ns):
                due.append(self.looks.next_ns())
        else:
            due = [arrival, self.agenda.next_ns]
            if self.ledger.waiting:
                due += [self.engine.next_due_ns(), self.looks.next_ns()]
        return min((each for each in due if each is not None), default=None)

    def _next_arrival_ns(self) -> int | None:
        if self._arrived == len(self._arrivals):
            return None
        return self.workload.jobs[self._arrivals[self._arrived]].submit_ms * MS_NS

    def _go(self, target_ns: int) -> None:
        """Time passes up to an instant; timers of the core fire in it."""
        self.now_ns = self.ledger.now_ns = max(self.now_ns, _instant(target_ns))
        passes_ns = target_ns - self.engine.state.now_ns
        if passes_ns > 0:
            if self._commands is not None:
                self._commands.append(Until(target_ns))
            self._handle(self.engine.apply(Advance(ns=passes_ns)))
            self._confirm()
        self.looks.begin()

    def _due(self) -> None:
        """Everything happens whose time has come."""
        until_ns = self.now_ns
        while (due := self.agenda.take(until_ns)) is not None:
            self._happens(due)
        while (at_ns := self._next_arrival_ns()) is not None and at_ns <= until_ns:
            self._arrived += 1
            self._submit(self._arrivals[self._arrived - 1])

    def _cycles(self) -> None:
        """Cycles, until one changes nothing and no release is left to confirm."""
        for _ in range(MOST_CYCLES):
            # A cycle with nobody waiting looks at nothing.
            if not self.ledger.waiting and not self._unconfirmed:
                return
            since_ns = self.engine.state.now_ns
            events = self.engine.apply(Cycle())
            changed = any(decision.changed_something for decision in self.engine.decisions)
            if self._commands is not None:
                self._commands.append(Schedule(1))
            for event in events:
                if type(event) is Preempted:  # it is told after the releases that it is the reason of
                    self._warned(event)
            self._handle(events + self.engine.apply(Advance(ns=self.pace.cycle_ns + self.pace.message_ns)))
            if self.pace.cycle_ns:
                self.now_ns = self.ledger.now_ns = max(self.now_ns, self.engine.state.now_ns // MS_NS * MS_NS)
            confirmed = self._confirm()
            if self.pace.cycle_ns:
                self._due()
            if not changed and not confirmed and not self.looks.unfinished(since_ns):
                return
        raise CommandError(f"at {self.now_ns / 1e9:g} s the scheduler did not come to rest in {MOST_CYCLES} cycles")

    def _rest(self) -> None:
        """Nothing changes any more at this instant."""
        for application_id, key in self._new:
            self.looks.waits(application_id, key)
        self._new.clear()
        self.looks.end()
        if self._elastic is not None:
            self._elastic.rested()
        if self._reasons is not None:
            self._reasons.rested(self)

    # ---- to the scheduler ------------------------------------------------------------------------------------

    def send(self, command: Command) -> None:
        """One message, and what the scheduler answers."""
        if self._commands is not None:
            self._commands.append(command)
        self._handle(driver.send(self.engine, command, self.pace))

    def _confirm(self) -> bool:
        """The resource manager confirms what the scheduler released; whether there was anything."""
        releases, self._unconfirmed = self._unconfirmed, ()
        if not releases:
            return False
        # What the answers announce is confirmed after the next cycle, as in a scenario.
        self._handle(driver.confirm(self.engine, releases, self.pace))
        return True

    def add_node(self, pool: Pool, node_id: str) -> None:
        """A node of a pool registers."""
        self._pools[node_id] = pool
        self._register(
            node_id,
            AddNode(node_id=node_id, capacity=pool.capacity, attributes=pool.attributes, taints=pool.taints, partition=self._name),
        )

    def remove_node(self, node_id: str) -> None:
        """A node is gone, with all that ran on it."""
        self.ledger.node_changed(node_id, None)
        self._cause = Fate.NODE_LOST
        self.send(RemoveNode(node_id=node_id, partition=self._name))
        self._cause = Fate.WITHDRAWN

    def _register(self, node_id: str, command: AddNode) -> None:
        self.ledger.node_changed(node_id, command.capacity)
        self.send(command)

    # ---- what happens ----------------------------------------------------------------------------------------

    def _happens(self, due: Due) -> None:
        if due.kind is Kind.END:
            self._ends(due.what)
        elif due.kind is Kind.COMES_BACK:
            self._comes_back(due.what)
        elif due.kind is Kind.SUBMIT:
            self._submit(due.what)
        elif due.kind is Kind.NODE:
            self._node_event(due.what)
        elif due.kind is Kind.FAILS:
            pool, node_id, _ = self._fragile[due.what]
            if node_id in self.partition.nodes:
                self.remove_node(node_id)
            self.agenda.plan(self.now_ns + pool.repair_ms * MS_NS, Kind.REPAIRED, due.what)
        elif due.kind is Kind.REPAIRED:
            pool, node_id, _ = self._fragile[due.what]
            if node_id not in self.partition.nodes:
                self.add_node(pool, node_id)
            self._plan_failure(due.what)
        elif self._elastic is not None:
            self._elastic.happens(due)

    def _plan_failure(self, place: int) -> None:
        self.agenda.plan(self.now_ns + self._fragile[place][2].next_ms() * MS_NS, Kind.FAILS, place)

    def _node_event(self, index: int) -> None:
        event = self.workload.node_events[index]
        node_id = event.node_id
        if event.happens == "added":
            capacity = event.capacity or (self._pools[node_id].capacity if node_id in self._pools else None)
            if capacity is not None:
                self._register(
                    node_id,
                    AddNode(
                        node_id=node_id,
                        capacity=capacity,
                        attributes=event.attributes,
                        taints=event.taints,
                        partition=self._name,
                    ),
                )
        elif node_id not in self.partition.nodes:
            return
        elif event.happens == "removed":
            self.remove_node(node_id)
        else:
            drains = event.happens == "drained"
            self.ledger.node_changed(node_id, self.partition.nodes[node_id].capacity, schedulable=not drains)
            kind = DrainNode if drains else UndrainNode
            self.send(kind(node_id=node_id, partition=self._name))

    def _submit(self, index: int) -> None:
        job = self.workload.jobs[index]
        self.ledger.submitted(index)
        self.send(application_of(job, self._name))
        if self.ledger.record.job_state[index] == JobState.REJECTED:
            return
        if job.gang is None:
            self._ask_all(index)
            return
        self._gangs[index] = job.size
        for group, _, number, within in _tasks_of(job):
            self._ask(index, group, within, number, placeholder=True)

    def _ask_all(self, index: int) -> None:
        for group, _, number, within in _tasks_of(self.workload.jobs[index]):
            self._ask(index, group, within, number)

    def _ask(
        self, index: int, group: int, within: int, number: int, *, restart: int = 0, placeholder: bool = False, kept_ns: int = 0
    ) -> None:
        job = self.workload.jobs[index]
        command = ask_of(job, job.tasks[group], number, self._name, restart=restart, placeholder=placeholder)
        key = command.ask.key
        attempt = self.ledger.asked(index, group, within, key, restart=restart, placeholder=placeholder, kept_ns=kept_ns)
        self.live[key] = attempt
        self._new.append((job.id, key))
        self.send(command)

    def _ends(self, attempt: int) -> None:
        """A task has run for its duration, unless it was stopped before."""
        record = self.ledger.record
        if record.fate[attempt] != Fate.RUNS:
            return
        index = record.job[attempt]
        job = self.workload.jobs[index]
        key = self._key(attempt)
        del self.live[key]
        self.ledger.over(attempt, Fate.FINISHED)
        self._touched(attempt)
        self.send(Release(application_id=job.id, key=key, partition=self._name))
        self._one_less(index)

    def _comes_back(self, stopped: int) -> None:
        """A task that was stopped asks again, in a new application if the old one has ended meanwhile."""
        record = self.ledger.record
        index = record.job[stopped]
        job = self.workload.jobs[index]
        if record.job_state[index] in (JobState.REJECTED, JobState.FAILED):
            return
        if job.id not in self.partition.applications:
            again = application_of(job, self._name)
            # Its gang has had its turn.
            self.send(replace(again, application=replace(again.application, placeholder_ask=None, gang_style="")))
            if record.job_state[index] == JobState.REJECTED:
                return
        number = self._number(stopped)
        self._ask(
            index,
            record.group[stopped],
            record.number[stopped],
            number,
            restart=record.restart[stopped] + 1,
            kept_ns=self._kept_ns(stopped),
        )

    # ---- what the scheduler says -----------------------------------------------------------------------------

    def _handle(self, events: Iterable[Event]) -> None:
        for event in events:
            hears = self._hears.get(type(event))
            if hears is not None:
                hears(event)

    def _warned(self, event: Preempted) -> None:
        """Some are stopped for a request; their releases are announced one by one."""
        self._preempting.update(dict.fromkeys(event.victims, self.live.get(event.key, NOBODY)))

    def _ask_rejected(self, event: AskRejected) -> None:
        attempt = self.live.pop(event.key, None)
        if attempt is not None:
            self.ledger.over(attempt, Fate.REJECTED)
            self._gone(attempt, event.reason)

    def _accepted(self, event: ApplicationAccepted) -> None:
        self.ledger.accepted(self._index[event.application_id], event.queue)

    def _rejected(self, event: ApplicationRejected) -> None:
        self._job_over(self._index[event.application_id], JobState.REJECTED, event.reason)

    def _reserved(self, event: Reserved) -> None:
        self.ledger.record.reservations += 1

    def _node_rejected(self, event: NodeRejected) -> None:
        self.ledger.node_changed(event.node_id, None)

    def _placed(self, event: Allocated) -> None:
        attempt = self.live.get(event.key)
        if attempt is None:
            return
        record = self.ledger.record
        index = record.job[attempt]
        self.ledger.placed(attempt, event.node_id)
        self._touched(attempt)
        if record.placeholder[attempt]:
            left = self._gangs.get(index)
            if left is not None:
                self._gangs[index] = left - 1
                if left == 1:
                    self._gang_is_complete(index)
            return
        duration_ms = self.ledger.record.tasks_of(attempt).duration_of(record.number[attempt])
        if duration_ms is not None:
            runs_ns = max(0, duration_ms * MS_NS - record.kept_ns[attempt])
            self.agenda.plan(self.now_ns + self.workload.start_delay_ms * MS_NS + runs_ns, Kind.END, attempt)

    def _released(self, event: Released) -> None:
        if event.type != driver.BY_RESOURCE_MANAGER:
            self._unconfirmed += (event,)
        attempt = self.live.pop(event.key, None)
        if attempt is None:
            return
        self._touched(attempt)
        if event.type == "PREEMPTED_BY_SCHEDULER":
            self.ledger.over(attempt, Fate.PREEMPTED, stopped_for=self._preempting.pop(event.key, NOBODY))
            self._stopped(attempt)
        elif event.type == "PLACEHOLDER_REPLACED":
            self.ledger.over(attempt, Fate.REPLACED)
        elif event.type == "TIMEOUT":
            self.ledger.over(attempt, Fate.TIMED_OUT)
        else:
            self.ledger.over(attempt, self._cause)
            if self._cause is Fate.NODE_LOST:
                self._stopped(attempt)
            else:
                self._gone(attempt, event.message or NOT_BACK)

    def _stopped(self, attempt: int) -> None:
        """A task was stopped in the midst of its run: it comes back, or is gone."""
        record = self.ledger.record
        if record.placeholder[attempt]:
            return  # nobody makes it again; the time-out of the gang sees to the rest
        after_ms = self.workload.restarts.comes_back_after_ms
        if after_ms is None:
            self._gone(attempt, NOT_BACK)
        else:
            self.agenda.plan(self.now_ns + after_ms * MS_NS, Kind.COMES_BACK, attempt)

    def _gone(self, attempt: int, reason: str) -> None:
        """A task will not run to its end."""
        record = self.ledger.record
        if record.placeholder[attempt]:
            return
        index = record.job[attempt]
        self._spoilt[index] = 1
        record.job_reason.setdefault(index, reason)
        self._one_less(index)

    def _one_less(self, index: int) -> None:
        self._left[index] -= 1
        if not self._left[index]:
            self._job_over(index, JobState.FAILED if self._spoilt[index] else JobState.FINISHED)

    def _job_over(self, index: int, state: JobState, reason: str = "") -> None:
        self.ledger.job_over(index, state, reason)
        self._gangs.pop(index, None)
        self.over += 1
        for follower in self._followers.get(self.workload.jobs[index].id, ()):
            self._before[follower] -= 1
            if not self._before[follower]:
                self.agenda.plan(max(self.now_ns, self.workload.jobs[follower].submit_ms * MS_NS), Kind.SUBMIT, follower)

    def _gang_is_complete(self, index: int) -> None:
        del self._gangs[index]
        self._ask_all(index)

    def _updated(self, event: ApplicationUpdated) -> None:
        """A gang whose time is over runs without its placeholders, or fails. R-722, R-723."""
        if event.state not in ("Resuming", "Failing", "Failed"):
            return
        index = self._index[event.application_id]
        if index not in self._gangs:
            return
        if event.state == "Resuming":
            self._gang_is_complete(index)
            return
        record, prefix = self.ledger.record, self.workload.jobs[index].id
        for number in range(self.workload.jobs[index].size):
            attempt = self.live.get(ask_key(prefix, number, placeholder=True))
            if attempt is not None and record.fate[attempt] == Fate.WAITS:
                del self.live[ask_key(prefix, number, placeholder=True)]
                self.ledger.over(attempt, Fate.TIMED_OUT)
        self._job_over(index, JobState.FAILED, GANG_TIMED_OUT)

    # ---- small things ----------------------------------------------------------------------------------------

    def _kept_ns(self, attempt: int) -> int:
        """The work of an attempt that was stopped that need not be done again, with what was kept before. WL-3"""
        record, restarts = self.ledger.record, self.workload.restarts
        ran_ns = record.ended_at_ns[attempt] - record.placed_ns[attempt] - self.workload.start_delay_ms * MS_NS
        if restarts.how == "from_start":
            return 0
        ran_ns = max(0, ran_ns)
        if restarts.how == "checkpoint":
            step_ns = restarts.checkpoint_ms * MS_NS
            ran_ns -= ran_ns % step_ns
        return record.kept_ns[attempt] + ran_ns

    def _number(self, attempt: int) -> int:
        """The number of the task of an attempt among all tasks of its job."""
        record = self.ledger.record
        job = self.workload.jobs[record.job[attempt]]
        return sum(each.count for each in job.tasks[: record.group[attempt]]) + record.number[attempt]

    def _key(self, attempt: int) -> str:
        record = self.ledger.record
        return ask_key(
            self.workload.jobs[record.job[attempt]].id,
            self._number(attempt),
            restart=record.restart[attempt],
            placeholder=bool(record.placeholder[attempt]),
        )

    def _touched(self, attempt: int) -> None:
        if self._elastic is not None:
            self._elastic.touched(attempt)


def _tasks_of(job: Job) -> Iterator[tuple[int, Tasks, int, int]]:
    """Every task of a job: its kind and the kind's index, its number in the job, and its number among its kind."""
    number = 0
    for group, tasks in enumerate(job.tasks):
        for within in range(tasks.count):
            yield group, tasks, number, within
            number += 1


def _instant(engine_ns: int) -> int:
    """The run's instant of a time on the engine's clock, on which what the core times itself comes some microseconds later."""
    return engine_ns // MS_NS * MS_NS


def _partition(engine: Engine) -> Partition:
    """Where the jobs go: the partition "default", or the first that there is."""
    partitions = engine.state.partitions
    return partitions.get("default") or next(iter(partitions.values()))

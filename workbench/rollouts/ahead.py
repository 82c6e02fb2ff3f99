"""A cluster played on from now: the scheduler decides, a resource manager confirms what it stops, and nobody ends by himself.

How long what runs goes on to run is not known, so nothing of it ends. What is preempted asks again after 5 s, as a controller would
make it (WL-3); the placeholders of a gang do not. Planned inputs happen when their time comes. Cycles follow each other until one
changes nothing; then time jumps to what comes next, as in a run of a workload: an input, a timer of the core, or a request that
becomes old enough for something (`runs.looks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from workbench.rollouts.course import Course, Gone, Refused, Started, Stopped, Use, Who
from workbench.runs.looks import Looks
from workbench.runs.player import MOST_CYCLES, QUICK
from workbench.scheduler.engine import Engine
from workbench.scheduler.housekeeping import SHORTEST_NS
from workbench.scheduler.objects.tree import removable, walk
from workbench.scheduler.preemption.effects import PREEMPTED
from workbench.scheduler.records.commands import AddAsk, Advance, AskSpec, Command, Cycle, UpdateConfig
from workbench.scheduler.records.events import (
    Allocated,
    ApplicationRejected,
    AskRejected,
    ConfigRejected,
    Event,
    Preempted,
    QueueRemoved,
    Released,
)
from workbench.scheduler.records.state import Allocation, Application, Partition
from workbench.simulation import driver
from workbench.simulation.scenario import Planned
from workbench.values.errors import CommandError, ConfigError
from workbench.values.resources import EMPTY, Resource, is_zero

MINUTE_NS = 60 * 10**9
MS_NS = driver.MS_NS
TIMED_OUT = "TIMEOUT"
LOOK_NS = 100 * MS_NS
"""Requests become old enough one by one, thousands of them a millisecond apart; they are looked at ten times a second."""


COMES_BACK_NS = 5 * 10**9
"""After what time a controller makes anew what was stopped. WL-3"""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment that can be come back to."""

    engine: int
    planned: int
    unconfirmed: tuple[Released, ...]
    coming: tuple[tuple[int, AddAsk], ...]


class Ahead:
    """An engine that is played on, and taken back.

    Args:
        engine: at the moment from which it is played on, with history.
        planned: inputs with a time that are still to come, the earliest first.
        unconfirmed: releases that the resource manager has not answered yet.
        comes_back_ns: after what time those that are preempted ask again; None for never.
    """

    def __init__(
        self,
        engine: Engine,
        planned: Iterable[Planned] = (),
        unconfirmed: tuple[Released, ...] = (),
        *,
        comes_back_ns: int | None = COMES_BACK_NS,
    ):
        self.engine = engine
        self._planned = tuple(planned)
        self._done = 0
        self._unconfirmed = unconfirmed
        self._comes_back_ns = comes_back_ns
        self._coming: tuple[tuple[int, AddAsk], ...] = ()
        """(when, request) of those that were stopped, the earliest first."""
        self._looks: list[Looks] = []
        self._known: set[Who] = set()
        self._came = False
        """Whether requests may have come that `_known` lacks."""
        self._changed_ns = 0
        self._told = _Told(engine)

    def mark(self) -> Mark:
        """This moment."""
        return Mark(self.engine.mark, self._done, self._unconfirmed, self._coming)

    def return_to(self, mark: Mark) -> None:
        """Be at an earlier moment again."""
        self.engine.unwind(mark.engine)
        self._done, self._unconfirmed, self._coming = mark.planned, mark.unconfirmed, mark.coming

    def reload(self, text: str) -> None:
        """Apply a configuration now, as on a live cluster, which has the same partitions.

        Raises:
            ConfigError: the scheduler rejects it, and nothing changed.
        """
        for event in self.engine.apply(UpdateConfig(config=text)):
            if isinstance(event, ConfigRejected):
                raise ConfigError(event.reason)

    def play(self, minutes: int) -> Course:
        """Let so much time pass; what happened in it."""
        told = self._told.began()
        self._known.clear()
        self._came = True
        began_ns = self._changed_ns = self.engine.state.now_ns
        end_ns = began_ns + minutes * MINUTE_NS
        self._looks = [Looks(self.engine, each, end_ns) for each in self.engine.state.partitions.values()]
        uses: list[Mapping[str, Use]] = [self._uses()]
        waiting = self._waiting()
        self._rest()
        while (at_ns := self._next()) is not None and at_ns <= end_ns:
            while began_ns + len(uses) * MINUTE_NS < at_ns:
                uses.append(self._uses())
            self._go(at_ns)
            self._rest()
        while len(uses) <= minutes:
            uses.append(self._uses())
        if end_ns > self.engine.state.now_ns:
            self._go(end_ns)
        return Course(
            minutes,
            tuple(told.started),
            tuple(told.stopped),
            tuple(told.refused),
            tuple(told.gone),
            tuple(uses),
            waiting,
            self._waiting(),
        )

    # ---- time ------------------------------------------------------------------------------------------------

    def _next(self) -> int | None:
        """The next instant at which something can happen; None if nothing will."""
        due = [self.engine.next_due_ns()]
        if self._done < len(self._planned):
            due.append(self._planned[self._done].at_ms * MS_NS)
        if self._coming:
            due.append(self._coming[0][0])
        if self._waits():
            looks = [each.next_ns(of_requests=not each.only_repeats(self._changed_ns)) for each in self._looks]
            due += [-(-at_ns // LOOK_NS) * LOOK_NS for at_ns in looks if at_ns is not None]
        due.append(self._cleans_ns())
        return min((each for each in due if each is not None), default=None)

    def _cleans_ns(self) -> int | None:
        """When an empty queue that drains, or that came of itself, is next looked for. C-163"""
        for partition in self._partitions:
            for queue in walk(partition.root):
                if removable(queue) and not queue.applications and not queue.children:
                    return (self.engine.state.now_ns // SHORTEST_NS + 1) * SHORTEST_NS
        return None

    def _go(self, target_ns: int) -> None:
        passes_ns = target_ns - self.engine.state.now_ns
        if passes_ns > 0:
            self._hear(self.engine.apply(Advance(ns=passes_ns)))
            self._confirm()
        for each in self._looks:
            each.begin()

    def _rest(self) -> None:
        """Everything that is due happens, then cycles follow each other until one changes nothing."""
        now_ns = self.engine.state.now_ns
        while self._done < len(self._planned) and self._planned[self._done].at_ms * MS_NS <= now_ns:
            self._done += 1
            self._arrive(self._planned[self._done - 1].command)
        while self._coming and self._coming[0][0] <= now_ns:
            command, self._coming = self._coming[0][1], self._coming[1:]
            partition = self.engine.state.partitions.get(command.partition.lower())
            if partition is not None and command.ask.application_id in partition.applications:
                self._arrive(command)
        self._cycles()
        for partition, looks in zip(self._partitions, self._looks):
            if self._came:
                for application, ask in _asks(partition):
                    who = application.id, ask.key
                    if who not in self._known:
                        self._known.add(who)
                        looks.waits(*who)
            looks.end()
        self._came = False

    def _arrive(self, command: Command) -> None:
        self._came = True
        try:
            self._hear(driver.send(self.engine, command, QUICK))
        except CommandError:
            pass  # its partition is gone: the core would only log it

    def _cycles(self) -> None:
        for _ in range(MOST_CYCLES):
            if not self._waits() and not self._unconfirmed:
                return
            since_ns = self.engine.state.now_ns
            events = self.engine.apply(Cycle())
            changed = any(decision.changed_something for decision in self.engine.decisions)
            self._hear(events + self.engine.apply(Advance(ns=QUICK.message_ns)))
            confirmed = self._confirm()
            if not changed and not confirmed and not any(each.unfinished(since_ns) for each in self._looks):
                return
        raise CommandError(f"the scheduler did not come to rest in {MOST_CYCLES} cycles")

    def _confirm(self) -> bool:
        releases, self._unconfirmed = self._unconfirmed, ()
        if releases:
            self._hear(driver.confirm(self.engine, releases, QUICK))
        return bool(releases)

    # ---- what is there ---------------------------------------------------------------------------------------

    @property
    def _partitions(self) -> tuple[Partition, ...]:
        return tuple(self.engine.state.partitions.values())

    def _waits(self) -> bool:
        return any(not is_zero(each.root.pending) for each in self._partitions)

    def _waiting(self) -> dict[Who, str]:
        return {
            self._told.who(application.id, ask.key): application.queue_path
            for partition in self._partitions
            for application, ask in _asks(partition)
        }

    def _uses(self) -> dict[str, Use]:
        return {
            queue.path: Use(_plain(queue.allocated), _plain(queue.pending))
            for partition in self._partitions
            for queue in walk(partition.root)
        }

    def _hear(self, events: tuple[Event, ...]) -> None:
        if events and self._told.hear(events):
            self._changed_ns = self.engine.state.now_ns
        self._unconfirmed += driver.announced(events)
        if self._comes_back_ns is not None:
            back_ns = self.engine.state.now_ns + self._comes_back_ns
            self._coming += tuple((back_ns, command) for command in self._told.restarts)
        self._told.restarts.clear()


def _asks(partition: Partition) -> Iterator[tuple[Application, Allocation]]:
    """Every request that waits, the oldest application first."""
    for application in sorted(partition.applications.values(), key=lambda each: each.seq):
        if application.queue is not None:
            for ask in application.ask_order:
                if not ask.allocated:
                    yield application, ask


def _plain(resource: Resource) -> Resource:
    """Without types of which there is nothing."""
    return Resource({kind: amount for kind, amount in resource.items() if amount}) if resource else EMPTY


class _Told:
    """What the scheduler said, sorted by what people ask for."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._origins: dict[Who, tuple[str, int]] = {}
        """Of one who came back, (the key that he had at first, how often he was stopped)."""
        self.restarts: list[AddAsk] = []
        """Requests of those that were stopped, to come."""
        self.began()

    def began(self) -> _Told:
        """From now on, with empty lists."""
        self._began_ns = self._engine.state.now_ns
        self.started: list[Started] = []
        self.stopped: list[Stopped] = []
        self.refused: list[Refused] = []
        self.gone: list[Gone] = []
        return self

    def hear(self, events: tuple[Event, ...]) -> bool:
        """Whether something started or was stopped."""
        at_ns = self._engine.state.now_ns - self._began_ns
        # A preemption is told after the releases that it is the reason of.
        asks = {(each.node_id, victim): each for each in events if isinstance(each, Preempted) for victim in each.victims}
        changed = False
        for event in events:
            if isinstance(event, Allocated):
                application = self._application(event.application_id)
                queue = application.queue_path if application is not None else ""
                who, again = self.who(event.application_id, event.key), self._times(event.application_id, event.key)
                self.started.append(Started(at_ns, who, queue, event.node_id, again))
                changed = True
            elif isinstance(event, Released):
                changed = True
                self._released(event, at_ns, asks)
            elif isinstance(event, ApplicationRejected):
                self.refused.append(Refused(at_ns, event.application_id, "", event.reason))
            elif isinstance(event, AskRejected):
                self.refused.append(Refused(at_ns, event.application_id, event.key, event.reason))
            elif isinstance(event, QueueRemoved):
                self.gone.append(Gone(at_ns, event.queue))
        return changed

    def _released(self, event: Released, at_ns: int, asks: Mapping[tuple[str, str], Preempted]) -> None:
        application = self._application(event.application_id)
        allocation = application.allocations.get(event.key) if application is not None else None
        if application is None or allocation is None:
            return  # it did not run
        held = self.who(event.application_id, event.key), application.queue_path, allocation.resource
        again = self._times(event.application_id, event.key)
        if event.type == TIMED_OUT:
            self.stopped.append(Stopped(at_ns, *held, "timeout", again=again))
        elif event.type == PREEMPTED:
            if not allocation.placeholder:
                self.restarts.append(self._restart(application, allocation))
            cause = asks.get((allocation.node_id, event.key))
            if cause is None:
                self.stopped.append(Stopped(at_ns, *held, "quota", again=again))
                return
            taker = self._application(cause.application_id)
            queue = taker.queue_path if taker is not None else ""
            for_whom = self.who(cause.application_id, cause.key)
            self.stopped.append(Stopped(at_ns, *held, "request", for_whom, queue, again))

    def who(self, application_id: str, key: str) -> Who:
        """By the key that he had at first."""
        return application_id, self._origins.get((application_id, key), (key, 0))[0]

    def _times(self, application_id: str, key: str) -> int:
        return self._origins.get((application_id, key), (key, 0))[1]

    def _restart(self, application: Application, allocation: Allocation) -> AddAsk:
        """The request that a controller would make in place of what was stopped."""
        _, origin = self.who(application.id, allocation.key)
        times = self._times(application.id, allocation.key) + 1
        key = f"{origin}-again-{times}"
        while key in application.asks:
            key += "-again"
        self._origins[application.id, key] = origin, times
        ask = AskSpec(
            application_id=application.id,
            key=key,
            resource=allocation.resource,
            priority=allocation.priority,
            task_group=allocation.task_group,
            originator=allocation.originator,
            allow_preempt_self=allocation.allow_preempt_self,
            allow_preempt_other=allocation.allow_preempt_other,
            required_node=allocation.required_node,
            allowed_nodes=None if allocation.allowed_nodes is None else tuple(sorted(allocation.allowed_nodes)),
            node_selector=allocation.node_selector,
            tolerations=allocation.tolerations,
            tags=allocation.tags,
        )
        return AddAsk(ask=ask, partition=self._partition_of(application).name)

    def _partition_of(self, application: Application) -> Partition:
        return next(each for each in self._engine.state.partitions.values() if each.applications.get(application.id) is application)

    def _application(self, id: str) -> Application | None:
        for partition in self._engine.state.partitions.values():
            if id in partition.applications:
                return partition.applications[id]
        return None

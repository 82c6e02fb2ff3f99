"""What happens in the next minutes, with controllers at work: what preemption stops is asked for again at once.

On a real cluster a stopped pod is seldom gone for good. Whatever made it, a deployment or a job, makes another one, which waits
in the queue, and may stop something itself. One look at a design does not show where that leads; letting time pass does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench import explain
from workbench.bench.study import at_once, study_of
from workbench.bench.workbench import Workbench
from workbench.explain.wording import amounts, clock, listing, name
from workbench.scheduler.objects.tree import leaves
from workbench.scheduler.records.commands import AddAsk, AskSpec
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.refusals.preemption import CheckedRecently, TooEarly
from workbench.scheduler.records.state import Allocation, Partition
from workbench.simulation.simulation import Simulation
from workbench.values.errors import CommandError

WATCHED_CAPTION = "What happened, with everything that was stopped coming back as a new request"
WATCHED_COLUMNS = ("time", "request", "queue", "what happens")
NOTHING_WATCHED = "Nothing started, and nothing was stopped."
STARTS = "starts"

SECOND_NS = 10**9
LONGEST_LOOK_NS = 15 * SECOND_NS
"""The core looks at a waiting request at least that often (P-23)."""
MOST_SECONDS = 3600
MOST_STEPS = 5000
"""More than that in an hour is no lesson any more."""
LIFE = "."
"""Stands between the name of a request and the number of its life: B1, B1.2, B1.3."""

Running = dict[tuple[str, str], tuple[Allocation, str]]
"""(application id, key) -> allocation and the path of its queue."""
Lives = dict[tuple[str, str], tuple[str, int]]
"""(application id, key) -> the key of its first life, and which one this is."""


@dataclass(frozen=True)
class Stopped:
    """One allocation that preemption stopped: its application and key, the path of its queue, and which life it was in."""

    application_id: str
    key: str
    queue: str
    life: int


@dataclass(frozen=True)
class Happening:
    """A decision while watching: a request that started, or that stopped something to be able to.

    Attributes:
        now_ns: when, in simulated time.
        waited_ns: since the request was put in.
        key, queue: the request and the path of its queue.
        starts: it got its place; otherwise room was made for it.
    """

    now_ns: int
    waited_ns: int
    key: str
    queue: str
    starts: bool
    stopped: tuple[Stopped, ...] = ()


@dataclass(frozen=True)
class Watched:
    """What happened in so many seconds. Shows itself as a table.

    Attributes:
        happenings: in order.
        simulation: the state at the end.
    """

    seconds: float
    happenings: tuple[Happening, ...]
    simulation: Simulation

    @property
    def stopped(self) -> tuple[Stopped, ...]:
        """Everything that was stopped, in order."""
        return tuple(each for happening in self.happenings for each in happening.stopped)

    @property
    def returned(self) -> tuple[Stopped, ...]:
        """What was stopped although it had been stopped, and come back, before."""
        return tuple(each for each in self.stopped if each.life > 1)

    def start_of(self, key: str) -> float | None:
        """Seconds that a request had waited when it started; None if it did not."""
        return next((each.waited_ns / SECOND_NS for each in self.happenings if each.starts and each.key == key), None)

    def stop_for(self, key: str) -> float | None:
        """Seconds that a request had waited when something was stopped for it; None if nothing was."""
        return next((each.waited_ns / SECOND_NS for each in self.happenings if each.stopped and each.key == key), None)

    def __repr__(self) -> str:
        made_room = {each.key for each in self.happenings if each.stopped}
        # Who made room starts a moment later; that goes without saying.
        shown = [each for each in self.happenings if each.stopped or each.key not in made_room]
        rows = tuple((clock(each.now_ns), name(each.key), name(each.queue), _what(each)) for each in shown)
        table = explain.render(explain.Table(WATCHED_CAPTION, WATCHED_COLUMNS, rows, frozenset(("time",)), empty=NOTHING_WATCHED))
        ends = [
            (name(leaf.name), amounts(leaf.allocated))
            for partition in self.simulation.state.partitions.values()
            for leaf in leaves(partition.root)
        ]
        return "\n".join([table, seen_in_all(self.seconds, len(self.stopped), len(self.returned)), held_at_the_end(ends)])


def watch(bench: Workbench, seconds: float = 300) -> Watched:
    """Let so many seconds of simulated time pass in a copy of a workbench, which stays as it is.

    Whatever preemption stops comes back at once as a new request of the same size and priority.

    Raises:
        CommandError: for no time, or more than an hour.
    """
    return watched(at_once(study_of(bench.simulation)), seconds)


def watched(simulation: Simulation, seconds: float) -> Watched:
    """The same with a simulation, which moves on."""
    if not 0 < seconds <= MOST_SECONDS:
        raise CommandError(no_time_to_watch(seconds, MOST_SECONDS))
    begin = simulation.now_ns
    lives: Lives = {}
    seen: list[Happening] = []
    while len(seen) < MOST_STEPS:
        partition = simulation.state.partitions["default"]
        running = _running(partition)
        decision, left_ns = simulation.step(), begin + round(seconds * SECOND_NS) - simulation.now_ns
        if decision.changed_something:
            happening = _happening(decision, partition, running, lives)
            seen.append(happening)
            for each in happening.stopped:
                _come_back(simulation, running[each.application_id, each.key], lives)
        elif left_ns <= 0:
            break
        else:
            simulation.advance(-(-min(left_ns, _until_the_next_look(simulation)) // 1_000_000) / 1000)
    return Watched(seconds, tuple(seen), simulation)


def _running(partition: Partition) -> Running:
    return {
        (application.id, each.key): (each, application.queue_path)
        for application in partition.applications.values()
        for each in application.allocations.values()
    }


def _happening(decision: Decision, partition: Partition, running: Running, lives: Lives) -> Happening:
    stopped = tuple(Stopped(*each, queue=running[each][1], life=lives.get(each, (each[1], 1))[1]) for each in decision.stopped)
    asked = partition.applications[decision.application_id].asks[decision.key] if decision.key else None
    return Happening(
        decision.now_ns,
        decision.now_ns - asked.created_ns if asked is not None else 0,
        decision.key,
        decision.path[-1],
        decision.outcome == "allocated",
        stopped,
    )


def _come_back(simulation: Simulation, was: tuple[Allocation, str], lives: Lives) -> None:
    """The next life of a stopped allocation waits in the queue of the last one."""
    allocation = was[0]
    application_id = allocation.application_id
    first, life = lives.get((application_id, allocation.key), (allocation.key, 1))
    key = f"{first}{LIFE}{life + 1}"
    lives[application_id, key] = first, life + 1
    simulation.apply(
        AddAsk(
            ask=AskSpec(
                application_id=application_id,
                key=key,
                resource=allocation.resource,
                priority=allocation.priority,
                allow_preempt_self=allocation.allow_preempt_self,
                allow_preempt_other=allocation.allow_preempt_other,
            )
        )
    )


def _until_the_next_look(simulation: Simulation) -> int:
    """Nanoseconds until the scheduler may preempt for something that waits, as its own reasons say (V-07, V-08)."""
    return min([LONGEST_LOOK_NS, *(left for left in _looks(simulation) if left > 0)])


def _looks(simulation: Simulation) -> Iterator[int]:
    for waiting in simulation.waiting():
        why = waiting.refusal.preemption if waiting.refusal is not None else None
        if isinstance(why, TooEarly | CheckedRecently):
            yield why.left_ns


def _what(happening: Happening) -> str:
    if not happening.stopped:
        return STARTS
    return stops_others(listing([of_queue(name(each.key), name(each.queue)) for each in happening.stopped]))


# ---- in words ---------------------------------------------------------------------------------------------------------


def stops_others(victims: str) -> str:
    return f"stops {victims}"


def of_queue(key: str, queue: str) -> str:
    return f"{key} of {queue}"


def seen_in_all(seconds: float, stopped: int, returned: int) -> str:
    again = f", {returned} of these had been stopped before" if returned else ""
    return f"In {seconds:g} s: {stopped} stopped{again}."


def held_at_the_end(queues: Sequence[tuple[str, str]]) -> str:
    return f"Used at the end: {', '.join(f'{queue} {amount}' for queue, amount in queues if amount) or 'nothing'}."


def no_time_to_watch(seconds: float, most: int) -> str:
    return f"watching takes more than 0 and at most {most} seconds, not {seconds}"

"""What a scenario makes happen, and when: events into commands, time between them, confirmations of releases.

The rules are those by which the recorded scenarios were played on the real core:

- the scheduler registers at time 0, and 1 ms passes (`begin`);
- an event takes effect at once and is followed by 1 ms; `AdvanceMs` lets its time pass first;
- `Until`, which no recorded scenario has, lets time pass up to an instant and not a moment more;
- a cycle of `Schedule` runs at the present instant and is followed by 100 ms, then 1 ms;
- after `AdvanceMs` and after each cycle the resource manager confirms, one by one, the releases that the scheduler has
  announced on its own; each confirmation is followed by 1 ms.

The 1 ms and 100 ms are those of the recorded pace; a scenario can have another one.

Recorded scenarios have no planned inputs. For these the rule is: one whose time has come happens before anything else, as an
event does; `AdvanceMs` is interrupted for it; and when no event is left, time passes until the next one.

Between two calls the driver keeps nothing: where it is, is a `Place`, a value that can be stored and come back to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Advance, Command, Cycle, Release
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Event, Released
from workbench.simulation.scenario.model import RECORDED, AdvanceMs, Pace, Planned, ScenarioEvent, Schedule, Until
from workbench.values.errors import CommandError

MS_NS = 1_000_000
BY_RESOURCE_MANAGER = "STOPPED_BY_RM"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a scenario we are.

    Attributes:
        event: index of the event that comes next, or whose cycles are under way.
        cycle: how many cycles of that event have been run.
        unconfirmed: announced releases that the resource manager has not answered yet.
        planned: how many planned inputs have happened.
        passed_ns: how much of the time of an `AdvanceMs` has passed that a planned input interrupted.
    """

    event: int = 0
    cycle: int = 0
    unconfirmed: tuple[Released, ...] = ()
    planned: int = 0
    passed_ns: int = 0


START = Place()


@dataclass(frozen=True, slots=True)
class Item:
    """What one event, or one cycle of one, brought about.

    Attributes:
        event: index of the event.
        cycle: number of the cycle in its event, from 1; 0 for an event that runs none.
        now_ns: time when its time had passed, before any confirmation.
        events: what the scheduler answered until then.
        confirmed: what it answered to the confirmations after that.
        decisions: of the cycle, one per partition; empty for an event that runs none.
        ends_event: the event has happened in full.
    """

    event: int
    cycle: int
    now_ns: int
    events: tuple[Event, ...]
    confirmed: tuple[Event, ...]
    decisions: tuple[Decision, ...]
    ends_event: bool


def begin(engine: Engine, pace: Pace = RECORDED) -> tuple[Event, ...]:
    """Let the time after the registration pass."""
    return engine.apply(Advance(ns=pace.message_ns))


class Inputs(Protocol):
    """What is played: a `Scenario`, or the `Script` of a simulation."""

    @property
    def events(self) -> Sequence[ScenarioEvent]: ...

    @property
    def planned(self) -> Sequence[Planned]: ...

    @property
    def confirm_releases(self) -> bool: ...

    @property
    def pace(self) -> Pace: ...


def finished(scenario: Inputs, place: Place) -> bool:
    """Whether nothing is left to happen."""
    return place.event >= len(scenario.events) and place.planned >= len(scenario.planned)


def due_in_ns(engine: Engine, scenario: Inputs, place: Place) -> int | None:
    """How long the next planned input still has to wait, at least 0; None if there is none."""
    if place.planned >= len(scenario.planned):
        return None
    return max(0, scenario.planned[place.planned].at_ms * MS_NS - engine.state.now_ns)


def step(engine: Engine, scenario: Inputs, place: Place, *, traced: bool = False) -> tuple[Item, Place]:
    """Let the next event, or the next cycle of the event under way, happen. What happened, and the place after it.

    Args:
        traced: a cycle records its comparisons.

    Raises:
        CommandError: the event asks for what the engine cannot do.
    """
    wait_ns = due_in_ns(engine, scenario, place)
    if wait_ns == 0:
        return _planned(engine, scenario, place)
    command = scenario.events[place.event].command if place.event < len(scenario.events) else None
    decisions: tuple[Decision, ...] = ()
    cycle, ends, confirms, passed_ns = 0, True, False, 0
    if isinstance(command, Schedule):
        happened = list(engine.apply(Cycle(), traced=traced))
        happened += engine.apply(Advance(ns=scenario.pace.cycle_ns + scenario.pace.message_ns))
        decisions, confirms = engine.decisions, True
        cycle = place.cycle + 1
        ends = cycle >= command.cycles
    elif command is None or isinstance(command, AdvanceMs | Until):
        if isinstance(command, AdvanceMs):
            left_ns = command.ms * MS_NS + scenario.pace.message_ns - place.passed_ns
        else:
            left_ns = max(0, command.at_ns - engine.state.now_ns) if command is not None else wait_ns or 0
        ns = left_ns if wait_ns is None else min(wait_ns, left_ns)
        happened, confirms, ends = list(engine.apply(Advance(ns=ns))), True, ns == left_ns and command is not None
        passed_ns = place.passed_ns + ns if isinstance(command, AdvanceMs) and not ends else 0
    else:
        happened = list(send(engine, command, scenario.pace))
    now_ns = engine.state.now_ns
    unconfirmed = place.unconfirmed + announced(happened) if scenario.confirm_releases else ()
    confirmed: tuple[Event, ...] = ()
    if confirms and unconfirmed:
        confirmed = confirm(engine, unconfirmed, scenario.pace)
        unconfirmed = announced(confirmed)
    item = Item(place.event, cycle, now_ns, tuple(happened), confirmed, decisions, ends)
    return item, (
        Place(place.event + 1, 0, unconfirmed, place.planned)
        if ends
        else Place(place.event, cycle, unconfirmed, place.planned, passed_ns)
    )


def _planned(engine: Engine, scenario: Inputs, place: Place) -> tuple[Item, Place]:
    """Let the next planned input happen, in the midst of whatever else is under way.

    One that has become impossible since, because its partition is gone, is ignored as the core would: time goes on all the same.
    """
    try:
        happened = send(engine, scenario.planned[place.planned].command, scenario.pace)
    except CommandError as error:
        happened = engine.ignore(str(error)) + engine.apply(Advance(ns=scenario.pace.message_ns))
    unconfirmed = place.unconfirmed + announced(happened) if scenario.confirm_releases else ()
    item = Item(place.event, place.cycle, engine.state.now_ns, happened, (), (), False)
    return item, replace(place, planned=place.planned + 1, unconfirmed=unconfirmed)


def items(engine: Engine, scenario: Inputs, place: Place = START) -> Iterator[Item]:
    """Everything from `place` on, one item at a time; the caller may look at the state between two items."""
    while not finished(scenario, place):
        item, place = step(engine, scenario, place)
        yield item


def send(engine: Engine, command: Command, pace: Pace = RECORDED) -> tuple[Event, ...]:
    """One command of the resource manager and the time after it."""
    return engine.apply(command) + engine.apply(Advance(ns=pace.message_ns))


def announced(events: Iterable[Event]) -> tuple[Released, ...]:
    """The releases that wait for a confirmation: those that the scheduler decided."""
    return tuple(event for event in events if isinstance(event, Released) and event.type != BY_RESOURCE_MANAGER)


def confirm(engine: Engine, releases: tuple[Released, ...], pace: Pace = RECORDED) -> tuple[Event, ...]:
    """Confirm releases one by one. What the scheduler answered."""
    answers: list[Event] = []
    for release in releases:
        answers += send(engine, Release(application_id=release.application_id, key=release.key, type=release.type), pace)
    return tuple(answers)

"""Each candidate change is carried out at the present instant, as on a live cluster (an edit is a reload), some cycles are
run, and everything is undone. A remedy says what that showed: the next cycle places the ask, it gets its place later, others
are stopped or a node is reserved for it, or at least it passes the test. What showed nothing is not told, but that it was tried is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import (
    Advance,
    Cycle,
)
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import ConfigRejected, Event, Preempted, Released, Reserved
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import (
    AllReserved,
    Constraints,
    FitsNowhereNow,
    HoldsReservation,
    NeverFits,
    RequiredNodeFull,
    TooYoung,
    UnknownNode,
    Unschedulable,
    WaitsForVictims,
)
from workbench.scheduler.records.refusals.preemption import CheckedRecently, TooEarly
from workbench.scheduler.records.refusals.room import NoQueueRoom, NoRoomForRequiredNode, NoUserRoom
from workbench.scheduler.records.refusals.slots import Backoff, BackoffReached, GangWait, HolderFull, QueueFull
from workbench.scheduler.records.refusals.taking_part import NotReached, NotScheduled, OneStart, QueueStopped
from workbench.scheduler.records.state import Allocation
from workbench.simulation import driver
from workbench.simulation.remedies.case import Case, Trial, Trials, proposals
from workbench.simulation.remedies.remedy import ROOM, Remedies, Remedy
from workbench.simulation.scenario.model import RECORDED
from workbench.simulation.waiting import Waiting, waiting_asks
from workbench.values.errors import CommandError

MOST_CYCLES = 200
"""Cycles run to see whether a change places the ask: enough for everything that stands before it in a small cluster."""


NOT_LOOKED_AT = (NotReached, Backoff, BackoffReached, OneStart)


TESTS: tuple[type[Refusal], ...] = (
    NotScheduled,
    QueueStopped,
    OneStart,
    QueueFull,
    HolderFull,
    Backoff,
    BackoffReached,
    GangWait,
    NoUserRoom,
    NoQueueRoom,
    NoRoomForRequiredNode,
    UnknownNode,
    RequiredNodeFull,
    NeverFits,
    AllReserved,
    Unschedulable,
    FitsNowhereNow,
    Constraints,
    TooYoung,
    HoldsReservation,
    WaitsForVictims,
)
"""Reasons in the order in which a cycle comes to their tests."""


def remedies(engine: Engine, waiting: Waiting) -> Remedies:
    """The changes that help one waiting ask. Of a kind of change to one subject the smallest that places the ask is told, or else
    the smallest that helps at all.

    Raises:
        CommandError: the ask does not wait now.
    """
    if waiting.refusal is None:
        return Remedies()
    found: list[Remedy] = []
    tried: list[str] = []
    vain: list[tuple[Remedy, tuple[str, str]]] = []
    for trial in _trials(engine, waiting):
        remedy = trial.remedy
        if remedy.kind not in tried:
            tried.append(remedy.kind)
        what = (remedy.kind, remedy.subject, remedy.detail)
        smaller = next((at for at, each in enumerate(found) if (each.kind, each.subject, each.detail) == what), None)
        if smaller is not None and found[smaller].works:
            continue
        showed, first = _tried(engine, waiting, trial)
        if showed is None:
            if remedy.kind in ROOM and first is not None and first != (waiting.application.id, waiting.ask.key):
                vain.append((replace(remedy, commands=trial.commands), first))
            continue
        helps = replace(remedy, effect=showed.effect, way=showed.way, commands=trial.commands)
        if smaller is None:
            found.append(helps)
        elif helps.works:
            found[smaller] = helps
    return Remedies(tuple(found), tuple(tried), tuple(vain), _then(engine, waiting))


def _then(engine: Engine, waiting: Waiting) -> Refusal | None:
    """What the attempt of an ask comes to that may not preempt yet, when its time has come; None if it stops others.

    What stands before it has its turn first, so that the answer is about what will be left then.
    """
    early = None if waiting.refusal is None else waiting.refusal.preemption
    if not isinstance(early, TooEarly | CheckedRecently):
        return None
    mark, ask = engine.mark, waiting.ask
    found: Refusal | None = None
    try:
        unconfirmed = driver.announced(engine.apply(Advance(ns=early.left_ns)))
        for _ in range(MOST_CYCLES):
            events = engine.apply(Cycle(), traced=True)
            made = [each for decision in engine.decisions for _, each in decision.preemptions if each.ask is ask]
            if ask.allocated or any(each.succeeded for each in made):
                return None
            found = next((each.refusal for each in made if not isinstance(each.refusal, TooEarly | CheckedRecently)), found)
            if not any(decision.changed_something for decision in engine.decisions) and not unconfirmed:
                break
            events += engine.apply(Advance(ns=RECORDED.cycle_ns + RECORDED.message_ns))
            unconfirmed = driver.announced(driver.confirm(engine, (*unconfirmed, *driver.announced(events)), RECORDED))
        return found
    finally:
        engine.unwind(mark)


class Showed(NamedTuple):
    """What trying a change showed: the effect of a `Remedy`, and the way to it."""

    effect: str
    way: str = ""


def _tried(engine: Engine, waiting: Waiting, trial: Trial) -> tuple[Showed | None, tuple[str, str] | None]:
    """The effect, or None without one, of carrying the commands out, and whom the first cycle serves; everything is undone."""
    mark = engine.mark
    try:
        for command in trial.commands:
            if any(isinstance(event, ConfigRejected) for event in engine.apply(command)):
                return None, None
        started = engine.mark
        showed = _effect(engine, waiting, trial.key)
        if showed is not None:
            return showed, None
        engine.unwind(started)
        engine.apply(Cycle())
        served = next((each for each in engine.decisions if each.changed_something), None)
        return None, None if served is None else (served.application_id, served.key)
    finally:
        engine.unwind(mark)


def _effect(engine: Engine, waiting: Waiting, key: str) -> Showed | None:
    """The first cycle that looks at the ask shows whether the test is passed; the others, whether the ask gets its place."""
    before = waiting.refusal
    ask = waiting.application.asks.get(key)
    if before is None or ask is None:
        return None
    passes, way, idle = False, "", 0
    unconfirmed: tuple[Released, ...] = ()
    for number in range(MOST_CYCLES):
        events = engine.apply(Cycle(), traced=not passes)
        if not passes:
            after = _refusal_after(engine, ask, engine.decisions)
            passes = after is None or _is_behind(after, before)
            if not passes and not _was_not_reached(after, before):
                return None
        if ask.allocated:
            return Showed("placed", way) if number else Showed("next")
        if way != "preempts":
            way = _way(events, waiting.application.id, key) or way
        idle = 0 if any(decision.changed_something for decision in engine.decisions) else idle + 1
        if idle > 1 and not unconfirmed:
            break
        events += engine.apply(Advance(ns=RECORDED.cycle_ns + RECORDED.message_ns))
        unconfirmed = driver.announced(driver.confirm(engine, (*unconfirmed, *driver.announced(events)), RECORDED))
    return Showed(way or "passes") if passes else None


def _way(events: Sequence[Event], application_id: str, key: str) -> str:
    """What a cycle did for the ask instead of placing it."""
    for kind, way in ((Preempted, "preempts"), (Reserved, "reserves")):
        if any(isinstance(event, kind) and (event.application_id, event.key) == (application_id, key) for event in events):
            return way
    return ""


def _is_behind(after: Refusal, before: Refusal) -> bool:
    """Whether `after` is the answer of a later test, so that the one behind `before` was passed."""
    if isinstance(before, NotReached):
        return (type(after), after.subject) != (type(before), before.subject)
    return _place(after) > _place(before) or type(after) is type(before) and after.subject != before.subject


def _was_not_reached(after: Refusal | None, before: Refusal) -> bool:
    """Whether the cycle says nothing about the test, because something else came first."""
    return after is not None and isinstance(after, NOT_LOOKED_AT) and type(after) is not type(before)


def _place(refusal: Refusal) -> int:
    return TESTS.index(type(refusal)) if type(refusal) in TESTS else -1


def _refusal_after(engine: Engine, ask: Allocation, decisions: tuple[Decision, ...]) -> Refusal | None:
    """Why the ask was not served by the cycle just run; None if it was."""
    for other in waiting_asks(engine.state, decisions):
        if other.ask is ask:
            return other.refusal
    return None


def _trials(engine: Engine, waiting: Waiting) -> Trials:
    """Changes worth trying for the reason the ask was given, smallest first."""
    refusal, application = waiting.refusal, waiting.application
    assert refusal is not None
    partition = next(
        (each for each in engine.state.partitions.values() if each.applications.get(application.id) is application), None
    )
    if partition is None or application.asks.get(waiting.ask.key) is not waiting.ask or waiting.ask.allocated:
        raise CommandError(f"{waiting.ask.key!r} of {application.id!r} does not wait now")
    case = Case(engine.state.config, engine.state.now_ns, partition, application, waiting.ask, refusal)
    yield from proposals(case)

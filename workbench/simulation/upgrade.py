"""What another release would do with the same design and inputs: the first thing that differs. Chapter 11.

Both are played to their end; what is told to the resource manager is compared instant by instant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.scheduler.records import events
from workbench.scheduler.records.events import Event

if TYPE_CHECKING:
    from workbench.simulation.simulation import Simulation

OUTCOMES = (
    events.Allocated,
    events.Released,
    events.ApplicationAccepted,
    events.ApplicationRejected,
    events.ApplicationUpdated,
    events.AskRejected,
    events.NodeAccepted,
    events.NodeRejected,
    events.ConfigRejected,
    events.Reserved,
    events.Unreserved,
    events.Preempted,
)
"""What counts as a difference: what the resource manager is told, and which nodes wait for whom."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """What one of the releases did.

    Attributes:
        release: which.
        simulation: right before the first difference, to step on and to ask; at its end where there is none.
        steps: how many it took in all.
        only: what only this release told at the instant of the difference, in order.
        quota: what a look at quotas came to at that instant (R-917).
    """

    release: str
    simulation: Simulation
    steps: int
    only: tuple[Event, ...] = ()
    quota: tuple[events.QuotaPreempted, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Upgrade:
    """Where two releases part under the same design and inputs.

    Attributes:
        now, then: the release of today and the other one.
        at_ns: the instant of the first difference; None if they decide alike throughout.
        step: the first step that comes at that instant or later, counting from 1.
    """

    now: Side
    then: Side
    at_ns: int | None = None
    step: int = 0

    @property
    def alike(self) -> bool:
        """Whether nothing differs."""
        return self.at_ns is None


def between(one: Simulation, other: Simulation) -> Upgrade:
    """The first difference of two simulations of the same inputs that stand at their start. Both are moved."""
    for each in (one, other):
        each.run()
    mine, theirs = _told(one), _told(other)
    sides = [Side(each.release, each, each.recorded) for each in (one, other)]
    for at_ns in sorted(mine.keys() | theirs.keys()):
        ours, others = mine.get(at_ns, []), theirs.get(at_ns, [])
        if sorted(map(repr, ours)) == sorted(map(repr, others)):
            continue
        parted = [
            replace(side, only=tuple(event for event in said if event not in unsaid), quota=_quota(side.simulation, at_ns))
            for side, said, unsaid in zip(sides, (ours, others), (others, ours))
        ]
        for each in (one, other):
            each.before(at_ns)
        return Upgrade(parted[0], parted[1], at_ns, one.position + 1)
    return Upgrade(sides[0], sides[1])


def _quota(simulation: Simulation, at_ns: int) -> tuple[events.QuotaPreempted, ...]:
    return tuple(told.event for told in simulation.said if told.now_ns == at_ns and isinstance(told.event, events.QuotaPreempted))


def _told(simulation: Simulation) -> dict[int, list[Event]]:
    """What was told at each instant."""
    found: dict[int, list[Event]] = {}
    for told in simulation.said:
        if isinstance(told.event, OUTCOMES):
            found.setdefault(told.now_ns, []).append(told.event)
    return found

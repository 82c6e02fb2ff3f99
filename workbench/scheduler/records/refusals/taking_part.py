"""Queues, applications and asks that do not take part, or were not reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.scheduler.records.refusals.base import Refusal
from workbench.values.resources import Resource


@dataclass(frozen=True, slots=True)
class NotScheduled(Refusal):
    """The whole partition is not scheduled, as it is in `state`."""

    code: ClassVar[str] = "W-01"
    state: str


@dataclass(frozen=True, slots=True)
class QueueStopped(Refusal):
    code: ClassVar[str] = "W-02"
    state: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Where a branch lost: at `level`, `loser` is behind `winner` in `field`; None if their keys are equal.

    The values are those of the keys, priorities negated: smaller goes first.
    """

    level: str
    winner: str
    loser: str
    field: str | None
    winner_value: Any = None
    loser_value: Any = None


@dataclass(frozen=True, slots=True)
class NotReached(Refusal):
    """An earlier candidate was served; `lost` where the branch of the ask was compared with it."""

    code: ClassVar[str] = "W-03"
    lost: Lost | None = None


@dataclass(frozen=True, slots=True)
class OneStart(Refusal):
    """stateaware lets one application of a queue start at a time: `starting` does, for `age_ns`, or `admitted` is older. R-538"""

    code: ClassVar[str] = "W-24"
    starting: str = ""
    age_ns: int = 0
    admitted: str = ""


@dataclass(frozen=True, slots=True)
class QueueWithoutPending(Refusal):
    code: ClassVar[str] = "A-03"
    pending: Resource


@dataclass(frozen=True, slots=True)
class NothingPlaced(Refusal):
    """It was tried, and nothing below it could be placed; the levels below tell why."""

    code: ClassVar[str] = "A-05"


@dataclass(frozen=True, slots=True)
class ApplicationWithoutPending(Refusal):
    code: ClassVar[str] = "A-06"
    pending: Resource


@dataclass(frozen=True, slots=True)
class AlreadyAllocated(Refusal):
    code: ClassVar[str] = "A-08"
    node: str

"""Known surprises of the real scheduler, by the rule that makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.scheduler.records.refusals.base import Surprise


@dataclass(frozen=True, slots=True)
class OneSidedPriority(Surprise):
    """The priority policy of the queue in common counts for one side only."""

    code: ClassVar[str] = "P-35"


@dataclass(frozen=True, slots=True)
class SmallerRestAbove(Surprise):
    code: ClassVar[str] = "P-46"


@dataclass(frozen=True, slots=True)
class PathsComparedAsText(Surprise):
    code: ClassVar[str] = "P-47"


@dataclass(frozen=True, slots=True)
class LeftBelowGuarantee(Surprise):
    code: ClassVar[str] = "P-74"


@dataclass(frozen=True, slots=True)
class FreeRoomNotCounted(Surprise):
    """What is free on the node, the subject, is not counted when victims are collected."""

    code: ClassVar[str] = "P-103"


@dataclass(frozen=True, slots=True)
class RoomAskedFirst(Surprise):
    code: ClassVar[str] = "P-126"


@dataclass(frozen=True, slots=True)
class WildcardKept(Surprise):
    """The limit of a wildcard that was removed still counts for `who`."""

    code: ClassVar[str] = "PL-132"
    who: str


@dataclass(frozen=True, slots=True)
class SlotOfReservation(Surprise):
    """`holder` has taken a slot although it only holds a reservation."""

    code: ClassVar[str] = "R-515"
    holder: str


@dataclass(frozen=True, slots=True)
class FullerNodeReserved(Surprise):
    """`other` lacks less than the node that is reserved."""

    code: ClassVar[str] = "R-553"
    other: str


@dataclass(frozen=True, slots=True)
class ReservationRefused(Surprise):
    """No node is reserved, although `other` would do."""

    code: ClassVar[str] = "R-554"
    other: str


@dataclass(frozen=True, slots=True)
class StaleScore(Surprise):
    """`other` would come first, had the scores been those of the present."""

    code: ClassVar[str] = "R-559"
    other: str
    score: float
    present: float


@dataclass(frozen=True, slots=True)
class DrainedNodeUsed(Surprise):
    code: ClassVar[str] = "R-569"


@dataclass(frozen=True, slots=True)
class StalePriority(Surprise):
    """The priority of the queue is out of date: `present` would be right."""

    code: ClassVar[str] = "R-644"
    priority: int
    present: int

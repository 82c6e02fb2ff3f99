"""Why an ask does not make room for itself: the first stage of general preemption that failed. Chapter 09, section 4.1.

V-18, a victim that was released meanwhile, is none of them: in the real scheduler the resource manager may answer while an
attempt is under way; here nothing happens between the choice of victims and their end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.scheduler.records.refusals.base import Refusal
from workbench.values.resources import Resource


@dataclass(frozen=True, slots=True)
class UserRoomFirst(Refusal):
    """It could try, but the room of its user is looked at before, and there is none. P-20"""

    code: ClassVar[str] = "V-01"


@dataclass(frozen=True, slots=True)
class ReservesInstead(Refusal):
    """It could try, but in this step it reserves `node`. P-20"""

    code: ClassVar[str] = "V-02"
    node: str


@dataclass(frozen=True, slots=True)
class PreemptionOff(Refusal):
    """Switched off for the partition."""

    code: ClassVar[str] = "V-03"


@dataclass(frozen=True, slots=True)
class MayNotPreempt(Refusal):
    """Its own settings forbid it."""

    code: ClassVar[str] = "V-04"


@dataclass(frozen=True, slots=True)
class PreemptedBefore(Refusal):
    """An ask preempts once in its life."""

    code: ClassVar[str] = "V-05"


@dataclass(frozen=True, slots=True)
class PreemptsOnItsNode(Refusal):
    """It must run on `node`, and makes room there in another way (chapter 08, section 15)."""

    code: ClassVar[str] = "V-06"
    node: str


@dataclass(frozen=True, slots=True)
class TooEarly(Refusal):
    """The delay of its leaf has not passed since it was created. P-21"""

    code: ClassVar[str] = "V-07"
    age_ns: int
    delay_ns: int

    @property
    def left_ns(self) -> int:
        return self.delay_ns - self.age_ns


@dataclass(frozen=True, slots=True)
class CheckedRecently(Refusal):
    """It was looked at a moment ago. P-23"""

    code: ClassVar[str] = "V-08"
    left_ns: int


@dataclass(frozen=True, slots=True)
class AttemptsUsedUp(Refusal):
    """Of the leaf, in this cycle. P-24"""

    code: ClassVar[str] = "V-09"


@dataclass(frozen=True, slots=True)
class NoGuarantee(Refusal):
    """No queue from the root to its leaf has a guarantee left for it. P-60"""

    code: ClassVar[str] = "V-10"
    need: Resource


@dataclass(frozen=True, slots=True)
class AboveGuarantee(Refusal):
    """With it the leaf would be above what is left of the guarantee. P-60"""

    code: ClassVar[str] = "V-11"
    remaining: Resource
    need: Resource


@dataclass(frozen=True, slots=True)
class _NoNode(Refusal):
    """The subject is where the search began; `reason` why there: "root", "policy", "full" or "no room"."""

    reason: str
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoVictims(_NoNode):
    """Nothing inside the fence may be stopped for it."""

    code: ClassVar[str] = "V-12"


@dataclass(frozen=True, slots=True)
class NoUsableNode(_NoNode):
    code: ClassVar[str] = "V-13"


@dataclass(frozen=True, slots=True)
class NoVictimsOnANode(_NoNode):
    code: ClassVar[str] = "V-14"


@dataclass(frozen=True, slots=True)
class PredicatesRefuse(Refusal):
    """The predicates refuse every node that could be cleared, or answer with a victim that is not there. P-85"""

    code: ClassVar[str] = "V-15"
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WouldBreakGuarantee(Refusal):
    """Further victims would leave its leaf above its guarantee. P-92"""

    code: ClassVar[str] = "V-16"
    need: Resource


@dataclass(frozen=True, slots=True)
class NotEnough(Refusal):
    """All that may be stopped would free too little. P-103"""

    code: ClassVar[str] = "V-17"
    collected: Resource
    need: Resource

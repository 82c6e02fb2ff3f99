"""What protects a candidate victim: the first that applies. Chapter 09, section 4.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.scheduler.records.refusals.base import Refusal
from workbench.values.resources import Resource

Steps = tuple[tuple[str, int], ...]
"""(queue path, what the ask counts as there) along a way."""


@dataclass(frozen=True, slots=True)
class OfQueue(Refusal):
    """Protects a whole queue, the subject."""


@dataclass(frozen=True, slots=True)
class OfAllocation(Refusal):
    """Protects a single allocation, the subject, of this application."""

    application: str


@dataclass(frozen=True, slots=True)
class SameQueue(OfQueue):
    code: ClassVar[str] = "X-01"


@dataclass(frozen=True, slots=True)
class OutsideFence(OfQueue):
    """The search is limited to `fence`; `reason` why there: "root", "policy", "full" or "no room". P-30 to P-32, R-930"""

    code: ClassVar[str] = "X-02"
    fence: str
    reason: str


@dataclass(frozen=True, slots=True)
class PreemptionDisabled(OfQueue):
    code: ClassVar[str] = "X-03"


@dataclass(frozen=True, slots=True)
class WithinGuarantee(OfQueue):
    """What is left of the guarantee that counts, and (type, queue whose guarantee leaves that) for each type. P-51"""

    code: ClassVar[str] = "X-04"
    remaining: Resource
    suppliers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NoCommonType(OfAllocation):
    code: ClassVar[str] = "X-05"


@dataclass(frozen=True, slots=True)
class BoundToNode(OfAllocation):
    code: ClassVar[str] = "X-06"
    node: str


@dataclass(frozen=True, slots=True)
class AlreadyGoing(OfAllocation):
    code: ClassVar[str] = "X-07"
    preempted: bool


@dataclass(frozen=True, slots=True)
class ByRule(OfAllocation):
    """A protection that is none of the core: its name and its sentence."""

    code: ClassVar[str] = "X-30"
    rule: str
    words: str


@dataclass(frozen=True, slots=True)
class PriorityTooHigh(OfAllocation):
    """Its priority against what the ask counts as there. P-34

    Attributes:
        up, down: how that value comes about, from the ask's leaf to the queue in common and from there down.
        surprise: the policy of the queue in common counts for one side only, and else it would not be spared (P-35).
    """

    code: ClassVar[str] = "X-08"
    priority: int
    value: int
    up: Steps = ()
    down: Steps = ()
    surprise: bool = False


@dataclass(frozen=True, slots=True)
class BehindPriorityFence(OfQueue):
    code: ClassVar[str] = "X-09"
    offset: int
    priority: int


@dataclass(frozen=True, slots=True)
class Foreign(Refusal):
    """Pods of other schedulers."""

    code: ClassVar[str] = "X-10"


@dataclass(frozen=True, slots=True)
class OnUnusableNode(Refusal):
    code: ClassVar[str] = "X-11"
    node: str
    why: Refusal | None = None


@dataclass(frozen=True, slots=True)
class NothingToGive(Refusal):
    """Its queue is not above its guarantee when it is its turn. P-73"""

    code: ClassVar[str] = "X-12"
    queue: str
    remaining: Resource | None


@dataclass(frozen=True, slots=True)
class OverBudget(Refusal):
    """It is larger than what is left of the guarantee of the ask's queue; the search of its node stops there. P-73"""

    code: ClassVar[str] = "X-13"
    queue: str
    budget: Resource | None
    size: Resource


@dataclass(frozen=True, slots=True)
class SearchStopped(Refusal):
    """The search of its node stopped before it, at the allocation `stop`."""

    code: ClassVar[str] = "X-14"
    stop: str


@dataclass(frozen=True, slots=True)
class DoesNotHelp(Refusal):
    code: ClassVar[str] = "X-15"
    node: str


@dataclass(frozen=True, slots=True)
class NotNeeded(Refusal):
    code: ClassVar[str] = "X-16"
    node: str


@dataclass(frozen=True, slots=True)
class Elsewhere(Refusal):
    """Its node cannot be cleared; `chosen` was."""

    code: ClassVar[str] = "X-17"
    node: str
    chosen: str


@dataclass(frozen=True, slots=True)
class NodeLost(Refusal):
    """Its node costs so many victims, the chosen one so many. P-84"""

    code: ClassVar[str] = "X-18"
    node: str
    chosen: str
    victims: int
    chosen_victims: int


@dataclass(frozen=True, slots=True)
class NoHelpOnNode(OfAllocation):
    """Stopping all that may be stopped on the node that the ask must run on would not make room. P-124"""

    code: ClassVar[str] = "X-20"
    node: str


@dataclass(frozen=True, slots=True)
class NoShare(OfQueue):
    """The leaf has no share in what has to go from the queue above it. P-137"""

    code: ClassVar[str] = "X-21"


@dataclass(frozen=True, slots=True)
class NothingOfTarget(OfAllocation):
    code: ClassVar[str] = "X-22"


@dataclass(frozen=True, slots=True)
class LargerThanTarget(OfAllocation):
    """It alone is larger than all that has to go. P-135"""

    code: ClassVar[str] = "X-23"
    size: Resource
    target: Resource


@dataclass(frozen=True, slots=True)
class KeepsGuarantee(OfAllocation):
    """Without it its queue would be below its guarantee. P-136"""

    code: ClassVar[str] = "X-24"
    queue: str


@dataclass(frozen=True, slots=True)
class TargetReached(OfAllocation):
    code: ClassVar[str] = "X-25"

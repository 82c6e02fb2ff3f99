"""Too little room in a queue, or for a user or group. One type binds; amounts are in its base unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.scheduler.records.refusals.base import Refusal


@dataclass(frozen=True, slots=True)
class NoUserRoom(Refusal):
    """What a user or group (`kind`) named `who` may hold in the queue. PL-121

    Attributes:
        kept: it is the limit of a wildcard that was removed (PL-132).
    """

    code: ClassVar[str] = "W-10"
    kind: str
    who: str
    type: str
    need: int
    headroom: int
    maximum: int
    used: int
    kept: bool = False

    @property
    def missing(self) -> int:
        return self.need - max(0, self.headroom)

    @property
    def never(self) -> bool:
        """Whether the ask alone is too much (E-10)."""
        return self.need > self.maximum


@dataclass(frozen=True, slots=True)
class NoQueueRoom(Refusal):
    """The queue that binds; with `cluster` it is the root, whose maximum is the size of the cluster. R-545, E-6"""

    code: ClassVar[str] = "W-11"
    type: str
    need: int
    headroom: int
    maximum: int
    allocated: int
    cluster: bool = False

    @property
    def missing(self) -> int:
        return self.need - max(0, self.headroom)

    @property
    def never(self) -> bool:
        """Whether the ask alone is too much (E-10)."""
        return self.need > self.maximum


@dataclass(frozen=True, slots=True)
class NoRoomForRequiredNode(NoQueueRoom):
    """The ask must run on `node`, whose own way of making room is not reached without room in the queues. P-126"""

    code: ClassVar[str] = "W-14"
    node: str = ""


@dataclass(frozen=True, slots=True)
class OverMaximum(Refusal):
    """The allocation would exceed the maximum of a queue. R-425"""

    code: ClassVar[str] = "queue-max"
    type: str
    maximum: int
    allocated: int
    need: int


@dataclass(frozen=True, slots=True)
class AskEmpty(Refusal):
    code: ClassVar[str] = "ask-empty"

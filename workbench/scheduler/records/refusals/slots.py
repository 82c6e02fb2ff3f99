"""Applications that may not run, or may not go on, for now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.scheduler.records.refusals.base import Refusal


@dataclass(frozen=True, slots=True)
class QueueFull(Refusal):
    """maxapplications of the queue: how many run there, how many hold a slot without running, and the limit. R-541"""

    code: ClassVar[str] = "W-05"
    running: int
    allocating: int
    limit: int


@dataclass(frozen=True, slots=True)
class HolderFull(Refusal):
    """The limit of a user or group (`kind`) named `who` on applications in the queue. R-542"""

    code: ClassVar[str] = "W-06"
    kind: str
    who: str
    running: int
    limit: int


@dataclass(frozen=True, slots=True)
class Backoff(Refusal):
    """The application sits out until `deadline_ns`, after `threshold` asks found no place. R-571"""

    code: ClassVar[str] = "W-07"
    deadline_ns: int
    now_ns: int
    threshold: int

    @property
    def left_ns(self) -> int:
        return self.deadline_ns - self.now_ns


@dataclass(frozen=True, slots=True)
class BackoffReached(Refusal):
    """The ask at `position` is not looked at: `threshold` before it found no place in this attempt."""

    code: ClassVar[str] = "W-08"
    threshold: int
    position: int


@dataclass(frozen=True, slots=True)
class GangWait(Refusal):
    """A placeholder of the task group can still be replaced; without `count` none can at present. R-715"""

    code: ClassVar[str] = "W-09"
    task_group: str
    count: int | None = None
    replaced: int = 0
    timed_out: int = 0

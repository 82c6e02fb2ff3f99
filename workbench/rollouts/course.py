"""What becomes of a cluster from some moment on: who starts, who is stopped and why, minute by minute, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from workbench.values.resources import Resource

Who = tuple[str, str]
"""(application, key); of one who was stopped and came back, the key that he had at first"""
By = Literal["quota", "request", "timeout"]


@dataclass(frozen=True, slots=True)
class Started:
    """A request got its node, so long after the beginning; `again`: how often it had been stopped until then."""

    at_ns: int
    who: Who
    queue: str
    node: str
    again: int = 0


@dataclass(frozen=True, slots=True)
class Stopped:
    """Something that ran is stopped by the scheduler, so long after the beginning.

    Attributes:
        by: quota preemption; a request that preempts; or the time-out of its gang.
        for_whom: the request that preempts; None for the others.
        for_queue: its queue.
        again: how often it had been stopped before.
    """

    at_ns: int
    who: Who
    queue: str
    resource: Resource
    by: By
    for_whom: Who | None = None
    for_queue: str = ""
    again: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """An application, or one of its requests, is refused with the core's own words; `key` is empty for the application."""

    at_ns: int
    application: str
    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A queue is empty and was cleaned up."""

    at_ns: int
    queue: str


@dataclass(frozen=True, slots=True)
class Use:
    """What a queue holds and asks for."""

    allocated: Resource
    pending: Resource


@dataclass(frozen=True, slots=True)
class Course:
    """From some moment on.

    Attributes:
        minutes: how long it was played.
        started, stopped, refused, gone: what happened, in order.
        uses: queue -> its use at the beginning, and after each minute with all that happened in it.
        waiting: who waited at the beginning, and in which queue.
        left: who waits at the end.
    """

    minutes: int
    started: tuple[Started, ...]
    stopped: tuple[Stopped, ...]
    refused: tuple[Refused, ...]
    gone: tuple[Gone, ...]
    uses: tuple[Mapping[str, Use], ...]
    waiting: Mapping[Who, str]
    left: Mapping[Who, str]

    def started_ns(self) -> dict[Who, int]:
        """When each started, for the first time."""
        found: dict[Who, int] = {}
        for each in self.started:
            found.setdefault(each.who, each.at_ns)
        return found

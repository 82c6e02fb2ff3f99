"""No node takes the ask: why none of all, and why not a single one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.scheduler.records.refusals.base import Refusal
from workbench.values.resources import Resource


@dataclass(frozen=True, slots=True)
class UnknownNode(Refusal):
    """The node that the ask must run on is not registered."""

    code: ClassVar[str] = "W-12"
    node: str


@dataclass(frozen=True, slots=True)
class RequiredNodeFull(Refusal):
    """The node that the ask must run on does not take it; `fault` is the code of the test that failed."""

    code: ClassVar[str] = "W-13"
    node: str
    available: Resource
    need: Resource
    fault: str


@dataclass(frozen=True, slots=True)
class AllReserved(Refusal):
    """(node, asks that it is reserved for) of every node that could hold it."""

    code: ClassVar[str] = "W-15"
    nodes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class NeverFits(Refusal):
    """No node is large enough: types that none offers, and (type, need, largest capacity) of all that it needs. E-10"""

    code: ClassVar[str] = "W-16"
    types: tuple[str, ...]
    largest: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class FitsNowhereNow(Refusal):
    """(node, type, need, available) of each node that was tried: its first type that is short."""

    code: ClassVar[str] = "W-17"
    nodes: tuple[tuple[str, str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Constraints(Refusal):
    """The predicates refuse these nodes; `text` as the core reports it (R-563)."""

    code: ClassVar[str] = "W-18"
    text: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unschedulable(Refusal):
    """Only these nodes could hold it, and they take no new work."""

    code: ClassVar[str] = "W-19"
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HoldsReservation(Refusal):
    """It has reserved `node`; (type, need, available) of each type that is still short there."""

    code: ClassVar[str] = "W-20"
    node: str
    missing: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TooYoung(Refusal):
    """An ask may reserve a node only when it is old enough. R-552"""

    code: ClassVar[str] = "W-21"
    age_ns: int


@dataclass(frozen=True, slots=True)
class WaitsForVictims(Refusal):
    """It has made room for itself on `node`: these allocations are being stopped there, and their end is not confirmed yet."""

    code: ClassVar[str] = "W-22"
    node: str
    victims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeReserved(Refusal):
    """The node is reserved for `ask`, or several of them."""

    code: ClassVar[str] = "node-reserved"
    ask: str = ""


@dataclass(frozen=True, slots=True)
class NodeUnschedulable(Refusal):
    code: ClassVar[str] = "node-unschedulable"


@dataclass(frozen=True, slots=True)
class NodeTooSmall(Refusal):
    """`type` is the first that is short; None if that was not looked at."""

    code: ClassVar[str] = "node-capacity"
    type: str | None = None
    need: int = 0
    capacity: int = 0


@dataclass(frozen=True, slots=True)
class NodeFull(Refusal):
    code: ClassVar[str] = "node-available"
    type: str
    need: int
    available: int


@dataclass(frozen=True, slots=True)
class NodeConstraint(Refusal):
    code: ClassVar[str] = "node-predicate"
    text: str

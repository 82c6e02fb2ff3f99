"""The keys that an ask's place among the requests of its application amounts to. R-549."""

from __future__ import annotations

from typing import NamedTuple

from workbench.scheduler.records.state import Allocation


class AskKey(NamedTuple):
    """Higher priority, then earlier creation, then the place in the list, which settles equals (R-550)."""

    priority: int
    created_ns: int
    position: int


def rank(ask: Allocation) -> tuple[int, int, int]:
    """Orders the requests of one application; fixed when the ask arrives. R-549, R-550."""
    return -ask.priority, ask.created_ns, ask.place


def ask_key(position: int, ask: Allocation) -> AskKey:
    return AskKey(-ask.priority, ask.created_ns, position)

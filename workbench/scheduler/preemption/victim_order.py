"""The order in which required-node and quota preemption take allocations. P-123."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.scheduler.records.state import Allocation
from workbench.values.resources import strictly_greater_than


def in_order(allocations: Iterable[Allocation]) -> list[Allocation]:
    """Regular, opted out, originator; then lower priority, newest, smaller. Incomparable sizes: latest made first."""
    settled: list[Allocation] = []
    # Sizes are a partial order, so equals in everything else are settled by insertion.
    for each in sorted(allocations, key=lambda each: (*_rank(each), -each.seq)):
        place = len(settled)
        while place and _rank(settled[place - 1]) == _rank(each) and _smaller(each, settled[place - 1]):
            place -= 1
        settled.insert(place, each)
    return settled


def _rank(allocation: Allocation) -> tuple[int, int, int]:
    kind = 3 if allocation.originator else 1 if allocation.allow_preempt_self else 2
    return kind, allocation.priority, -allocation.created_ns


def _smaller(left: Allocation, right: Allocation) -> bool:
    return strictly_greater_than(right.resource, left.resource)

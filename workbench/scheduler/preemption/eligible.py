"""Whom an ask may look at: the fence, its priority along the path, and the allocations that qualify. Sections 5 and 7."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.tree import children
from workbench.scheduler.preemption.protections import protection_of
from workbench.scheduler.preemption.what_if import WhatIf
from workbench.scheduler.records.refusals.victims import (
    AlreadyGoing,
    BehindPriorityFence,
    BoundToNode,
    NoCommonType,
    OfAllocation,
    OfQueue,
    PreemptionDisabled,
    PriorityTooHigh,
    SameQueue,
    WithinGuarantee,
)
from workbench.scheduler.records.state import Allocation, Queue
from workbench.values.resources import equals, match_any


@dataclass(frozen=True, slots=True)
class Fence:
    """Where the search starts, why there, and the ask's priority at each queue from its leaf up to it. P-30 to P-33."""

    root: Queue
    reason: str
    """"root", "policy" or "full": the queue is exactly at its maximum."""
    priorities: dict[str, int]


@dataclass(slots=True)
class Eligible:
    """The qualifying allocations per leaf path, and why every other leaf and allocation is protected (chapter 09, 4.2)."""

    victims: dict[str, list[Allocation]]
    protected: list[OfQueue | OfAllocation]


def fence_of(leaf: Queue, ask: Allocation) -> Fence:
    """The fence root of an ask in `leaf`. Priorities are not clamped here. P-30, P-32, P-33."""
    priority = ask.priority
    priorities: dict[str, int] = {}
    for at in ancestry(leaf):
        settings = at.settings
        priority = settings.priority_offset if settings.priority_policy == "fence" else priority + settings.priority_offset
        priorities[at.path] = priority
        if at.parent is None:
            return Fence(at, "root", priorities)
        if settings.preemption_policy == "fence":
            return Fence(at, "policy", priorities)
        if at.maximum is not None and equals(at.maximum, at.allocated):
            return Fence(at, "full", priorities)
    raise AssertionError("a queue without a root")


def eligible_victims(fence: Fence, leaf: Queue, ask: Allocation, sums: WhatIf) -> Eligible:
    """Every allocation inside the fence that the ask may take. `sums` learns the queues looked at. P-50 to P-54."""
    found = Eligible({}, [])
    _search(fence.root, fence.priorities[fence.root.path], False, fence, leaf, ask, sums, found)
    return found


def _search(
    queue: Queue, value: int, fenced: bool, fence: Fence, leaf: Queue, ask: Allocation, sums: WhatIf, found: Eligible
) -> None:
    """P-34: `value` is the ask's priority as seen here, `fenced` says that a priority fence was crossed on the way down."""
    if queue.is_leaf:
        if queue is leaf:
            found.protected.append(SameQueue(queue.path))
        else:
            _search_leaf(queue, value, fenced, ask, sums, found)
        return
    for child in children(queue):
        settings = child.settings
        if child.path in fence.priorities:
            _search(child, fence.priorities[child.path], fenced, fence, leaf, ask, sums, found)
        elif settings.priority_policy == "fence":
            if settings.priority_offset > value:
                found.protected.append(BehindPriorityFence(child.path, settings.priority_offset, value))
            else:
                _search(child, value, True, fence, leaf, ask, sums, found)
        else:
            _search(child, value - settings.priority_offset, fenced, fence, leaf, ask, sums, found)


def _search_leaf(queue: Queue, value: int, fenced: bool, ask: Allocation, sums: WhatIf, found: Eligible) -> None:
    if queue.settings.preemption_policy == "disabled":
        found.protected.append(PreemptionDisabled(queue.path))
        return
    sums.include(queue)
    left = sums.remaining(queue.path)
    qualifying: list[Allocation] = []
    if left is not None and all(amount >= 0 for amount in left.values()):
        found.protected.append(WithinGuarantee(queue.path, left))
    else:
        for application in sorted(queue.applications.values(), key=lambda each: each.seq):
            for allocation in sorted(application.allocations.values(), key=lambda each: each.seq):
                protection = _protection(allocation, ask, value, fenced)
                if protection is None:
                    qualifying.append(allocation)
                else:
                    found.protected.append(protection)
        if qualifying:
            found.victims[queue.path] = qualifying
        else:
            sums.forget(queue.path)


def _protection(allocation: Allocation, ask: Allocation, value: int, fenced: bool) -> OfAllocation | None:
    """What protects one allocation of a candidate leaf, or None. P-53, P-54."""
    if not match_any(allocation.resource, ask.resource):
        return NoCommonType(allocation.key, allocation.application_id)
    if allocation.required_node:
        return BoundToNode(allocation.key, allocation.application_id, allocation.required_node)
    if allocation.released or allocation.preempted:
        return AlreadyGoing(allocation.key, allocation.application_id, allocation.preempted)
    if not fenced and allocation.priority > value:
        return PriorityTooHigh(allocation.key, allocation.application_id, allocation.priority, value)
    return protection_of(allocation, ask)

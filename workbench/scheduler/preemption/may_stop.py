"""Which single allocation may be stopped, by each of the three kinds of preemption, and what spares it otherwise.

None where nothing spares it. The kinds differ in what counts and in what is asked first, which is what gets told; that is why
each has its list of its own, and why these stand side by side. Queues are the matter of `config.may_preempt`.
"""

from __future__ import annotations

from workbench.scheduler.preemption.protections import protection_of
from workbench.scheduler.records.refusals.victims import (
    AlreadyGoing,
    BoundToNode,
    NoCommonType,
    NothingOfTarget,
    OfAllocation,
    PriorityTooHigh,
)
from workbench.scheduler.records.state import Allocation
from workbench.values.resources import Resource, match_any


def keeps_guarantee(remaining: Resource | None) -> bool:
    """Whether what is left of its guarantee protects a leaf as a whole from general preemption. P-52.

    Without a guarantee (None) nothing does.
    """
    return remaining is not None and all(amount >= 0 for amount in remaining.values())


def spared_in_general(allocation: Allocation, ask: Allocation, most: int | None) -> OfAllocation | None:
    """General preemption, in a leaf that may lose something; None for `most` lets it take any priority. P-34, P-53, P-54."""
    if not match_any(allocation.resource, ask.resource):
        return NoCommonType(allocation.key, allocation.application_id)
    if allocation.required_node:
        return _bound(allocation)
    if allocation.released or allocation.preempted:
        return _going(allocation)
    if most is not None and allocation.priority > most:
        return PriorityTooHigh(allocation.key, allocation.application_id, allocation.priority, most)
    return protection_of(allocation, ask)


def spared_on_required_node(allocation: Allocation, ask: Allocation) -> OfAllocation | None:
    """Preemption on the one node an ask must run on: raw priorities, no offsets, no fences, no guarantees. P-121, P-122."""
    if allocation.required_node:
        return _bound(allocation)
    if allocation.priority > ask.priority:
        return PriorityTooHigh(allocation.key, allocation.application_id, allocation.priority, ask.priority)
    if allocation.preempted or allocation.released:
        return _going(allocation)
    if not match_any(allocation.resource, ask.resource):
        return NoCommonType(allocation.key, allocation.application_id)
    return protection_of(allocation, ask)


def spared_from_quota(allocation: Allocation, amount: Resource) -> OfAllocation | None:
    """Preemption of `amount` in a queue over its maximum, where no priority counts. P-135."""
    if allocation.required_node:
        return _bound(allocation)
    if allocation.released or allocation.preempted:
        return _going(allocation)
    if not match_any(allocation.resource, amount):
        return NothingOfTarget(allocation.key, allocation.application_id)
    return protection_of(allocation, None)


def _bound(allocation: Allocation) -> BoundToNode:
    return BoundToNode(allocation.key, allocation.application_id, allocation.required_node)


def _going(allocation: Allocation) -> AlreadyGoing:
    return AlreadyGoing(allocation.key, allocation.application_id, allocation.preempted)

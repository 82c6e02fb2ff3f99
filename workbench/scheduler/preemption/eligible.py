"""The search for those whom an ask may stop: its fence, its priority along the way, what qualifies. Sections 5 and 7.

Who may is said by `config.may_preempt` for queues and by `may_stop` for allocations; here the tree is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbench.config import may_preempt
from workbench.scheduler.objects.limits import path_maximum
from workbench.scheduler.objects.tree import children
from workbench.scheduler.preemption import may_stop
from workbench.scheduler.preemption.what_if import WhatIf
from workbench.scheduler.records.refusals.victims import (
    BehindPriorityFence,
    OfAllocation,
    OfQueue,
    PreemptionDisabled,
    SameQueue,
    WithinGuarantee,
)
from workbench.scheduler.records.state import Allocation, Queue
from workbench.scheduler.releases.profiles import Profile
from workbench.values.resources import add, equals, fit_in_max_undef


@dataclass(frozen=True, slots=True)
class Fence:
    """Where the search starts, why there, and the ask's priority at each queue from its leaf up to it. P-30 to P-33."""

    root: Queue
    reason: str
    """"root", "policy", or because of its maximum "full" or "no room", as the release says (`FULL_QUEUES`)."""
    priorities: dict[str, int]


@dataclass(slots=True)
class Eligible:
    """The qualifying allocations per leaf path, and why every other leaf and allocation is protected (chapter 09, 4.2)."""

    victims: dict[str, list[Allocation]]
    protected: list[OfQueue | OfAllocation]


def used_up_exactly(queue: Queue, ask: Allocation) -> bool:
    """Whether the queue's own maximum equals its use. P-32."""
    return queue.maximum is not None and equals(queue.maximum, queue.allocated)


def without_room(queue: Queue, ask: Allocation) -> bool:
    """Whether use and ask together exceed, in some type, the smallest maximum on the way up, the cluster's size included. R-930."""
    return not fit_in_max_undef(path_maximum(queue, with_root=True), add(queue.allocated, ask.resource))


FULL_QUEUES: Mapping[str, tuple[str, Callable[[Queue, Allocation], bool]]] = {
    "used up exactly": ("full", used_up_exactly),
    "without room for the ask": ("no room", without_room),
}
"""Name, as in a release's profile -> the reason of a fence, and whether a queue is one for an ask because of its maximum."""


def fence_of(leaf: Queue, ask: Allocation, profile: Profile) -> Fence:
    """The fence root of an ask in `leaf`. Priorities are not clamped here. P-30, P-32, P-33, R-930."""
    reason, is_full = FULL_QUEUES[profile.full_queue]
    priority = ask.priority
    priorities: dict[str, int] = {}
    for at in may_preempt.way_up(leaf):
        priority = may_preempt.raised_by(at, priority)
        priorities[at.path] = priority
        if at.parent is None:
            return Fence(at, "root", priorities)
        if may_preempt.is_fence(at):
            return Fence(at, "policy", priorities)
        if is_full(at, ask):
            return Fence(at, reason, priorities)
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
        if child.path in fence.priorities:
            _search(child, fence.priorities[child.path], fenced, fence, leaf, ask, sums, found)
            continue
        below = may_preempt.lowered_by(child, value)
        if below is None:
            found.protected.append(BehindPriorityFence(child.path, child.settings.priority_offset, value))
        else:
            _search(child, below, fenced or may_preempt.is_priority_fence(child), fence, leaf, ask, sums, found)


def _search_leaf(queue: Queue, value: int, fenced: bool, ask: Allocation, sums: WhatIf, found: Eligible) -> None:
    if may_preempt.is_disabled(queue):
        found.protected.append(PreemptionDisabled(queue.path))
        return
    sums.include(queue)
    left = sums.remaining(queue.path)
    if left is not None and may_stop.keeps_guarantee(left):
        found.protected.append(WithinGuarantee(queue.path, left))
        return
    most = None if fenced else value
    qualifying: list[Allocation] = []
    for application in sorted(queue.applications.values(), key=lambda each: each.seq):
        for allocation in sorted(application.allocations.values(), key=lambda each: each.seq):
            protection = may_stop.spared_in_general(allocation, ask, most)
            if protection is None:
                qualifying.append(allocation)
            else:
                found.protected.append(protection)
    if qualifying:
        found.victims[queue.path] = qualifying
    else:
        sums.forget(queue.path)

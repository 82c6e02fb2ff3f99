"""What is left of the guarantees, as the asks of one leaf see it, and where such an ask may look for victims.

`Remaining` is `what_if.WhatIf` for the amounts as they are, kept: a queue is worked out again when its amounts, or what is left
above it, are others than the last time. `reach` walks the tree as `eligible.eligible_victims` does, but for the amounts.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.config import may_preempt
from workbench.scheduler.objects.tree import children
from workbench.scheduler.preemption.eligible import Fence
from workbench.scheduler.preemption.what_if import left_of
from workbench.scheduler.records.state import Queue
from workbench.values.resources import Resource, is_empty, sub_only_existing


class _Known(NamedTuple):
    """What the rest of a queue was worked out from, compared by identity, and the rest."""

    guaranteed: Resource | None
    allocated: Resource
    preempting: Resource
    above: Resource | None
    left: Resource | None


class Remaining:
    """What is left of the guarantee that counts for a queue, for the asks of one leaf. P-41, P-42.

    As long as nothing changes, the answer is the same object.
    """

    __slots__ = ("_known", "_leaf", "has_own")

    def __init__(self, leaf: Queue):
        self._leaf = leaf
        self.has_own = not is_empty(leaf.guaranteed)
        """Whether the leaf has a guarantee of its own: then nothing above it counts (P-44)."""
        self._known: dict[Queue, _Known] = {}

    def of(self, queue: Queue) -> Resource | None:
        above = None if queue.parent is None else self.of(queue.parent)
        known = self._known.get(queue)
        if (
            known is not None
            and known.allocated is queue.allocated
            and known.preempting is queue.preempting
            and known.above is above
            and known.guaranteed is queue.guaranteed
        ):
            return known.left
        used = sub_only_existing(queue.allocated, queue.preempting)
        left = left_of(queue.path, sub_only_existing(queue.guaranteed, used), above, self._leaf.path, self.has_own)
        if known is not None and known.left == left:
            left = known.left
        self._known[queue] = _Known(queue.guaranteed, queue.allocated, queue.preempting, above, left)
        return left


class Giver(NamedTuple):
    """A leaf in which an ask may look for victims, and the highest priority that it may take; None for any. P-34, P-51."""

    leaf: Queue
    most: int | None


def reach(fence: Fence, leaf: Queue) -> tuple[Giver, ...]:
    """Where an ask of the leaf may look, whatever the queues hold: what `eligible` walks, without the guarantees (P-52)."""
    found: list[Giver] = []
    _below(fence.root, fence.priorities[fence.root.path], False, fence, leaf, found)
    return tuple(found)


def _below(queue: Queue, value: int, fenced: bool, fence: Fence, leaf: Queue, found: list[Giver]) -> None:
    if queue.is_leaf:
        if queue is not leaf and not may_preempt.is_disabled(queue):
            found.append(Giver(queue, None if fenced else value))
        return
    for child in children(queue):
        if child.path in fence.priorities:
            _below(child, fence.priorities[child.path], fenced, fence, leaf, found)
            continue
        below = may_preempt.lowered_by(child, value)
        if below is not None:
            _below(child, below, fenced or may_preempt.is_priority_fence(child), fence, leaf, found)

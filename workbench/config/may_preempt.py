"""Who may preempt whom, queue against queue, as far as settings and guarantees say. Chapter 08, sections 5 and 7.

The one place for fences, offsets, guarantees and `preemption.policy: disabled`: the scheduler asks it about the queues that
there are, advice about those that a configuration describes, tables and pictures about either. What depends on the instant,
such as an implicit fence (P-32), what is left of a guarantee (P-42) or a single allocation, is the scheduler's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, Self, TypeVar

from workbench.config.properties import QueueSettings
from workbench.values.resources import Resource


class InTree(Protocol):
    """A queue with what counts here: its place in the tree, its settings in force, its guarantee."""

    @property
    def parent(self) -> Self | None: ...

    @property
    def settings(self) -> QueueSettings: ...

    @property
    def guaranteed(self) -> Resource | None: ...


Q = TypeVar("Q", bound=InTree)


def way_up(queue: Q) -> Iterator[Q]:
    """The queue itself and every queue above it."""
    at: Q | None = queue
    while at is not None:
        yield at
        at = at.parent


# ---- whose asks look where --------------------------------------------------------------------------------------------


def has_claim(leaf: InTree) -> bool:
    """Whether asks of the leaf may preempt at all: something is guaranteed to it or above it. P-60."""
    return any(at.guaranteed for at in way_up(leaf))


def is_fence(queue: InTree) -> bool:
    """Whether by its policy asks below the queue look for victims below it only. The root needs no policy for that. P-30."""
    return queue.settings.preemption_policy == "fence"


def fence_root(leaf: Q) -> Q:
    """The queue to which the search for victims of the leaf's asks is limited, by policy alone. P-30.

    The leaf itself counts: behind a fence of its own there is nobody else.
    """
    return next(at for at in way_up(leaf) if at.parent is None or is_fence(at))


def can_reach(taker: Q, giver: Q) -> bool:
    """Whether asks of one leaf look into the other: never into their own, and not beyond their fence. P-30, P-31, P-51."""
    limit = fence_root(taker)
    return taker is not giver and any(at is limit for at in way_up(giver))


def is_disabled(leaf: InTree) -> bool:
    """Whether general preemption takes nothing of the leaf. P-51."""
    return leaf.settings.preemption_policy == "disabled"


def may_preempt(taker: Q, giver: Q) -> bool:
    """Whether one leaf may ever preempt in the other, as it holds more than it is guaranteed and priorities let it."""
    return has_claim(taker) and can_reach(taker, giver) and not is_disabled(giver)


# ---- what an ask's priority counts for on the way ---------------------------------------------------------------------


def raised_by(queue: InTree, priority: int) -> int:
    """What an ask of this priority below the queue counts for at the queue, on the way up. Not clamped. P-33."""
    settings = queue.settings
    return settings.priority_offset if settings.priority_policy == "fence" else priority + settings.priority_offset


def is_priority_fence(queue: InTree) -> bool:
    """Whether what passes the queue on the way down takes whatever is below, whatever its priority. P-34."""
    return queue.settings.priority_policy == "fence"


def lowered_by(queue: InTree, priority: int) -> int | None:
    """What an ask that counts for `priority` above the queue counts for in it, on the way down; None if it is kept out. P-34."""
    offset = queue.settings.priority_offset
    if not is_priority_fence(queue):
        return priority - offset
    return None if offset > priority else priority

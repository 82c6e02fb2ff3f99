"""What-if sums of queues: allocated and preempting as they would be, and what is left of the guarantees. Section 6.

A `WhatIf` is a throw-away copy of the amounts of some queues and all their ancestors; the scheduler's state is not touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.state import Queue
from workbench.values.resources import Resource, add, component_wise_min, is_empty, merge_if_not_present, sub, sub_only_existing


@dataclass(slots=True)
class _Amounts:
    """One queue: its guarantee and what would be in use, already without what is being preempted (P-41)."""

    parent: str
    guaranteed: Resource | None
    used: Resource


class WhatIf:
    """Queues around one ask's leaf. `remaining` answers for any queue that was included."""

    __slots__ = ("_ask_leaf", "_asks_own_guarantee", "_queues")

    _asks_own_guarantee: bool
    _queues: dict[str, _Amounts]

    def __init__(self, ask_leaf: Queue, others: Iterable[Queue] = (), *, like: WhatIf | None = None):
        self._ask_leaf = ask_leaf
        if like is not None:
            self._asks_own_guarantee = like._asks_own_guarantee
            self._queues = {path: _Amounts(each.parent, each.guaranteed, each.used) for path, each in like._queues.items()}
            return
        self._asks_own_guarantee = not is_empty(ask_leaf.guaranteed)
        self._queues = {}
        self.include(ask_leaf)
        for queue in others:
            self.include(queue)

    def include(self, queue: Queue) -> None:
        """Take the present amounts of a queue and its ancestors, where they are not known yet. P-40."""
        for at in ancestry(queue):
            if at.path not in self._queues:
                self._queues[at.path] = _Amounts(
                    at.parent.path if at.parent else "", at.guaranteed, sub_only_existing(at.allocated, at.preempting)
                )

    def forget(self, path: str) -> None:
        """Drop a queue again; its ancestors stay. P-40."""
        if path != self._ask_leaf.path:
            del self._queues[path]

    def paths(self) -> list[str]:
        return sorted(self._queues)

    def copy(self) -> WhatIf:
        return WhatIf(self._ask_leaf, like=self)

    def give(self, path: str, amount: Resource) -> None:
        """The queue and its ancestors would hold so much more."""
        for each in self._up(path):
            each.used = add(each.used, amount)

    def take(self, path: str, amount: Resource) -> None:
        """The queue and its ancestors would hold so much less."""
        for each in self._up(path):
            each.used = sub(each.used, amount)

    def remaining(self, path: str) -> Resource | None:
        """What is left of the guarantee that counts for the queue; None if none does, values may be negative. P-42."""
        if not path:
            return None
        each = self._queues[path]
        own = sub_only_existing(each.guaranteed, each.used)
        return left_of(path, own, self.remaining(each.parent), self._ask_leaf.path, self._asks_own_guarantee)

    def _up(self, path: str) -> Iterator[_Amounts]:
        while path:
            each = self._queues[path]
            yield each
            path = each.parent


def left_of(path: str, own: Resource | None, above: Resource | None, ask_leaf: str, asks_own_guarantee: bool) -> Resource | None:
    """What is left of the guarantee that counts for a queue, from what is left of its own and what counts above it. P-42.

    `asks_own_guarantee`: the leaf of the ask has a guarantee of its own.
    """
    if is_empty(own) and is_empty(above):
        return None
    if path == ask_leaf and not is_empty(own):
        return merge_if_not_present(own, above)
    # Quirk (P-47): text is compared, not path components.
    if not is_empty(own) and asks_own_guarantee and ask_leaf.startswith(path):
        return None
    return component_wise_min(own, above)

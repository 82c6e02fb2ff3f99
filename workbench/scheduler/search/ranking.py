"""The children of one parent in scheduling order, repaired where one was touched. Sections 4 and 5 of chapter 05.

The keys are those of `policies`; a touched child gets a new key when the order is next read, and moves if it differs. When
what gives the keys their form or their measure changes (settings, guarantee, fair maximum), the whole order is made anew:
keys of two forms are never in one order, where they could not be compared, or would be without meaning anything.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from workbench.scheduler import policies
from workbench.scheduler.records.state import Application, Queue
from workbench.scheduler.releases.profiles import Profile
from workbench.values.resources import Resource, prune, strictly_greater_than_zero

QueueKey = tuple[Any, ...]
"""(priority and share as they are compared, sum of what is pending, creation number, what is pending, the child)"""
Vector = tuple[tuple[str, int], ...]


class ApplicationRanking:
    """The applications of a leaf that wait for something. R-530 to R-537."""

    __slots__ = ("_dirty", "_guaranteed", "_key_of", "_keys", "_leaf", "_member", "_settings")

    def __init__(self, leaf: Queue):
        self._leaf = leaf
        self._begin()

    def _begin(self) -> None:
        """Forget the order; everybody gets a key when it is next read."""
        leaf = self._leaf
        self._settings, self._guaranteed = leaf.settings, leaf.guaranteed
        self._keys: list[Any] = []
        self._key_of: dict[Application, Any] = {}
        self._member: dict[int, Application] = {}
        self._dirty = dict.fromkeys(leaf.applications.values())

    def touch(self, application: Application) -> None:
        self._dirty[application] = None

    def in_order(self) -> Iterator[Application]:
        """First to last. The order is that of the first step; what is touched on the way shows when it is read again."""
        self._repair()
        member = self._member
        return (member[key[-1]] for key in self._keys)

    def _repair(self) -> None:
        leaf = self._leaf
        order = policies.APPLICATION_ORDERS[leaf.settings.application_sort_policy]
        if leaf.settings is not self._settings or leaf.guaranteed is not self._guaranteed:
            self._begin()
        elif not order.is_kept:
            self._dirty.update(dict.fromkeys(leaf.applications.values()))
        if not self._dirty:
            return
        key_for = order.key
        by_priority = leaf.settings.priority_sorting
        for application in self._dirty:
            key = None
            if leaf.applications.get(application.id) is application and strictly_greater_than_zero(application.pending):
                key = key_for(application, leaf.guaranteed, by_priority)
            old = self._key_of.get(application)
            if key == old:
                continue
            if old is not None:
                del self._keys[bisect_left(self._keys, old)]
            if key is None:
                del self._key_of[application]
                if self._member.get(application.seq) is application:
                    del self._member[application.seq]
            else:
                insort(self._keys, key)
                self._key_of[application] = key
                self._member[application.seq] = application
        self._dirty.clear()


class QueueRanking:
    """The children of a queue that wait for something. R-520 to R-526, R-528.

    Children equal in priority and share stand together, and by the sum of what they wait for: if of every two different
    vectors among them one dominates, that is the order (R-523). Otherwise they are settled as `policies` does, when read.
    """

    __slots__ = ("_dirty", "_equals", "_fair_maximum", "_fair_of", "_key_of", "_keys", "_order", "_parent", "_settings")

    def __init__(self, parent: Queue, profile: Profile):
        self._parent = parent
        self._order = policies.QUEUE_ORDERS[profile.queue_order]
        self._begin(None)

    def _begin(self, fair_maximum: Resource | None) -> None:
        """Forget the order; everybody gets a key when it is next read."""
        parent = self._parent
        self._settings, self._fair_maximum = parent.settings, fair_maximum
        self._fair_of: dict[Queue, tuple[Resource | None, Resource | None]] = {}
        self._keys: list[QueueKey] = []
        self._key_of: dict[Queue, QueueKey] = {}
        self._equals: dict[tuple[Any, Any], Equals] = {}
        """By priority and share, where more than one child has them."""
        self._dirty = dict.fromkeys(parent.children.values())

    def touch(self, queue: Queue) -> None:
        self._dirty[queue] = None

    def fair_of(self, child: Queue) -> Resource | None:
        """The fair maximum of a child. R-522."""
        if child.maximum is None:
            return self._fair_maximum
        known = self._fair_of.get(child)
        if known is None or known[0] is not child.maximum:
            known = self._fair_of[child] = child.maximum, policies.fair_maximum(self._fair_maximum, child)
        return known[1]

    def in_order(self, fair_maximum: Resource | None) -> Iterator[Queue]:
        """First to last, measured against the fair maximum of the parent."""
        if fair_maximum is not self._fair_maximum or self._parent.settings is not self._settings:
            self._begin(fair_maximum)
        elif not self._order.is_kept:
            self._dirty.update(dict.fromkeys(self._parent.children.values()))
        if self._dirty:
            self._repair()
        return self._settled()

    def _settled(self) -> Iterator[Queue]:
        keys = self._keys
        at = 0
        while at < len(keys):
            equals = self._equals.get(keys[at][:2])
            if equals is None:
                yield keys[at][5]
                at += 1
                continue
            following = at + equals.size
            if equals.is_chain():
                while at < following:
                    yield keys[at][5]
                    at += 1
            else:
                yield from equals.settled([key[5] for key in keys[at:following]])
                at = following

    def _repair(self) -> None:
        share_of = self._order.share
        by_priority = self._settings.priority_sorting
        for child in self._dirty:
            old, key, pending = self._key_of.get(child), None, child.pending
            if self._parent.children.get(child.name) is child and child.status != "Stopped" and strictly_greater_than_zero(pending):
                key = (
                    *policies.queue_head(child, share_of(child, self.fair_of(child)), by_priority),
                    -sum(pending.amounts.values()),
                    child.seq,
                    pending,
                    child,
                )
            if key == old:
                continue
            if old is not None:
                self._part(old)
            if key is None:
                del self._key_of[child]
                self._fair_of.pop(child, None)
            else:
                self._join(key)
                self._key_of[child] = key
        self._dirty.clear()

    def _join(self, key: QueueKey) -> None:
        keys = self._keys
        index = bisect_left(keys, key[:4])
        for beside in (index - 1, index):
            if 0 <= beside < len(keys) and keys[beside][:2] == key[:2]:
                equals = self._equals.get(key[:2])
                if equals is None:
                    equals = self._equals[key[:2]] = Equals()
                    equals.join(keys[beside][4])
                equals.join(key[4])
                break
        keys.insert(index, key)

    def _part(self, key: QueueKey) -> None:
        keys = self._keys
        # Up to the creation number only: after an undo a queue that is gone and one in its place can share it for a moment.
        index = bisect_left(keys, key[:4])
        while keys[index][5] is not key[5]:
            index += 1
        del keys[index]
        equals = self._equals.get(key[:2])
        if equals is not None:
            equals.leave(key[4])
            if equals.size == 1:
                del self._equals[key[:2]]


class Equals:
    """Sibling queues equal in priority and share: how many wait for what, and the order among them."""

    __slots__ = ("_chain", "_settled", "_vectors", "size")

    def __init__(self) -> None:
        self.size = 0
        self._vectors: dict[Vector, tuple[int, Resource]] = {}
        """What is pending, as a value -> (how many wait for it, one of their vectors)"""
        self._chain: bool | None = True
        self._settled: list[Queue] | None = None

    def join(self, pending: Resource) -> None:
        self.size += 1
        self._settled = None
        counted = self._vectors.get(vector := _vector(pending))
        if counted is None:
            self._vectors[vector] = (1, pending)
            self._chain = None
        else:
            self._vectors[vector] = (counted[0] + 1, counted[1])

    def leave(self, pending: Resource) -> None:
        self.size -= 1
        self._settled = None
        count, one = self._vectors[vector := _vector(pending)]
        if count > 1:
            self._vectors[vector] = (count - 1, one)
        else:
            del self._vectors[vector]
            self._chain = None

    def is_chain(self) -> bool:
        """Whether of every two different vectors one dominates the other. R-523."""
        if self._chain is None:
            by_size = sorted((pending for _, pending in self._vectors.values()), key=lambda each: -sum(each.amounts.values()))
            self._chain = all(policies.dominates(larger, smaller) for larger, smaller in pairwise(by_size))
        return self._chain

    def settled(self, members: list[Queue]) -> list[Queue]:
        """The order of members that are no chain. R-525."""
        if self._settled is None:
            members = sorted(members, key=lambda queue: queue.seq)
            keyed = [(policies.PriorityShareKey(0, math.nan, 0, queue.seq), queue) for queue in members]
            self._settled = [queue for _, queue in policies.settled_by_dominance(keyed)]
        return self._settled


def _vector(pending: Resource) -> Vector:
    """What two queues have in common that wait for the same; types of 0 do not count."""
    return tuple(sorted(prune(pending).amounts.items()))

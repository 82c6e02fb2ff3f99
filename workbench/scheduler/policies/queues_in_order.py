"""The children of a parent in scheduling order. Section 4 of chapter 05.

The order that the release names (`Profile.queue_order`) gives the share. One rule is no key: between siblings equal in priority
and share, the one whose pending resource dominates goes first, a partial order (R-523 to R-525); `_settle` applies it as the
core does, from creation order, and puts the outcome into the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from workbench.scheduler.policies.orders import QUEUE_ORDERS, Share
from workbench.scheduler.policies.shares import fair_maximum
from workbench.scheduler.records.decision import Key
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import QueueStopped, QueueWithoutPending
from workbench.scheduler.records.state import Queue
from workbench.scheduler.releases.profiles import DEFAULT, Profile
from workbench.values.resources import Resource, strictly_greater_than_zero, sub


class PriorityShareKey(NamedTuple):
    """Queues: higher priority, then smaller share, then dominating pending, then creation."""

    priority: int
    share: Share
    pending: int
    seq: int


class SharePriorityKey(NamedTuple):
    """Queues with `application.sort.priority: disabled` on the parent: share before priority."""

    share: Share
    priority: int
    pending: int
    seq: int


class PrioritySeqKey(NamedTuple):
    """Queues by priority alone. R-527"""

    priority: int
    seq: int


def order_queues(
    parent: Queue, parent_fair_maximum: Resource | None, profile: Profile = DEFAULT, *, policy: str = "fair"
) -> tuple[str, list[tuple[Key, Queue]], list[Refusal]]:
    """Name of the order, (key, child) first to last, and those left out. R-520 to R-525, R-528.

    Every parent uses the policy fair; fifo, by priority alone, is known to the core but out of reach of any parent (R-527).
    Quirk kept out: the core may compare with the fair maximum of a list position (R-526); here each queue keeps its own.
    """
    by_priority = parent.settings.priority_sorting
    share_of = QUEUE_ORDERS[profile.queue_order].share
    ranked: list[tuple[Key, Queue]] = []
    filtered: list[tuple[int, Refusal]] = []
    for child in parent.children.values():
        if child.status == "Stopped":
            filtered.append((child.seq, QueueStopped(child.name, child.status)))
        elif not strictly_greater_than_zero(child.pending):
            filtered.append((child.seq, QueueWithoutPending(child.name, child.pending)))
        elif policy == "fifo":
            ranked.append((PrioritySeqKey(-child.priority if by_priority else 0, child.seq), child))
        else:
            share = share_of(child, fair_maximum(parent_fair_maximum, child))
            key = PriorityShareKey if by_priority else SharePriorityKey
            ranked.append((key(*queue_head(child, share, by_priority), 0, child.seq), child))
    ranked.sort(key=_first)
    name = "priority, share" if by_priority else "share, priority"
    return name, ranked if policy == "fifo" else _settle(ranked), [refusal for _, refusal in sorted(filtered, key=_first)]


def queue_head(child: Queue, share: Share, by_priority: bool) -> tuple[Any, Any]:
    """What siblings are compared by before equals are settled. R-521, R-523."""
    return (-child.priority, share) if by_priority else (share, -child.priority)


def _first(pair: tuple[Any, object]) -> Any:
    return pair[0]


def _settle(ranked: Sequence[tuple[Key, Queue]]) -> list[tuple[Key, Queue]]:
    """Order queues that are equal in priority and share by dominance of what they wait for.

    Insertion, not a sort: the rule is a partial order, and the core inserts from its base order (R-525).
    """
    settled: list[tuple[Key, Queue]] = []
    for _, group in groupby(ranked, key=lambda pair: pair[0][:2]):
        equals = list(group)
        if len(equals) > 1:
            equals = settled_by_dominance(equals)
        settled.extend(equals)
    return settled


def settled_by_dominance(equals: Iterable[tuple[Key, Queue]]) -> list[tuple[Key, Queue]]:
    order: list[tuple[Key, Queue]] = []
    for pair in equals:
        place = len(order)
        while place and dominates(pair[1].pending, order[place - 1][1].pending):
            place -= 1
        order.insert(place, pair)
    # Into the key goes how often dominance decided between neighbours; where it never did, creation order shows.
    rank, settled = 0, list(order[:1])
    for (_, left), (key, right) in zip(order, order[1:]):
        rank += dominates(left.pending, right.pending)
        settled.append((key._replace(pending=rank), right))
    return settled


def dominates(left: Resource, right: Resource) -> bool:
    """Whether left - right has no negative and at least one positive quantity. R-523."""
    return strictly_greater_than_zero(sub(left, right))

"""Orders: queues below a parent, applications in a leaf. Each policy is a key; smaller goes first. Sections 4 and 5 of chapter 05.

Sort policies of applications are registered by name. One rule is no key: between sibling queues equal in priority and
share, the one whose pending resource dominates goes first, a partial order (R-523 to R-525); `_settle` applies it as the
core does, from creation order, and puts the outcome into the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from workbench.resources import Resource, fair_share, get_shares, strictly_greater_than_zero, sub
from workbench.scheduler.decision import Refusal
from workbench.scheduler.state import Application, Queue


class PriorityShareKey(NamedTuple):
    """Queues: higher priority, then smaller share, then dominating pending, then creation."""

    priority: int
    share: float
    pending: int
    seq: int


class SharePriorityKey(NamedTuple):
    """Queues with `application.sort.priority: disabled` on the parent: share before priority."""

    share: float
    priority: int
    pending: int
    seq: int


class PriorityAgeKey(NamedTuple):
    """fifo: higher priority, then earlier submission. R-531."""

    priority: int
    submitted_ns: int
    seq: int


class AgePriorityKey(NamedTuple):
    """fifo with priority disabled: earlier submission, then higher priority. R-532."""

    submitted_ns: int
    priority: int
    seq: int


class PriorityUsageKey(NamedTuple):
    """fair: higher priority, then smaller usage. R-533. `usage` holds the shares, largest first."""

    priority: int
    usage: tuple[float, ...]
    seq: int


class UsagePriorityKey(NamedTuple):
    """fair with priority disabled: smaller usage, then higher priority. R-534."""

    usage: tuple[float, ...]
    priority: int
    seq: int


ApplicationPolicy = Callable[[Application, Resource | None, bool], tuple]
APPLICATION_POLICIES: dict[str, ApplicationPolicy] = {}


def register_sort_policy(name: str) -> Callable[[ApplicationPolicy], ApplicationPolicy]:
    """Make a key function `(application, guaranteed of the leaf, by_priority) -> NamedTuple` available by name.

    The key must end in the application's `seq`, so that no two are equal.
    """

    def store(policy: ApplicationPolicy) -> ApplicationPolicy:
        APPLICATION_POLICIES[name] = policy
        return policy

    return store


@register_sort_policy("fifo")
def fifo(application: Application, guaranteed: Resource | None, by_priority: bool) -> tuple:
    """Oldest submission first; with `by_priority`, priority before age. R-531, R-532."""
    priority, age, seq = -application.priority, application.submitted_ns, application.seq
    return PriorityAgeKey(priority, age, seq) if by_priority else AgePriorityKey(age, priority, seq)


@register_sort_policy("fair")
def fair(application: Application, guaranteed: Resource | None, by_priority: bool) -> tuple:
    """Smallest usage first, against the guaranteed resource of the leaf. R-533, R-534, R-537."""
    shares = get_shares(application.allocated, guaranteed)[::-1]
    # Comparing lists of different length, the core takes the missing shares as 0.
    while shares and shares[-1] == 0:
        shares = shares[:-1]
    priority, usage, seq = -application.priority, tuple(shares), application.seq
    return PriorityUsageKey(priority, usage, seq) if by_priority else UsagePriorityKey(usage, priority, seq)


def order_applications(leaf: Queue) -> tuple[str, list[tuple[tuple, Application]], list[Refusal]]:
    """Name of the order, (key, application) first to last, and those left out because nothing pends. R-530 to R-537."""
    by_priority = leaf.settings.priority_sorting
    policy = leaf.settings.application_sort_policy
    key = APPLICATION_POLICIES[policy]
    ranked, filtered = [], []
    for application in leaf.applications.values():
        if strictly_greater_than_zero(application.pending):
            ranked.append((key(application, leaf.guaranteed, by_priority), application))
        else:
            filtered.append(application)
    ranked.sort(key=_first)
    filtered.sort(key=lambda application: application.seq)
    name = f"priority, {policy}" if by_priority else f"{policy}, priority"
    return name, ranked, [Refusal("A-06", application.id, {"pending": application.pending}) for application in filtered]


def fair_maximum(parent_fair_maximum: Resource | None, queue: Queue) -> Resource | None:
    """What a queue's use is measured against for types without a guarantee. R-522, R-75.

    The parent's, with every type that the queue's own maximum names overriding it; empty stays empty. For the root its
    own maximum.
    """
    if queue.parent is None:
        return queue.maximum
    if not parent_fair_maximum or queue.maximum is None:
        return parent_fair_maximum
    return Resource({**parent_fair_maximum.amounts, **queue.maximum.amounts})


def order_queues(parent: Queue, parent_fair_maximum: Resource | None) -> tuple[str, list[tuple[tuple, Queue]], list[Refusal]]:
    """Name of the order, (key, child) first to last, and those left out. R-520 to R-525.

    Quirk kept out: the core may compare with the fair maximum of a list position (R-526); here each queue keeps its own.
    """
    by_priority = parent.settings.priority_sorting
    ranked: list[tuple[tuple, Queue]] = []
    filtered: list[tuple[int, Refusal]] = []
    for child in parent.children.values():
        if child.status == "Stopped":
            filtered.append((child.seq, Refusal("W-02", child.name, {"state": child.status})))
        elif not strictly_greater_than_zero(child.pending):
            filtered.append((child.seq, Refusal("A-03", child.name, {"pending": child.pending})))
        else:
            share = fair_share(child.allocated, child.guaranteed, fair_maximum(parent_fair_maximum, child))
            key = (PriorityShareKey(-child.priority, share, 0, child.seq) if by_priority
                   else SharePriorityKey(share, -child.priority, 0, child.seq))
            ranked.append((key, child))
    ranked.sort(key=_first)
    name = "priority, share" if by_priority else "share, priority"
    return name, _settle(ranked), [refusal for _, refusal in sorted(filtered, key=lambda item: item[0])]


def _first(pair: tuple) -> tuple:
    return pair[0]


def _settle(ranked: Sequence[tuple[tuple, Queue]]) -> list[tuple[tuple, Queue]]:
    """Order queues that are equal in priority and share by dominance of what they wait for.

    Insertion, not a sort: the rule is a partial order, and the core inserts from its base order (R-525).
    """
    settled: list[tuple[tuple, Queue]] = []
    for _, group in groupby(ranked, key=lambda pair: pair[0][:2]):
        equals = list(group)
        if len(equals) > 1:
            equals = _by_dominance(equals)
        settled.extend(equals)
    return settled


def _by_dominance(equals: Iterable[tuple[tuple, Queue]]) -> list[tuple[tuple, Queue]]:
    order: list[tuple[tuple, Queue]] = []
    for pair in equals:
        place = len(order)
        while place and _dominates(pair[1].pending, order[place - 1][1].pending):
            place -= 1
        order.insert(place, pair)
    # Into the key goes how often dominance decided between neighbours; where it never did, creation order shows.
    rank, settled = 0, order[:1]
    for (_, left), (key, right) in zip(order, order[1:]):
        rank += _dominates(left.pending, right.pending)
        settled.append((key._replace(pending=rank), right))  # type: ignore[attr-defined]
    return settled


def _dominates(left: Resource, right: Resource) -> bool:
    """Whether left - right has no negative and at least one positive quantity. R-523."""
    return strictly_greater_than_zero(sub(left, right))



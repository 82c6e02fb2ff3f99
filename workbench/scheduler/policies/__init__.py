"""Orders: queues below a parent, applications in a leaf. Each policy is a key; smaller goes first. Sections 4 and 5 of chapter 05.

Sort policies of applications are registered by name; one that keeps some applications out brings the test for it. One rule
is no key: between sibling queues equal in priority and share, the one whose pending resource dominates goes first, a
partial order (R-523 to R-525); `_settle` applies it as the core does, from creation order, and puts the outcome into the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import ApplicationWithoutPending, OneStart, QueueStopped, QueueWithoutPending
from workbench.scheduler.records.state import Application, Queue
from workbench.scheduler.releases.profiles import DEFAULT, Profile
from workbench.values.resources import Resource, fair_share, get_shares, strictly_greater_than_zero, sub

Share = float | tuple[float, ...]
"""What sibling queues are compared by: one number, or all shares of a queue, largest first (R-521, R-528)."""


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

Admission = Callable[[Queue, Sequence[Application], int], Mapping[str, Refusal]]
ADMISSIONS: dict[str, Admission] = {}


def register_sort_policy(name: str, admission: Admission | None = None) -> Callable[[ApplicationPolicy], ApplicationPolicy]:
    """Make a key function `(application, guaranteed of the leaf, by_priority) -> NamedTuple` available by name.

    The key must end in the application's `seq`, so that no two are equal. `admission` is for a policy that keeps some
    applications out: `(leaf, its applications with something pending, now in ns) -> refusals by application id`.
    """

    def store(policy: ApplicationPolicy) -> ApplicationPolicy:
        APPLICATION_POLICIES[name] = policy
        if admission is not None:
            ADMISSIONS[name] = admission
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
    priority, usage, seq = -application.priority, _share_list(application.allocated, guaranteed), application.seq
    return PriorityUsageKey(priority, usage, seq) if by_priority else UsagePriorityKey(usage, priority, seq)


def one_start_at_a_time(leaf: Queue, waiting: Sequence[Application], now_ns: int) -> dict[str, Refusal]:
    """While an application of the leaf is Starting, no Accepted one; else of these only the oldest. R-538, W-24.

    Quirk: this keeps others from starting, and nothing else: the one that may start is sorted among those that run.
    """
    accepted = [application for application in waiting if application.state == "Accepted"]
    starting = [application for application in leaf.applications.values() if application.state == "Starting"]
    if not accepted:
        return {}
    if starting:
        last = max(starting, key=lambda application: (application.state_log[-1][0], application.seq))
        age_ns = now_ns - last.state_log[-1][0]
        return {each.id: OneStart(each.id, starting=last.id, age_ns=age_ns) for each in accepted}
    oldest = min(accepted, key=lambda application: (application.submitted_ns, application.seq))
    return {each.id: OneStart(each.id, admitted=oldest.id) for each in accepted if each is not oldest}


@register_sort_policy("stateaware", one_start_at_a_time)
def stateaware(application: Application, guaranteed: Resource | None, by_priority: bool) -> tuple:
    """The order of fifo among those that are admitted. Only engine versions before 1.6 have it (C-183). R-538."""
    return fifo(application, guaranteed, by_priority)


def order_applications(
    leaf: Queue, now_ns: int, *, all_admitted: bool = False
) -> tuple[str, list[tuple[tuple, Application]], list[Refusal]]:
    """Name of the order, (key, application) first to last, and those left out with the reason. R-530 to R-538.

    `all_admitted` ranks those, too, that the policy keeps out, as a look ahead does (R-585).
    """
    by_priority = leaf.settings.priority_sorting
    policy = leaf.settings.application_sort_policy
    key = APPLICATION_POLICIES[policy]
    waiting: list[Application] = []
    filtered: list[tuple[int, Refusal]] = []
    for application in leaf.applications.values():
        if strictly_greater_than_zero(application.pending):
            waiting.append(application)
        else:
            filtered.append((application.seq, ApplicationWithoutPending(application.id, application.pending)))
    if policy in ADMISSIONS and not all_admitted:
        kept_out = ADMISSIONS[policy](leaf, waiting, now_ns)
        filtered += [(application.seq, kept_out[application.id]) for application in waiting if application.id in kept_out]
        waiting = [application for application in waiting if application.id not in kept_out]
    ranked = sorted(((key(application, leaf.guaranteed, by_priority), application) for application in waiting), key=_first)
    name = f"priority, {policy}" if by_priority else f"{policy}, priority"
    return name, ranked, [refusal for _, refusal in sorted(filtered, key=_first)]


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


QUEUE_SHARES: Mapping[str, Callable[[Queue, Resource | None], Share]] = {
    "largest": lambda queue, fair_maximum: fair_share(queue.allocated, queue.guaranteed, fair_maximum),
    "list": lambda queue, fair_maximum: _share_list(queue.allocated, queue.guaranteed),
}
"""What siblings are compared by, by the name in the profile: (queue, its fair maximum) -> share. R-521, R-528."""


def order_queues(
    parent: Queue, parent_fair_maximum: Resource | None, profile: Profile = DEFAULT, *, policy: str = "fair"
) -> tuple[str, list[tuple[tuple, Queue]], list[Refusal]]:
    """Name of the order, (key, child) first to last, and those left out. R-520 to R-525, R-528.

    Every parent uses the policy fair; fifo, by priority alone, is known to the core but out of reach of any parent (R-527).
    Quirk kept out: the core may compare with the fair maximum of a list position (R-526); here each queue keeps its own.
    """
    by_priority = parent.settings.priority_sorting
    share_of = QUEUE_SHARES[profile.queue_share]
    ranked: list[tuple[tuple, Queue]] = []
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


def largest(share: Share) -> float:
    """The share of a queue as one number, also where lists of shares are compared."""
    return max(share, default=0.0) if isinstance(share, tuple) else share


def _first(pair: tuple) -> Any:
    return pair[0]


def _share_list(allocated: Resource, guaranteed: Resource | None) -> tuple[float, ...]:
    """All shares, largest first, without zeros at the end: the core takes what a shorter list lacks as 0. R-537."""
    shares = list(reversed(get_shares(allocated, guaranteed)))
    while shares and shares[-1] == 0:
        shares.pop()
    return tuple(shares)


def _settle(ranked: Sequence[tuple[tuple, Queue]]) -> list[tuple[tuple, Queue]]:
    """Order queues that are equal in priority and share by dominance of what they wait for.

    Insertion, not a sort: the rule is a partial order, and the core inserts from its base order (R-525).
    """
    settled: list[tuple[tuple, Queue]] = []
    for _, group in groupby(ranked, key=lambda pair: pair[0][:2]):
        equals = list(group)
        if len(equals) > 1:
            equals = settled_by_dominance(equals)
        settled.extend(equals)
    return settled


def settled_by_dominance(equals: Iterable[tuple[tuple, Queue]]) -> list[tuple[tuple, Queue]]:
    order: list[tuple[tuple, Queue]] = []
    for pair in equals:
        place = len(order)
        while place and dominates(pair[1].pending, order[place - 1][1].pending):
            place -= 1
        order.insert(place, pair)
    # Into the key goes how often dominance decided between neighbours; where it never did, creation order shows.
    rank, settled = 0, list(order[:1])
    for (_, left), (key, right) in zip(order, order[1:]):
        rank += dominates(left.pending, right.pending)
        settled.append((key._replace(pending=rank), right))  # type: ignore[attr-defined]
    return settled


def dominates(left: Resource, right: Resource) -> bool:
    """Whether left - right has no negative and at least one positive quantity. R-523."""
    return strictly_greater_than_zero(sub(left, right))

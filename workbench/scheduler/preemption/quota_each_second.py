"""Quota preemption as of release 1.9: looked at once a second, whether or not a cycle runs or anybody waits. Chapter 11, section 1.

Queues over their maximum are given a time to start by a change of the configuration, or when their use grows other than by
scheduling. What goes is at most what is too much, in every type that is: a maximum may stay exceeded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cmp_to_key

from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.timers import SECOND_NS
from workbench.scheduler.objects.tree import children, walk
from workbench.scheduler.preemption import effects, may_stop, quota
from workbench.scheduler.preemption.quota import Spared, is_within
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Trace
from workbench.scheduler.records.events import QuotaPreempted, Surprised
from workbench.scheduler.records.refusals.victims import LargerThanTarget, TargetReached
from workbench.scheduler.records.state import Allocation, Partition, Queue
from workbench.values.resources import (
    EMPTY,
    Resource,
    add,
    comp_usage_ratio,
    component_wise_min,
    equals,
    fit_in_max_undef,
    is_empty,
    strictly_greater_than,
    strictly_greater_than_or_equals_only_existing,
    strictly_greater_than_zero,
    sub_only_existing,
)

EACH_SECOND = "each second"
"""The name of these rules in a release's profile."""
HOUR_NS = 3600 * SECOND_NS
CRASHES = "all that is too much goes already; release 1.9.0 of the real scheduler would crash here, and nothing is done instead"
OPTED_OUT_SCORE, ORIGINATOR_SCORE = 2**34, 2**33
"""R-911."""


# ---- when -------------------------------------------------------------------------------------------------------------


def start_after_change(queue: Queue, old_maximum: Resource | None, old_delay_ns: int, now_ns: int) -> int | None:
    """When the queue's run may start, after a configuration change; None for never. R-904."""
    start, delay, maximum = queue.quota_start_ns, queue.settings.quota_preemption_delay_ns, queue.maximum
    if delay == 0:
        return start
    if maximum is None or is_within(queue):
        return None
    unchanged = old_maximum is not None and equals(old_maximum, maximum)
    lowered = strictly_greater_than(old_maximum, maximum)
    if start is None:
        return now_ns + delay if lowered or (unchanged and old_delay_ns == 0) else None
    raised = old_maximum is not None and strictly_greater_than(maximum, old_maximum)
    return start + (delay - old_delay_ns) if unchanged or lowered or raised else start


def usage_grew(ctx: Context, partition: Partition, queue: Queue) -> None:
    """Use grew other than by scheduling: every queue of the path that is over its maximum now gets a time. R-905."""
    if not partition.quota_preemption_enabled:
        return
    for at in ancestry(queue):
        delay = at.settings.quota_preemption_delay_ns
        if at.is_managed and delay and at.quota_start_ns is None and strictly_greater_than_zero(at.maximum) and not is_within(at):
            ctx.journal.set(at, "quota_start_ns", ctx.now_ns + delay)


def next_look_ns(partition: Partition, since_ns: int) -> int | None:
    """The first instant after `since_ns` at which a look finds something to do. R-900, R-906.

    Between two changes of the state every other look would find nothing, so that idle time need not be looked through.
    """
    if not partition.quota_preemption_enabled:
        return None
    first = (since_ns // SECOND_NS + 1) * SECOND_NS
    found: int | None = None
    for queue in walk(partition.root):
        if queue.quota_start_ns is not None and queue.is_managed:
            at = first if is_within(queue) else max(first, -(-queue.quota_start_ns // SECOND_NS) * SECOND_NS)
            found = at if found is None else min(found, at)
    return found


def look(ctx: Context, partition: Partition) -> None:
    """Start every run that is due; what is below a queue that runs is left out in this look. R-900, R-902."""
    if partition.quota_preemption_enabled:
        _look(ctx, partition, partition.root)


def _look(ctx: Context, partition: Partition, queue: Queue) -> None:
    if is_due(ctx, partition, queue):
        enforce(ctx, partition, queue)
        return
    for child in children(queue):
        _look(ctx, partition, child)


def is_due(ctx: Context, partition: Partition, queue: Queue) -> bool:
    """Whether the time of the queue has come. A queue within its maximum is no longer scheduled. R-906."""
    if not partition.quota_preemption_enabled or not queue.is_managed or queue.quota_start_ns is None:
        return False
    if is_within(queue):
        ctx.journal.set(queue, "quota_start_ns", None)
        return False
    return ctx.now_ns >= queue.quota_start_ns


# ---- how much ---------------------------------------------------------------------------------------------------------


def target(queue: Queue) -> Resource:
    """What has to go: use above the maximum, without what goes already, but not more than use above guarantees. R-910, R-914.

    Quirk: of several queues on the path that hold more than they are guaranteed the one with the largest excess decides.
    """
    left: Resource | None = None
    for at in ancestry(queue):
        left = component_wise_min(left, at.allocated if is_empty(at.guaranteed) else sub_only_existing(at.guaranteed, at.allocated))
    bound = {name: -amount for name, amount in (left or EMPTY).items() if amount < 0}
    return Resource({name: min(amount, bound.get(name, amount)) for name, amount in quota.target(queue).items()})


def distribution(queue: Queue, amount: Resource) -> Iterator[tuple[Queue, Resource]]:
    """(leaf, share) of what has to go, split by excess over the guarantees down the tree and rounded down. R-915.

    Quirk: a share of 0 stays, and keeps every allocation that holds something of that type.
    """
    if is_empty(amount):
        return
    if queue.is_leaf:
        yield queue, amount
        return
    for child, part, whole in quota.parts(queue):
        share = {name: amount[name] * value // whole[name] for name, value in part.items() if name in amount and whole[name]}
        yield from distribution(child, Resource(share))


# ---- who --------------------------------------------------------------------------------------------------------------


def enforce(ctx: Context, partition: Partition, queue: Queue, trace: Trace | None = None) -> tuple[Allocation, ...]:
    """One run of a queue that is due; what it stops. It is not tried again before the queue has a new time. R-907, R-916, R-917."""
    wanted = target(queue)
    chosen: list[tuple[Queue, list[Allocation]]] = []
    spared: dict[str, Spared] = {}
    selected = 0
    shares: Resource | None = None
    for leaf, share in distribution(queue, wanted):
        selected += len(candidates(leaf, share))
        shares = add(shares, share)
        chosen.append((leaf, victims(leaf, share, spared.setdefault(leaf.path, Spared()) if trace is not None else None)))
    if trace is not None:
        trace.stoppings.append(quota.written_down(partition, queue, wanted, chosen, spared))
    for leaf, those in chosen:
        effects.stop_for_quota(ctx, partition, leaf.path, those)
    ctx.journal.set(queue, "quota_start_ns", None)
    stopped = tuple(victim for _, those in chosen for victim in those)
    if selected:
        claimed: Resource | None = None
        for victim in stopped:
            claimed = add(claimed, victim.resource)
        ctx.emit(QuotaPreempted(queue.path, queue.maximum, shares, claimed, selected, len(stopped)))
    elif is_empty(wanted) and not queue.is_leaf and next(quota.parts(queue), None) is not None:
        # victims that are still stopping already cover what is too much.
        ctx.emit(Surprised("R-916", queue.path, CRASHES))
    return stopped


def candidates(leaf: Queue, amount: Resource) -> list[Allocation]:
    """What of a leaf may be stopped for its share. P-135."""
    return [each for each in quota.held(leaf) if may_stop.spared_from_quota(each, amount) is None]


def victims(leaf: Queue, amount: Resource, spared: Spared | None = None) -> list[Allocation]:
    """The allocations of a leaf to stop, in order, of which the total is within the share in every type of it. R-913.

    `spared`, for traced cycles, learns what kept each of the others.
    """
    if spared is not None:
        for each in quota.held(leaf):
            spared.note(may_stop.spared_from_quota(each, amount))
    chosen: list[Allocation] = []
    total = EMPTY
    for victim in in_order(candidates(leaf, amount), leaf, amount):
        if not fit_in_max_undef(amount, victim.resource):
            if spared is not None:
                spared.note(LargerThanTarget(victim.key, victim.application_id, victim.resource, amount))
            continue
        with_it = add(total, victim.resource)
        if strictly_greater_than_or_equals_only_existing(amount, with_it):
            total = with_it
            chosen.append(victim)
        elif spared is not None:
            spared.note(TargetReached(victim.key, victim.application_id))
    return chosen


def in_order(allocations: Iterable[Allocation], leaf: Queue, amount: Resource) -> list[Allocation]:
    """Who goes first: what opted out, then originators, then the rest; each by how much of it is wanted at all. R-911, R-912.

    Quirk: the documents say the reverse. Then lower priority, the younger hour, the smaller share of the leaf's maximum; equals
    in all of it, which the core leaves open, latest made first.
    """
    wanted = amount.amounts.keys()
    maximum = leaf.maximum

    def compared(left: Allocation, right: Allocation) -> int:
        mine, theirs = _rank(left, amount), _rank(right, amount)
        if mine != theirs:
            return -1 if mine < theirs else 1
        return comp_usage_ratio(_only(left.resource, wanted), _only(right.resource, wanted), maximum) or right.seq - left.seq

    return sorted(allocations, key=cmp_to_key(compared))


def _rank(allocation: Allocation, amount: Resource) -> tuple[int, int, int]:
    own = allocation.resource.amounts
    matching = 100 * sum(name in amount for name in own) // len(own) if own else 0
    score = matching + OPTED_OUT_SCORE * (not allocation.allow_preempt_self) + ORIGINATOR_SCORE * allocation.originator
    return -score, allocation.priority, -(allocation.created_ns // HOUR_NS)


def _only(resource: Resource, names: Iterable[str]) -> Resource:
    return Resource({name: resource[name] for name in names if resource.get(name, 0)})

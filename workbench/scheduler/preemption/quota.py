"""Quota preemption: after a queue's maximum was lowered below its use, and a delay, allocations are stopped. Section 16.

Here it is looked at in scheduling cycles, up to release 1.8; `quota_each_second` has the rules of 1.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workbench.scheduler.objects.tree import children, leaves
from workbench.scheduler.preemption import effects, may_stop
from workbench.scheduler.preemption.victim_order import in_order
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Trace
from workbench.scheduler.records.refusals.victims import (
    KeepsGuarantee,
    LargerThanTarget,
    NoShare,
    OfAllocation,
    TargetReached,
)
from workbench.scheduler.records.state import Allocation, Partition, Queue
from workbench.scheduler.records.stoppings import Stopping, Verdict, taken_of, verdict_of
from workbench.values.resources import (
    EMPTY,
    Resource,
    add,
    equals,
    fit_in_max_undef,
    is_empty,
    is_zero,
    strictly_greater_than,
    strictly_greater_than_only_existing,
    strictly_greater_than_or_equals_only_existing,
    sub,
    sub_only_existing,
)

IN_CYCLES = "in cycles"
"""The name of these rules in a release's profile."""


class Spared:
    """What kept the other allocations of a leaf; for traced cycles."""

    def __init__(self) -> None:
        self.refusals: list[OfAllocation] = []

    def note(self, refusal: OfAllocation | None) -> None:
        if refusal is not None:
            self.refusals.append(refusal)


def start_after_change(queue: Queue, old_maximum: Resource | None, old_delay_ns: int, now_ns: int) -> int | None:
    """When the queue's quota preemption starts, after a configuration change; None for never. P-132."""
    start, delay = queue.quota_start_ns, queue.settings.quota_preemption_delay_ns
    if delay == 0:
        return start
    if queue.maximum is None:
        return None
    unchanged = old_maximum is not None and equals(old_maximum, queue.maximum)
    lowered = strictly_greater_than(old_maximum, queue.maximum)
    if start is None:
        return now_ns + delay if lowered or (unchanged and old_delay_ns == 0) else None
    return start + (delay - old_delay_ns) if unchanged or lowered else start


def is_asked_in_cycles(partition: Partition) -> bool:
    """Whether a pass looks at the quotas of the queues that it reaches. P-133, R-900."""
    return partition.quota_preemption_enabled and partition.profile.quota_preemption == IN_CYCLES


def usage_grew(ctx: Context, partition: Partition, queue: Queue) -> None:
    """Only a change of the configuration schedules anything. R-905."""


def next_look_ns(partition: Partition, since_ns: int) -> int | None:
    """Nobody looks but cycles. R-900."""
    return None


def look(ctx: Context, partition: Partition) -> None:
    """Nobody looks but cycles. R-900."""


def is_due(ctx: Context, partition: Partition, queue: Queue) -> bool:
    """Whether the time of the queue has come, asked when a pass reaches it. P-133.

    A queue within its maximum is no longer scheduled for it.
    """
    if not partition.quota_preemption_enabled or not queue.is_managed or queue.quota_start_ns is None:
        return False
    if is_within(queue):
        ctx.journal.set(queue, "quota_start_ns", None)
        return False
    return ctx.now_ns > queue.quota_start_ns


def enforce(ctx: Context, partition: Partition, queue: Queue, trace: Trace | None = None) -> tuple[Allocation, ...]:
    """Stop what is too much in a queue that is due; what was stopped. P-134 to P-138.

    Quirk: the core clears the start times of the leaves, but not that of a parent, which runs again in every pass until it is
    within its maximum. When all that is too much goes already, the core crashes; here the parent's run is over then (P-139).
    """
    chosen: list[tuple[Queue, list[Allocation]]] = []
    spared: dict[str, Spared] = {}
    for leaf, share in distribution(queue, target(queue)):
        chosen.append((leaf, victims(leaf, share, spared.setdefault(leaf.path, Spared()) if trace is not None else None)))
    if trace is not None:
        trace.stoppings.append(written_down(partition, queue, target(queue), chosen, spared))
    for leaf, those in chosen:
        effects.stop_for_quota(ctx, partition, leaf.path, those)
        if leaf is not queue:
            ctx.journal.set(leaf, "quota_start_ns", None)
    if queue.is_leaf or not chosen:
        ctx.journal.set(queue, "quota_start_ns", None)
    return tuple(victim for _, those in chosen for victim in those)


def written_down(
    partition: Partition,
    queue: Queue,
    wanted: Resource,
    chosen: list[tuple[Queue, list[Allocation]]],
    spared: dict[str, Spared],
) -> Stopping:
    """What became of everything in the queue; asked before the victims are stopped."""
    together = [victim for _, those in chosen for victim in those]
    verdicts = [verdict_of(partition, victim, None) for victim in together]
    for leaf in leaves(queue):
        if leaf.path in spared:
            verdicts += [
                verdict_of(partition, partition.applications[refusal.application].allocations[refusal.subject], refusal)
                for refusal in spared[leaf.path].refusals
            ]
        elif held := sum(len(application.allocations) for application in leaf.applications.values()):
            verdicts.append(Verdict(NoShare(leaf.path), leaf.path, count=held))
    return Stopping("quota", queue.path, wanted, verdicts=tuple(verdicts), taken=taken_of(partition, together))


def is_within(queue: Queue) -> bool:
    """Whether the maximum holds the use in every type that both define. Quirk: no maximum holds nothing (R-56)."""
    return strictly_greater_than_or_equals_only_existing(queue.maximum, queue.allocated)


def target(queue: Queue) -> Resource:
    """What has to go: per type of the maximum, use without what already goes, above it. P-134."""
    room = sub_only_existing(queue.maximum, sub_only_existing(queue.allocated, queue.preempting))
    return Resource({name: -amount for name, amount in (room or EMPTY).items() if amount < 0})


def distribution(queue: Queue, amount: Resource) -> Iterator[tuple[Queue, Resource]]:
    """(leaf, share) of what has to go, split by excess over the guarantees down the tree. P-137."""
    if is_empty(amount):
        return
    if queue.is_leaf:
        yield queue, amount
        return
    for child, part, whole in parts(queue):
        share = {
            name: round(Fraction(amount[name] * value, whole[name]))
            for name, value in part.items()
            if name in amount and whole[name]
        }
        yield from distribution(child, Resource(share))


def parts(queue: Queue) -> Iterator[tuple[Queue, Resource, Resource]]:
    """(child, its excess, that of all together) for the children that hold more than they are guaranteed. P-137."""
    excess = [
        (child, _excess(child))
        for child in children(queue)
        if not is_zero(child.allocated) and not strictly_greater_than_or_equals_only_existing(child.guaranteed, child.allocated)
    ]
    whole = EMPTY
    for _, part in excess:
        whole = add(whole, part)
    for child, part in excess:
        yield child, part, whole


def _excess(queue: Queue) -> Resource:
    """Quirk: the absolute value makes a type in which the queue is under its guarantee count as excess. P-137."""
    if is_empty(queue.guaranteed):
        return queue.allocated
    difference = sub_only_existing(queue.guaranteed, queue.allocated)
    return Resource({name: abs(value) for name, value in (difference or EMPTY).items()})


def victims(leaf: Queue, amount: Resource, spared: Spared | None = None) -> list[Allocation]:
    """The allocations of a leaf to stop, in order. P-135, P-136.

    Overshoot by the last one is accepted. Quirks: giving one back, for the guarantee's sake, lowers the total by a victim
    that was never added, so that more than the target may go afterwards; and what is passed over counts in the total,
    which can start the taking again when a type comes in that the total did not have.
    `spared`, for traced cycles, learns what kept each of the others.
    """
    chosen: list[Allocation] = []
    total, use = EMPTY, leaf.allocated
    candidates = [each for each in held(leaf) if may_stop.spared_from_quota(each, amount) is None]
    if spared is not None:
        for each in held(leaf):
            spared.note(may_stop.spared_from_quota(each, amount))
    for victim in in_order(candidates):
        if not fit_in_max_undef(amount, victim.resource):
            if spared is not None:
                spared.note(LargerThanTarget(victim.key, victim.application_id, victim.resource, amount))
            continue
        taken = strictly_greater_than_only_existing(amount, total)
        if taken:
            use = sub(use, victim.resource)
        if not is_empty(leaf.guaranteed) and strictly_greater_than_only_existing(leaf.guaranteed, use):
            use, total = add(use, victim.resource), sub(total, victim.resource)
            if spared is not None:
                spared.note(KeepsGuarantee(victim.key, victim.application_id, leaf.path))
            continue
        if taken:
            chosen.append(victim)
        elif spared is not None:
            spared.note(TargetReached(victim.key, victim.application_id))
        total = add(total, victim.resource)
    return chosen


def held(leaf: Queue) -> Iterator[Allocation]:
    """Everything that runs in a leaf."""
    for application in leaf.applications.values():
        yield from application.allocations.values()

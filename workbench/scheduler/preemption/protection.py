"""What one attempt at preemption made of every candidate victim, and what it did to the queues of those it took.

Chapter 09, sections 4.2 to 4.4. Written down at the moment of the attempt, from the attempt and the state that it saw, and
only for traced cycles. Queues that are protected as a whole stand for all that runs in them. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from workbench.config.may_preempt import is_priority_fence, lowered_by
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.tree import children, find, walk
from workbench.scheduler.preemption.general import Attempt
from workbench.scheduler.preemption.may_stop import keeps_guarantee
from workbench.scheduler.records.refusals.base import Refusal, Surprise
from workbench.scheduler.records.refusals.preemption import NotEnough
from workbench.scheduler.records.refusals.surprises import (
    FreeRoomNotCounted,
    LeftBelowGuarantee,
    OneSidedPriority,
    PathsComparedAsText,
    SmallerRestAbove,
)
from workbench.scheduler.records.refusals.victims import (
    Elsewhere,
    Foreign,
    NodeLost,
    NotNeeded,
    OfAllocation,
    OfQueue,
    OnUnusableNode,
    OutsideFence,
    PriorityTooHigh,
    Steps,
    WithinGuarantee,
)
from workbench.scheduler.records.state import Allocation, Partition, Queue
from workbench.scheduler.records.stoppings import Taken, Verdict, taken_of, verdict_of
from workbench.values.resources import (
    EMPTY,
    Resource,
    add,
    component_wise_min,
    fit_in,
    is_empty,
    strictly_greater_than_only_existing,
    sub_only_existing,
)


def write_down(partition: Partition, told: Attempt) -> None:
    """Fill in the verdicts, the victims' particulars, what is freed, and the known surprises of a finished attempt."""
    assert told.fence is not None
    told.verdicts = tuple(_verdicts(partition, told))
    told.taken = tuple(_taken(partition, told))
    if told.node is not None:
        told.free = told.node.available
        told.freed = _sum(victim for victim in told.victims if victim.node_id == told.node.id)
    told.surprises = tuple(_surprises(told))


def _sum(allocations: Iterable[Allocation]) -> Resource:
    total: Resource = EMPTY
    for allocation in allocations:
        total = add(total, allocation.resource)
    return total


# ---- verdicts -----------------------------------------------------------------------------------------------------


def _verdicts(partition: Partition, told: Attempt) -> Iterator[Verdict]:
    fence = told.fence
    assert fence is not None
    for victim in told.victims:
        yield verdict_of(partition, victim, None)
    if told.per_node or told.refused_nodes:
        spared = _Spared(told)
        for allocations in told.eligible.values():
            for allocation in allocations:
                if allocation.seq not in spared.taken:
                    yield verdict_of(partition, allocation, spared.because(allocation))
    else:
        # The attempt ended before it looked at single allocations.
        for path, allocations in told.eligible.items():
            yield Verdict(told.refusal, path, count=len(allocations))
    for refusal in told.protected:
        match refusal:
            case OfQueue():
                queue = find(partition, refusal.subject)
                assert queue is not None
                if isinstance(refusal, WithinGuarantee):
                    refusal = replace(refusal, suppliers=_suppliers(queue, refusal.remaining))
                yield Verdict(refusal, queue.path, count=_held(queue))
            case OfAllocation():
                application = partition.applications[refusal.application]
                allocation = application.allocations[refusal.subject]
                if isinstance(refusal, PriorityTooHigh):
                    up, down = _arithmetic(told, application.leaf)
                    else_spared = _spared_without_common(told, application.leaf, allocation)
                    refusal = replace(refusal, up=up, down=down, surprise=not else_spared)
                yield verdict_of(partition, allocation, refusal)
    for at in ancestry(fence.root):
        for sibling in children(at.parent) if at.parent is not None else ():
            if sibling is not at:
                yield Verdict(
                    OutsideFence(sibling.path, fence.root.path, fence.reason),
                    sibling.path,
                    count=_held(sibling),
                )
    if partition.foreign:
        yield Verdict(Foreign(partition.name), "", count=len(partition.foreign))


def _held(queue: Queue) -> int:
    return sum(len(application.allocations) for at in walk(queue) for application in at.applications.values())


class _Spared:
    """Why an eligible allocation is not among the victims: the first that applies of X-11 to X-18."""

    def __init__(self, told: Attempt):
        self.told = told
        self.taken = {victim.seq for victim in told.victims}
        self.refused = {refusal.subject: refusal for refusal in told.refused_nodes}
        self.offers = {offer.node.id: offer for offer in told.per_node}
        self.accepted = {victim.seq for offer in told.per_node for victim in offer.victims or ()}

    def because(self, victim: Allocation) -> Refusal:
        told, offer = self.told, self.offers.get(victim.node_id)
        if victim.node_id in self.refused:
            return OnUnusableNode(victim.key, victim.node_id, self.refused[victim.node_id])
        scanned = told.scan.refusals.get(victim.seq) if told.scan is not None else None
        if scanned is not None and victim.seq not in self.accepted:
            return scanned
        if told.node is None or offer is None:
            # Nothing was taken anywhere: the stage at which the attempt ended is the reason.
            assert told.refusal is not None
            return told.refusal
        if offer.node is told.node:
            return NotNeeded(victim.key, offer.node.id)
        if offer.victims is None:
            return Elsewhere(victim.key, offer.node.id, told.node.id)
        return NodeLost(victim.key, offer.node.id, told.node.id, offer.index + 1, self.offers[told.node.id].index + 1)


def _own_remaining(queue: Queue) -> Resource | None:
    """P-41, from the queue as it is."""
    return sub_only_existing(queue.guaranteed, sub_only_existing(queue.allocated, queue.preempting))


def _suppliers(leaf: Queue, remaining: Resource) -> tuple[tuple[str, str], ...]:
    """(type, path of the queue whose guarantee leaves just that much) for each type."""
    found = []
    for name, amount in sorted(remaining.items()):
        supplier = next((at.path for at in ancestry(leaf) if (_own_remaining(at) or EMPTY).get(name) == amount), "")
        found.append((name, supplier))
    return tuple(found)


# ---- priorities along the way -------------------------------------------------------------------------------------


def _arithmetic(told: Attempt, leaf: Queue) -> tuple[Steps, Steps]:
    """(queue, value) of the ask from its leaf up to the common ancestor, and from there down to the candidate's leaf."""
    assert told.fence is not None
    common = _common(told, leaf)
    up = []
    for at in ancestry(told.leaf):
        up.append((at.path, told.fence.priorities[at.path]))
        if at is common:
            break
    value, down = told.fence.priorities[common.path], []
    for at in _below(common, leaf):
        below = lowered_by(at, value)
        assert below is not None, "the search came to the candidate"
        value = below
        down.append((at.path, value))
    return tuple(up), tuple(down)


def _spared_without_common(told: Attempt, leaf: Queue, victim: Allocation) -> bool:
    """Whether priorities would spare the victim if the policy of the common ancestor counted for neither side. P-35."""
    assert told.fence is not None
    common = _common(told, leaf)
    below = next(at for at in ancestry(told.leaf) if at.parent is common)
    value: int | None = told.fence.priorities[below.path]
    fenced = False
    for at in _below(common, leaf):
        assert value is not None
        value, fenced = lowered_by(at, value), fenced or is_priority_fence(at)
        if value is None:
            return True
    return not fenced and value is not None and victim.priority > value


def _common(told: Attempt, leaf: Queue) -> Queue:
    above = {at.path for at in ancestry(told.leaf)}
    return next(at for at in ancestry(leaf) if at.path in above)


def _below(common: Queue, leaf: Queue) -> list[Queue]:
    way = []
    for at in ancestry(leaf):
        if at is common:
            break
        way.append(at)
    return way[::-1]


# ---- those that were taken ----------------------------------------------------------------------------------------


def _taken(partition: Partition, told: Attempt) -> Iterator[Taken]:
    for each, victim in zip(taken_of(partition, told.victims), told.victims):
        leaf = partition.applications[victim.application_id].leaf
        yield replace(each, surprises=tuple(_laws_broken(told, leaf, victim, each.used_before, each.used_after)))


def _laws_broken(told: Attempt, leaf: Queue, victim: Allocation, before: Resource, after: Resource) -> Iterator[Surprise]:
    """Known surprises that cost the victim its place: the promised laws would have spared it (section 3 of chapter 08)."""
    if _spared_without_common(told, leaf, victim):
        yield OneSidedPriority(victim.key)
    remaining, own = told.remaining.get(leaf.path), _own_remaining(leaf)
    if not is_empty(own) and keeps_guarantee(own) and remaining is not None and not keeps_guarantee(remaining):
        yield SmallerRestAbove(victim.key)
    expected = _without_text_comparison(leaf, told.leaf)
    if remaining is None and keeps_guarantee(expected):
        yield PathsComparedAsText(victim.key)
    if any(
        before.get(name, 0) >= amount > after.get(name, 0)
        for name, amount in (leaf.guaranteed or EMPTY).items()
        if name in victim.resource
    ):
        yield LeftBelowGuarantee(victim.key)


def _without_text_comparison(queue: Queue, ask_leaf: Queue) -> Resource | None:
    """What `remaining` of P-42 would be if it compared queues and not the text of their paths. P-47."""
    own = _own_remaining(queue)
    above = _without_text_comparison(queue.parent, ask_leaf) if queue.parent is not None else None
    if is_empty(own) and is_empty(above):
        return None
    if not is_empty(own) and not is_empty(ask_leaf.guaranteed) and any(at is queue for at in ancestry(ask_leaf)):
        return None
    return component_wise_min(own, above)


def _surprises(told: Attempt) -> Iterator[Surprise]:
    """Known surprises that decided about the attempt as a whole, with their rule and numbers."""
    ask, node = told.ask, told.node
    if node is not None and not fit_in(node.available, ask.resource):
        together, needed = node.available, 0
        for victim in told.victims:
            if fit_in(together, ask.resource):
                break
            together, needed = add(together, victim.resource), needed + 1
        if needed < len(told.victims):
            yield FreeRoomNotCounted(node.id)
        elif not fit_in(add(node.available, told.freed or EMPTY), ask.resource):
            yield FreeRoomNotCounted(node.id)
    if isinstance(told.refusal, NotEnough):
        collected = told.refusal.collected
        for offer in told.per_node:
            if offer.victims and not strictly_greater_than_only_existing(ask.resource, add(collected, offer.node.available)):
                yield FreeRoomNotCounted(offer.node.id)
                break
    for verdict in told.verdicts:
        if isinstance(verdict.refusal, PriorityTooHigh) and verdict.refusal.surprise:
            yield OneSidedPriority(verdict.key)
            break

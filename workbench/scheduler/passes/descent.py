"""The way down: queue by queue, application by application, in the order of the policies, until something yields.

The search of the three passes, done plainly: every level is sorted afresh whenever it is reached (R-510, R-511), and
everybody is asked. It is the reference for `search`, which keeps the orders and skips whom it knows the answer of, and it is
what traced cycles use. What an application's turn is, `placing`, `reserved_pass` and `placeholder_pass` know.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.scheduler import policies
from workbench.scheduler.objects import notices
from workbench.scheduler.objects.limits import is_free_of_slots, queue_headroom, slot_refusals
from workbench.scheduler.passes import placeholder_pass, placing, reserved_pass, surprises
from workbench.scheduler.passes.node_walk import NodeWalk
from workbench.scheduler.passes.placing import Nodes, Placement
from workbench.scheduler.preemption import quota
from workbench.scheduler.preemption.turn import AttemptsLeft
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Candidate, Trace
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.slots import Backoff
from workbench.scheduler.records.refusals.taking_part import NothingPlaced
from workbench.scheduler.records.state import Application, Partition, Queue
from workbench.values.resources import Resource

LeafTurn = Callable[[Context, Partition, Queue, Trace | None], Placement | None]
"""One leaf's turn in a pass."""


def catch_up() -> None:
    """Nothing is kept, so there is nothing to do."""


def regular(ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None:
    """The regular pass over the whole tree; on the way down queues over their quota are noted. R-512, P-133."""
    return _queues(ctx, partition, partition.root, None, _regular_leaf, trace, quota.is_asked_in_cycles(partition))


def reserved(ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None:
    """The reserved pass over the whole tree. R-513."""
    return _queues(ctx, partition, partition.root, None, _reserved_leaf, trace)


def placeholders(ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None:
    """The placeholder pass over the whole tree. R-514."""
    return _queues(ctx, partition, partition.root, None, _placeholder_leaf, trace)


def _queues(
    ctx: Context,
    partition: Partition,
    queue: Queue,
    above: Resource | None,
    leaf_turn: LeafTurn,
    trace: Trace | None,
    enforcing: bool = False,
) -> Placement | None:
    """`enforcing`: queues over their quota are noted; below such a queue no other is looked at, in this pass."""
    if enforcing and quota.is_due(ctx, partition, queue):
        ctx.note_over_quota(queue)
        enforcing = False
    if queue.is_leaf:
        return leaf_turn(ctx, partition, queue, trace)
    fair_maximum = policies.fair_maximum(above, queue)
    policy, ranked, filtered = policies.order_queues(queue, fair_maximum, ctx.profile)
    level = trace and trace.open("queue", queue.path, policy, [Candidate(child.name, key) for key, child in ranked], filtered)
    for index, (_, child) in enumerate(ranked):
        placement = _queues(ctx, partition, child, fair_maximum, leaf_turn, trace, enforcing)
        if placement is not None:
            if level and trace:
                level.take(index)
                trace.notice(surprises.stale_priority(queue, ranked))
            return placement
        if level:
            level.refuse(index, NothingPlaced(child.path))
    return None


def _regular_leaf(ctx: Context, partition: Partition, leaf: Queue, trace: Trace | None) -> Placement | None:
    headroom, left = queue_headroom(leaf), AttemptsLeft()
    policy, ranked, filtered = policies.order_applications(leaf, ctx.now_ns)
    level = trace and trace.open(
        "application", leaf.path, policy, [Candidate(application.id, key) for key, application in ranked], filtered
    )
    for index, (_, application) in enumerate(ranked):
        refusal = held_back(ctx, partition, application) or backoff(ctx, application)
        if refusal is None:
            turn = placing.begin(ctx, partition, application, NodeWalk(partition), headroom, left, trace)
            placement = placing.attempt(ctx, turn)
            if placement is not None:
                if level:
                    level.take(index)
                return placement
            refusal = NothingPlaced(application.id)
        if level and trace:
            level.refuse(index, refusal)
            trace.notice(surprises.slot_of_a_reservation(partition, application, refusal))
    return None


def held_back(ctx: Context, partition: Partition, application: Application, *, unlimited: bool = False) -> Refusal | None:
    """Why an Accepted application may not run now; others are never held back. R-540, R-543."""
    if unlimited and not application.held_by_user and not application.held_by_queue and is_free_of_slots(application.leaf):
        return None
    in_queue, for_user = slot_refusals(ctx.journal, partition, application, unlimited=unlimited)
    if (in_queue is not None) != application.held_by_queue or (for_user is not None) != application.held_by_user:
        notices.slots_answered(ctx, application, queue_full=in_queue is not None, user_full=for_user is not None)
    return in_queue or for_user if application.state == "Accepted" else None


def backoff(ctx: Context, application: Application) -> Refusal | None:
    """Why the application sits this pass out: its backoff deadline is not reached. R-571."""
    deadline = application.backoff_until_ns
    if deadline is None or ctx.now_ns >= deadline:
        return None
    return Backoff(application.id, deadline, ctx.now_ns, application.leaf.settings.backoff_threshold)


def _placeholder_leaf(ctx: Context, partition: Partition, leaf: Queue, trace: Trace | None) -> Placement | None:
    """Applications that hold placeholders, in sort order. R-514."""
    policy, ranked, _ = policies.order_applications(leaf, ctx.now_ns)
    holders = [
        (key, application) for key, application in ranked if any(each.placeholder for each in application.allocations.values())
    ]
    level = (
        trace
        and holders
        and trace.open("application", leaf.path, "placeholders", [Candidate(application.id, key) for key, application in holders])
    )
    for index, (_, application) in enumerate(holders):
        placement = placeholder_pass.attempt(ctx, partition, application, trace)
        if placement is not None:
            if level:
                level.take(index)
            return placement
        if level:
            level.refuse(index, NothingPlaced(application.id))
    return None


def _reserved_leaf(ctx: Context, partition: Partition, leaf: Queue, trace: Trace | None) -> Placement | None:
    return reserved_leaf(ctx, partition, leaf, trace, NodeWalk(partition))


def reserved_leaf(ctx: Context, partition: Partition, leaf: Queue, trace: Trace | None, nodes: Nodes) -> Placement | None:
    """Applications with reservations in creation order; the core takes them in an unspecified one. R-513."""
    if not leaf.reserved_applications:
        return None
    if any(name not in leaf.applications for name in leaf.reserved_applications):
        return None
    headroom = queue_headroom(leaf)
    holders = sorted((leaf.applications[name] for name in leaf.reserved_applications), key=lambda holder: holder.seq)
    level = trace and trace.open("application", leaf.path, "reservations", [Candidate(holder.id, None) for holder in holders])
    for index, application in enumerate(holders):
        refusal = held_back(ctx, partition, application)
        if refusal is None:
            placement = reserved_pass.attempt(ctx, partition, application, nodes, headroom, trace)
            if placement is not None:
                if level:
                    level.take(index)
                return placement
            refusal = NothingPlaced(application.id)
        if level:
            level.refuse(index, refusal)
    return None

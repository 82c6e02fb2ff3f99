"""One application's turn in the regular pass: its asks in order, each against the nodes. Chapter 05 sections 9, 13, 14.

What comes back is a value, a `Placement`; `cycle.py` carries it out. Two effects belong to the attempt itself and are
written here: the mark "scheduling attempted", and the normal reservations that a required-node ask cancels (R-576).
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.resources import Resource, fit_in, fit_in_max_undef
from workbench.scheduler import fitting, gang, nodes, notices, predicates, reservations, surprises
from workbench.scheduler.ask_log import note
from workbench.scheduler.context import Context
from workbench.scheduler.decision import Candidate, Refusal, Trace
from workbench.scheduler.limits import headroom_refusal, user_headroom, user_refusal
from workbench.scheduler.preemption.turn import AttemptsLeft, try_to_preempt
from workbench.scheduler.refusals import node_refusal
from workbench.scheduler.request_order import ask_key
from workbench.scheduler.state import Allocation, Application, Node, Partition, Queue

USER_QUOTA_LOG = "Not enough user quota"
QUOTA_LOG = "Not enough queue quota"


@dataclass(frozen=True, slots=True)
class Placement:
    """What a pass found: `kind` is "allocated", "replaced", "reserved", "unreserved", "preempted" or "blocked".

    `node_id` is where, or whose reservation ends; `placeholder` is the key of the placeholder that an ask replaces;
    `victims` are stopped so that the ask can run on the node. "blocked" ends the pass with nothing: the ask must run on a
    node that can never hold it, and the core takes the reservation that it fails to make for a result.
    """

    kind: str
    application: Application
    ask_key: str
    node_id: str
    placeholder: str = ""
    victims: tuple[Allocation, ...] = ()


def attempt(ctx: Context, partition: Partition, application: Application, headroom: Resource | None, left: AttemptsLeft,
            trace: Trace | None) -> Placement | None:
    """Try the application's asks in request order; the first that yields something ends the attempt. Section 9."""
    leaf = application.queue
    level = trace and trace.open(
        "ask", application.id, "priority, creation time",
        [Candidate(ask.key, ask_key(position, ask)) for position, ask in enumerate(application.ask_order)])
    threshold = leaf.settings.backoff_threshold
    unschedulable = 0
    user_room = user_headroom(ctx.journal, partition, application)
    for position, ask in enumerate(application.ask_order):
        if threshold and unschedulable >= threshold:
            ctx.journal.set(application, "backoff_until_ns", ctx.now_ns + leaf.settings.backoff_delay_ns)
            if level:
                for later in range(position, len(application.ask_order)):
                    level.refuse(later, Refusal("W-08", application.id, {"threshold": threshold, "position": later}))
            return None
        if ask.allocated:
            if level:
                level.refuse(position, Refusal("A-08", ask.key, {"node": ask.node_id}))
            continue
        refusal = _not_yet(application, ask)
        if refusal is not None:
            if level:
                level.refuse(position, refusal)
            continue
        fits = fit_in_max_undef(user_room, ask.resource)
        notices.user_room_answered(ctx, application, ask, user_room, fits=fits)
        if not fits:
            note(ctx, ask, USER_QUOTA_LOG)
            if level:
                level.refuse(position, user_refusal(partition, application, user_room, ask.resource))
            continue
        if not ask.scheduling_attempted:
            ctx.journal.set(ask, "scheduling_attempted", True)
        fits = fit_in_max_undef(headroom, ask.resource)
        notices.queue_room_answered(ctx, application, ask, headroom, fits=fits)
        if not fits:
            placement, refusal = _preempt(ctx, partition, application, ask, left, False, trace)
            if placement is None:
                note(ctx, ask, QUOTA_LOG)
                refusal = trace and _with_preemption(_no_queue_room(partition, leaf, ask, trace), refusal)
        elif ask.required_node:
            placement, refusal = _on_required_node(ctx, partition, application, ask)
            if ctx.profile.unknown_node_ends_turn and ask.required_node not in partition.nodes:
                if level:
                    for later in range(position, len(application.ask_order)):
                        level.refuse(later, refusal)
                return None
        else:
            placement, refusal = _on_best_node(ctx, partition, application, ask, trace)
            if placement is None:
                placement, why_not = _preempt(ctx, partition, application, ask, left, True, trace)
                refusal = trace and _with_preemption(refusal, why_not)
            unschedulable += placement is None
        if level and (placement is None or placement.kind == "blocked"):
            level.refuse(position, refusal)
        if placement is not None:
            if level:
                level.take(position)
            return placement
    return None


def walk_nodes(ctx: Context, partition: Partition, ask: Allocation, application: Application, *, skip: str = "",
               trace: Trace | None = None) -> tuple[Node | None, list[tuple[Node, str]]]:
    """The first unreserved node in node order that takes the ask, and the others visited with the code that kept it off.

    R-552 without the reservation; the second part of the reserved pass walks the same way (R-555).
    """
    leaf = application.queue
    order = nodes.unreserved(partition)
    level = trace and trace.open(
        "node", ask.key, partition.node_policy, [Candidate(node.id, nodes.key(node)) for node in order],
        [fitting.describe("node-reserved", node, ask, leaf) for node in nodes.in_order(partition) if node.reservations])
    visited: list[tuple[Node, str]] = []
    for position, node in enumerate(order):
        if node.id == skip:
            code: str | None = "node-reserved"
        elif not node.schedulable:
            code = "node-unschedulable"
        elif not fit_in(node.capacity, ask.resource):
            code = "node-capacity"
        else:
            code = fitting.try_node(ctx, node, ask, leaf)
        if code is None:
            if level:
                level.take(position)
                trace.notice(surprises.stale_score(partition, ask, node, order, leaf, skip))
            return node, visited
        visited.append((node, code))
        if level:
            level.refuse(position, fitting.describe(code, node, ask, leaf))
    return None, visited


def _not_yet(application: Application, ask: Allocation) -> Refusal | None:
    """A real ask waits while a placeholder of its task group can still be replaced. R-715, W-09."""
    group = gang.open_group(application, ask)
    if group is not None:
        return Refusal("W-09", ask.key, {"task_group": group.name, "count": group.count, "replaced": group.replaced,
                                         "timed_out": group.timed_out})
    return None


def _on_best_node(ctx: Context, partition: Partition, application: Application, ask: Allocation,
                  trace: Trace | None) -> tuple[Placement | None, Refusal | None]:
    """The node walk, and a reservation if the ask is old enough and nothing took it. R-552, R-565."""
    node, visited = walk_nodes(ctx, partition, ask, application, trace=trace)
    if node is not None:
        return Placement("allocated", application, ask.key, node.id), None
    if ask.key not in application.reservations and ctx.now_ns - ask.created_ns > reservations.DELAY_NS:
        tried = [(fitting.fit_score(node, ask), position, node) for position, (node, code) in enumerate(visited)
                 if code not in ("node-unschedulable", "node-capacity")]
        best = min(tried, default=None, key=lambda item: item[:2])
        # Quirk: the best is chosen before the predicates are asked; refused, no other is reserved.
        if best is not None and predicates.refusal_text(best[2], ask) is None:
            if trace:
                trace.notice(surprises.fuller_node_reserved(ask, best[2], [node for _, _, node in tried]))
            return Placement("reserved", application, ask.key, best[2].id), None
        if best is not None and trace:
            trace.notice(surprises.reservation_refused(ask, best[2], [node for _, _, node in tried]))
    return None, node_refusal(partition, application, ask, visited) if trace else None


def _preempt(ctx: Context, partition: Partition, application: Application, ask: Allocation, left: AttemptsLeft,
             nodes_tried: bool, trace: Trace | None) -> tuple[Placement | None, Refusal | None]:
    """Steps 5 and 8: make room by stopping others."""
    outcome = try_to_preempt(ctx, partition, application, ask, left, nodes_tried=nodes_tried, trace=trace)
    if outcome.node is None:
        return None, outcome.refusal
    return Placement("preempted", application, ask.key, outcome.node.id, victims=outcome.victims), None


def _no_queue_room(partition: Partition, leaf: Queue, ask: Allocation, trace: Trace) -> Refusal:
    """W-11; W-14 for an ask that must run on one node, whose own way of making room is then not reached (P-126)."""
    refusal = headroom_refusal(leaf, ask.resource)
    assert refusal is not None
    if not ask.required_node:
        return refusal
    trace.notice(surprises.required_node_not_reached(partition, ask))
    return Refusal("W-14", refusal.subject, {**refusal.numbers, "node": ask.required_node})


def _with_preemption(refusal: Refusal, why_not: Refusal | None) -> Refusal:
    """The reason why an ask waits, with the reason why it could not preempt. W-23."""
    return refusal if why_not is None else Refusal(refusal.code, refusal.subject, {**refusal.numbers, "preemption": why_not})


def _on_required_node(ctx: Context, partition: Partition, application: Application,
                      ask: Allocation) -> tuple[Placement | None, Refusal | None]:
    """An ask that must run on one node cancels normal reservations there, tries it, or reserves it at once. Section 13."""
    node = partition.nodes.get(ask.required_node)
    if node is None:
        return None, Refusal("W-12", ask.key, {"node": ask.required_node})
    reservations.unreserve_node(ctx, partition, node, keep_required=True)
    code = fitting.try_node(ctx, node, ask, application.queue)
    if code is None:
        return Placement("allocated", application, ask.key, node.id), None
    refusal = Refusal("W-13", ask.key, {"node": node.id, "available": node.available, "need": ask.resource, "code": code})
    if ask.key in application.reservations or (node.reservations and not ctx.profile.required_nodes_are_shared):
        return None, refusal
    if reservations.fault(partition, application, node, ask) is None:
        return Placement("reserved", application, ask.key, node.id), None
    # Quirk: a reservation that cannot be made is a result all the same, so whatever is behind the ask is not tried. R-577
    return Placement("blocked", application, ask.key, node.id), refusal

"""One application's turn in the regular pass: its asks in order, each against the nodes. Chapter 05 sections 9, 13, 14.

What comes back is a value, a `Placement`; `cycle.py` carries it out. Two effects belong to the attempt itself and are
written here: the mark "scheduling attempted", and the normal reservations that a required-node ask cancels (R-576).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from workbench.scheduler.objects import gang, notices, reservations
from workbench.scheduler.objects.ask_log import note
from workbench.scheduler.objects.limits import headroom_refusal, user_headroom, user_refusal
from workbench.scheduler.passes import fitting, surprises
from workbench.scheduler.passes.node_walk import Visited
from workbench.scheduler.passes.refusals import node_refusal, waits_for_victims
from workbench.scheduler.policies import predicates
from workbench.scheduler.policies.request_order import ask_key
from workbench.scheduler.preemption.turn import AttemptsLeft, could_preempt, try_to_preempt
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Candidate, Trace
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import RequiredNodeFull, UnknownNode, WaitsForVictims
from workbench.scheduler.records.refusals.preemption import ReservesInstead, UserRoomFirst
from workbench.scheduler.records.refusals.room import NoRoomForRequiredNode
from workbench.scheduler.records.refusals.slots import BackoffReached, GangWait
from workbench.scheduler.records.refusals.taking_part import AlreadyAllocated
from workbench.scheduler.records.state import Allocation, Application, Node, Partition, Queue
from workbench.values.resources import Resource, fit_in_max_undef

USER_QUOTA_LOG = "Not enough user quota"
QUOTA_LOG = "Not enough queue quota"


@dataclass(slots=True)
class Placement:
    """What a pass found: `kind` is "allocated", "replaced", "reserved", "unreserved", "preempted" or "blocked".

    `node_id` is where, or whose reservation ends; `placeholder` is the key of the placeholder that an ask replaces;
    `instead_of_preempting`, of a traced search, says why the ask does not try to make room though it could (V-02).
    `victims` are stopped so that the ask can run on the node. "blocked" ends the pass with nothing: the ask must run on a
    node that can never hold it, and the core takes the reservation that it fails to make for a result.
    """

    kind: str
    application: Application
    ask_key: str
    node_id: str
    placeholder: str = ""
    victims: tuple[Allocation, ...] = ()
    instead_of_preempting: Refusal | None = None


class Nodes(Protocol):
    """Where an ask looks for its node: `node_walk.NodeWalk`, or the same without walking, `search.fit_table.FitTable`."""

    def first(
        self, ctx: Context, ask: Allocation, leaf: Queue, *, skip: str = "", trace: Trace | None = None
    ) -> tuple[Node | None, Visited]: ...

    def tried(self, ask: Allocation, visited: Visited) -> list[Node]: ...


@dataclass(slots=True)
class Turn:
    """What the asks of an application share while it has its turn."""

    partition: Partition
    application: Application
    nodes: Nodes
    headroom: Resource | None
    user_room: Resource | None
    left: AttemptsLeft
    trace: Trace | None = None


@dataclass(slots=True)
class Tried:
    """What came of one ask. `no_node`: it had room, but no node took it (R-571). `ends`: nothing behind it is tried."""

    placement: Placement | None = None
    refusal: Refusal | None = None
    no_node: bool = False
    ends: bool = False


def begin(
    ctx: Context,
    partition: Partition,
    application: Application,
    nodes: Nodes,
    headroom: Resource | None,
    left: AttemptsLeft,
    trace: Trace | None = None,
    *,
    unlimited: bool = False,
) -> Turn:
    """The application's turn begins: the room of its user is looked up once. R-546.

    `unlimited`: it was looked up before, and nothing limits the user.
    """
    user_room = None if unlimited else user_headroom(ctx.journal, partition, application)
    return Turn(partition, application, nodes, headroom, user_room, left, trace)


def attempt(ctx: Context, turn: Turn) -> Placement | None:
    """Try the application's asks in request order; the first that yields something ends the attempt. Section 9."""
    application, trace = turn.application, turn.trace
    settings = application.leaf.settings
    level = trace and trace.open(
        "ask",
        application.id,
        "priority, creation time",
        [Candidate(ask.key, ask_key(position, ask)) for position, ask in enumerate(application.ask_order)],
    )
    threshold = settings.backoff_threshold
    unschedulable = 0
    for position, ask in enumerate(application.ask_order):
        if threshold and unschedulable >= threshold:
            ctx.journal.set(application, "backoff_until_ns", ctx.now_ns + settings.backoff_delay_ns)
            if level:
                for later in range(position, len(application.ask_order)):
                    level.refuse(later, BackoffReached(application.id, threshold, later))
            return None
        if ask.allocated:
            if level:
                level.refuse(position, AlreadyAllocated(ask.key, ask.node_id))
            continue
        tried = try_ask(ctx, turn, ask)
        unschedulable += tried.no_node
        if level:
            if tried.placement is not None:
                level.take(position)
            if tried.placement is None or tried.placement.kind == "blocked":
                for later in range(position, len(application.ask_order) if tried.ends else position + 1):
                    level.refuse(later, tried.refusal)
        if tried.placement is not None or tried.ends:
            return tried.placement
    return None


def try_ask(ctx: Context, turn: Turn, ask: Allocation) -> Tried:
    """One pending ask: may it run now, is there room, is there a node, or can room be made. R-552, R-565, P-20."""
    application, trace = turn.application, turn.trace
    refusal = _not_yet(application, ask) if ask.task_group else None
    if refusal is not None:
        return Tried(refusal=refusal)
    fits = fit_in_max_undef(turn.user_room, ask.resource)
    if fits == ask.lacks_user_room:
        notices.user_room_answered(ctx, application, ask, turn.user_room, fits=fits)
    if not fits:
        note(ctx, ask, USER_QUOTA_LOG)
        return Tried(refusal=trace and _no_user_room(ctx, turn, ask))
    fits = fit_in_max_undef(turn.headroom, ask.resource)
    if fits == ask.lacks_queue_room:
        notices.queue_room_answered(ctx, application, ask, turn.headroom, fits=fits)
    ends = no_node = False
    if not fits:
        placement, refusal = _preempt(ctx, turn, ask, False)
        if placement is None:
            note(ctx, ask, QUOTA_LOG)
            refusal = trace and _with_preemption(turn, ask, _no_queue_room(turn.partition, application.leaf, ask, trace), refusal)
    elif ask.required_node:
        placement, refusal = _on_required_node(ctx, turn, ask)
        ends = ctx.profile.unknown_node_ends_turn and ask.required_node not in turn.partition.nodes
    else:
        placement, refusal = _on_best_node(ctx, turn, ask)
        if placement is None:
            placement, why_not = _preempt(ctx, turn, ask, True)
            refusal = trace and _with_preemption(turn, ask, refusal, why_not)
            no_node = placement is None
    # One that is placed is marked with its placement.
    if not ask.scheduling_attempted and (placement is None or placement.kind != "allocated"):
        ctx.journal.set(ask, "scheduling_attempted", True)
    return Tried(placement, refusal, no_node, ends)


def _not_yet(application: Application, ask: Allocation) -> Refusal | None:
    """A real ask waits while a placeholder of its task group can still be replaced. R-715, W-09."""
    group = gang.open_group(application, ask)
    if group is not None:
        return GangWait(ask.key, group.name, group.count, group.replaced, group.timed_out)
    return None


def _on_best_node(ctx: Context, turn: Turn, ask: Allocation) -> tuple[Placement | None, Refusal | None]:
    """The first node that takes it; a reservation if the ask is old enough and none does. R-552, R-565."""
    application, trace = turn.application, turn.trace
    node, visited = turn.nodes.first(ctx, ask, application.leaf, trace=trace)
    if node is not None:
        return Placement("allocated", application, ask.key, node.id), None
    if ask.key not in application.reservations and ctx.now_ns - ask.created_ns > reservations.DELAY_NS:
        tried = turn.nodes.tried(ask, visited)
        best = min(tried, default=None, key=lambda node: (fitting.fit_score(node, ask), node.score, node.id))
        # Quirk: the best is chosen before the predicates are asked; refused, no other is reserved.
        if best is not None and predicates.refusal_text(best, ask) is None:
            if trace:
                trace.notice(surprises.fuller_node_reserved(ask, best, tried))
            instead = ReservesInstead(ask.key, best.id) if trace and could_preempt(ctx, turn.partition, application, ask) else None
            return Placement("reserved", application, ask.key, best.id, instead_of_preempting=instead), None
        if best is not None and trace:
            trace.notice(surprises.reservation_refused(ask, best, tried))
    return None, node_refusal(turn.partition, application, ask, visited) if trace else None


def _preempt(ctx: Context, turn: Turn, ask: Allocation, nodes_tried: bool) -> tuple[Placement | None, Refusal | None]:
    """Steps 5 and 8: make room by stopping others."""
    outcome = try_to_preempt(ctx, turn.partition, turn.application, ask, turn.left, nodes_tried=nodes_tried, trace=turn.trace)
    if outcome.node is None:
        return None, outcome.refusal
    return Placement("preempted", turn.application, ask.key, outcome.node.id, victims=outcome.victims), None


def _no_queue_room(partition: Partition, leaf: Queue, ask: Allocation, trace: Trace) -> Refusal:
    """W-11; W-14 for an ask that must run on one node, whose own way of making room is then not reached (P-126)."""
    refusal = headroom_refusal(leaf, ask.resource)
    assert refusal is not None
    if not ask.required_node:
        return refusal
    trace.notice(surprises.required_node_not_reached(partition, ask))
    return NoRoomForRequiredNode(
        refusal.subject,
        type=refusal.type,
        need=refusal.need,
        headroom=refusal.headroom,
        maximum=refusal.maximum,
        allocated=refusal.allocated,
        cluster=refusal.cluster,
        node=ask.required_node,
    )


def _no_user_room(ctx: Context, turn: Turn, ask: Allocation) -> Refusal:
    """W-10; where the ask could try to make room, that this is not reached. V-01."""
    refusal = user_refusal(turn.partition, turn.application, turn.user_room, ask.resource)
    could = could_preempt(ctx, turn.partition, turn.application, ask)
    return replace(refusal, preemption=UserRoomFirst(ask.key)) if could else refusal


def _with_preemption(turn: Turn, ask: Allocation, refusal: Refusal | None, why_not: Refusal | None) -> Refusal | None:
    """The reason why an ask waits, with the reason why it could not preempt, or what its preemption waits for. W-22, W-23."""
    if isinstance(refusal, WaitsForVictims):
        return refusal
    node_id = turn.application.reservations.get(ask.key)
    if node_id is not None:
        why_not = waits_for_victims(turn.partition, ask, node_id) or why_not
    return refusal if refusal is None or why_not is None else replace(refusal, preemption=why_not)


def _on_required_node(ctx: Context, turn: Turn, ask: Allocation) -> tuple[Placement | None, Refusal | None]:
    """An ask that must run on one node cancels normal reservations there, tries it, or reserves it at once. Section 13."""
    partition, application = turn.partition, turn.application
    node = partition.nodes.get(ask.required_node)
    if node is None:
        return None, UnknownNode(ask.key, ask.required_node)
    reservations.unreserve_node(ctx, partition, node, keep_required=True)
    code = fitting.try_node(ctx, node, ask, application.queue)
    if code is None:
        return Placement("allocated", application, ask.key, node.id), None
    refusal = RequiredNodeFull(ask.key, node.id, node.available, ask.resource, code)
    if ask.key in application.reservations:
        return None, waits_for_victims(partition, ask, node.id) or refusal
    if node.reservations and not ctx.profile.required_nodes_are_shared:
        return None, refusal
    if reservations.fault(partition, application, node, ask) is None:
        return Placement("reserved", application, ask.key, node.id), None
    # Quirk: a reservation that cannot be made is a result all the same, so whatever is behind the ask is not tried. R-577
    return Placement("blocked", application, ask.key, node.id), refusal

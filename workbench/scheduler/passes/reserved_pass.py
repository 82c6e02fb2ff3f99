"""One application's turn in the reserved pass: asks that hold a node try to use it, or another one. R-555."""

from __future__ import annotations

from workbench.scheduler.objects import reservations
from workbench.scheduler.objects.ask_log import note
from workbench.scheduler.objects.limits import headroom_refusal, user_headroom, user_refusal
from workbench.scheduler.passes import fitting, surprises
from workbench.scheduler.passes.placing import Nodes, Placement
from workbench.scheduler.policies.request_order import ask_key, rank
from workbench.scheduler.preemption import effects, required_node
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Candidate, Trace
from workbench.scheduler.records.state import Allocation, Application, Node, Partition
from workbench.values.resources import Resource, fit_in, fit_in_max_undef


def attempt(
    ctx: Context, partition: Partition, application: Application, nodes: Nodes, headroom: Resource | None, trace: Trace | None
) -> Placement | None:
    """First the reserved nodes themselves, then any other node. Reservations are taken in request order.

    The core takes them in an unspecified order.
    """
    held = sorted((application.asks[key] for key in application.reservations if key in application.asks), key=rank)
    gone = sorted(key for key in application.reservations if key not in application.asks)
    level = trace and trace.open(
        "ask", application.id, "reservations", [Candidate(ask.key, ask_key(application.ask_order.index(ask), ask)) for ask in held]
    )
    if gone:
        return Placement("unreserved", application, gone[0], application.reservations[gone[0]])
    user_room = user_headroom(ctx.journal, partition, application)
    open_asks: list[tuple[int, Allocation]] = []
    for index, ask in enumerate(held):
        node_id = application.reservations[ask.key]
        if ask.allocated:
            return Placement("unreserved", application, ask.key, node_id)
        if not fit_in_max_undef(user_room, ask.resource):
            if level:
                level.refuse(index, user_refusal(partition, application, user_room, ask.resource))
            _expire(ctx, partition, application, ask)
            continue
        if not fit_in_max_undef(headroom, ask.resource):
            if level:
                level.refuse(index, headroom_refusal(application.leaf, ask.resource))
            _expire(ctx, partition, application, ask)
            continue
        open_asks.append((index, ask))
        node = partition.nodes[node_id]
        code = fitting.try_node(ctx, node, ask, application.leaf)
        if code is None:
            if level and trace:
                level.take(index)
                trace.notice(surprises.drained_node_used(ask, node))
            return Placement("allocated", application, ask.key, node_id)
        if ask.required_node and not fit_in(node.available, ask.resource) and not ask.preemption_triggered:
            _make_room(ctx, partition, application, ask, node, trace)
        if level:
            level.refuse(index, fitting.describe(code, node, ask, application.leaf))
    for index, ask in open_asks:
        if ask.required_node:
            continue
        found, _ = nodes.first(ctx, ask, application.leaf, skip=application.reservations[ask.key], trace=trace)
        if found is not None:
            if level:
                level.take(index)
            return Placement("allocated", application, ask.key, found.id)
    return None


def _expire(ctx: Context, partition: Partition, application: Application, ask: Allocation) -> None:
    """The ask could not be placed even if its node had room: from 1.9 on, an old reservation ends. The pass goes on. R-951."""
    node = partition.nodes[application.reservations[ask.key]]
    if ctx.profile.reservations_age and not ask.required_node and reservations.is_stale(ctx.profile, node, ask, ctx.now_ns):
        reservations.unreserve(ctx, partition, application, ask.key)


def _make_room(
    ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node, trace: Trace | None
) -> None:
    """Stop others on the node that the ask must run on, once in its life, whatever the partition's switch says. P-120 to P-125."""
    victims = required_node.victims(node, ask)
    if trace is not None:
        trace.stoppings.append(required_node.written_down(partition, node, ask, victims))
    if victims:
        effects.stop_for_required_node(ctx, partition, application, ask, node, victims)
    else:
        note(ctx, ask, required_node.NO_HELP)

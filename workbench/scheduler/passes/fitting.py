"""One ask against one node: the tests in the core's order, and what to say about a failed one. Chapter 05 section 11."""

from __future__ import annotations

from workbench.scheduler.objects.ask_log import note
from workbench.scheduler.objects.limits import over_maximum
from workbench.scheduler.policies import predicates
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import NodeConstraint, NodeFull, NodeReserved, NodeTooSmall, NodeUnschedulable
from workbench.scheduler.records.refusals.room import AskEmpty
from workbench.scheduler.records.state import Allocation, Node, Queue
from workbench.values.resources import fit_in, strictly_greater_than_zero


def node_fault(node: Node, ask: Allocation, leaf: Queue | None) -> str | None:
    """Code of the first test that keeps the ask off the node now, or None if it can be placed there.

    The schedulable flag is not among them (R-562); the node walk looks at it before. Without a leaf the maxima of the
    queues are not looked at, as for a replacement, whose room the queues already count.
    """
    if not strictly_greater_than_zero(ask.resource):
        return "ask-empty"
    if node.reservations and ask.key not in node.reservations:
        return "node-reserved"
    if not fit_in(node.available, ask.resource):
        return "node-available"
    if predicates.refusal_text(node, ask) is not None:
        return "node-predicate"
    if leaf is not None and over_maximum(leaf, ask.resource) is not None:
        return "queue-max"
    return None


def try_node(ctx: Context, node: Node, ask: Allocation, leaf: Queue | None) -> str | None:
    """The same in a search that means it: a refusal by the predicates is noted on the ask, node by node. R-580."""
    code = node_fault(node, ask, leaf)
    if code == "node-predicate":
        note(ctx, ask, predicates.refusal_text(node, ask) or "")
    return code


def describe(code: str, node: Node, ask: Allocation, leaf: Queue) -> Refusal:
    """The refusal behind a code, with its numbers. Only traced searches pay for it."""
    if code == "node-reserved":
        return NodeReserved(node.id, ", ".join(sorted(node.reservations)))
    if code in ("node-available", "node-capacity"):
        have = node.available if code == "node-available" else node.capacity
        for name, need in sorted(ask.resource.items()):
            if need > max(0, have.get(name, 0)):
                kind = NodeFull if code == NodeFull.code else NodeTooSmall
                return kind(node.id, name, need, have.get(name, 0))
    if code == "node-predicate":
        return NodeConstraint(node.id, predicates.refusal_text(node, ask) or "")
    if code == "queue-max":
        refusal = over_maximum(leaf, ask.resource)
        assert refusal is not None
        return refusal
    return AskEmpty(node.id) if code == AskEmpty.code else NodeUnschedulable(node.id)


def fit_score(node: Node, ask: Allocation) -> float:
    """How well a node that has no room suits a reservation; lower wins. R-553.

    Quirk: ask and available are swapped against the intent, so nodes with little free of every type score best.
    """
    total = 0.0
    for name, available in sorted(node.available.items()):
        if available <= 0:
            continue
        need = ask.resource.get(name, 0)
        if need <= 0:
            total += 1.0
        elif available > need:
            total += (float(available) - float(need)) / float(available)
    return total

"""No node takes the ask."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.explain.refusals.saying import says
from workbench.explain.wording import listing, name, seconds
from workbench.scheduler.records.refusals.nodes import (
    AllReserved,
    Constraints,
    FitsNowhereNow,
    HoldsReservation,
    NeverFits,
    NodeConstraint,
    NodeFull,
    NodeReserved,
    NodeTooSmall,
    NodeUnschedulable,
    RequiredNodeFull,
    TooYoung,
    UnknownNode,
    Unschedulable,
    WaitsForVictims,
)
from workbench.values.quantities import format_quantity


@says(UnknownNode, "required-node")
def _unknown_node(it: UnknownNode) -> str:
    return f"Must run on node {name(it.node)}, which is not registered."


@says(RequiredNodeFull, "required-node")
def _required_node_full(it: RequiredNodeFull) -> str:
    node, need, available = name(it.node), it.need, it.available
    short = _shortages((kind, need[kind], available.get(kind, 0)) for kind in need)
    return f"Must run on node {node}, " + (f"which lacks {short}." if short else "which does not take it now.")


@says(AllReserved, "reserved-elsewhere")
def _all_reserved(it: AllReserved) -> str:
    nodes = [f"{name(node)} for {name(ask)}" for node, ask in it.nodes]
    return f"Every node that could hold it is reserved: {listing(nodes)}."


@says(NeverFits, "node-too-small")
def _never_fits(it: NeverFits) -> str:
    missing = [name(kind) for kind in it.types]
    if missing:
        return f"Can never run: no node offers {listing(missing)}."
    short = [
        f"{name(kind)} {format_quantity(need, kind)} where the largest node has {format_quantity(largest, kind)}"
        for kind, need, largest in it.largest
        if need > largest
    ]
    if not short:
        return "Can never run: no single node is large enough in every type at once."
    return f"Can never run: it needs {listing(short)}."


@says(FitsNowhereNow, "node-fit")
def _fits_nowhere_now(it: FitsNowhereNow) -> str:
    if not it.nodes:
        return "No node has room now."
    node, kind, need, available = min(it.nodes, key=_lack)
    return (
        f"No node has room now; {name(node)} comes closest: {name(kind)} {format_quantity(available, kind)} of "
        f"{format_quantity(need, kind)} available, {format_quantity(need - max(0, available), kind)} missing."
    )


@says(Constraints, "node-constraint")
def _constraints(it: Constraints) -> str:
    return f"The node constraints refuse {listing([name(node) for node in it.nodes])}: {name(it.text, 120)}."


@says(Unschedulable, "node-unschedulable")
def _unschedulable(it: Unschedulable) -> str:
    nodes = [name(node) for node in it.nodes]
    return f"Only nodes that take no new work could hold it: {listing(nodes)}."


@says(HoldsReservation, "reserved")
def _holds_reservation(it: HoldsReservation) -> str:
    short = _shortages(it.missing)
    return f"Holds a reservation on node {name(it.node)}" + (f", which still lacks {short}." if short else ".")


@says(TooYoung, "too-young")
def _too_young(it: TooYoung) -> str:
    return f"Too young for a reservation ({seconds(it.age_ns)} old); a request may reserve a node after 2 s."


@says(WaitsForVictims, "waits-for-victims")
def _waits_for_victims(it: WaitsForVictims) -> str:
    victims = listing([name(key) for key in it.victims])
    return f"It has made room on node {name(it.node)} and waits for the end of what is stopped there: {victims}."


@says(NodeReserved, "reserved-elsewhere")
def _node_reserved(it: NodeReserved) -> str:
    asks = f" for {name(it.ask)}" if it.ask else ""
    return f"Node {name(it.subject)} is reserved{asks}."


@says(NodeUnschedulable, "node-unschedulable")
def _node_unschedulable(it: NodeUnschedulable) -> str:
    return f"Node {name(it.subject)} takes no new work."


@says(NodeTooSmall, "node-too-small")
def _node_too_small(it: NodeTooSmall) -> str:
    kind = it.type
    if kind is None:
        return f"Node {name(it.subject)} is too small."
    return (
        f"Node {name(it.subject)} is too small: {name(kind)} {format_quantity(it.capacity, kind)} in all, "
        f"{format_quantity(it.need, kind)} needed."
    )


@says(NodeFull, "node-fit")
def _node_full(it: NodeFull) -> str:
    kind, need, available = it.type, it.need, it.available
    return (
        f"Node {name(it.subject)} has {name(kind)} {format_quantity(available, kind)} available, {format_quantity(need, kind)} "
        f"needed, {format_quantity(need - max(0, available), kind)} missing."
    )


@says(NodeConstraint, "node-constraint")
def _node_constraint(it: NodeConstraint) -> str:
    return f"The node constraints refuse {name(it.subject)}: {name(it.text, 120)}."


def _lack(row: tuple[str, str, int, int]) -> tuple[float, str]:
    """Missing share of the need, so that cores and bytes compare; equal ones by node id."""
    node, _, need, available = row
    return (need - max(0, available)) / need, node


def _shortages(rows: Iterable[tuple[str, int, int]]) -> str:
    """What is missing of (type, need, available) rows, as a list for a sentence; "" if nothing is."""
    return listing(
        [
            f"{name(kind)} {format_quantity(need - max(0, available), kind)} (needs {format_quantity(need, kind)}, "
            f"{format_quantity(available, kind)} available)"
            for kind, need, available in rows
            if need > max(0, available)
        ]
    )

"""Why no node took an ask, from what the node walk met: one refusal. W-15 to W-22."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.scheduler.objects import holdings
from workbench.scheduler.policies import predicates
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import (
    AllReserved,
    Constraints,
    FitsNowhereNow,
    HoldsReservation,
    NeverFits,
    Unschedulable,
    WaitsForVictims,
)
from workbench.scheduler.records.state import Allocation, Application, Node, Partition
from workbench.values.resources import fit_in


def node_refusal(partition: Partition, application: Application, ask: Allocation, visited: Sequence[tuple[Node, str]]) -> Refusal:
    """The first of the reasons W-22, W-20, W-16, W-15, W-18, W-19, W-17 that holds for the visited nodes."""
    if ask.key in application.reservations:
        node_id = application.reservations[ask.key]
        node = partition.nodes.get(node_id)
        waits = waits_for_victims(partition, ask, node_id)
        if waits is not None:
            return waits
        return HoldsReservation(ask.key, node_id, _shortfall(node, ask) if node is not None else ())
    able = [node for node in partition.nodes.values() if fit_in(node.capacity, ask.resource)]
    if not able:
        return NeverFits(ask.key, _types_no_node_offers(partition, ask), _largest(partition, ask))
    if all(node.reservations for node in able):
        return AllReserved(ask.key, tuple((node.id, ", ".join(sorted(node.reservations))) for node in sorted(able, key=_by_id)))
    codes = {code for _, code in visited if code != "node-capacity"}
    if "node-predicate" in codes:
        refusing = tuple(sorted(node.id for node, code in visited if code == "node-predicate"))
        return Constraints(ask.key, _texts(partition, refusing, ask), refusing)
    if codes == {"node-unschedulable"}:
        return Unschedulable(ask.key, tuple(sorted(node.id for node, code in visited if code == "node-unschedulable")))
    return FitsNowhereNow(
        ask.key,
        tuple((node.id, *short) for node, code in visited if code == "node-available" for short in _shortfall(node, ask)[:1]),
    )


def waits_for_victims(partition: Partition, ask: Allocation, node_id: str) -> WaitsForVictims | None:
    """W-22: the ask has preempted, and what it stops on its node has not ended yet."""
    if not ask.preemption_triggered:
        return None
    going = tuple(each.key for _, each in holdings.running(partition) if each.node_id == node_id and each.preempted)
    return WaitsForVictims(ask.key, node_id, going) if going else None


def _texts(partition: Partition, refusing: Sequence[str], ask: Allocation) -> str:
    """The texts of the predicates with how many nodes each came from, by text, as the core reports them. R-563."""
    texts = [predicates.refusal_text(partition.nodes[node_id], ask) or "" for node_id in refusing]
    return "; ".join(f"{text} ({texts.count(text)}x)" for text in sorted(set(texts)))


def _shortfall(node: Node, ask: Allocation) -> tuple[tuple[str, int, int], ...]:
    """(type, need, available) for each type that the node lacks now."""
    return tuple(
        (name, need, node.available.get(name, 0))
        for name, need in sorted(ask.resource.items())
        if need > max(0, node.available.get(name, 0))
    )


def _largest(partition: Partition, ask: Allocation) -> tuple[tuple[str, int, int], ...]:
    """(type, need, largest capacity of a node) for each type asked for."""
    return tuple(
        (name, need, max((node.capacity.get(name, 0) for node in partition.nodes.values()), default=0))
        for name, need in sorted(ask.resource.items())
    )


def _types_no_node_offers(partition: Partition, ask: Allocation) -> tuple[str, ...]:
    return tuple(name for name, _, largest in _largest(partition, ask) if not largest)


def _by_id(node: Node) -> str:
    return node.id

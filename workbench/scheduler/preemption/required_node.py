"""Preemption on the one node that an ask must run on. Section 15: no guarantees, fences, delays or switches count."""

from __future__ import annotations

from workbench.scheduler.objects import holdings
from workbench.scheduler.preemption import may_stop
from workbench.scheduler.preemption.victim_order import in_order
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.victims import NoHelpOnNode, NotNeeded
from workbench.scheduler.records.state import Allocation, Node, Partition
from workbench.scheduler.records.stoppings import Stopping, taken_of, verdict_of
from workbench.values.resources import EMPTY, Resource, add, strictly_greater_than_or_equals

NO_HELP = "No fit on required node, preemption does not help"


def victims(node: Node, ask: Allocation) -> list[Allocation]:
    """The allocations to stop, in order; empty if stopping none or all of the candidates does not make room. P-121 to P-124.

    Quirk (P-124): what the node has free is not credited while collecting, only at the end.
    """
    taken: list[Allocation] = []
    total: Resource = EMPTY
    for candidate in in_order(candidates(node, ask)):
        if strictly_greater_than_or_equals(total, ask.resource):
            break
        taken.append(candidate)
        total = add(total, candidate.resource)
    # All types count here: on a node that holds too much of another type nothing is stopped.
    return taken if taken and strictly_greater_than_or_equals(add(total, node.available), ask.resource) else []


def candidates(node: Node, ask: Allocation) -> list[Allocation]:
    """Those on the node that nothing spares. P-121."""
    return [each for each in node.allocations.values() if may_stop.spared_on_required_node(each, ask) is None]


def written_down(partition: Partition, node: Node, ask: Allocation, chosen: list[Allocation]) -> Stopping:
    """What became of everything on the node, for traced cycles; asked before the victims are stopped."""
    spared = [(each, _protection(each, ask, bool(chosen))) for _, each in holdings.running(partition) if each.node_id == node.id]
    taken = {each.seq for each in chosen}
    return Stopping(
        "required-node",
        node.id,
        ask.resource,
        ask.key,
        ask.application_id,
        (
            *(verdict_of(partition, each, None) for each in chosen),
            *(verdict_of(partition, each, refusal) for each, refusal in spared if each.seq not in taken),
        ),
        taken_of(partition, chosen),
    )


def _protection(allocation: Allocation, ask: Allocation, is_enough: bool) -> Refusal:
    """What spares it; if nothing does, the search ended before it, or was in vain."""
    spared = may_stop.spared_on_required_node(allocation, ask)
    if spared is not None:
        return spared
    if is_enough:
        return NotNeeded(allocation.key, allocation.node_id)
    return NoHelpOnNode(allocation.key, allocation.application_id, allocation.node_id)

"""Preemption on the one node that an ask must run on. Section 15: no guarantees, fences, delays or switches count."""

from __future__ import annotations

from workbench.scheduler.preemption.protections import protection_of
from workbench.scheduler.preemption.victim_order import in_order
from workbench.scheduler.records.state import Allocation, Node
from workbench.values.resources import EMPTY, Resource, add, match_any, strictly_greater_than_or_equals

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
    """P-121: raw priorities, no offsets, no fences."""
    return [
        each
        for each in node.allocations.values()
        if not each.required_node
        and each.priority <= ask.priority
        and not each.preempted
        and not each.released
        and match_any(each.resource, ask.resource)
        and protection_of(each, ask) is None
    ]

"""Preemption on the one node that an ask must run on. Section 15: no guarantees, fences, delays or switches count."""

from __future__ import annotations

from workbench.resources import EMPTY, Resource, add, match_any, strictly_greater_than
from workbench.scheduler.state import Allocation, Node

NO_HELP = "No fit on required node, preemption does not help"


def victims(node: Node, ask: Allocation) -> list[Allocation]:
    """The allocations to stop, in order; empty if stopping none or all of the candidates does not make room. P-121 to P-124.

    Quirk (P-124): what the node has free is not credited while collecting, only at the end.
    """
    taken: list[Allocation] = []
    total: Resource = EMPTY
    for candidate in in_order(candidates(node, ask)):
        if _covers(total, ask.resource):
            break
        taken.append(candidate)
        total = add(total, candidate.resource)
    return taken if taken and _covers(add(total, node.available), ask.resource) else []


def candidates(node: Node, ask: Allocation) -> list[Allocation]:
    """P-121: raw priorities, no offsets, no fences."""
    return [each for each in node.allocations.values()
            if not each.required_node and each.priority <= ask.priority and not each.preempted and not each.released
            and match_any(each.resource, ask.resource)]


def in_order(allocations: list[Allocation]) -> list[Allocation]:
    """Regular, opted out, originator; then lower priority, newest, smaller. P-123. Incomparable sizes: latest made first."""
    order = sorted(allocations, key=lambda each: (_kind(each), each.priority, -each.created_ns, -each.seq))
    # Sizes are a partial order, so equals are settled by insertion.
    settled: list[Allocation] = []
    for each in order:
        place = len(settled)
        while place and _equal_but_size(settled[place - 1], each) and _smaller(each.resource, settled[place - 1].resource):
            place -= 1
        settled.insert(place, each)
    return settled


def _kind(allocation: Allocation) -> int:
    if allocation.originator:
        return 3
    return 1 if allocation.allow_preempt_self else 2


def _equal_but_size(left: Allocation, right: Allocation) -> bool:
    return (_kind(left), left.priority, left.created_ns) == (_kind(right), right.priority, right.created_ns)


def _smaller(left: Resource, right: Resource) -> bool:
    return strictly_greater_than(right, left)


def _covers(have: Resource, need: Resource) -> bool:
    return all(have.get(name, 0) >= amount for name, amount in need.items())


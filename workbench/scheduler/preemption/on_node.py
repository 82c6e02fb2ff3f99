"""Victims on one node, and the choice between nodes. Sections 9 to 11."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from workbench.scheduler.objects import nodes, reservations
from workbench.scheduler.policies import predicates
from workbench.scheduler.preemption.what_if import WhatIf
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.nodes import NodeReserved, NodeTooSmall, NodeUnschedulable
from workbench.scheduler.records.refusals.victims import DoesNotHelp, NothingToGive, OverBudget, SearchStopped
from workbench.scheduler.records.state import Allocation, Node, Partition
from workbench.values.resources import EMPTY, Resource, add, equals, fit_in, fit_in_actual, sub_eliminate_negative

NO_VICTIM_NEEDED = -1
BATCH = 10
"""Nodes asked of the predicates at a time. P-83."""
GOOD_SCORE, ORIGINATOR_SCORE, OPTED_OUT_SCORE, NO_CANDIDATE_SCORE = 2**32, 2**33, 2**34, 2**35
"""P-84."""
LeafOf = Callable[[Allocation], str]
"""The leaf path of an allocation."""
PreemptionPredicate = Callable[[Node, Allocation, Sequence[Allocation], int], int | None]
"""(node, ask, accepted victims, index) -> the index of the last victim really needed, not below the given; None refuses.

With index -1 no victim is needed, and the answer is -1 or None: a normal predicate check (P-83).
"""


@dataclass(frozen=True, slots=True)
class NodeVictims:
    """What one usable node offers.

    Attributes:
        potential: its eligible allocations in the order in which they would go (P-72).
        victims: the accepted list; None if the node is rejected.
        index: place of the last one that is needed for room; -1 if none is.
    """

    node: Node
    potential: tuple[Allocation, ...]
    victims: tuple[Allocation, ...] | None
    index: int = NO_VICTIM_NEEDED


@dataclass(slots=True)
class Scan:
    """What kept candidates off the list of their node (X-12 to X-15), by `seq`; for traced cycles."""

    refusals: dict[int, Refusal] = field(default_factory=dict)

    def note(self, victim: Allocation, refusal: Refusal) -> None:
        self.refusals[victim.seq] = refusal


def usable_nodes(partition: Partition, ask: Allocation, now_ns: int) -> tuple[list[Node], list[Refusal], list[tuple[Node, str]]]:
    """Nodes that could hold the ask, the others with their reason, and (node, ask key) of reservations to cancel. P-66, P-67.

    Quirk: reservations are cancelled on every node, also where the ask could not run: one that is drained, or too small.
    """
    return usable_of(partition, partition.nodes.values(), ask, now_ns)


def usable_of(
    partition: Partition, among: Iterable[Node], ask: Allocation, now_ns: int
) -> tuple[list[Node], list[Refusal], list[tuple[Node, str]]]:
    """The same of some nodes."""
    usable: list[Node] = []
    refused: list[Refusal] = []
    cancelled: list[tuple[Node, str]] = []
    for node in sorted(among, key=nodes.key):
        foreign = {key: owner for key, owner in node.reservations.items() if key != ask.key}
        stale = [
            key
            for key, owner in sorted(foreign.items())
            if _cancellable(partition, node, partition.applications[owner].asks[key], ask, now_ns)
        ]
        cancelled.extend((node, key) for key in stale)
        if not node.schedulable:
            refused.append(NodeUnschedulable(node.id))
        elif not fit_in(node.capacity, ask.resource):
            refused.append(NodeTooSmall(node.id))
        elif len(stale) == len(foreign):
            usable.append(node)
        else:
            refused.append(NodeReserved(node.id, ", ".join(sorted(set(foreign) - set(stale)))))
    return usable, refused, cancelled


def _cancellable(partition: Partition, node: Node, holder: Allocation, ask: Allocation, now_ns: int) -> bool:
    return (
        not holder.required_node
        and not holder.preemption_triggered
        and holder.priority < ask.priority
        and reservations.is_stale(partition.profile, node, holder, now_ns)
    )


def victim_key(allocation: Allocation) -> tuple[bool, bool, int, int]:
    """Regular ones first, then originators, then opted-out ones; the newest first. Equal ages by creation, latest first. P-72."""
    return not allocation.allow_preempt_self, allocation.originator, -allocation.created_ns, -allocation.seq


def in_victim_order(allocations: Sequence[Allocation]) -> list[Allocation]:
    """The allocations in the order in which they would go. P-72."""
    return sorted(allocations, key=victim_key)


def victims_on(
    node: Node,
    potential: Sequence[Allocation],
    ask: Allocation,
    ask_leaf: str,
    sums: WhatIf,
    leaf_of: LeafOf,
    scan: Scan | None = None,
) -> NodeVictims:
    """The allocations of one node that would have to go for the ask. P-70 to P-76.

    `scan`, for traced cycles, learns what kept the others off the list.
    """
    order = in_victim_order(potential)
    if fit_in(node.available, ask.resource):
        return NodeVictims(node, tuple(order), ())
    merged = _within_budget(node, order, ask, ask_leaf, sums.copy(), leaf_of, scan)
    if not merged:
        return NodeVictims(node, tuple(order), None)
    return _until_it_fits(node, order, merged, ask, sums.copy(), leaf_of, scan)


def _within_budget(
    node: Node, order: Sequence[Allocation], ask: Allocation, ask_leaf: str, sums: WhatIf, leaf_of: LeafOf, scan: Scan | None
) -> list[Allocation]:
    """First pass: those that help, then those that do not, all within the remaining guarantee of the ask's leaf. P-73."""
    head: list[Allocation] = []
    tail: list[Allocation] = []
    have = node.available
    missing = sub_eliminate_negative(ask.resource, have)
    for position, victim in enumerate(order):
        leaf = leaf_of(victim)
        if not gives(sums, leaf, ask):
            if scan is not None:
                scan.note(victim, NothingToGive(victim.key, leaf, sums.remaining(leaf)))
            continue
        sums.take(leaf, victim.resource)
        if not charge(sums, ask_leaf, victim):
            if scan is not None:
                scan.note(victim, OverBudget(victim.key, ask_leaf, sums.remaining(ask_leaf), victim.resource))
                for later in order[position + 1 :]:
                    scan.note(later, SearchStopped(later.key, victim.key))
            break
        left = sub_eliminate_negative(ask.resource, add(have, victim.resource))
        if equals(left, missing):
            sums.take(ask_leaf, victim.resource)
            sums.give(leaf, victim.resource)
            tail.append(victim)
            if scan is not None:
                scan.note(victim, DoesNotHelp(victim.key, node.id))
        else:
            have, missing = add(have, victim.resource), left
            head.append(victim)
    return head + tail


def _until_it_fits(
    node: Node,
    order: Sequence[Allocation],
    merged: Sequence[Allocation],
    ask: Allocation,
    sums: WhatIf,
    leaf_of: LeafOf,
    scan: Scan | None,
) -> NodeVictims:
    """Second pass: the accepted list, and the place at which the ask fits. P-75."""
    have = node.available
    accepted: list[Allocation] = []
    index: int | None = None
    for victim in merged:
        leaf = leaf_of(victim)
        if not gives(sums, leaf, ask):
            if scan is not None:
                scan.note(victim, NothingToGive(victim.key, leaf, sums.remaining(leaf)))
            continue
        sums.take(leaf, victim.resource)
        have = add(have, victim.resource)
        accepted.append(victim)
        if index is None and fit_in(have, ask.resource):
            index = len(accepted) - 1
    if index is None:
        return NodeVictims(node, tuple(order), None)
    return NodeVictims(node, tuple(order), tuple(accepted), index)


def gives(sums: WhatIf, leaf: str, ask: Allocation) -> bool:
    """Whether the leaf still has something to give: over its guarantee in a type of the ask, or without any. P-73.2."""
    left = sums.remaining(leaf)
    return left is None or any(left.get(name, 0) < 0 for name in ask.resource.amounts)


def charge(sums: WhatIf, ask_leaf: str, victim: Allocation) -> bool:
    """Add the victim's size to the ask's leaf; False, and nothing changed, if its remaining guarantee is too small. P-73.3."""
    budget = sums.remaining(ask_leaf)
    if budget is None or not fit_in_actual(budget, victim.resource):
        return False
    sums.give(ask_leaf, victim.resource)
    return True


def choose(
    candidates: Sequence[NodeVictims], ask: Allocation, predicate: PreemptionPredicate | None
) -> tuple[NodeVictims, int] | None:
    """The node, and the index of the last victim there. None if every node is refused. P-81 to P-85."""
    order = sorted(candidates, key=lambda each: (each.index, each.node.id))
    if predicate is None:
        return (order[0], order[0].index) if order else None
    best: tuple[int, NodeVictims, int] | None = None
    for start in range(0, len(order), BATCH):
        for offer in order[start : start + BATCH]:
            index = _ask_predicates(offer, ask, predicate)
            if index is None:
                continue
            score = score_of(index, [(not each.allow_preempt_self, each.originator) for each in offer.potential])
            if best is None or score < best[0]:
                best = (score, offer, index)
        if best is not None and best[0] < GOOD_SCORE:
            break
    return None if best is None else best[1:]


def _ask_predicates(offer: NodeVictims, ask: Allocation, predicate: PreemptionPredicate) -> int | None:
    assert offer.victims is not None
    return predicate(offer.node, ask, offer.victims, offer.index)


def score_of(index: int, flags: Sequence[tuple[bool, bool]]) -> int:
    """How good a node is of which the victims up to `index` would go; the lowest wins. P-84.

    `flags` are (opted out, originator) of its eligible allocations in the order in which they would go, up to `index` or further.

    Quirks: the flags are those of the node's eligible allocations, not of the accepted ones; and a node that has none,
    whatever room it has, counts as badly as one that refuses, so that it serves only if no other node does.
    """
    if not flags:
        return NO_CANDIDATE_SCORE
    if index == NO_VICTIM_NEEDED:
        return 0
    first = flags[: index + 1]
    return (
        index
        + 1
        + (ORIGINATOR_SCORE if any(originator for _, originator in first) else 0)
        + (OPTED_OUT_SCORE if any(opted_out for opted_out, _ in first) else 0)
    )


def room_predicate(node: Node, ask: Allocation, victims: Sequence[Allocation], index: int) -> int | None:
    """The built-in answer of the resource manager: the first index, from the given on, at which the ask has room. P-83."""
    if predicates.refusal_text(node, ask) is not None:
        return None
    if index == NO_VICTIM_NEEDED:
        return NO_VICTIM_NEEDED
    have: Resource = node.available or EMPTY
    for place, victim in enumerate(victims):
        have = add(have, victim.resource)
        if place >= index and fit_in(have, ask.resource):
            return place
    return None

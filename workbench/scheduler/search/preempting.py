"""General preemption, kept: the decisions of `general.attempt`, without looking at every allocation and node each time.

For attempts that nobody wants explained. In the order of `general.attempt`: is the guarantee large enough, which nodes wait for
whom, which offers most, and which of the victims are needed. Where something decides that is not kept, `attempt` is asked itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from workbench.scheduler.objects.tree import walk
from workbench.scheduler.preemption import eligible, general, on_node
from workbench.scheduler.preemption.general import GUARANTEES, SHORT, Answer
from workbench.scheduler.preemption.on_node import NodeVictims
from workbench.scheduler.preemption.protections import PROTECTIONS
from workbench.scheduler.preemption.what_if import WhatIf
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.state import Allocation, Node, Partition, Queue
from workbench.scheduler.search.claims import Giver, Remaining, reach
from workbench.scheduler.search.offers import Offers
from workbench.scheduler.search.running import Running, Standing
from workbench.scheduler.search.shapes import Shape
from workbench.values.resources import EMPTY, Resource, add, fit_in, fit_in_actual, strictly_greater_than_only_existing

MOST_OFFERS = 100_000
"""Of all kept `Offers` together; the oldest go first."""
LEAST_KEPT = 8
MOST_HEARD = 100_000
"""Records to look at again from which on beginning anew is cheaper."""


@dataclass(frozen=True, slots=True)
class Found:
    """What came of an attempt. Refusals are for those who want explanations, and these ask `general.attempt`."""

    node: Node | None = None
    victims: Sequence[Allocation] = ()
    log: Sequence[str] = ()
    cancelled: Sequence[tuple[Node, str]] = ()
    refusal: Refusal | None = None

    @property
    def succeeded(self) -> bool:
        return self.node is not None


NOT_WITHIN_GUARANTEE = Found(log=(GUARANTEES,))
IN_VAIN = Found()


class Preempting:
    """Of one partition. `heard` collects what was touched since the last attempt, and `shape_of` tells the shape of an ask."""

    def __init__(self, partition: Partition, shape_of: Callable[[Allocation], Shape]):
        self._partition, self._shape_of = partition, shape_of
        self.heard: dict[object, None] = {}
        self._running = Running(partition)
        self._structure = {queue: dict(queue.children) for queue in walk(partition.root)}
        """Queue -> its children when it was last looked at."""
        self._remaining: dict[Queue, Remaining] = {}
        self._reach: dict[tuple[Queue, Queue, int], tuple[Giver, ...]] = {}
        self._offers: dict[tuple[Queue, Queue, int, Shape], Offers] = {}
        self._in_vain: dict[tuple[Offers, bool], tuple[int, Resource]] = {}

    @property
    def is_behind(self) -> bool:
        """Whether so much was heard that it is better forgotten."""
        return len(self.heard) > MOST_HEARD

    def attempt(self, partition: Partition, leaf: Queue, ask: Allocation, now_ns: int, *, nodes_tried: bool) -> Answer:
        """What `general.attempt` would find."""
        if len(PROTECTIONS):
            # Theirs is the last word on every single allocation.
            return general.attempt(partition, leaf, ask, now_ns, nodes_tried=nodes_tried)
        self._catch_up()
        remaining = self._remaining.get(leaf)
        if remaining is None:
            remaining = self._remaining[leaf] = Remaining(leaf)
        budget = remaining.of(leaf)
        if budget is None:
            return NOT_WITHIN_GUARANTEE
        fence = eligible.fence_of(leaf, ask, partition.profile)
        if not fit_in_actual(budget, ask.resource):
            # What others give up changes nothing about a guarantee of the leaf's own. P-60
            if remaining.has_own or not self._could_come_within(leaf, fence, ask):
                return NOT_WITHIN_GUARANTEE
            return general.attempt(partition, leaf, ask, now_ns, nodes_tried=nodes_tried)
        offers = self._offers_for(leaf, fence, ask, remaining)
        offers.catch_up()
        cancelled, also = self._waiting_nodes(ask, now_ns)
        same_for_all = not also and not cancelled
        if same_for_all and self._in_vain.get((offers, nodes_tried)) == (offers.version, budget):
            return IN_VAIN
        found = self._look(leaf, ask, offers, budget, cancelled, also, nodes_tried=nodes_tried)
        if same_for_all and found is IN_VAIN:
            self._in_vain[offers, nodes_tried] = offers.version, budget
        return found

    def _look(
        self,
        leaf: Queue,
        ask: Allocation,
        offers: Offers,
        budget: Resource,
        cancelled: Sequence[tuple[Node, str]],
        also: Sequence[str],
        *,
        nodes_tried: bool,
    ) -> Found:
        in_vain = Found(cancelled=cancelled) if cancelled else IN_VAIN
        unprotected = offers.unprotected
        if not unprotected:
            return in_vain
        sums: WhatIf | None = None

        def exactly(node: Node, potential: Sequence[Allocation]) -> NodeVictims:
            nonlocal sums
            if sums is None:
                sums = WhatIf(leaf, unprotected)
            return on_node.victims_on(node, potential, ask, leaf.path, sums, self._leaf_of)

        offer = offers.best(budget, also, exactly, nodes_tried=nodes_tried)
        if offer is None:
            return in_vain
        node = self._partition.nodes[offer.node_id]
        final, total = self._needed(leaf, ask, offers, node, offer.victims)
        if not final and not offer.victims and total is EMPTY:
            return in_vain
        if strictly_greater_than_only_existing(ask.resource, total):
            return Found(log=(SHORT,), cancelled=cancelled)
        return Found(node, final, cancelled=cancelled)

    # ---- which victims are needed ----------------------------------------------------------------------------

    def _needed(
        self, leaf: Queue, ask: Allocation, offers: Offers, node: Node, chosen: Sequence[Allocation]
    ) -> tuple[list[Allocation], Resource]:
        """Those of the chosen and of all others that go, and what was looked at in sum; EMPTY if nothing was. P-90 to P-103

        Others are looked for only as long as one of them could change something. That they never overdraw the guarantee (P-92)
        follows from what was asked before: it holds the ask, and each of them was within what was left.
        """
        final: list[Allocation] = []
        total = EMPTY
        for victim in chosen:
            if strictly_greater_than_only_existing(ask.resource, total):
                final.append(victim)
            total = add(total, victim.resource)
        if chosen and _is_settled(ask.resource, total):
            return final, total
        has_room = fit_in(node.available, ask.resource)
        for victim in self._others(leaf, ask, offers, None if has_room else node.id, chosen):
            if not has_room and victim.node_id != node.id:
                continue
            if strictly_greater_than_only_existing(ask.resource, total):
                final.append(victim)
            total = add(total, victim.resource)
            if _is_settled(ask.resource, total):
                break
        return final, total

    def _others(
        self, leaf: Queue, ask: Allocation, offers: Offers, node_id: str | None, chosen: Sequence[Allocation]
    ) -> Iterable[Allocation]:
        """Further victims in order, up to the last one on the node if only that counts."""
        taken = set(chosen)
        last: Standing | None = None
        if node_id is not None:
            for standing in self._running.on.get(node_id, ()):
                if standing[4] not in taken and offers.qualifies(standing):
                    last = standing
            if last is None:
                return ()
        sums = WhatIf(leaf, offers.unprotected)
        for victim in chosen:
            sums.take(self._leaf_of(victim), victim.resource)
        return general.extra_victims(self._in_order(offers, taken, last), sums, leaf.path, ask, self._leaf_of)

    def _in_order(self, offers: Offers, taken: set[Allocation], last: Standing | None) -> Iterator[Allocation]:
        for standing in self._running.everybody():
            if standing[4] not in taken and offers.qualifies(standing):
                yield standing[4]
            if standing is last:
                return

    def _leaf_of(self, allocation: Allocation) -> str:
        return self._partition.applications[allocation.application_id].leaf.path

    # ---- the guarantee ---------------------------------------------------------------------------------------

    def _could_come_within(self, leaf: Queue, fence: eligible.Fence, ask: Allocation) -> bool:
        """Whether the ask would be within a guarantee above its leaf if all that runs where it may look were gone. P-60.2"""
        givers = [giver.leaf for giver in self._reach_of(leaf, fence, ask)]
        sums = WhatIf(leaf, givers)
        sums.give(leaf.path, ask.resource)
        for giver in givers:
            sums.take(giver.path, giver.allocated)
        left = sums.remaining(leaf.path)
        return left is not None and all(left.get(name, 0) >= 0 for name in ask.resource.amounts)

    # ---- nodes that wait for somebody ------------------------------------------------------------------------

    def _waiting_nodes(self, ask: Allocation, now_ns: int) -> tuple[Sequence[tuple[Node, str]], Sequence[str]]:
        """Reservations to give up, and the reserved nodes that are usable: for the ask itself, or for nobody any more. P-67"""
        running, nodes = self._running, self._partition.nodes
        own = running.reserved_for.get(ask.key, {})
        stale = running.maybe_stale(ask.priority, now_ns)
        if stale:
            waiting = [nodes[node_id] for node_id in dict.fromkeys([*own, *stale])]
            usable, _, cancelled = on_node.usable_of(self._partition, waiting, ask, now_ns)
            return cancelled, [node.id for node in usable]
        return (), [node_id for node_id in own if len(running.reserved[node_id].keys) == 1]

    # ---- what is kept ----------------------------------------------------------------------------------------

    def _catch_up(self) -> None:
        heard, self.heard = self.heard, {}
        for record in heard:
            if isinstance(record, Queue) and self._structure.get(record) != record.children:
                self._structure[record] = dict(record.children)
                self._forget_queues()
        self._running.hear(heard)

    def _forget_queues(self) -> None:
        """Queues came or went: whatever was found by walking the tree is found again."""
        self._remaining.clear()
        self._reach.clear()
        self._offers.clear()
        self._in_vain.clear()

    def _reach_of(self, leaf: Queue, fence: eligible.Fence, ask: Allocation) -> tuple[Giver, ...]:
        where = leaf, fence.root, ask.priority
        found = self._reach.get(where)
        if found is None:
            found = self._reach[where] = reach(fence, leaf)
        return found

    def _offers_for(self, leaf: Queue, fence: eligible.Fence, ask: Allocation, remaining: Remaining) -> Offers:
        shape = self._shape_of(ask)
        what = leaf, fence.root, ask.priority, shape
        offers = self._offers.pop(what, None)
        if offers is None:
            offers = Offers(self._partition, self._running, remaining, self._reach_of(leaf, fence, ask), shape)
            most = max(LEAST_KEPT, MOST_OFFERS // (len(self._partition.nodes) + 1))
            while len(self._offers) >= most:
                gone = self._offers.pop(next(iter(self._offers)))
                for tried in (True, False):
                    self._in_vain.pop((gone, tried), None)
        # The one asked last goes last.
        self._offers[what] = offers
        return offers


def _is_settled(need: Resource, total: Resource) -> bool:
    """Whether adding to the total can no longer make the need exceed it (P-3): a type overshoots, or all are reached."""
    reached = 0
    for name, amount in need.amounts.items():
        held = total.amounts.get(name)
        if held is None:
            continue
        if held > amount:
            return True
        reached += held == amount
    return reached == len(need.amounts)

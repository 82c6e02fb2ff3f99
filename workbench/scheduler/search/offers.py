"""What each node yields for asks of one shape that may look into the same leaves, best node first. Sections 10 and 11.

`on_node.victims_on` goes through a node's allocations under two conditions that change with every attempt: what the leaves of
the victims hold beyond their guarantees, and what is left of the guarantee of the ask's leaf. An `Offer` is what comes out as
long as neither ends the search early, with what it takes for that. It depends on the node alone, so it is made again only when
something on the node changes, or when a leaf comes to have something to give, or to have nothing.

For most attempts the conditions hold on every node that counts. Where they do not:

- What does not fit even if everything goes never fits, so such a node has no offer.
- If the leaf has a guarantee of its own, a node for which it is too small is rejected: up to there nothing else differs.
- Otherwise, and where a leaf might run out of what it can give, `victims_on` is asked itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from workbench.scheduler.policies import predicates
from workbench.scheduler.preemption import may_stop
from workbench.scheduler.preemption.on_node import NO_VICTIM_NEEDED, NodeVictims, score_of
from workbench.scheduler.records.state import Allocation, Node, Partition, Queue
from workbench.scheduler.search.claims import Giver, Remaining
from workbench.scheduler.search.line import Line
from workbench.scheduler.search.running import Running, Standing
from workbench.scheduler.search.shapes import Shape
from workbench.values.resources import Resource

Ask = Callable[[Node, Sequence[Allocation]], NodeVictims]
"""What the node yields of these allocations under the sums as they are: `victims_on`."""


class Offer(NamedTuple):
    """Attributes:
    score, node_id: the smallest wins. P-81 to P-84
    victims: those who must go, in order; nobody where there is room already.
    needs: by type, what of the guarantee of the ask's leaf must be left so that the search gets so far. P-73
    before: by type, what is gone when the last victim is looked at.
    givers: the leaves that must have something to give up to there.
    """

    score: int
    node_id: str
    victims: tuple[Allocation, ...]
    needs: dict[str, int]
    before: dict[str, int]
    givers: tuple[Queue, ...]


Place = tuple[int, str, Offer]


class Offers:
    """Of the nodes of one partition. `version` counts the changes in what any node offers."""

    __slots__ = (
        "_epoch",
        "_givers",
        "_gives",
        "_left",
        "_most",
        "_most_before",
        "_needing",
        "_partition",
        "_places",
        "_remaining",
        "_room",
        "_running",
        "_seen",
        "_several",
        "_shape",
        "_types",
        "version",
    )

    def __init__(self, partition: Partition, running: Running, remaining: Remaining, givers: Sequence[Giver], shape: Shape):
        self._partition, self._running, self._remaining, self._shape = partition, running, remaining, shape
        self._types = shape.resource.amounts.keys()
        self._givers = [giver.leaf for giver in givers]
        self._most = {giver.leaf: giver.most for giver in givers}
        self._left: dict[Queue, Resource | None] = {}
        self._gives: dict[Queue, bool] = {}
        """Leaves that are not protected as a whole, and whether they have something to give. P-52, P-73.2"""
        self.version = 0
        self._begin()

    def _begin(self) -> None:
        self._epoch, self._seen = self._running.epoch, len(self._running.changed)
        self._room, self._needing = Line(), Line()
        self._places: dict[str, Place | None] = {}
        self._several: dict[str, Offer] = {}
        self._most_before: dict[str, int] = {}
        for leaf in self._givers:
            self._look_into(leaf)
        for node_id in self._partition.nodes:
            self._enter(node_id)
        self.version += 1

    def catch_up(self) -> None:
        """Take in what changed: on nodes, and in the leaves."""
        running = self._running
        if self._epoch != running.epoch:
            self._begin()
            return
        turned: dict[str, None] = {}
        for leaf in self._givers:
            if self._look_into(leaf):
                turned.update(dict.fromkeys(running.hosts.get(leaf, ())))
        changed = running.changed
        if self._seen < len(changed):
            turned.update(dict.fromkeys(changed[self._seen :]))
            self._seen = len(changed)
        for node_id in turned:
            self._leave(node_id)
            self._enter(node_id)
        self.version += bool(turned)

    def _look_into(self, leaf: Queue) -> bool:
        """Whether the leaf turned to giving, to not giving, or to being protected. P-52"""
        left = self._remaining.of(leaf)
        if leaf in self._left and self._left[leaf] is left:
            return False
        self._left[leaf] = left
        self.version += 1
        before = self._gives.pop(leaf, None)
        if left is None or not may_stop.keeps_guarantee(left):
            self._gives[leaf] = left is None or any(left.amounts.get(name, 0) < 0 for name in self._types)
        return self._gives.get(leaf) is not before

    @property
    def unprotected(self) -> list[Queue]:
        """The leaves whose allocations count, as a tree walk comes to them."""
        return [leaf for leaf in self._givers if leaf in self._gives]

    def qualifies(self, standing: Standing) -> bool:
        """Whether the ask may take it, as far as its leaf, its priority and its types say. P-53, P-54"""
        allocation: Allocation = standing[4]
        leaf: Queue = standing[5]
        if leaf not in self._gives:
            return False
        most = self._most[leaf]
        return (most is None or allocation.priority <= most) and not self._types.isdisjoint(allocation.resource.amounts)

    # ---- the best --------------------------------------------------------------------------------------------

    def best(self, budget: Resource, also: Sequence[str], exactly: Ask, *, nodes_tried: bool) -> Offer | None:
        """The offer that wins. P-80 to P-85

        Of nodes that wait for somebody only those count that are named by `also`. `exactly` is asked where the sums decide.
        """
        found: Any = None if nodes_tried else self._room.first()
        shaky = self._shaky()
        place = self._needing.first()
        while place is not None and (found is None or place < found):
            offer: Offer = place[2]
            if offer.node_id not in shaky and self._within(budget, offer, exactly):
                found = place
                break
            place = self._needing.first(place)
        for node_id in shaky:
            again = self._again(self._partition.nodes[node_id], exactly)
            if again is not None and (found is None or again < found):
                found = again
        for node_id in also:
            place = self._places[node_id] if node_id in self._places else self._place(node_id)
            if place is None or (nodes_tried and not place[2].victims) or (found is not None and found < place):
                continue
            if place[2].victims and (self._is_shaky(place[2]) or not self._within(budget, place[2], exactly)):
                place = self._again(self._partition.nodes[node_id], exactly)
            if place is not None and (found is None or place < found):
                found = place
        return None if found is None else found[2]

    def _within(self, budget: Resource, offer: Offer, exactly: Ask) -> bool:
        """Whether the guarantee of the ask's leaf lasts until the ask fits. P-73.3"""
        left = budget.amounts
        for name, need in offer.needs.items():
            if need > left.get(name, need):
                return not self._remaining.has_own and self._again(self._partition.nodes[offer.node_id], exactly) is not None
        return True

    def _shaky(self) -> Sequence[str]:
        """Nodes on which a leaf might run out of what it can give before the ask fits."""
        if not self._several or not any(self._runs_out(leaf, self._most_before) for leaf, gives in self._gives.items() if gives):
            return ()
        return [node_id for node_id, offer in self._several.items() if self._is_shaky(offer)]

    def _is_shaky(self, offer: Offer) -> bool:
        return len(offer.victims) > 1 and any(self._runs_out(leaf, offer.before) for leaf in offer.givers)

    def _runs_out(self, leaf: Queue, taken: dict[str, int]) -> bool:
        left = self._left[leaf]
        if left is None:
            return False
        over = left.amounts
        for name in self._types:
            if over.get(name, 0) + taken.get(name, 0) < 0:
                return False
        return True

    # ---- the nodes -------------------------------------------------------------------------------------------

    def _leave(self, node_id: str) -> None:
        place = self._places.pop(node_id, None)
        if place is not None:
            (self._needing if place[2].victims else self._room).remove(place)
            self._several.pop(node_id, None)

    def _enter(self, node_id: str) -> None:
        if node_id in self._running.reserved:
            return
        place = self._places[node_id] = self._place(node_id)
        if place is None:
            return
        offer = place[2]
        if not offer.victims:
            self._room.add(place)
            return
        self._needing.add(place)
        if len(offer.victims) > 1:
            self._several[node_id] = offer
            for name, amount in offer.before.items():
                if amount > self._most_before.get(name, 0):
                    self._most_before[name] = amount

    def _place(self, node_id: str) -> Place | None:
        """What the node offers if nobody else waits for it; None if nothing would help, or the ask may not run there. P-66"""
        node, shape = self._partition.nodes.get(node_id), self._shape
        if node is None or not node.schedulable:
            return None
        available, capacity = node.available.amounts, node.capacity.amounts
        missing: dict[str, int] = {}
        lacking = 0
        for name, need in shape.needs:
            if need > capacity.get(name, 0):
                return None
            have = available.get(name, 0)
            if need > have:
                missing[name] = need - have
                lacking += 1
        if (not shape.unconstrained or node.taints) and predicates.refusal_text(node, shape.ask) is not None:
            return None
        if not lacking:
            candidates = any(self.qualifies(standing) for standing in self._running.on.get(node_id, ()))
            score = score_of(NO_VICTIM_NEEDED, () if not candidates else ((False, False),))
            return score, node_id, Offer(score, node_id, (), {}, {}, ())
        for name, have in available.items():
            # More may run there than there is: what makes up for that helps, too, wanted by the ask or not. P-73.4
            if have < 0 and name not in missing:
                missing[name] = -have
        return self._opened(node_id, missing, lacking, {name for name, _ in shape.needs})

    def _opened(self, node_id: str, missing: dict[str, int], lacking: int, wanted: set[str]) -> Place | None:
        flags: list[tuple[bool, bool]] = []
        victims: list[Allocation] = []
        gone: dict[str, int] = {}
        needs: dict[str, int] = {}
        givers: dict[Queue, None] = {}
        for standing in self._running.on.get(node_id, ()):
            if not self.qualifies(standing):
                continue
            flags.append((standing[0], standing[1]))
            if not self._gives[standing[5]]:
                continue
            givers[standing[5]] = None
            allocation: Allocation = standing[4]
            helps = False
            for name, amount in allocation.resource.amounts.items():
                with_it = gone.get(name, 0) + amount
                if with_it > needs.get(name, -1):
                    needs[name] = with_it
                helps = helps or (amount > 0 and name in missing)
            if not helps:
                continue
            victims.append(allocation)
            before = gone
            gone = gone.copy()
            for name, amount in allocation.resource.amounts.items():
                gone[name] = gone.get(name, 0) + amount
                if amount > 0 and name in missing:
                    missing[name] -= amount
                    if missing[name] <= 0:
                        del missing[name]
                        lacking -= name in wanted
            if not lacking:
                score = score_of(len(victims) - 1, flags)
                return score, node_id, Offer(score, node_id, tuple(victims), needs, before, tuple(givers))
        return None

    def _again(self, node: Node, exactly: Ask) -> Place | None:
        """What the node offers under the sums as they are."""
        standings = [standing for standing in self._running.on.get(node.id, ()) if self.qualifies(standing)]
        found = exactly(node, [standing[4] for standing in standings])
        if not found.victims:
            return None
        score = score_of(found.index, [(standing[0], standing[1]) for standing in standings])
        return score, node.id, Offer(score, node.id, found.victims[: found.index + 1], {}, {}, ())

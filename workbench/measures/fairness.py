"""M-5: how far the division of what ran was from the ideal one.

The ideal at an instant. What runs in a queue is divided among the queues below it by water filling (`measures.water`), from the
top down and for each resource by itself. The ceiling of a child is its demand, what runs and what waits in it, at most its
maximum; its floor is its guarantee, or where it has none of this resource what the queues below it are guaranteed together, at
most its ceiling. Above the floors all are equal. So the ideal divides what was really in use: that something was idle is told by
other measures.

- `fairness.distance`: the share of what ran that ideally would have run in other leaves: the sum over leaves of |use - ideal| /
  2, over the window, by what was used; of the resource for which it is largest. 0 is ideal.
- `fairness.jain`: Jain's index, `(sum x)**2 / (n * sum x**2)`, of what each leaf that asked for something used over what it
  ideally would have, in the resource of which its ideal share is largest. 1 if all got the same share of what they should have, 1/n
  if one got everything. Jain, Chiu and Hawe, "A quantitative measure of fairness", DEC-TR-301, 1984.

Of the leaves below a queue, or of the whole tree for the cluster; None for a leaf, and where nothing ran.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.measures import units
from workbench.measures.measure import CLUSTER_AND_QUEUES, Measure
from workbench.measures.queue_flow import QueueFlow
from workbench.measures.reading import Reading
from workbench.measures.registry import register_measure
from workbench.measures.scopes import Scope
from workbench.measures.timeline import amounts_of, clipped_ns, timeline_of
from workbench.measures.tree import QueueTree, tree_of
from workbench.measures.water import fill

NO_MAXIMUM = float("inf")


class Leaf(NamedTuple):
    """One leaf over the window: by resource, amount times nanoseconds."""

    used: list[float]
    ideal: list[float]
    apart: list[float]


class Bounds:
    """What the design gives each queue, by number: floors before demand is looked at, and maxima."""

    def __init__(self, reading: Reading, tree: QueueTree):
        resources = reading.resources
        self.entitled = [list(amounts_of(queue.guaranteed, resources)) for queue in tree]
        for queue in reversed(tree.queues):
            mine = self.entitled[queue.number]
            for place, amount in enumerate(mine):
                if not amount:
                    mine[place] = sum(self.entitled[child][place] for child in queue.children)
        self.maximum = [[queue.maximum.get(name, NO_MAXIMUM) for name in resources] for queue in tree]


class Division:
    """How what runs in one queue is divided below it, and how it ideally would be; brought from instant to instant."""

    def __init__(self, reading: Reading, tree: QueueTree, flow: QueueFlow, bounds: Bounds, top: int):
        self._reading, self._tree, self._flow, self._bounds, self.top = reading, tree, flow, bounds, top
        nothing = (0,) * flow.kinds
        below = tree.down(top)
        self._given: dict[int, tuple[float, ...]] = dict.fromkeys(below, nothing)
        self._used: dict[int, tuple[int, ...]] = dict.fromkeys(below, nothing)
        self._since = dict.fromkeys(below, reading.from_ns)
        self.leaves: dict[int, Leaf] = {
            queue: Leaf(*([0.0] * flow.kinds for _ in range(3))) for queue in below if not tree.queues[queue].children
        }

    def take(self, now_ns: int) -> None:
        """Bring the division to what it is from now on."""
        base = self.top * self._flow.kinds
        self._divide(self.top, tuple(self._flow.used[base : base + self._flow.kinds]), now_ns)

    def _divide(self, queue: int, amounts: tuple[float, ...], now_ns: int) -> None:
        is_touched = queue in self._flow.touched
        if not is_touched and amounts == self._given[queue]:
            return
        children = self._tree.queues[queue].children
        if not children:
            self._close(queue, now_ns)
            base = queue * self._flow.kinds
            self._used[queue] = tuple(self._flow.used[base : base + self._flow.kinds])
        self._given[queue] = amounts
        if children:
            parts = [self._parts(queue, children, place, amount) for place, amount in enumerate(amounts)]
            for child, given in zip(children, zip(*parts)):
                self._divide(child, given, now_ns)

    def _parts(self, queue: int, children: list[int], place: int, amount: float) -> list[float]:
        """The ideal parts of the children, of one resource."""
        used, wanted, kinds = self._flow.used, self._flow.wanted, self._flow.kinds
        cells = [child * kinds + place for child in children]
        if amount == used[queue * kinds + place] == wanted[queue * kinds + place]:
            return [used[cell] for cell in cells]  # nobody waits: everybody has what they want
        maxima, entitled = self._bounds.maximum, self._bounds.entitled
        ceilings = [min(wanted[cell], maxima[child][place]) for cell, child in zip(cells, children)]
        floors = [min(entitled[child][place], ceiling) for child, ceiling in zip(children, ceilings)]
        return fill(amount, floors, ceilings)

    def _close(self, leaf: int, now_ns: int) -> None:
        """Add up what a leaf had up to now."""
        lasted = clipped_ns(self._reading, self._since[leaf], now_ns)
        self._since[leaf] = now_ns
        if lasted:
            sums = self.leaves[leaf]
            for place, (used, ideal) in enumerate(zip(self._used[leaf], self._given[leaf])):
                if used or ideal:
                    sums.used[place] += used * lasted
                    sums.ideal[place] += ideal * lasted
                    sums.apart[place] += abs(used - ideal) * lasted


def divisions_of(reading: Reading) -> dict[int, Division]:
    """By the number of every queue that has queues below it: how what ran in it was divided."""
    return reading.once("divisions", lambda: _divisions(reading))


def _divisions(reading: Reading) -> dict[int, Division]:
    tree, flow = tree_of(reading), QueueFlow(reading)
    bounds = Bounds(reading, tree)
    found = {queue.number: Division(reading, tree, flow, bounds, queue.number) for queue in tree if queue.children}
    for instant in timeline_of(reading):
        flow.take(instant)
        for queue in flow.touched:
            if queue in found:
                found[queue].take(instant.at_ns)
    return found


def _leaves(reading: Reading, scope: Scope) -> list[Leaf] | None:
    number = 0 if scope.kind == "cluster" else tree_of(reading).paths[scope.name]
    division = divisions_of(reading).get(number)
    return None if division is None else list(division.leaves.values())


def _distance(reading: Reading, scope: Scope) -> float | None:
    leaves = _leaves(reading, scope)
    if leaves is None:
        return None
    found = []
    for place in range(len(reading.resources)):
        used = sum(leaf.used[place] for leaf in leaves)
        if used:
            found.append(sum(leaf.apart[place] for leaf in leaves) / (2 * used))
    return max(found, default=None)


def _jain(reading: Reading, scope: Scope) -> float | None:
    leaves = _leaves(reading, scope)
    if leaves is None:
        return None
    totals = [sum(leaf.used[place] for leaf in leaves) for place in range(len(reading.resources))]
    got = []
    for leaf in leaves:
        shares = [ideal / total if total else 0.0 for ideal, total in zip(leaf.ideal, totals)]
        place = max(range(len(shares)), key=shares.__getitem__, default=0)
        if shares and shares[place] > 0:
            got.append(leaf.used[place] / leaf.ideal[place])
    squares = sum(each * each for each in got)
    return sum(got) ** 2 / (len(got) * squares) if squares else None


NOTHING_RAN = "nothing to divide"
register_measure(
    "fairness.distance",
    Measure(
        "share of what ran that ideally would have run elsewhere",
        units.SHARE,
        "lower",
        _distance,
        CLUSTER_AND_QUEUES,
        empty=NOTHING_RAN,
    ),
)
register_measure(
    "fairness.jain",
    Measure("Jain's index of fairness", units.INDEX, "higher", _jain, CLUSTER_AND_QUEUES, empty=NOTHING_RAN),
)

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

Of the leaves below a queue, or of the whole tree for the cluster; None for a leaf, and where nothing ran. A run with more than
2,000 changes is looked at in that many equal slices, by the average use and demand in each (`measures.slices`).
"""

from __future__ import annotations

from itertools import chain
from operator import add
from typing import NamedTuple

from workbench.measures import units
from workbench.measures.measure import CLUSTER_AND_QUEUES, Measure
from workbench.measures.reading import Reading
from workbench.measures.registry import register_measure
from workbench.measures.scopes import Scope
from workbench.measures.slices import Slices, edges_of
from workbench.measures.timeline import amounts_of, shapes_of, timeline_of
from workbench.measures.tree import QueueTree, tree_of
from workbench.measures.water import fill
from workbench.runs.record import NOBODY

NO_MAXIMUM = float("inf")
STEPS = 2000
"""As many changes are looked at one by one; more are looked at in so many slices."""


class Leaf(NamedTuple):
    """One leaf over the window: by resource, amount times time."""

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


class Averages:
    """Use and demand of every queue in every step, by number of the queue, resource and step."""

    def __init__(self, reading: Reading, tree: QueueTree):
        timeline, kinds = timeline_of(reading), len(reading.resources)
        self.edges = edges_of(reading, chain.from_iterable(turns.times for turns in timeline.turns), STEPS)
        empty = [0.0] * (len(self.edges) - 1)
        self.used = [[empty] * kinds for _ in tree]
        self.wanted = [[empty] * kinds for _ in tree]
        leaves = {path: (Slices(self.edges, kinds), Slices(self.edges, kinds)) for path in reading.record.queues}
        self._fill(reading, leaves)
        for path, (running, waiting) in leaves.items():
            number = tree.paths[path]
            self.used[number] = [running.averages(kind) for kind in range(kinds)]
            self.wanted[number] = [list(map(add, self.used[number][kind], waiting.averages(kind))) for kind in range(kinds)]
        for queue in reversed(tree.queues):
            for kind in range(kinds) if queue.children else ():
                self.used[queue.number][kind] = [sum(each) for each in zip(*(self.used[child][kind] for child in queue.children))]
                self.wanted[queue.number][kind] = [
                    sum(each) for each in zip(*(self.wanted[child][kind] for child in queue.children))
                ]

    def _fill(self, reading: Reading, leaves: dict[str, tuple[Slices, Slices]]) -> None:
        record, shapes, timeline = reading.record, shapes_of(reading), timeline_of(reading)
        by_leaf = [leaves[path] for path in record.queues]
        for attempt in timeline.began_to_run.attempts:
            leaf = record.job_queue[record.job[attempt]]
            if leaf != NOBODY:
                until = reading.ran_until[attempt]
                by_leaf[leaf][0].add(record.placed_ns[attempt], until, shapes.amounts[shapes.of[attempt]])
        for attempt in timeline.began_to_wait.attempts:
            leaf = record.job_queue[record.job[attempt]]
            if leaf != NOBODY:
                until = reading.waited_until[attempt]
                by_leaf[leaf][1].add(record.arrived_ns[attempt], until, shapes.amounts[shapes.of[attempt]])


class Division:
    """How what ran in one queue was divided below it, and how it ideally would have been."""

    def __init__(self, reading: Reading, tree: QueueTree, averages: Averages, bounds: Bounds, top: int):
        self._tree, self._averages, self._bounds = tree, averages, bounds
        kinds = len(reading.resources)
        self.leaves: dict[int, Leaf] = {
            queue: Leaf(*([0.0] * kinds for _ in range(3))) for queue in tree.down(top) if not tree.queues[queue].children
        }
        for step, (since, until) in enumerate(zip(averages.edges, averages.edges[1:])):
            for kind in range(kinds):
                amount = averages.used[top][kind][step]
                if amount:
                    self._divide(top, kind, step, amount, until - since)

    def _divide(self, queue: int, kind: int, step: int, amount: float, lasted: int) -> None:
        """Divide the ideal amount of a queue in one step, and add up what comes of it in the leaves."""
        used, wanted = self._averages.used, self._averages.wanted
        children = self._tree.queues[queue].children
        if not children:
            leaf, ran = self.leaves[queue], used[queue][kind][step]
            leaf.used[kind] += ran * lasted
            leaf.ideal[kind] += amount * lasted
            leaf.apart[kind] += abs(ran - amount) * lasted
            return
        asking = [child for child in children if wanted[child][kind][step]]
        maximum, entitled = self._bounds.maximum, self._bounds.entitled
        parts = [used[child][kind][step] for child in asking]
        nobody_waits = amount == used[queue][kind][step] == wanted[queue][kind][step]
        # Then everybody has what they want, and should have it, unless somebody holds more than the own maximum.
        if not nobody_waits or any(part > maximum[child][kind] for child, part in zip(asking, parts)):
            ceilings = [min(wanted[child][kind][step], maximum[child][kind]) for child in asking]
            floors = [min(entitled[child][kind], ceiling) for child, ceiling in zip(asking, ceilings)]
            parts = fill(amount, floors, ceilings)
        for child, part in zip(asking, parts):
            self._divide(child, kind, step, part, lasted)


def division_of(reading: Reading, number: int) -> Division | None:
    """How what ran in a queue was divided; None if there is no queue below it, or no time."""
    tree = tree_of(reading)
    if not tree.queues[number].children or not reading.window_ns:
        return None
    averages = reading.once("averages", lambda: Averages(reading, tree))
    bounds = reading.once("bounds", lambda: Bounds(reading, tree))
    return reading.once(("division", number), lambda: Division(reading, tree, averages, bounds, number))


def _leaves(reading: Reading, scope: Scope) -> list[Leaf] | None:
    number = 0 if scope.kind == "cluster" else tree_of(reading).paths[scope.name]
    division = division_of(reading, number)
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

"""M-3: use over time, what was idle while somebody waited, and what was stranded. All of it weighted by how long it lasted.

- `used.R`: what ran, in resource-hours. A placeholder uses what it holds.
- `utilization.R`: what ran as a share of the cluster: of the capacity of all nodes that were there, also of those that took
  nothing new. Of a queue, user, group, class or job as well it is the share of the cluster.
- `use_of_guarantee.R`, `use_of_maximum.R`: what a queue used as a share of its own guarantee, and of the smallest maximum from it
  up. None for a queue that has none of this resource.
- `idle_while_waiting.R`: what was free on nodes that take something new, in resource-hours, while somebody of the scope waited
  who asks for R. Why they waited does not matter: a limit may have held them.
- `stranded.R`: what was free in resource-hours, while there was a waiting request that asks for R, would have fitted into what
  was free in sum, and fitted on no single node. Constraints and limits are left out of account; so it is never more than
  what was idle while somebody waited.

Of the window, from the end of the warm-up to the end of the run.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from operator import le

from workbench.measures import units
from workbench.measures.fit_tree import FitTree
from workbench.measures.measure import CLUSTER, EVERYWHERE, QUEUES, Measure
from workbench.measures.reading import Reading
from workbench.measures.registry import register_measure
from workbench.measures.scopes import WHOLE, Scope
from workbench.measures.timeline import amounts_of, clipped_ns, shapes_of, timeline_of
from workbench.measures.tree import tree_of
from workbench.runs.record import NEVER, NOBODY, NodeChange


class FreeOverTime:
    """What was free on nodes that take something new, summed up from the start: `until(r, t)` is the sum up to a time.

    Attributes:
        times: the instants at which it changed.
        free: by resource, what was free from each of them on.
        sums: by resource, amount times nanoseconds up to each of them, within the window.
    """

    def __init__(self, reading: Reading):
        self._reading = reading
        self.times = array("q")
        self.free: list[array[int]] = [array("q") for _ in reading.resources]
        self.sums: list[list[int]] = [[] for _ in reading.resources]

    def until(self, resource: int, at_ns: int) -> int:
        """What was free up to a time, in amount times nanoseconds of the window."""
        place = bisect_right(self.times, at_ns) - 1
        if place < 0:
            return 0
        return self.sums[resource][place] + self.free[resource][place] * clipped_ns(self._reading, self.times[place], at_ns)


def used_ns(reading: Reading, scope: Scope) -> list[int]:
    """By resource: the amounts that ran in the window times their nanoseconds."""
    return reading.once(("used", scope), lambda: _used(reading, scope))


def _used(reading: Reading, scope: Scope) -> list[int]:
    by_job = reading.once("used by job", lambda: _used_by_job(reading))
    jobs = reading.scopes.jobs(scope)
    return [sum(column[job] for job in jobs) for column in by_job]


def _used_by_job(reading: Reading) -> list[list[int]]:
    record, shapes = reading.record, shapes_of(reading)
    found = [[0] * len(record.workload.jobs) for _ in reading.resources]
    for attempt, placed in enumerate(record.placed_ns):
        if placed != NEVER:
            lasted = clipped_ns(reading, placed, reading.ran_until[attempt])
            if lasted:
                job = record.job[attempt]
                for column, amount in zip(found, shapes.amounts[shapes.of[attempt]]):
                    column[job] += amount * lasted
    return found


def capacity_ns(reading: Reading) -> list[int]:
    """By resource: the capacity of all nodes that were there, times nanoseconds of the window."""
    return reading.once("capacity", lambda: _capacity(reading))


def _capacity(reading: Reading) -> list[int]:
    found = [0] * len(reading.resources)
    for since, until, capacity in _capacities(reading):
        lasted = clipped_ns(reading, since, until)
        for place, amount in enumerate(capacity):
            found[place] += amount * lasted
    return found


def _capacities(reading: Reading) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """From when to when each node had which capacity."""
    standing: dict[int, tuple[int, tuple[int, ...]]] = {}
    for change in reading.record.node_changes:
        if change.node in standing:
            since, capacity = standing[change.node]
            yield since, change.at_ns, capacity
        standing[change.node] = change.at_ns, amounts_of(change.capacity, reading.resources)
    for since, capacity in standing.values():
        yield since, reading.until_ns, capacity


def free_over_time(reading: Reading) -> FreeOverTime:
    """What was free on nodes that take something new."""
    return reading.once("free", lambda: _free(reading))


class _Nodes:
    """The nodes at an instant: capacity, use and what is free of each that takes something new."""

    def __init__(self, reading: Reading):
        kinds = range(len(reading.resources))
        self._resources = reading.resources
        self._shapes = shapes_of(reading)
        self._record = reading.record
        self._open = [False] * len(reading.record.nodes)
        self._rest = [[0 for _ in kinds] for _ in reading.record.nodes]
        self._capacity: list[tuple[int, ...]] = [tuple(0 for _ in kinds) for _ in reading.record.nodes]
        self.free = [[0 for _ in kinds] for _ in reading.record.nodes]
        self.total = [0 for _ in kinds]
        self.changed: set[int] = set()

    def uses(self, attempt: int, sign: int) -> None:
        node = self._record.node[attempt]
        if node != NOBODY:
            rest = self._rest[node]
            for place, amount in enumerate(self._shapes.amounts[self._shapes.of[attempt]]):
                rest[place] -= sign * amount
            self.changed.add(node)

    def stands(self, node: int, capacity: tuple[int, ...], is_open: bool) -> None:
        self._open[node] = is_open
        self._rest[node] = [rest + now - before for rest, now, before in zip(self._rest[node], capacity, self._capacity[node])]
        self._capacity[node] = capacity
        self.changed.add(node)

    def settle(self) -> None:
        """Bring what is free up to what has changed since."""
        for node in self.changed:
            now = [max(rest, 0) for rest in self._rest[node]] if self._open[node] else [0] * len(self.total)
            before = self.free[node]
            for place, amount in enumerate(now):
                self.total[place] += amount - before[place]
            self.free[node] = now


def _free(reading: Reading) -> FreeOverTime:
    nodes, found = _Nodes(reading), FreeOverTime(reading)
    sums, last_ns = [0] * len(reading.resources), reading.from_ns
    for instant in timeline_of(reading):
        if not (instant.begin_to_run or instant.stop_to_run or instant.nodes):
            continue
        lasted = clipped_ns(reading, last_ns, instant.at_ns)
        for place, free in enumerate(nodes.total):
            sums[place] += free * lasted
        last_ns = instant.at_ns
        _apply(reading, nodes, instant.begin_to_run, instant.stop_to_run, instant.nodes)
        nodes.settle()
        nodes.changed.clear()
        found.times.append(instant.at_ns)
        for place, free in enumerate(nodes.total):
            found.free[place].append(free)
            found.sums[place].append(sums[place])
    return found


def _apply(reading: Reading, nodes: _Nodes, begin: array[int], stop: array[int], changes: list[NodeChange]) -> None:
    for change in changes:
        is_open = change.schedulable and change.capacity is not None
        nodes.stands(change.node, amounts_of(change.capacity, reading.resources), is_open)
    for attempt in begin:
        nodes.uses(attempt, 1)
    for attempt in stop:
        nodes.uses(attempt, -1)


class _Waiting:
    """The shapes of what waits at an instant, and which of them are stranded."""

    def __init__(self, reading: Reading, nodes: _Nodes):
        kinds = range(len(reading.resources))
        self._shapes, self._nodes = shapes_of(reading), nodes
        self._everything = sum(1 << place for place in kinds)
        self._asked = [sum(1 << place for place in kinds if amounts[place] > 0) for amounts in self._shapes.amounts]
        self._tree = FitTree(nodes.free, len(kinds))
        self._counts: dict[int, int] = {}
        self._fitted: dict[int, int] = {}
        """Shape -> the node on which it last fitted."""
        self._largest: tuple[int, ...] | None = None

    def begins(self, attempt: int) -> None:
        shape = self._shapes.of[attempt]
        self._counts[shape] = self._counts.get(shape, 0) + 1
        if self._counts[shape] == 1:
            self._largest = None

    def stops(self, attempt: int) -> None:
        shape = self._shapes.of[attempt]
        self._counts[shape] -= 1
        if not self._counts[shape]:
            del self._counts[shape]
            self._largest = None

    def stranded(self) -> int:
        """The resources of which something is stranded now, as bits."""
        if not self._counts:
            return 0
        self._nodes.settle()
        for node in self._nodes.changed:
            self._tree.set(node, self._nodes.free[node])
        self._nodes.changed.clear()
        amounts, found = self._shapes.amounts, 0
        if self._largest is None:
            self._largest = tuple(map(max, *(amounts[shape] for shape in self._counts), (0,) * len(self._nodes.total)))
        if self._fits(-1, self._largest):
            return 0  # where the largest of each would fit, everybody would
        for shape in self._counts:
            asked = self._asked[shape]
            if found & asked != asked and all(map(le, amounts[shape], self._nodes.total)) and not self._fits(shape, amounts[shape]):
                found |= asked
                if found == self._everything:
                    break
        return found

    def _fits(self, shape: int, amounts: tuple[int, ...]) -> bool:
        last = self._fitted.get(shape)
        if last is not None and all(map(le, amounts, self._nodes.free[last])):
            return True
        node = self._tree.find(amounts)
        if node is None or node >= len(self._nodes.free):
            return False
        self._fitted[shape] = node
        return True


def _stranded(reading: Reading) -> list[int]:
    """By resource: what was stranded in the window, amount times nanoseconds."""
    nodes = _Nodes(reading)
    waiting = _Waiting(reading, nodes)
    sums, last_ns, stranded = [0] * len(reading.resources), reading.from_ns, 0
    for instant in timeline_of(reading):
        if stranded:
            lasted = clipped_ns(reading, last_ns, instant.at_ns)
            for place, free in enumerate(nodes.total):
                if stranded >> place & 1:
                    sums[place] += free * lasted
        last_ns = instant.at_ns
        _apply(reading, nodes, instant.begin_to_run, instant.stop_to_run, instant.nodes)
        for attempt in instant.begin_to_wait:
            waiting.begins(attempt)
        for attempt in instant.stop_to_wait:
            waiting.stops(attempt)
        stranded = waiting.stranded() if last_ns < reading.until_ns else 0
    return sums


def waiting_stretches(reading: Reading, scope: Scope, resource: int) -> list[tuple[int, int]]:
    """From when to when somebody of a scope waited who asks for some of a resource."""
    record, shapes = reading.record, shapes_of(reading)
    asks = [amounts[resource] > 0 for amounts in shapes.amounts]
    waits = [
        (record.arrived_ns[attempt], reading.waited_until[attempt])
        for attempt in reading.waiting_of(scope)
        if asks[shapes.of[attempt]]
    ]
    waits.sort()
    found: list[tuple[int, int]] = []
    start = end = NEVER
    for since, until in waits:
        if since > end:
            if end > start:
                found.append((start, end))
            start, end = since, until
        elif until > end:
            end = until
    if end > start:
        found.append((start, end))
    return found


def _place(reading: Reading, resource: str) -> int | None:
    return reading.resources.index(resource) if resource in reading.resources else None


def _hours(reading: Reading, scope: Scope, resource: str) -> float | None:
    place = _place(reading, resource)
    return None if place is None else units.resource_hours(used_ns(reading, scope)[place], resource)


def _utilization(reading: Reading, scope: Scope, resource: str) -> float | None:
    place = _place(reading, resource)
    if place is None or not capacity_ns(reading)[place]:
        return None
    return used_ns(reading, scope)[place] / capacity_ns(reading)[place]


def _of_guarantee(reading: Reading, scope: Scope, resource: str) -> float | None:
    tree = tree_of(reading)
    return _of_setting(reading, scope, resource, tree.queues[tree.paths[scope.name]].guaranteed.get(resource, 0))


def _of_maximum(reading: Reading, scope: Scope, resource: str) -> float | None:
    tree = tree_of(reading)
    return _of_setting(reading, scope, resource, tree.queues[tree.paths[scope.name]].maximum.get(resource, 0))


def _of_setting(reading: Reading, scope: Scope, resource: str, amount: int) -> float | None:
    place = _place(reading, resource)
    if place is None or amount <= 0 or not reading.window_ns:
        return None
    return used_ns(reading, scope)[place] / (amount * reading.window_ns)


def _idle(reading: Reading, scope: Scope, resource: str) -> float | None:
    place = _place(reading, resource)
    if place is None:
        return None
    free = free_over_time(reading)
    idle = sum(free.until(place, end) - free.until(place, start) for start, end in waiting_stretches(reading, scope, place))
    return units.resource_hours(idle, resource)


def _stranded_hours(reading: Reading, scope: Scope, resource: str) -> float | None:
    assert scope == WHOLE
    place = _place(reading, resource)
    if place is None:
        return None
    return units.resource_hours(reading.once("stranded", lambda: _stranded(reading))[place], resource)


NO_CAPACITY = "no such resource in the cluster"
register_measure(
    "utilization",
    Measure("use of {of}", units.SHARE, "higher", _utilization, EVERYWHERE, "resource", NO_CAPACITY, headline=True),
)
register_measure("used", Measure("{of} used", "{hours}", "neither", _hours, EVERYWHERE, "resource"))
register_measure(
    "use_of_guarantee",
    Measure("use of the guarantee of {of}", units.SHARE, "neither", _of_guarantee, QUEUES, "resource", "no guarantee"),
)
register_measure(
    "use_of_maximum",
    Measure("use of the maximum of {of}", units.SHARE, "neither", _of_maximum, QUEUES, "resource", "no maximum"),
)
register_measure(
    "idle_while_waiting",
    Measure("{of} idle while somebody waited", "{hours}", "lower", _idle, EVERYWHERE, "resource", NO_CAPACITY),
)
register_measure(
    "stranded",
    Measure("{of} free, but too scattered for who waited", "{hours}", "lower", _stranded_hours, CLUSTER, "resource", NO_CAPACITY),
)

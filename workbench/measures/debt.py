"""M-4: what queues were short of their guarantees while they asked for it.

At every instant a queue is short of `min(guarantee, demand) - use` of a resource, when that is positive; its demand is what it
uses and what it waits for, with everything below it. With everything below it a queue is short of the larger of its own
and what the queues below it are short of together; so what a child lacks is seen above it, and nothing is counted twice.

- `debt.R`: that, summed over the window in resource-hours. The cluster's is that of its root.
- `debt.longest`: the longest stretch of time in which something was lacking, of whatever resource.
- `time_to_guarantee.max`, `.mean`: how long a queue was short of its own guarantee once it asked for it, until it had its
  guarantee or all that it asked for; the longest and the average stretch. 0 if it asked and was never kept waiting, None if it
  has no guarantee or never asked. Stretches are clipped to the window, and one that goes on at the end of the run ends there.
  The cluster's are those of all its queues.

A task of a gang that waits to take the place of its placeholder is counted in the demand beside it.
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
from workbench.measures.tree import tree_of


class Stretch(NamedTuple):
    """A time in which a queue was short; `until_ns` is the end of the run if it still was then."""

    since_ns: int
    until_ns: int


class Debts:
    """What queues were short of, by the number of the queue.

    Attributes:
        sums: what the queue and those below it were short of: by resource, amount times nanoseconds of the window.
        stretches: when they were.
        own_stretches: when the queue was short of its own guarantee.
        asked: whether the queue ever asked for something that it has a guarantee for.
    """

    def __init__(self, queues: int, kinds: int):
        self.sums = [[0] * kinds for _ in range(queues)]
        self.stretches: list[list[Stretch]] = [[] for _ in range(queues)]
        self.own_stretches: list[list[Stretch]] = [[] for _ in range(queues)]
        self.asked = [False] * queues


class DebtChange(NamedTuple):
    """From a time on, a queue with those below it is short of this."""

    at_ns: int
    queue: int
    short: tuple[int, ...]


def debts_of(reading: Reading) -> Debts:
    """What queues were short of."""
    return reading.once("debts", lambda: _debts(reading)[0])


def debt_changes(reading: Reading) -> list[DebtChange]:
    """Every change of what queues are short of, by time."""
    return _debts(reading, keep=True)[1]


def _debts(reading: Reading, *, keep: bool = False) -> tuple[Debts, list[DebtChange]]:
    tree, flow = tree_of(reading), QueueFlow(reading)
    kinds = range(flow.kinds)
    guarantees = [amounts_of(queue.guaranteed, reading.resources) for queue in tree]
    children = [queue.children for queue in tree]
    # Only these can be short of anything: queues with a guarantee, and those above them.
    concerned = {above for queue in tree if any(guarantees[queue.number]) for above in tree.up(queue.number)}
    nothing = (0,) * flow.kinds
    found, changes = Debts(len(tree), flow.kinds), []
    short, own = [nothing] * len(tree), [nothing] * len(tree)
    since, short_since, own_since = ([reading.from_ns] * len(tree) for _ in range(3))

    def close(queue: int, now_ns: int) -> None:
        """Add up what a queue was short of up to now."""
        lasted = clipped_ns(reading, since[queue], now_ns)
        if lasted and short[queue] != nothing:
            for place, amount in enumerate(short[queue]):
                found.sums[queue][place] += amount * lasted
        since[queue] = now_ns

    asks = [False] * len(tree)
    for instant in timeline_of(reading) if concerned else ():
        flow.take(instant)
        now = instant.at_ns
        # Children have larger numbers than what is above them.
        for queue in sorted(flow.touched & concerned, reverse=True):
            base, lacks = queue * flow.kinds, nothing
            if any(guarantees[queue]):
                if asks[queue] and now > reading.from_ns:
                    found.asked[queue] = True
                asks[queue] = any(amount and flow.wanted[base + place] for place, amount in enumerate(guarantees[queue]))
                lacks = tuple(
                    max(min(amount, flow.wanted[base + place]) - flow.used[base + place], 0)
                    for place, amount in enumerate(guarantees[queue])
                )
            if lacks != own[queue]:
                if own[queue] == nothing:
                    own_since[queue] = now
                elif lacks == nothing:
                    found.own_stretches[queue].append(Stretch(own_since[queue], now))
                own[queue] = lacks
            below = [short[child] for child in children[queue] if child in concerned]
            total = tuple(max(lacks[place], sum(each[place] for each in below)) for place in kinds) if below else lacks
            if total != short[queue]:
                close(queue, now)
                if short[queue] == nothing:
                    short_since[queue] = now
                elif total == nothing:
                    found.stretches[queue].append(Stretch(short_since[queue], now))
                short[queue] = total
                if keep:
                    changes.append(DebtChange(now, queue, total))
    return found, changes


def _number(reading: Reading, scope: Scope) -> int:
    """The queue of a scope; that of a cluster is the root."""
    return 0 if scope.kind == "cluster" else tree_of(reading).paths[scope.name]


def _guaranteed(reading: Reading, scope: Scope) -> set[str]:
    """The resources of which the queue or any below it has a guarantee."""
    tree = tree_of(reading)
    below = reading.once(("below", scope), lambda: tree.down(_number(reading, scope)))
    return {name for each in below for name, amount in tree.queues[each].guaranteed.amounts.items() if amount}


def _debt(reading: Reading, scope: Scope, resource: str) -> float | None:
    if resource not in reading.resources or resource not in _guaranteed(reading, scope):
        return None
    amount_ns = debts_of(reading).sums[_number(reading, scope)][reading.resources.index(resource)]
    return units.resource_hours(amount_ns, resource)


def _longest(reading: Reading, scope: Scope) -> float | None:
    if not _guaranteed(reading, scope):
        return None
    lengths = _lengths(reading, debts_of(reading).stretches[_number(reading, scope)])
    return max(lengths, default=0) / units.NS


def _lengths(reading: Reading, stretches: list[Stretch]) -> list[int]:
    return [lasted for each in stretches if (lasted := clipped_ns(reading, *each))]


def _times_to_guarantee(reading: Reading, scope: Scope) -> list[int] | None:
    """How long each stretch lasted; None if there is no guarantee, or nobody asked for any of it."""
    tree, debts = tree_of(reading), debts_of(reading)
    queues = range(len(tree)) if scope.kind == "cluster" else [_number(reading, scope)]
    if not any(debts.asked[queue] for queue in queues):
        return None
    return [lasted for queue in queues for lasted in _lengths(reading, debts.own_stretches[queue])]


def _slowest(reading: Reading, scope: Scope) -> float | None:
    times = _times_to_guarantee(reading, scope)
    return None if times is None else max(times, default=0) / units.NS


def _average(reading: Reading, scope: Scope) -> float | None:
    times = _times_to_guarantee(reading, scope)
    return None if times is None else sum(times) / max(len(times), 1) / units.NS


NO_GUARANTEE, NOBODY_ASKED = "no guarantee", "no guarantee, or nobody asked for it"
register_measure(
    "debt",
    Measure(
        "short of the guarantee of {of}", "{hours}", "lower", _debt, CLUSTER_AND_QUEUES, "resource", NO_GUARANTEE, headline=True
    ),
)
register_measure(
    "debt.longest",
    Measure("longest time short of a guarantee", units.SECONDS, "lower", _longest, CLUSTER_AND_QUEUES, empty=NO_GUARANTEE),
)
register_measure(
    "time_to_guarantee.max",
    Measure("longest wait for the guarantee", units.SECONDS, "lower", _slowest, CLUSTER_AND_QUEUES, empty=NOBODY_ASKED),
)
register_measure(
    "time_to_guarantee.mean",
    Measure("average wait for the guarantee", units.SECONDS, "lower", _average, CLUSTER_AND_QUEUES, empty=NOBODY_ASKED),
)

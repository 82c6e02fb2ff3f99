"""Every ask that waits, in the order in which the scheduler would come to it, each with the reason of the decision itself.

The reasons are read from a traced cycle (E-1): the refusal of the ask where the cycle came to it, else the refusal of its
application or queue, else where its branch lost against the one taken (W-03).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.scheduler import policies
from workbench.scheduler.objects import priority
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.decision import Decision, Level, deciding_field
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import Lost, NothingPlaced, NotReached
from workbench.scheduler.records.state import Allocation, Application, Cluster, Partition, Queue
from workbench.values.resources import Resource

OTHER_PASSES = ("reservations", "placeholders")
"""Orders of the reserved and the placeholder pass, which look at some asks only."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One unallocated ask.

    Attributes:
        rank: place in the order in which the scheduler would come to the asks, from 1.
        refusal: why it is not the next one; None if it is.
        priorities: (queue path, value) from the leaf up to the root: what it would show there alone (R-650).
    """

    rank: int
    ask: Allocation
    application: Application
    refusal: Refusal | None
    priorities: tuple[tuple[str, int], ...]


def waiting_asks(cluster: Cluster, decisions: Sequence[Decision]) -> tuple[Waiting, ...]:
    """The waiting asks of all partitions under the traced decisions of one cycle, one decision per partition."""
    found: list[Waiting] = []
    for partition, decision in zip(cluster.partitions.values(), decisions):
        reasons = _Reasons(partition, decision)
        for application, ask in _in_order(cluster, partition):
            found.append(
                Waiting(
                    len(found) + 1,
                    ask,
                    application,
                    reasons.of(application, ask),
                    priority.effective_path(application.leaf, ask.priority),
                )
            )
    return tuple(found)


def _in_order(cluster: Cluster, partition: Partition) -> Iterator[tuple[Application, Allocation]]:
    """Asks as the regular pass would come to them; those that it leaves out, by creation, at the end."""
    seen: set[int] = set()
    for application in _applications(cluster, partition.root, None):
        for ask in application.ask_order:
            if not ask.allocated:
                seen.add(ask.seq)
                yield application, ask
    rest = [
        (ask.seq, application, ask)
        for application in partition.applications.values()
        for ask in application.ask_order
        if not ask.allocated and ask.seq not in seen
    ]
    for _, application, ask in sorted(rest, key=lambda item: item[0]):
        yield application, ask


def _applications(cluster: Cluster, queue: Queue, above: Resource | None) -> Iterator[Application]:
    if queue.is_leaf:
        for _, application in policies.order_applications(queue, cluster.now_ns)[1]:
            yield application
        return
    fair_maximum = policies.fair_maximum(above, queue)
    for _, child in policies.order_queues(queue, fair_maximum, cluster.profile)[1]:
        yield from _applications(cluster, child, fair_maximum)


class _Reasons:
    """What one traced decision says about any waiting ask."""

    def __init__(self, partition: Partition, decision: Decision):
        self.decision = decision
        self.asks: dict[tuple[str, str], Refusal] = {}
        self.levels: dict[tuple[str, str], Level] = {}
        self._branches: dict[str, Refusal | None] = {}
        self._places: dict[tuple[str, str], tuple[dict[str, Refusal], dict[str, int]]] = {}
        for level in decision.levels:
            if level.policy in OTHER_PASSES:
                continue
            self.levels[level.kind, level.subject] = level
            if level.kind == "ask":
                for candidate in level.candidates:
                    if candidate.refusal is not None:
                        self.asks[level.subject, candidate.name] = candidate.refusal

    def of(self, application: Application, ask: Allocation) -> Refusal | None:
        decision = self.decision
        if decision.skipped is not None:
            return decision.skipped
        if decision.changed_something and (decision.application_id, decision.key) == (application.id, ask.key):
            return None
        if (application.id, ask.key) in self.asks:
            return self.asks[application.id, ask.key]
        leaf = application.leaf
        if leaf.path not in self._branches:
            self._branches[leaf.path] = self._branch_lost(leaf)
        return (
            self._branches[leaf.path]
            or self._lost("application", leaf.path, application.id)
            or self._lost("ask", application.id, ask.key)
            or NotReached(ask.key)
        )

    def _branch_lost(self, leaf: Queue) -> Refusal | None:
        """Why the branch that leads to `leaf` was not taken, at the first level from the root where it was not."""
        path = list(reversed(list(ancestry(leaf))))
        lost = (self._lost("queue", parent.path, child.name) for parent, child in zip(path, path[1:]))
        return next((each for each in lost if each is not None), None)

    def _lost(self, kind: str, at: str, name: str) -> Refusal | None:
        """Why `name` was not taken at the level of that kind; None if it was, or if it was tried and its own levels tell."""
        level = self.levels.get((kind, at))
        if level is None:
            return NotReached(at)
        filtered, indices = self._at(level)
        if name in filtered:
            return filtered[name]
        index = indices.get(name)
        if index is None:
            return NotReached(at)
        candidate = level.candidates[index]
        if level.taken == index or (isinstance(candidate.refusal, NothingPlaced)):
            return None
        if candidate.refusal is not None:
            return candidate.refusal
        winner = level.winner
        if winner is None:
            return NotReached(at)
        field = deciding_field(winner.key, candidate.key)
        values = (getattr(winner.key, field), getattr(candidate.key, field)) if field is not None else (None, None)
        return NotReached(at, Lost(at, winner.name, name, field, *values))

    def _at(self, level: Level) -> tuple[dict[str, Refusal], dict[str, int]]:
        """What a level left out, and the places of its candidates, by name; the first of each."""
        found = self._places.get((level.kind, level.subject))
        if found is None:
            found = (
                {refusal.subject: refusal for refusal in reversed(level.filtered)},
                {candidate.name: index for index, candidate in reversed(tuple(enumerate(level.candidates)))},
            )
            self._places[level.kind, level.subject] = found
        return found

"""Known surprises of the real scheduler, recognised where they decide. Asked by traced cycles only; nothing here decides.

The engine does what the core does. A surprise says that, and by which rule, something came out otherwise than one would
expect. The surprises of
preemption are recognised in `preemption.protection`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from workbench.scheduler.objects import nodes, priority
from workbench.scheduler.passes import fitting
from workbench.scheduler.policies import predicates
from workbench.scheduler.preemption import required_node
from workbench.scheduler.records.refusals.base import Refusal, Surprise
from workbench.scheduler.records.refusals.slots import QueueFull
from workbench.scheduler.records.refusals.surprises import (
    DrainedNodeUsed,
    FullerNodeReserved,
    ReservationRefused,
    RoomAskedFirst,
    SlotOfReservation,
    StalePriority,
    StaleScore,
)
from workbench.scheduler.records.state import NO_PRIORITY, Allocation, Application, Node, Partition, Queue
from workbench.values.resources import fit_in, sub_eliminate_negative


def slot_of_a_reservation(partition: Partition, application: Application, refusal: Refusal) -> Iterator[Surprise]:
    """The application waits for a slot that another one has which only holds a reservation. R-515."""
    queue = _on_path(application.queue, refusal.subject)
    if not isinstance(refusal, QueueFull) or queue is None:
        return
    idle = [id for id in queue.allocating_accepted if id in partition.applications and not partition.applications[id].allocations]
    if idle and queue.running_applications + len(queue.allocating_accepted) - len(idle) + 1 <= queue.max_applications:
        yield SlotOfReservation(queue.path, min(idle), application=application.id)


def fuller_node_reserved(ask: Allocation, best: Node, tried: Iterable[Node]) -> Iterator[Surprise]:
    """Another node lacks no more of any type, and less of one, than the one that is reserved. R-553."""
    lacks = sub_eliminate_negative(ask.resource, best.available)
    for node in tried:
        other = sub_eliminate_negative(ask.resource, node.available)
        if (
            node is not best
            and predicates.refusal_text(node, ask) is None
            and other != lacks
            and all(other.get(name, 0) <= lacks.get(name, 0) for name in ask.resource)
        ):
            yield FullerNodeReserved(best.id, node.id, application=ask.application_id, ask=ask.key)
            return


def reservation_refused(ask: Allocation, best: Node, tried: Iterable[Node]) -> Iterator[Surprise]:
    """No node is reserved because the predicates refuse the best, though they accept another. R-554."""
    other = next((node for node in tried if predicates.refusal_text(node, ask) is None), None)
    if other is not None:
        yield ReservationRefused(best.id, other.id, application=ask.application_id, ask=ask.key)


def stale_score(
    partition: Partition, ask: Allocation, taken: Node, order: Sequence[Node], leaf: Queue, skip: str
) -> Iterator[Surprise]:
    """Another node would have come first, had the scores been those of the present. R-559."""

    def score(node: Node) -> float:
        return nodes.score(node, partition.node_policy, partition.node_weights)

    if all(score(node) == node.score for node in order):
        return
    for node in sorted(order, key=lambda node: (score(node), node.id)):
        if (
            node.id != skip
            and node.schedulable
            and fit_in(node.capacity, ask.resource)
            and fitting.node_fault(node, ask, leaf) is None
        ):
            if node is not taken:
                yield StaleScore(taken.id, node.id, taken.score, score(taken))
            return


def drained_node_used(ask: Allocation, node: Node) -> Iterator[Surprise]:
    """A reservation outlives the draining of its node and is used. R-569."""
    if not node.schedulable:
        yield DrainedNodeUsed(node.id, ask=ask.key)


def stale_priority(parent: Queue, ranked: Sequence[tuple[Any, Queue]]) -> Iterator[Surprise]:
    """The order of the children would be another if every priority were that of the present. R-644."""
    present = {child.path: present_priority(child) for _, child in ranked}
    stale = [child for _, child in ranked if present[child.path] != child.priority]
    if not stale:
        return
    keys = [key._replace(priority=-present[child.path]) for key, child in ranked]
    if keys != sorted(keys):
        child = stale[0]
        yield StalePriority(child.path, child.priority, present[child.path])


def required_node_not_reached(partition: Partition, ask: Allocation) -> Iterator[Surprise]:
    """Stopping others on the node would make room, but the headroom of the queues is asked first. P-126."""
    node = partition.nodes.get(ask.required_node)
    if node is not None and required_node.victims(node, ask):
        yield RoomAskedFirst(node.id, application=ask.application_id, ask=ask.key)


def _on_path(queue: Queue | None, path: str) -> Queue | None:
    while queue is not None and queue.path != path:
        queue = queue.parent
    return queue


def present_priority(queue: Queue) -> int:
    if queue.is_leaf:
        values = [application.priority for application in queue.applications.values()]
    else:
        values = [present_priority(child) for child in queue.children.values()]
    return priority.adjusted(max(values, default=NO_PRIORITY), queue.settings)

"""What runs now: every allocation of the applications, placeholders included, oldest first."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.explain import words
from workbench.explain.tables import Table
from workbench.explain.wording import amounts, clock, name, priority
from workbench.scheduler.objects import holdings
from workbench.scheduler.records.state import Allocation, Application, Cluster, Partition

RUNNING_CAPTION = "Running, in the order in which it was placed"
RUNNING_COLUMNS = ("allocation", "app", "queue", "node", "resources", "priority", "since", "kind")
REAL = "real"
ENDING = "ending"
ENDING_PREEMPTED = "being preempted"


def running(partition: Partition) -> Iterator[tuple[Application, Allocation]]:
    """Every allocation with its application, in the order in which they were placed."""
    yield from sorted(holdings.running(partition), key=lambda pair: (since_ns(pair[1]), pair[1].seq))


def since_ns(allocation: Allocation) -> int:
    """When it was placed, in simulated time."""
    return allocation.created_ns if allocation.bound_ns is None else allocation.bound_ns


def running_rows(state: Cluster, partition: str = "default") -> Table:
    """A row for each allocation. KeyError if there is no such partition."""
    found = list(running(state.partitions[partition.lower()]))
    rows = tuple(
        (
            name(each.key),
            name(application.id),
            name(application.queue_path),
            name(each.node_id),
            amounts(each.resource),
            priority(each.priority),
            clock(since_ns(each)),
            _kind(each),
        )
        for application, each in found
    )
    return Table(
        RUNNING_CAPTION,
        RUNNING_COLUMNS,
        rows,
        frozenset(("priority", "since")),
        tuple((application.id, each.key) for application, each in found),
        words.NOTHING_RUNS,
    )


def _kind(allocation: Allocation) -> str:
    kind = words.PLACEHOLDER if allocation.placeholder else REAL
    ends = ENDING_PREEMPTED if allocation.preempted else ENDING if allocation.released else ""
    return ", ".join(part for part in (kind, ends) if part)

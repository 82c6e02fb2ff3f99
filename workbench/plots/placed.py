"""What runs where. A node keeps its allocations by key alone, and keys are unique only within an application, so that one
of two with the same key is missing there; the applications know all of theirs."""

from __future__ import annotations

from workbench.scheduler.records.state import Allocation, Application, Partition


def by_node(partition: Partition) -> dict[str, list[tuple[Application, Allocation]]]:
    """Node id -> (application, allocation) of everything that this scheduler runs there, in order of creation."""
    found: dict[str, list[tuple[Application, Allocation]]] = {}
    for application in sorted(partition.applications.values(), key=lambda each: each.seq):
        for allocation in sorted(application.allocations.values(), key=lambda each: each.seq):
            found.setdefault(allocation.node_id, []).append((application, allocation))
    return found

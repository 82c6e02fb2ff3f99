"""What runs and what is reserved where, by (application, key): for those who show it, not for those who decide.

A node keeps allocations and reservations by key alone, as in the core, and keys are unique only within an application: of
two that share a key, one is missing there. The applications know all of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.scheduler.records.state import Allocation, Application, Partition


def running(partition: Partition) -> Iterator[tuple[Application, Allocation]]:
    """Everything that this scheduler runs, with its application, in order of creation: of applications, then within them."""
    for application in sorted(partition.applications.values(), key=lambda each: each.seq):
        for allocation in sorted(application.allocations.values(), key=lambda each: each.seq):
            yield application, allocation


def by_node(partition: Partition) -> dict[str, list[tuple[Application, Allocation]]]:
    """Node id -> what runs there, in the order of `running`."""
    found: dict[str, list[tuple[Application, Allocation]]] = {}
    for application, allocation in running(partition):
        found.setdefault(allocation.node_id, []).append((application, allocation))
    return found


def reserved_by_node(partition: Partition) -> dict[str, list[tuple[str, str]]]:
    """Node id -> (ask key, application id) of what it is reserved for, by key, then application."""
    found: dict[str, list[tuple[str, str]]] = {}
    for application in partition.applications.values():
        for key, node_id in application.reservations.items():
            found.setdefault(node_id, []).append((key, application.id))
    return {node_id: sorted(found[node_id]) for node_id in found}

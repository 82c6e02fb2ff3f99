"""What an autoscaler would be told: requests that quotas allow and that wait only for a larger cluster. R-585."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.explain.tables import Table
from workbench.explain.wording import amounts, clock, name, priority
from workbench.scheduler.records.state import Allocation, Application
from workbench.values.resources import EMPTY, add

COLUMNS = ("request", "app", "queue", "resources", "priority", "waits since")
NOBODY = "No request waits only for a larger cluster: more nodes would not help anybody who was tried so far."


def autoscaling_rows(found: Sequence[tuple[Application, Allocation]]) -> Table:
    """A row for each request, in scheduling order; `found` is what `Simulation.outstanding` answers."""
    total = EMPTY
    for _, ask in found:
        total = add(total, ask.resource)
    return Table(
        f"Waits only for a larger cluster, {amounts(total)} in all" if found else "Waits only for a larger cluster",
        COLUMNS,
        tuple(
            (
                name(ask.key),
                name(application.id),
                name(application.queue_path),
                amounts(ask.resource),
                priority(ask.priority),
                clock(ask.created_ns),
            )
            for application, ask in found
        ),
        empty=NOBODY,
    )

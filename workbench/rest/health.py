"""`scheduler/healthcheck`: the last check of what must always hold. RE-22"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.rest.answer import Refusal
from workbench.rest.past.health_checks import Check
from workbench.rest.routes import Request
from workbench.rest.source import Source


def last_check(source: Source, request: Request) -> dict[str, Any]:
    """What the check at the last full half minute found."""
    check = source.past.up_to_date().health.last
    if check is None:
        raise Refusal(404, "Health check is not available")
    checks = list(_checks(check))
    return {"Healthy": all(each["Succeeded"] for each in checks), "HealthChecks": checks}


def _checks(check: Check) -> Iterator[dict[str, Any]]:
    errors = f"There were {check.errors} scheduling errors logged in the metrics"
    yield _entry("Scheduling errors", "Check for scheduling error entries in metrics", errors, fine=not check.errors)
    # No node fails here.
    yield _entry("Failed nodes", "Check for failed nodes entries in metrics", "There were 0 failed nodes logged in the metrics")
    for name, description, diagnosis in LISTS:
        if name == RESERVATIONS:
            found = " ".join(f"{ratio:.6f}" for ratio in check.reservations)
            fine = all(ratio <= 1 for ratio in check.reservations)
            yield _entry(name, description, f"{diagnosis}: [{found}]", fine=fine)
        else:
            yield _entry(name, description, f"{diagnosis}: []")


def _entry(name: str, description: str, diagnosis: str, *, fine: bool = True) -> dict[str, Any]:
    return {"Name": name, "Succeeded": fine, "Description": description, "DiagnosisMessage": diagnosis}


SUMS, NODES = "sum of the node resources from the partition", "allocated resource + occupied resource + available resource"

RESERVATIONS = "Reservation check"
LISTS = (
    ("Negative resources", "Check for negative resources in the partitions", "Partitions with negative resources"),
    ("Negative resources", "Check for negative resources in the nodes", "Nodes with negative resources"),
    ("Consistency of data", f"Check if total partition resource == {SUMS}", "Partitions with inconsistent data"),
    ("Consistency of data", f"Check if node total resource = {NODES}", "Nodes with inconsistent data"),
    (RESERVATIONS, "Check the reservation nr compared to the number of nodes", "Reservation/node nr ratio"),
    ("Orphan allocation on node check", "Check if there are orphan allocations on the nodes", "Orphan allocations"),
    ("Orphan allocation on app check", "Check if there are orphan allocations on the applications", "OrphanAllocations"),
)
"""Name, description, and what comes before the list of those who fail."""

"""The exercise on fences: keep one tenant's urgent work ahead of the other tenant, and both behind the system."""

from __future__ import annotations

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise

TENANT_A, TENANT_B = "root.tenants.tenant-a", "root.tenants.tenant-b"
SYSTEM = "root.system"
TASK = """\
Tenant-b has a deadline this week. Change the design so that
  1. every request of tenant-b is served before any request of tenant-a, and
  2. P1, P10 and P2 of the system are still served before all tenants,
  3. P3 of system-low still comes last.
Change settings of queues only; the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    under = [next((top for top in (SYSTEM, TENANT_A, TENANT_B) if top in decision.path), "") for decision in attempt.decisions]
    if len(under) != 11:
        return f"only {len(under)} of the 11 requests are served."
    if under[:3] != [SYSTEM] * 3:
        return f"step {_first(under[:3], SYSTEM)} serves a tenant, although P1, P10 and P2 of the system should come first."
    if attempt.order[-1] != "P3":
        return f"{attempt.order[-1]} comes last, not P3."
    first_a, last_b = under.index(TENANT_A) + 1, 11 - under[::-1].index(TENANT_B)
    if first_a < last_b:
        return (
            f"step {first_a} serves {attempt.order[first_a - 1]} of tenant-a, while requests of tenant-b still wait; "
            f"the last of them is served at step {last_b}."
        )
    return ""


def _first(under: list[str], wanted: str) -> int:
    return next(number for number, top in enumerate(under, 1) if top != wanted)


EXERCISE = Exercise(
    "fences",
    "multitenancy",
    TASK,
    _missing,
    "Inside the fence at tenants the two tenants compete by the offsets of their own fences; outside, nobody sees who won.",
)

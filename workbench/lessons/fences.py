"""The exercise on fences: keep one tenant's urgent work ahead of the other tenant, and both behind the system."""

from __future__ import annotations

from workbench.lessons.attempt import MOST_STEPS, Attempt
from workbench.lessons.exercise import Exercise
from workbench.scheduler.records.commands import AddAsk, AskSpec
from workbench.values.resources import Resource

ONE_CORE = Resource({"vcore": 1000})

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


def _elsewhere(attempt: Attempt) -> str:
    """Next week a tenant shouts: the same scene, and one request of each tenant more."""
    simulation = attempt.afresh()
    for application, key, priority in (("child-a-1", "LOUD", 1_000_000), ("child-b-1", "QUIET", -5)):
        simulation.apply(AddAsk(ask=AskSpec(key=key, application_id=application, priority=priority, resource=ONE_CORE)))
    simulation.run(max_steps=MOST_STEPS)
    order = [step.decision for step in simulation.steps]
    system = [at for at, decision in enumerate(order) if SYSTEM in decision.path and decision.key != "P3"]
    loud = next((at for at, decision in enumerate(order) if decision.key == "LOUD"), len(order))
    if system and loud < max(system):
        return f"Next week tenant-a sends a request of priority 1,000,000, and it is served at step {loud + 1}, before the system."
    if any(TENANT_B in decision.path for decision in order[loud:]):
        return "Next week tenant-a sends a request of priority 1,000,000, and it is served while requests of tenant-b wait."
    return ""


EXERCISE = Exercise(
    "fences",
    "multitenancy",
    TASK,
    _missing,
    "Inside the fence at tenants the two tenants compete by the offsets of their own fences; outside, nobody sees who won.",
    elsewhere=_elsewhere,
    hints={
        "of tenant-a, while": (
            'mine.goto(3) and mine.table("queues") show what tenant-a and tenant-b show to their parent.',
            "behind its own fence a tenant shows only its offset; whose has to be larger?",
        ),
        "serves a tenant": (
            "mine.why(step=2) says which numbers met at root.",
            "the fence at tenants keeps what is inside from being compared with the system.",
        ),
        "comes last": ('mine.run() and mine.table("steps") show what each queue shows after each step.',),
        "Next week": ('mine.add_request("child-a-1", "LOUD", {"vcore": 1}, priority=1000000) tries it; which fence is missing?',),
    },
)

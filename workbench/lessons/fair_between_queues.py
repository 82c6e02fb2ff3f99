"""The exercise on shares: three queues that are to get their resources in the ratio 3 : 2 : 1."""

from __future__ import annotations

from workbench.lessons.attempt import MOST_STEPS, Attempt
from workbench.lessons.exercise import Exercise
from workbench.scheduler.objects.tree import find

QUEUES = ("root.gold", "root.silver", "root.bronze")
WANTED = {6: (3, 2, 1), 12: (6, 4, 2)}
"""After so many steps, requests served of each queue."""
UNCERTAIN = (
    "here it happens, but the real scheduler mixes up different maxima of neighbours, and nobody can rely on the order; "
    "use what is always a queue's own."
)
TASK = """\
The node has room for 12 of the 36 requests. Change the design so that
  1. of the first 6 requests served, 3 are of gold, 2 of silver and 1 of bronze, and
  2. of all 12, 6 are of gold, 4 of silver and 2 of bronze.
Change settings of queues only; the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    for steps, wanted in WANTED.items():
        served = tuple(sum(queue in decision.path for decision in attempt.decisions[:steps]) for queue in QUEUES)
        if sum(served) < steps:
            return f"only {sum(served)} requests are served; there is room for 12."
        if served != wanted:
            return f"of the first {steps} requests, {served[0]} are of gold, {served[1]} of silver and {served[2]} of bronze."
    return UNCERTAIN if _measured_by_maxima(attempt) else ""


def _measured_by_maxima(attempt: Attempt) -> bool:
    """Whether queues of different maxima are compared without a guarantee of each: the core mixes these up. R-526."""
    partition = next(iter(attempt.simulation.state.partitions.values()))
    queues = [find(partition, path) for path in QUEUES]
    maxima = {queue.maximum.get("vcore") if queue.maximum else None for queue in queues if queue is not None}
    guaranteed = [bool(queue and queue.guaranteed and queue.guaranteed.get("vcore")) for queue in queues]
    return len(maxima) > 1 and not all(guaranteed)


def _elsewhere(attempt: Attempt) -> str:
    """Next year there is a second node."""
    simulation = attempt.afresh()
    simulation.add_nodes(1, prefix="next-year-", vcore="6")
    simulation.run(max_steps=MOST_STEPS)
    served = tuple(sum(queue in step.decision.path for step in simulation.steps) for queue in QUEUES)
    if served != (9, 6, 3):
        gold, silver, bronze = served
        return f"With 18 cores instead of 12, {gold} requests of gold are served, {silver} of silver and {bronze} of bronze."
    return ""


EXERCISE = Exercise(
    "fair-between-queues",
    "lessons/fair-between-queues-exercise",
    TASK,
    _missing,
    "Equal shares of unequal wholes: what each queue is measured against has the ratio 3 : 2 : 1, so has what it gets.",
    elsewhere=_elsewhere,
    hints={
        "With 18 cores": ("a maximum stops a queue for good, also where there is room; which setting only orders?",),
        "mixes up": ('which setting is only the queue\'s own? mine.table("shares") says what each is measured against.',),
        "": (
            'mine.table("shares") has what each queue is measured against; mine.goto(3) and look again.',
            "of 6 requests gold has 3 when its measure is three times that of bronze.",
        ),
    },
)

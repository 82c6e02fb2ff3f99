"""The exercise on offsets: an order of four queues that the priorities of their requests do not give."""

from __future__ import annotations

from itertools import groupby

from workbench.lessons.attempt import MOST_STEPS, Attempt
from workbench.lessons.exercise import Exercise
from workbench.simulation.simulation import asks

ORDER = ("root.clinic.emergency", "root.clinic.ward", "root.office.billing", "root.office.archive")
TASK = """\
Whatever their requests say of themselves, these queues should be served one after the other:
  1. everything in emergency,
  2. then everything in ward,
  3. then everything in billing,
  4. then archive.
Use offsets; the requests stay as they are. Priorities go from 0 to 9, today and next week."""


def _missing(attempt: Attempt) -> str:
    served = [leaf for leaf, _ in groupby(decision.path[-1] for decision in attempt.decisions)]
    if len(attempt.decisions) != 7:
        return f"only {len(attempt.decisions)} of the 7 requests are served."
    if tuple(served) == ORDER:
        return ""
    for step, decision in enumerate(attempt.decisions, 1):
        later = [other for other in attempt.decisions[step:] if ORDER.index(other.path[-1]) < ORDER.index(decision.path[-1])]
        if later:
            return (
                f"step {step} serves {decision.key} of {decision.path[-1].rpartition('.')[2]} while {later[0].key} of "
                f"{later[0].path[-1].rpartition('.')[2]} still waits."
            )
    return "the queues are not served one after the other."


def _elsewhere(attempt: Attempt) -> str:
    """Next week every queue has a request of the lowest and one of the highest priority."""
    simulation = attempt.nodes_only
    for path in ORDER:
        leaf = path.rpartition(".")[2]
        wanted = (*asks(1, prefix=f"{leaf}-low-", priority=0, vcore="1"), *asks(1, prefix=f"{leaf}-high-", priority=9, vcore="1"))
        simulation.submit(leaf, queue=path, user=leaf, asks=wanted)
    simulation.run(max_steps=MOST_STEPS)
    served = [step.decision.path[-1] for step in simulation.steps]
    if [leaf for leaf, _ in groupby(served)] == list(ORDER):
        return ""
    early = next(path for path, wanted in zip(served, [path for path in ORDER for _ in range(2)]) if path != wanted)
    return f"Next week every queue has a request of priority 0 and one of 9, and {early.rpartition('.')[2]} goes before its turn."


EXERCISE = Exercise(
    "offsets",
    "lessons/offsets-exercise",
    TASK,
    _missing,
    "An offset has to be larger than the difference of the priorities that it is to outweigh; offsets on the way up add up.",
    elsewhere=_elsewhere,
    hints={
        "": (
            'mine.table("priorities") has what each request counts for at every queue on its way up.',
            "the lowest request of a queue has to beat the highest of the next one: by how much do they differ at most?",
        ),
    },
)

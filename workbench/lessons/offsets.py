"""The exercise on offsets: an order of four queues that the priorities of their requests do not give."""

from __future__ import annotations

from itertools import groupby

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise

ORDER = ("root.clinic.emergency", "root.clinic.ward", "root.office.billing", "root.office.archive")
TASK = """\
Whatever their requests say of themselves, these queues should be served one after the other:
  1. everything in emergency,
  2. then everything in ward,
  3. then everything in billing,
  4. then archive.
Use offsets; the requests stay as they are."""


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


EXERCISE = Exercise(
    "offsets",
    "lessons/offsets-exercise",
    TASK,
    _missing,
    "An offset has to be larger than the difference of the priorities that it is to outweigh; offsets on the way up add up.",
)

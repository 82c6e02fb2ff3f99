"""The exercise on quotas: let a request in that no maximum allows, without giving its whole department the cluster."""

from __future__ import annotations

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise
from workbench.values.quantities import format_quantity

LAB, OFFICE = ("cameras", "dictation"), "letters"
MOST_MILLICORES = 8000
TASK = """\
The lab may have 8 of the 12 cores from now on. Change the design so that
  1. wide is served,
  2. speech gets at least one of its two requests served, and
  3. cameras and dictation together never use more than 8 cores.
Change settings of queues only; the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    held = {application: attempt.held(application) for application in (*LAB, OFFICE)}
    lab, office = (format_quantity(cores, "vcore") for cores in (sum(held[each] for each in LAB), held[OFFICE]))
    if sum(held[each] for each in LAB) > MOST_MILLICORES:
        return f"in the end the lab uses {lab} cores."
    if attempt.step_of("wide") is None:
        return "wide is never served."
    if not held["dictation"]:
        return (
            f"wide is served at step {attempt.step_of('wide')}, but nothing of speech ever is; in the end the lab uses {lab} "
            f"cores and office {office}."
        )
    return ""


EXERCISE = Exercise(
    "quotas",
    "lessons/quotas",
    TASK,
    _missing,
    "Every maximum on the way up leaves room: that of vision for wide, that of the lab for both groups, and so does the cluster.",
)

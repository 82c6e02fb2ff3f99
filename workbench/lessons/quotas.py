"""The exercise on quotas: let a request in that no maximum allows, without giving its whole department the cluster."""

from __future__ import annotations

from workbench.lessons.attempt import MOST_STEPS, Attempt
from workbench.lessons.exercise import Exercise
from workbench.simulation.simulation import asks
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
        return f"wide is never served: {attempt.why_waits('wide', 'cameras')}"
    if not held["dictation"]:
        step, why = attempt.step_of("wide"), attempt.why_waits("s1", "dictation")
        return (
            f"wide is served at step {step}, but nothing of speech ever is: {why} "
            f"In the end the lab uses {lab} cores and office {office}."
        )
    return ""


def _elsewhere(attempt: Attempt) -> str:
    """On another day the office has nothing to do, and the lab would take everything."""
    simulation = attempt.nodes_only
    for application, queue in zip(LAB, ("root.lab.vision", "root.lab.speech")):
        simulation.submit(application, queue=queue, user=application, asks=asks(12, prefix=f"{application}-", vcore="1"))
    simulation.run(max_steps=MOST_STEPS)
    applications = next(iter(simulation.state.partitions.values())).applications
    used = sum(applications[each].allocated.get("vcore", 0) for each in LAB if each in applications)
    if used > MOST_MILLICORES:
        return f"On a day when the office has nothing to do the lab uses {format_quantity(used, 'vcore')} cores."
    return ""


def _solved(attempt: Attempt) -> str:
    lab = attempt.partition.root.children["lab"]
    if lab.maximum and "vcore" in lab.maximum:
        return (
            "Every maximum on the way up leaves room: that of vision for wide, that of the lab for both groups, and so does the "
            "cluster."
        )
    return (
        "The lab has no maximum of its own: those of its groups together are no more than its 8 cores, and each leaves enough room."
    )


EXERCISE = Exercise(
    "quotas",
    "lessons/quotas",
    TASK,
    _missing,
    _solved,
    elsewhere=_elsewhere,
    hints={
        "wide is never served": (
            'mine.run() and mine.why_not("wide") name the queue that has too little; mine.table("headroom") has all of them.',
            "the smallest maximum on the way from vision up to root counts: there are two.",
        ),
        "nothing of speech": (
            'mine.run() and mine.why_not("s1") name the queue that is full; mine.table("order") shows who came before.',
            "is it the lab's maximum that is used up, or the cluster? Then somebody was served before speech.",
        ),
        "office has nothing to do": ("without a request of the office only a maximum holds the lab back; which one is missing?",),
        "in the end the lab uses": ('mine.run() and mine.table("headroom") show what limits each queue.',),
    },
)

"""The exercise on preemption: a fence for each half of the tree, and a delay for each kind of work."""

from __future__ import annotations

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise
from workbench.lessons.watching import Watched, watched

MINUTES_5 = 300
SOON, PATIENCE = 20, 60
"""Seconds within which emergencies are to start, and for which a study has to wait before anything is stopped for it."""
CLINIC, RESEARCH = "root.clinic", "root.research"
TASK = """\
A hospital with one full node of 12 cores; every request asks for 2. E1 and E2 of the emergency wait in the clinic, A2 and A3
of study-a wait in research. Change the design so that
  1. E1 and E2 start within 20 seconds,
  2. A2 starts within five minutes, but nothing is stopped for A2 or A3 before they have waited 60 seconds,
  3. the clinic never stops anything of research, and research nothing of the clinic. (A3 may have to wait for good.)
Change settings of queues only; the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    return missing(watched(attempt.afresh(), MINUTES_5))


def missing(seen: Watched) -> str:
    """What the five minutes lacked, as it happened; "" if nothing."""
    for key in ("E1", "E2"):
        start = seen.start_of(key)
        if start is None:
            return f"{key} of emergency does not start in five minutes."
        if start > SOON:
            return f"{key} of emergency starts after {start:.1f} s, not within {SOON}."
    for happening in seen.happenings:
        for each in happening.stopped:
            if _half(happening.queue) != _half(each.queue):
                return f"{happening.key} of {happening.queue} stops {each.key} of {each.queue}."
    for key in ("A2", "A3"):
        when = seen.stop_for(key)
        if when is not None and when < PATIENCE:
            return f"something is stopped for {key} of study-a after {when:.1f} s; it should wait {PATIENCE} s first."
    if seen.start_of("A2") is None:
        return "A2 of study-a does not start in five minutes."
    return ""


def _half(path: str) -> str:
    return next((half for half in (CLINIC, RESEARCH) if f"{path}.".startswith(f"{half}.")), path)


EXERCISE = Exercise(
    "preemption",
    "lessons/preemption-exercise",
    TASK,
    _missing,
    "The fences keep each half to itself, and a delay says how long a queue waits for what it is guaranteed. A3 waits: behind its "
    "fence everybody else is within the guarantee.",
)

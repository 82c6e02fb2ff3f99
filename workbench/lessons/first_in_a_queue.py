"""The exercise on the order inside a queue: one leaf strictly by age, another by use with room for urgent requests."""

from __future__ import annotations

from itertools import groupby

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise

HOMEWORK, PROJECTS = "root.school.homework", "root.school.projects"
TASK = """\
A school has two complaints. Mend both:
  1. In homework, whoever marks work as urgent overtakes the others. Serve it strictly in the order in which the applications
     came: all of essay, then all of maths, then art.
  2. In projects, film already holds most and still goes before garden. Serve the application that uses least; but robot-urgent,
     which has a deadline, still goes before everything else in projects.
Change settings of queues only; the requests stay as they are."""


def _missing(attempt: Attempt) -> str:
    homework = [decision.application_id for decision in attempt.decisions if HOMEWORK in decision.path]
    projects = [decision.key for decision in attempt.decisions if PROJECTS in decision.path]
    if (len(homework), len(projects)) != (5, 5):
        return f"only {len(homework) + len(projects)} of the 10 requests are served."
    if homework != ["essay", "essay", "maths", "maths", "art"]:
        return f"homework is served in the order {', '.join(app for app, _ in groupby(homework))}."
    if projects[0] != "robot-urgent":
        return f"in projects, {projects[0]} goes before robot-urgent."
    if projects[-1] != "film":
        return f"in projects, film is served before {projects[projects.index('film') + 1]}, although film uses most."
    return ""


EXERCISE = Exercise(
    "first-in-a-queue",
    "lessons/first-in-a-queue-exercise",
    TASK,
    _missing,
    "Which of the two sort settings to use is decided for each leaf, by what its users have agreed on.",
)

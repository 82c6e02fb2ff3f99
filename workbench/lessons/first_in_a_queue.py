"""The exercise on the order inside a queue: one leaf strictly by age, another by use with room for urgent requests."""

from __future__ import annotations

from itertools import groupby

from workbench.lessons.attempt import MOST_STEPS, Attempt
from workbench.lessons.exercise import Exercise
from workbench.scheduler.records.commands import AddAsk, AskSpec
from workbench.values.resources import Resource

ONE_CORE = Resource({"vcore": 1000})

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


def _elsewhere(attempt: Attempt) -> str:
    """Next week somebody else marks homework as urgent, and the largest project has a deadline."""
    simulation = attempt.afresh()
    for application, key, priority in (("art", "art-urgent", 9), ("film", "film-urgent", 9)):
        simulation.apply(AddAsk(ask=AskSpec(key=key, application_id=application, priority=priority, resource=ONE_CORE)))
    simulation.run(max_steps=MOST_STEPS)
    homework = [step.decision.application_id for step in simulation.steps if HOMEWORK in step.decision.path]
    projects = [step.decision.key for step in simulation.steps if PROJECTS in step.decision.path]
    if homework != ["essay", "essay", "maths", "maths", "art", "art"]:
        order = ", ".join(application for application, _ in groupby(homework))
        return f"Next week art marks one thing as urgent, and homework is served in the order {order}."
    if projects[:1] != ["film-urgent"]:
        return "Next week film, which holds most, has a deadline of its own, and its urgent request is not first in projects."
    return ""


EXERCISE = Exercise(
    "first-in-a-queue",
    "lessons/first-in-a-queue-exercise",
    TASK,
    _missing,
    "Which of the two sort settings to use is decided for each leaf, by what its users have agreed on.",
    elsewhere=_elsewhere,
    hints={
        "homework": (
            'mine.run() and mine.table("order") show the order; mine.why(step=1) what was compared.',
            "which of the two, the policy or the priority, is compared first in homework?",
        ),
        "in projects": (
            'mine.table("applications") has what each holds; mine.why(step=1) what was compared.',
            "the policy decides only between applications of equal priority, unless priority is switched off.",
        ),
    },
)

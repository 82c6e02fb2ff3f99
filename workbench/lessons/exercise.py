"""An exercise: a task, the design to start from, and a check that runs the learner's design instead of reading it.

Whatever solves the task is right, also what the author did not think of. The requests and nodes are given; a design that
only works because they were changed does not count. The check runs a copy, so that the learner's workbench stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from workbench.bench.controller import Sentences, Text
from workbench.bench.study import study_of
from workbench.bench.workbench import Workbench
from workbench.lessons.attempt import Attempt
from workbench.simulation.scenario import example
from workbench.values.errors import CommandError

NO_LESSONS = ("__init__", "attempt", "exercise", "watching")
"""Modules beside the lessons."""


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        name: of the lesson, in its file name.
        design: name of the packaged example to start from.
        task: what is to be reached, as the learner reads it.
        missing: what an attempt still lacks, as the end of a sentence that begins with "Not yet:"; "" if it is solved.
        solved: what the solution shows.
        free_inputs: the inputs are the learner's, too.
    """

    name: str
    design: str
    task: str
    missing: Callable[[Attempt], str]
    solved: str
    free_inputs: bool = False

    def start(self, *, view: str = "full") -> Workbench:
        """A fresh workbench to solve it with."""
        return Workbench.example(self.design, view=view)

    def check(self, bench: Workbench) -> Text:
        """Whether the design in a workbench solves the task; if not, what is missing. The workbench stays as it is."""
        attempt = Attempt(study_of(bench.simulation).scenario, example(self.design))
        if not self.free_inputs and not attempt.same_inputs:
            return Text("Not yet: the requests and nodes are not those of the exercise; solve it with the design alone.")
        missing = self.missing(attempt)
        return Sentences(f"Not yet: {missing}" if missing else f"Solved. {self.solved}")

    def __repr__(self) -> str:
        return self.task


def exercise_names() -> tuple[str, ...]:
    """Names of the lessons that have an exercise, sorted."""
    modules = (path.stem for path in Path(__file__).parent.glob("*.py"))
    return tuple(sorted(stem.replace("_", "-") for stem in modules if stem not in NO_LESSONS))


def exercise(name: str) -> Exercise:
    """The exercise of a lesson. CommandError if there is none of that name."""
    if name not in exercise_names():
        near = get_close_matches(name, exercise_names(), n=1, cutoff=0.4)
        meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(exercise_names())}"
        raise CommandError(f"there is no exercise {name!r}; {meant}")
    found: Exercise = import_module(f"workbench.lessons.{name.replace('-', '_')}").EXERCISE
    return found

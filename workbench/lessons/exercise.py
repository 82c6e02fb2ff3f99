"""An exercise: a task, the design to start from, and a check that runs the learner's design instead of reading it.

Whatever solves the task is right, also what the author did not think of. The requests and nodes are given; a design that
only works because they were changed does not count. The check runs a copy, so that the learner's workbench stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from workbench.bench.controller import Sentences, Text
from workbench.bench.scores import score
from workbench.bench.study import study_of
from workbench.bench.workbench import Workbench
from workbench.lessons.attempt import Attempt, in_force
from workbench.simulation.scenario import example
from workbench.values.errors import CommandError, WorkbenchError

NO_LESSONS = ("__init__", "attempt", "classroom", "exercise", "practice", "watching")
"""Modules beside the lessons."""

OTHER_INPUTS = "Not yet: the requests and nodes are not those of the exercise; solve it with the design alone."
HOLDS_HERE = "with these requests it holds, but a design has to do it with others, too."
HINTS = (
    'mine.run() and mine.table("order") show who was served when; mine.goto(0) goes back to the start.',
    'mine.why(step=1) says what was compared in the first step; mine.why_not("...") why something waits.',
)
"""The hints of an exercise that has none of its own for what is missing."""
NO_HINTS: Mapping[str, tuple[str, ...]] = {"": HINTS}


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        name: of the lesson, in its file name.
        design: name of the packaged example to start from.
        task: what is to be reached, as the learner reads it.
        missing: what an attempt still lacks, as the end of a sentence that begins with "Not yet:"; "" if it is solved.
        solved: what the solution shows; a function where that is not the same of every solution.
        free_inputs: the inputs are the learner's, too.
        elsewhere: what a design that does all that lacks under a workload that the learner does not see, "" if nothing.
        hints: a part of what is missing -> the hints for the second attempt and for those after it. Those of "" are for the rest.
    """

    name: str
    design: str
    task: str
    missing: Callable[[Attempt], str]
    solved: str | Callable[[Attempt], str]
    free_inputs: bool = False
    elsewhere: Callable[[Attempt], str] | None = None
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NO_HINTS)

    def start(self, *, view: str = "full") -> Workbench:
        """A fresh workbench to solve it with."""
        return Workbench.example(self.design, view=view)

    def check(self, bench: Workbench) -> Text:
        """Whether the design in a workbench solves the task; if not, what is missing. The workbench stays as it is.

        From the second design on it adds a hint. Designs and outcome are kept in `wb.score`.
        """
        attempt = self._attempt(bench)
        if not self.free_inputs and not attempt.same_inputs:
            return Text(OTHER_INPUTS)
        lacks = self._lacks(attempt)
        tries, lost = self._noted(attempt, lacks)
        if lacks:
            return Sentences("\n".join([f"Not yet: {lacks}", *self._hint(lacks, tries), *lost]))
        told = self.solved if isinstance(self.solved, str) else self.solved(attempt)
        return Sentences("\n".join([f"Solved. {told}{solved_at(tries)}", *lost]))

    def solves(self, bench: Workbench) -> bool:
        """Whether the design in a workbench solves the task, without a word and without a score: for a cell that asserts."""
        attempt = self._attempt(bench)
        return (self.free_inputs or attempt.same_inputs) and not self._lacks(attempt)

    def _attempt(self, bench: Workbench) -> Attempt:
        return Attempt(in_force(study_of(bench.simulation).scenario, bench.config), example(self.design))

    def _lacks(self, attempt: Attempt) -> str:
        lacks = self.missing(attempt)
        if not lacks and self.elsewhere is not None and (other := self.elsewhere(attempt)):
            return f"{HOLDS_HERE} {other}"
        return lacks

    def _hint(self, lacks: str, tries: int) -> tuple[str, ...]:
        """From the second attempt on what would show it, from the third on what to look at."""
        found = next((hints for part, hints in self.hints.items() if part and part in lacks), self.hints.get("", HINTS))
        at = min(tries - 2, len(found) - 1)
        return () if at < 0 else (hint(found[at]),)

    def _noted(self, attempt: Attempt, lacks: str) -> tuple[int, tuple[str, ...]]:
        """The number of this attempt, and why it could not be kept."""
        design = repr((attempt.scenario.config, attempt.scenario.events, attempt.scenario.planned))
        try:
            return score.checked(f"{self.name} exercise", design, lacks).tries, ()
        except WorkbenchError as error:
            return 1, (str(error),)

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


# ---- in words ---------------------------------------------------------------------------------------------------------


def hint(text: str) -> str:
    return f"Hint: {text}"


def solved_at(tries: int) -> str:
    return f" (Attempt {tries}.)" if tries > 1 else ""

"""What the tutorials need beyond the workbench: exercises whose solution is checked by running it.

    exercise = lessons.exercise("fences")
    exercise                # the task
    exercise.check(bench)      # "Solved." or what is still missing
    lessons.watch(bench, 300)  # what happens in five minutes, when what is stopped comes back

There is one module for each lesson that has an exercise; its name is that of the lesson. Files that a lesson begins with are
texts: `lessons.material("campus-configmap.yaml")`.
"""

from __future__ import annotations

from workbench.lessons.attempt import Attempt
from workbench.lessons.exercise import Exercise, exercise, exercise_names
from workbench.lessons.material import material
from workbench.lessons.watching import Watched, watch

__all__ = ["Attempt", "Exercise", "Watched", "exercise", "exercise_names", "material", "watch"]

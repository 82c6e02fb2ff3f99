"""The exercise of the lesson that a test module is named for, and a fresh workbench to try it with."""

from __future__ import annotations

import pytest

from workbench import Workbench, lessons
from workbench.bench.scores import score


@pytest.fixture(autouse=True)
def nothing_scored() -> None:
    """Attempts are counted for each notebook, and a test is one."""
    score.forget()


@pytest.fixture
def exercise(request: pytest.FixtureRequest) -> lessons.Exercise:
    """Of `test_fences.py` the exercise "fences"."""
    return lessons.exercise(request.module.__name__.rpartition("test_")[2].replace("_", "-"))


@pytest.fixture
def bench(exercise: lessons.Exercise) -> Workbench:
    return exercise.start()

"""Trying an exercise: settings made one after the other, and an answer that tells what is missing."""

from __future__ import annotations

from collections.abc import Iterable

from workbench import Workbench
from workbench.lessons import Exercise


def with_settings(bench: Workbench, changes: Iterable[tuple[str, str, object]]) -> Workbench:
    """The workbench after each (path, key, value) was set."""
    for path, key, value in changes:
        bench.set(path, key, value)
    return bench


def assert_not_yet(exercise: Exercise, bench: Workbench, says: str) -> None:
    """The check does not take the design for a solution, and says why in these words."""
    answer = exercise.check(bench)
    assert answer.startswith("Not yet:")
    assert says in answer

"""What holds for every exercise: it is not solved as it is given, its check moves nothing, and each lesson has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import CommandError, lessons

TUTORIALS = Path(__file__).resolve().parents[2] / "tutorials"


@pytest.mark.parametrize("name", lessons.exercise_names())
def test_as_given_an_exercise_is_not_solved(name):
    exercise = lessons.exercise(name)
    bench = exercise.start()
    before = bench.simulation.digest()
    assert exercise.name == name
    assert exercise.check(bench).startswith("Not yet: ")
    assert bench.simulation.digest() == before
    assert repr(exercise) == exercise.task


@pytest.mark.parametrize("name", lessons.exercise_names())
def test_every_exercise_belongs_to_a_lesson(name):
    assert [path for path in TUTORIALS.glob("*.ipynb") if path.stem.partition("-")[2] == name]


def test_every_lesson_has_an_exercise():
    assert {path.stem.partition("-")[2] for path in TUTORIALS.glob("*.ipynb")} == set(lessons.exercise_names())


def test_what_a_check_says_is_broken_between_words():
    exercise = lessons.exercise("preemption")
    bench = exercise.start()
    for half, delay in (("root.clinic", "10s"), ("root.research", "60s")):
        bench.set(half, "preemption.policy", "fence")
        bench.set(half, "preemption.delay", delay)
    answer = exercise.check(bench)
    assert answer.startswith("Solved. ")
    assert len(repr(answer).splitlines()) == 2
    assert " ".join(repr(answer).split()) == answer


def test_an_exercise_that_is_not_there_is_told_with_what_is():
    with pytest.raises(CommandError, match="did you mean fences"):
        lessons.exercise("fence")


def test_a_request_that_is_put_in_for_later_is_another_input_as_well():
    exercise = lessons.exercise("fences")
    bench = exercise.start()
    bench.add_request("child-a-1", "extra", {"vcore": "1"}, at=1)
    assert "not those of the exercise" in exercise.check(bench)

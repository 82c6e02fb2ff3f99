"""The exercise of the lesson on offsets, and the answers to the questions it ends with."""

from __future__ import annotations

import pytest

from workbench import Workbench

CLINIC, OFFICE = "root.clinic", "root.office"
EMERGENCY, WARD, BILLING, ARCHIVE = f"{CLINIC}.emergency", f"{CLINIC}.ward", f"{OFFICE}.billing", f"{OFFICE}.archive"


def with_offsets(bench: Workbench, offsets: dict[str, int]) -> Workbench:
    for path, offset in offsets.items():
        bench.set(path, "priority.offset", offset)
    return bench


@pytest.mark.parametrize(
    "offsets",
    [
        {EMERGENCY: 300, WARD: 200, BILLING: 100},
        {CLINIC: 100, EMERGENCY: 50, BILLING: 50},
        {EMERGENCY: 10, OFFICE: -20, ARCHIVE: -10},
        {CLINIC: 10, EMERGENCY: 10, ARCHIVE: -10},
    ],
    ids=["on the leaves", "on both levels", "downwards, and as small as can be", "up and down"],
)
def test_offsets_large_enough_solve_it_wherever_they_are(exercise, offsets):
    bench = with_offsets(exercise.start(), offsets)
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


@pytest.mark.parametrize(
    "offsets, says",
    [
        ({}, "step 1 serves A9 of archive while B8 of billing still waits"),
        ({CLINIC: 100}, "step 1 serves W5 of ward while E2 of emergency still waits"),
        ({CLINIC: 100, EMERGENCY: 4, ARCHIVE: -10}, "step 2 serves W5 of ward while E0 of emergency still waits"),
        ({CLINIC: 5, EMERGENCY: 10, ARCHIVE: -10}, "serves B8 of billing while W1 of ward still waits"),
        ({EMERGENCY: 6, OFFICE: -20, ARCHIVE: -7}, "Next week every queue has a request of priority 0 and one of 9, and ward goes"),
        ({EMERGENCY: 100, WARD: 50}, "serves A9 of archive while B8 of billing still waits"),
    ],
    ids=[
        "as given",
        "the clinic only",
        "too small inside the clinic",
        "too small for the clinic",
        "just enough for these",
        "the office forgotten",
    ],
)
def test_what_does_not_solve_it_is_told_by_the_first_step_that_is_wrong(exercise, offsets, says):
    answer = exercise.check(with_offsets(exercise.start(), offsets))
    assert answer.startswith("Not yet:")
    assert says in answer


# ---- the questions at the end ----------------------------------------------------------------------------------------


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("lessons/offsets")


def order(bench: Workbench) -> list[str]:
    bench.run()
    return [step.decision.key for step in bench.simulation.steps]


def test_question_1_nothing_compares_with_root(bench):
    before = order(bench)
    bench.set("root", "priority.offset", 1000)
    assert order(bench) == before


@pytest.mark.parametrize("offset, all_first", [(52, False), (53, True)])
def test_question_2_the_lowest_has_to_beat_the_highest(bench, offset, all_first):
    bench.set("root.development", "priority.offset", offset)
    assert (set(order(bench)[:3]) == {"T60", "B40", "B9"}) is all_first


def test_question_3_an_offset_does_not_keep_anybody_out(bench):
    bench.add_request("tests", "T200", {"vcore": 1}, priority=200)
    assert order(bench)[0] == "T200"


def test_the_offset_of_tests_that_the_text_names_is_the_smallest_by_priority(bench):
    bench.set("root.development.tests", "priority.offset", 52)
    assert order(bench)[0] == "T60"
    bench.set("root.development.tests", "priority.offset", 51)
    bench.goto(0)
    assert "root: production (111) before development (111), a tie in priority, share" in bench.why()  # left open

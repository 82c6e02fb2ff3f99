"""The exercise of the lesson on quotas: what solves it, and what does not."""

from __future__ import annotations

import pytest
from lessons.trying import assert_not_yet, with_settings

LAB, VISION, SPEECH, OFFICE = "root.lab", "root.lab.vision", "root.lab.speech", "root.office"
MAX = "resources.max"


@pytest.mark.parametrize(
    "changes",
    [
        [(LAB, MAX, {"vcore": 8}), (VISION, MAX, {"vcore": 6}), (LAB, "priority.offset", 10)],
        [(LAB, MAX, {"vcore": 8}), (VISION, MAX, None), (LAB, "priority.offset", 10)],
        [(LAB, MAX, {"vcore": 7}), (VISION, MAX, {"vcore": 5}), (OFFICE, "priority.offset", -1)],
        [(LAB, MAX, {"vcore": 8}), (VISION, MAX, {"vcore": 5}), (OFFICE, MAX, {"vcore": 4})],
        [(LAB, MAX, None), (VISION, MAX, {"vcore": 5}), (SPEECH, MAX, {"vcore": 2}), (LAB, "priority.offset", 1)],
        [(LAB, MAX, {"vcore": 8}), (VISION, MAX, {"vcore": 5}), (OFFICE, "resources.guaranteed", {"vcore": 4})],
    ],
    ids=[
        "the lab first",
        "vision without a maximum",
        "office last",
        "a maximum for office",
        "maxima of the leaves",
        "office is full at its guarantee",
    ],
)
def test_room_at_every_level_solves_it(exercise, bench, changes):
    with_settings(bench, changes)
    assert exercise.check(bench).startswith("Solved.")


@pytest.mark.parametrize(
    "changes, says",
    [
        ([], "wide is never served"),
        ([(LAB, MAX, {"vcore": 8})], "wide is never served"),
        (
            [(VISION, MAX, {"vcore": 5})],
            "nothing of speech ever is: needs vcore 2; queue root.lab has 1 left (5 of 6 used), 1 missing.",
        ),
        ([(LAB, MAX, {"vcore": 8}), (VISION, MAX, {"vcore": 6})], "needs vcore 2; the cluster has 1 left (11 of 12 used)"),
        ([(LAB, MAX, None), (VISION, MAX, {"vcore": 5}), (OFFICE, MAX, {"vcore": 4})], "has nothing to do the lab uses 12 cores"),
        ([(LAB, MAX, {"vcore": 8}), (VISION, MAX, {"vcore": 4})], "needs vcore 5, and queue root.lab.vision has 4 in all"),
        ([(LAB, MAX, None), (VISION, MAX, None), (LAB, "priority.offset", 10)], "in the end the lab uses 11 cores"),
        ([(LAB, MAX, {"vcore": 8}), (VISION, MAX, {"vcore": 6}), (LAB, "resources.guaranteed", {"vcore": 8})], "nothing of speech"),
    ],
    ids=[
        "as given",
        "the lab alone",
        "vision alone",
        "both maxima alone",
        "right by chance",
        "too small",
        "no maximum",
        "a guarantee",
    ],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, bench, changes, says):
    with_settings(bench, changes)
    assert_not_yet(exercise, bench, says)


def test_more_cores_do_not_count(exercise, bench):
    bench.add_node("node-2", {"vcore": 12})
    assert "not those of the exercise" in exercise.check(bench)

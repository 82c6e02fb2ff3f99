"""What the check of an exercise says: of the design in force, also under requests that nobody sees, with hints in stages."""

from __future__ import annotations

import pytest
from lessons.trying import with_settings

import workbench as wb
from workbench import Workbench, lessons
from workbench.lessons.exercise import HINTS

TENANT_B = "root.tenants.tenant-b"
BY_OFFSET = (TENANT_B, "priority.offset", 20)


def test_a_design_that_was_applied_on_the_way_is_checked_like_one_from_the_start():
    exercise = lessons.exercise("fences")
    bench = exercise.start()
    bench.run(max_steps=2)
    bench.edit_mode("reload")
    bench.set(*BY_OFFSET)
    assert exercise.check(bench).startswith("Solved.")
    bench.set(TENANT_B, "priority.offset", 0)
    assert exercise.check(bench).startswith("Not yet: step 4 serves P8 of tenant-a")
    assert wb.score["fences exercise"].outcome == "solved"


def test_a_request_whose_application_was_rejected_is_told_so():
    exercise = lessons.exercise("first-allocation")
    bench = exercise.start()
    bench.add_request("gift", "extra", {"vcore": 1}, priority=7, queue="root.nosuch")
    answer = exercise.check(bench)
    assert "extra is never served: its application gift was rejected when it was submitted" in answer
    assert "room" not in answer


@pytest.mark.parametrize(
    "name, settings, story",
    [
        (
            "fences",
            [("root.tenants.tenant-a", "priority.policy", None), (TENANT_B, "priority.offset", 100)],
            "tenant-a sends a request of priority 1,000,000, and it is served while requests of tenant-b wait",
        ),
        (
            "limits-and-gangs",
            [
                ("root.lab", "limits", "- users: [ben, cleo]\n  maxresources: {vcore: 4}\n"),
                ("root.lab", "maxapplications", 3),
            ],
            "Next week eve comes, and holds 8 cores",
        ),
        (
            "quotas",
            [
                ("root.lab", "resources.max", None),
                ("root.lab.vision", "resources.max", {"vcore": 5}),
                ("root.office", "resources.max", {"vcore": 4}),
            ],
            "On a day when the office has nothing to do the lab uses 12 cores",
        ),
        (
            "offsets",
            [
                ("root.clinic.emergency", "priority.offset", 6),
                ("root.office", "priority.offset", -20),
                ("root.office.archive", "priority.offset", -7),
            ],
            "Next week every queue has a request of priority 0 and one of 9",
        ),
        (
            "fair-between-queues",
            [
                (f"root.{queue}", key, {"vcore": amount})
                for queue, amount in (("gold", 6), ("silver", 4), ("bronze", 2))
                for key in ("resources.guaranteed", "resources.max")
            ],
            "With 18 cores instead of 12, 6 requests of gold are served, 4 of silver and 2 of bronze",
        ),
        (
            "first-in-a-queue",
            [
                ("root.school.homework", "application.sort.priority", "disabled"),
                ("root.school.projects", "application.sort.policy", "fair"),
                ("root.school.homework", "application.sort.policy", "fair"),
            ],
            "homework is served in the order",
        ),
    ],
)
def test_a_design_that_only_does_it_with_these_requests_is_told_what_happens_with_others(name, settings, story):
    exercise = lessons.exercise(name)
    answer = exercise.check(with_settings(exercise.start(), settings))
    assert answer.startswith("Not yet: ")
    assert story in answer


def test_hints_come_in_stages_and_name_the_call_that_would_show_it():
    exercise = lessons.exercise("quotas")
    lacks = "wide is never served: can never run: it needs vcore 5, and queue root.lab.vision has 4 in all."
    told = [exercise.check(with_settings(exercise.start(), [("root.lab", "resources.max", {"vcore": 8 + n})])) for n in range(4)]
    first, second = exercise.hints["wide is never served"]
    assert told == [f"Not yet: {lacks}", *(f"Not yet: {lacks}\nHint: {hint}" for hint in (first, second, second))]
    assert 'mine.why_not("wide")' in first


def test_the_same_design_twice_is_one_attempt_and_the_number_is_told_with_the_solution():
    exercise = lessons.exercise("fences")
    bench = exercise.start()
    assert exercise.check(bench) == exercise.check(bench)
    assert wb.score["fences exercise"].tries == 1
    bench.set(*BY_OFFSET)
    assert exercise.check(bench).endswith("(Attempt 2.)")
    scored = wb.score["fences exercise"]
    assert (scored.outcome, scored.points, scored.tries, len(scored.wrong)) == ("solved", 1.0, 2, 1)


def test_what_a_solution_shows_fits_it():
    exercise = lessons.exercise("quotas")
    lab, vision, speech = "root.lab", "root.lab.vision", "root.lab.speech"
    of_leaves = [
        (lab, "resources.max", None),
        (vision, "resources.max", {"vcore": 5}),
        (speech, "resources.max", {"vcore": 2}),
        (lab, "priority.offset", 1),
    ]
    assert "The lab has no maximum of its own" in exercise.check(with_settings(exercise.start(), of_leaves))


@pytest.mark.parametrize("name", lessons.exercise_names())
def test_every_exercise_has_two_stages_of_hints_and_the_first_names_a_call(name):
    exercise = lessons.exercise(name)
    for part, hints in {**exercise.hints, "": exercise.hints.get("", HINTS)}.items():
        assert hints, part
        assert not part or "mine." in hints[0] or len(hints) == 1


@pytest.mark.parametrize("name", lessons.exercise_names())
def test_whether_it_is_solved_can_be_asserted_without_leaving_a_trace(name):
    exercise = lessons.exercise(name)
    assert exercise.solves(exercise.start()) is False
    assert len(wb.score) == 0
    assert isinstance(exercise.start(), Workbench)

"""What the instructor's page says of the four predictions is so: the right answers, and what would make wrong ones right."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import Workbench, lessons
from workbench.scheduler.objects.tree import find

PAGE = (Path(__file__).resolve().parents[2] / "tutorials" / "instructors.md").read_text(encoding="utf-8")
TENANTS, TENANT_A, TENANT_B = "root.tenants", "root.tenants.tenant-a", "root.tenants.tenant-b"
HIGH, LOW = "root.system.system-high", "root.system.system-low"
POLICY, OFFSET = "priority.policy", "priority.offset"
NO_FENCE = (TENANTS, POLICY, None)
NO_INNER_FENCES = ((TENANT_A, POLICY, None), (TENANT_B, POLICY, None))
NO_OFFSET_A = (TENANT_A, OFFSET, None)


def served(step: int, *settings: tuple) -> tuple[str, str]:
    """(request, leaf) of a step in the scene of the lesson, with other settings."""
    bench = Workbench.example("multitenancy")
    for setting in settings:
        bench.set(*setting)
    bench.goto(step)
    decision = bench.simulation.steps[step - 1].decision
    return decision.key, decision.path[-1].rpartition(".")[2]


@pytest.mark.parametrize(
    "step, settings, right",
    [
        (1, [], ("P1", "system-high")),
        (4, [], ("P8", "child-a-1")),
        (8, [], ("P9", "child-b-1")),
        (2, [NO_FENCE], ("P8", "child-a-1")),
    ],
    ids=["first", "second", "third", "fourth"],
)
def test_the_right_answers_of_the_four_predictions(step, settings, right):
    assert served(step, *settings) == right


NOTHING_SET = (NO_FENCE, *NO_INNER_FENCES, NO_OFFSET_A, (HIGH, OFFSET, None), (LOW, OFFSET, None))


@pytest.mark.parametrize(
    "step, settings, answer",
    [
        (2, NOTHING_SET, "P9"),
        (1, [(HIGH, OFFSET, None)], "P10"),
        (4, [*NO_INNER_FENCES, NO_OFFSET_A], "P9"),
        (3, [(LOW, OFFSET, None)], "P3"),
        (2, [NO_FENCE, (TENANT_A, OFFSET, 9)], "P10"),
    ],
    ids=["even then P9 is second", "P10 first", "P9 fourth", "P3 a step before", "P10 second"],
)
def test_what_makes_a_wrong_answer_right(step, settings, answer):
    assert served(step, *settings)[0] == answer


@pytest.mark.parametrize("settings", [NO_INNER_FENCES, [NO_OFFSET_A, NO_INNER_FENCES[0]]], ids=["offset stays", "fence stays"])
def test_it_takes_all_three_to_make_p9_fourth(settings):
    assert served(4, *settings)[0] != "P9"


@pytest.mark.parametrize("offset, solved", [(10, False), (11, True), (20, True)])
def test_the_smallest_offset_of_tenant_b_that_is_sure_to_work(offset, solved):
    exercise = lessons.exercise("fences")
    bench = exercise.start()
    bench.set(TENANT_B, OFFSET, offset)
    assert exercise.check(bench).startswith("Solved.") is solved


def test_what_the_check_says_is_what_the_page_lists():
    exercise = lessons.exercise("fences")
    for settings, listed in (
        ([], "step 4 serves P8 of tenant-a, "),
        ([(TENANT_B, OFFSET, 20), NO_FENCE], " serves a tenant, although P1, P10 and P2"),
        ([(TENANT_B, OFFSET, 20), (TENANTS, OFFSET, -2000)], "P4 comes last, not P3"),
    ):
        bench = exercise.start()
        for setting in settings:
            bench.set(*setting)
        assert listed in exercise.check(bench)
        assert listed.split(", ")[0].strip() in PAGE


def test_a_louder_request_changes_no_turn_but_that_of_its_queue():
    bench = Workbench.example("multitenancy")
    bench.add_request("child-b-1", "P2000000", {"vcore": 1}, priority=2_000_000)
    bench.run()
    assert bench.simulation.steps[7].decision.key == "P2000000"


@pytest.mark.parametrize("offset, second", [(9, "P10"), (10, "P8"), (11, "P8"), (1000, "P8"), (1001, "P1")])
def test_which_offsets_of_the_fence_at_tenants_let_a_tenant_be_second(offset, second):  # the third question of the lesson
    assert served(2, (TENANTS, OFFSET, offset))[0] == second


def test_a_trial_beside_the_lesson_is_written_as_the_page_says():
    code = next(block for block in PAGE.split("```python\n")[1:] if block.startswith("trial ")).split("```")[0]
    names = {"Workbench": Workbench}
    exec(code, names)
    assert [step.decision.key for step in names["trial"].simulation.steps][:2] == ["P10", "P2"]


def test_with_equal_offsets_use_decides_from_step_to_step():
    assert [served(step, (TENANT_B, OFFSET, 10))[0] for step in (4, 5, 6)] == ["P8", "P9", "P6"]


def test_a_saved_solution_is_checked_as_the_page_says(tmp_path):
    bench = lessons.exercise("fences").start()
    bench.set(TENANT_B, OFFSET, 20)
    bench.run(max_steps=3)
    bench.save(tmp_path / "pair-3.yaml")
    assert lessons.exercise("fences").check(Workbench.from_scenario(tmp_path / "pair-3.yaml")).startswith("Solved.")
    assert 'mine.save("pair-3.yaml")' in PAGE


def test_the_page_names_what_can_be_asked():
    bench = Workbench.example("multitenancy")
    assert "bench.predict(blind=True)" in PAGE
    bench.predict(blind=True)
    assert bench.priorities_covered


def test_a_fence_hides_what_it_holds_on_both_ways_the_page_names():
    bench = Workbench.example("multitenancy")
    assert find(bench.partition, TENANT_A).priority == 10
    assert find(bench.partition, TENANTS).priority == 0

"""The exercise of the lesson on the order in a queue, and the answers to the questions it ends with."""

from __future__ import annotations

import pytest
from lessons.trying import assert_not_yet

from workbench import Workbench

SCHOOL, HOMEWORK, PROJECTS = "root.school", "root.school.homework", "root.school.projects"
POLICY, PRIORITY = "application.sort.policy", "application.sort.priority"
BY_AGE, FAIR = (HOMEWORK, PRIORITY, "disabled"), (PROJECTS, POLICY, "fair")


@pytest.mark.parametrize(
    "settings",
    [
        [BY_AGE, FAIR],
        [(SCHOOL, PRIORITY, "disabled"), (PROJECTS, PRIORITY, "enabled"), FAIR],
        [BY_AGE, (PROJECTS, POLICY, "fair"), (PROJECTS, "priority.offset", 5)],
    ],
    ids=["each leaf by itself", "inherited, with an exception", "and something that does not matter"],
)
def test_each_leaf_by_its_own_rule_solves_it(exercise, settings):
    wb = exercise.start()
    for setting in settings:
        wb.set(*setting)
    assert exercise.check(wb).startswith("Solved.")
    assert wb.simulation.position == 0


@pytest.mark.parametrize(
    "settings, says",
    [
        ([], "homework is served in the order maths, art, essay"),
        ([FAIR], "homework is served in the order maths, art, essay"),
        ([BY_AGE], "in projects, film is served before garden-000"),
        ([(SCHOOL, PRIORITY, "disabled"), FAIR], "in projects, garden-000 goes before robot-urgent"),
        ([BY_AGE, (PROJECTS, PRIORITY, "disabled")], "in projects, film goes before robot-urgent"),
        ([BY_AGE, FAIR, (HOMEWORK, POLICY, "fair")], "homework is served in the order maths, art, essay, maths, essay"),
    ],
    ids=["as given", "projects only", "homework only", "disabled for both", "by age in both", "fair in both"],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, settings, says):
    wb = exercise.start()
    for setting in settings:
        wb.set(*setting)
    assert_not_yet(exercise, wb, says)


# ---- the questions at the end ----------------------------------------------------------------------------------------


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("lessons/first-in-a-queue")


def orders(wb: Workbench) -> list[str]:
    wb.run()
    return [step.decision.key for step in wb.simulation.steps]


def test_question_1_priority_is_compared_before_usage(wb):
    wb.set("root.lab", POLICY, "fair")
    wb.add_request("noon", "more", {"vcore": 1}, priority=1)
    assert orders(wb)[0] == "more"


def test_question_2_the_priority_is_that_of_what_still_waits(wb):
    wb.add_request("evening", "urgent", {"vcore": 1}, priority=1)
    assert orders(wb)[:2] == ["urgent", "morning-000"]


def test_question_3_a_larger_guarantee_halves_every_usage(wb):
    wb.set("root.lab", POLICY, "fair")
    before = orders(wb)
    wb.set("root.lab", "resources.guaranteed", {"vcore": 40})
    assert orders(wb) == before


# ---- what the text says of older releases ------------------------------------------------------------------------------


def test_the_oldest_starts_whatever_the_priority_of_others_and_alone():
    wb = Workbench.example("lessons/one-start-at-a-time")
    assert wb.step().key == "alpha-driver"
    assert wb.step().outcome == "nothing"
    wb.add_request("alpha", "alpha-executor", {"vcore": 1})
    wb.run()
    assert [step.decision.key for step in wb.simulation.steps] == ["alpha-driver", "alpha-executor", "beta-driver"]


def test_the_others_wait_for_up_to_five_minutes():
    wb = Workbench.example("lessons/one-start-at-a-time")
    wb.step()
    wb.advance(299)
    assert wb.step().outcome == "nothing"
    wb.advance(1)
    assert wb.step().key == "beta-driver"

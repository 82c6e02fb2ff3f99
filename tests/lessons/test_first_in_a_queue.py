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
    bench = exercise.start()
    for setting in settings:
        bench.set(*setting)
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


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
    bench = exercise.start()
    for setting in settings:
        bench.set(*setting)
    assert_not_yet(exercise, bench, says)


# ---- the questions at the end ----------------------------------------------------------------------------------------


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("lessons/first-in-a-queue")


def orders(bench: Workbench) -> list[str]:
    bench.run()
    return [step.decision.key for step in bench.simulation.steps]


def test_question_1_priority_is_compared_before_usage(bench):
    bench.set("root.lab", POLICY, "fair")
    bench.add_request("noon", "more", {"vcore": 1}, priority=1)
    assert orders(bench)[0] == "more"


def test_question_2_the_priority_is_that_of_what_still_waits(bench):
    bench.add_request("evening", "urgent", {"vcore": 1}, priority=1)
    assert orders(bench)[:2] == ["urgent", "morning-000"]


def test_question_3_a_larger_guarantee_halves_every_usage(bench):
    bench.set("root.lab", POLICY, "fair")
    before = orders(bench)
    bench.set("root.lab", "resources.guaranteed", {"vcore": 40})
    assert orders(bench) == before


# ---- what the text says of older releases ------------------------------------------------------------------------------


def test_the_oldest_starts_whatever_the_priority_of_others_and_alone():
    bench = Workbench.example("lessons/one-start-at-a-time")
    assert bench.step().key == "alpha-driver"
    assert bench.step().outcome == "nothing"
    bench.add_request("alpha", "alpha-executor", {"vcore": 1})
    bench.run()
    assert [step.decision.key for step in bench.simulation.steps] == ["alpha-driver", "alpha-executor", "beta-driver"]


def test_the_others_wait_for_up_to_five_minutes():
    bench = Workbench.example("lessons/one-start-at-a-time")
    bench.step()
    bench.advance(299)
    assert bench.step().outcome == "nothing"
    bench.advance(1)
    assert bench.step().key == "beta-driver"

"""The exercise of the lesson on the first allocation, and the answers to the questions it ends with."""

from __future__ import annotations

import pytest
from lessons.trying import assert_not_yet

CORE = {"vcore": 1}


@pytest.mark.parametrize(
    "app, priority, vcore", [("refund", 7, 1), ("payment", 6, 1), ("refund", 6, 2), ("backup", 6, 1), ("backup", 5, 1)]
)
def test_many_requests_are_third_on_node_1(exercise, bench, app, priority, vcore):
    bench.add_request(app, "extra", {"vcore": vcore}, priority=priority)
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


def test_so_is_one_of_a_new_application(exercise, bench):
    bench.add_request("gift", "extra", CORE, priority=7, queue="root.shop")
    assert exercise.check(bench).startswith("Solved.")


@pytest.mark.parametrize(
    "app, priority, vcore, says",
    [
        ("refund", 8, 1, "extra is served at step 1, not at step 3"),
        ("payment", 7, 1, "extra is served at step 2, not at step 3"),
        ("backup", 4, 1, "extra is served at step 4, not at step 3"),
        ("backup", 7, 1, "extra is served at step 1, not at step 3"),
        ("refund", 6, 3, "extra is never served"),
    ],
    ids=["most urgent", "equal to the older application", "less urgent than shop", "equal at root", "too large"],
)
def test_what_is_not_third_is_told_by_its_step(exercise, bench, app, priority, vcore, says):
    bench.add_request(app, "extra", {"vcore": vcore}, priority=priority)
    assert_not_yet(exercise, bench, says)


def test_one_request_before_the_first_step_and_nothing_else(exercise, bench):
    assert "0 requests were put in" in exercise.check(bench)
    bench.add_request("refund", "extra", CORE, priority=7)
    bench.add_request("refund", "another", CORE)
    assert "2 requests were put in" in exercise.check(bench)
    bench.undo()
    assert exercise.check(bench).startswith("Solved.")
    bench.set("root.shop", "priority.offset", 1)
    assert "something else" in exercise.check(bench)


def test_a_request_in_mid_run_does_not_count(exercise, bench):
    bench.run(max_steps=2)
    bench.add_request("refund", "extra", CORE, priority=9)
    assert "only after a step" in exercise.check(bench)


def test_a_node_for_the_request_does_not_count(exercise, bench):
    bench.add_node("node-0", CORE)
    assert "something else" in exercise.check(bench)


# ---- the questions at the end ----------------------------------------------------------------------------------------


def test_question_1_of_two_empty_nodes_the_smaller_name_is_first(bench):
    bench.add_node("node-3", {"vcore": 1, "memory": "2Gi"})
    assert bench.step().node_id == "node-2"


def test_question_2_of_equal_applications_the_older_is_first(bench):
    bench.remove_app("payment")
    bench.add_request("payment", "pay-1", CORE, priority=5, queue="root.shop")
    bench.add_request("payment", "pay-2", CORE, priority=7)
    assert bench.step().key == "refund-1"


def test_question_3_another_request_of_the_application_takes_the_turn(bench):
    bench.add_request("payment", "huge", {"vcore": 6}, priority=8)
    assert bench.step().key == "pay-2"

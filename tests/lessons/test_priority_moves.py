"""The exercise of the lesson on priorities that move, and the answers to the questions it ends with."""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.scheduler.objects.tree import find

CORE = {"vcore": 1}


def with_requests(exercise, *requests: tuple[str, int]) -> Workbench:
    bench = exercise.start()
    for number, (app, priority) in enumerate(requests):
        bench.add_request(app, f"r{number}", CORE, priority=priority)
    return bench


@pytest.mark.parametrize("batch", [6, 7, 8, 9])
def test_batch_may_be_anything_between_what_online_showed(exercise, batch):
    bench = with_requests(exercise, ("query", 9), ("query", 3), ("cart", 6), ("report", batch))
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


def test_the_order_in_which_they_are_put_in_does_not_matter(exercise):
    assert exercise.check(with_requests(exercise, ("report", 7), ("query", 3), ("cart", 6), ("query", 9))).startswith("Solved.")


@pytest.mark.parametrize(
    "requests, says",
    [
        ([], "0 requests were put in"),
        ([("query", 9), ("report", 6), ("cart", 6), ("query", 3), ("cart", 1)], "5 requests were put in"),
        ([("query", 9), ("report", 6), ("cart", 5), ("query", 3)], "before step 2 online shows 5, not 6"),
        ([("query", 9), ("report", 5), ("cart", 6), ("query", 3)], "step 2 serves checkout, not batch"),
        ([("query", 9), ("report", 10), ("cart", 6), ("query", 3)], "step 1 serves batch, not search"),
        ([("cart", 9), ("report", 7), ("query", 6), ("query", 3)], "step 1 serves checkout, not search"),
        ([("query", 9), ("report", 7), ("cart", 6), ("cart", 3)], "step 4 serves checkout, not search"),
    ],
    ids=["as given", "one too many", "what is shown", "batch too low", "batch too high", "wrong child", "wrong child at the end"],
)
def test_what_does_not_solve_it_is_told_by_the_first_step_that_differs(exercise, requests, says):
    answer = exercise.check(with_requests(exercise, *requests))
    assert answer.startswith("Not yet:")
    assert says in answer


def test_with_an_offset_it_does_not_count(exercise):
    bench = with_requests(exercise, ("query", 9), ("query", 3), ("cart", 6), ("report", 7))
    bench.set("root.batch", "priority.offset", 1)
    assert "something else" in exercise.check(bench)
    bench.set("root.batch", "priority.offset", None)
    assert exercise.check(bench).startswith("Solved.")


def test_requests_in_mid_run_do_not_count(exercise):
    bench = with_requests(exercise, ("query", 9))
    bench.step()
    bench.add_request("cart", "late", CORE, priority=6)
    assert "only after a step" in exercise.check(bench)


# ---- the questions at the end ----------------------------------------------------------------------------------------


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("lessons/priority-moves")


def shown(bench: Workbench) -> dict[str, int]:
    names = ("root", "root.online", "root.online.checkout", "root.online.search", "root.batch")
    return {path.rpartition(".")[2]: find(bench.partition, path).priority for path in names}


def test_question_1_a_number_below_the_highest_is_seen_by_nobody(bench):
    before = shown(bench)
    bench.add_request("pay", "P8", CORE, priority=8)
    assert shown(bench) == before


def test_question_2_what_is_withdrawn_counts_no_more(bench):
    bench.remove_app("query")
    assert shown(bench)["search"] == -(2**31)
    assert shown(bench)["online"] == shown(bench)["root"] == 9


def test_question_3_everything_beside_a_stuck_request_goes_first(bench):
    bench.add_request("cart", "C10", {"vcore": 20}, priority=10)
    assert shown(bench)["online"] == 10
    bench.run()
    assert [step.decision.key for step in bench.simulation.steps] == ["C9", "C3", "P6", "Q7", "Q2", "R8", "R1"]
    assert shown(bench)["online"] == 10


# ---- what the lesson says about R10 ----------------------------------------------------------------------------------


def test_a_request_that_never_fits_keeps_its_queue_in_front(bench):
    bench.add_request("report", "R10", {"vcore": 20}, priority=10)
    bench.run(max_steps=2)
    assert [step.decision.key for step in bench.simulation.steps] == ["R8", "R1"]
    assert shown(bench)["batch"] == shown(bench)["root"] == 10


def test_requests_that_are_to_come_later_do_not_count(exercise, bench):
    for number, (app, priority) in enumerate([("query", 9), ("query", 3), ("cart", 6), ("report", 7)]):
        bench.add_request(app, f"r{number}", CORE, priority=priority, at=1)
    assert "put all of them in before the first one" in exercise.check(bench)

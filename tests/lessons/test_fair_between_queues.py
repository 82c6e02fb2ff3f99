"""The exercise of the lesson on shares, and the answers to the questions it ends with."""

from __future__ import annotations

import pytest
from lessons.trying import assert_not_yet

from workbench import Workbench
from workbench.scheduler.records.commands import AddAllocation, AskSpec
from workbench.values.quantities import parse_quantity
from workbench.values.resources import Resource

QUEUES = ("gold", "silver", "bronze")
GUARANTEED, MAXIMUM = "resources.guaranteed", "resources.max"


def give(bench: Workbench, key: str, *amounts: int) -> None:
    for queue, amount in zip(QUEUES, amounts):
        bench.set(f"root.{queue}", key, {"vcore": amount} if amount else None)


@pytest.mark.parametrize("amounts", [(3, 2, 1), (6, 4, 2), (30, 20, 10)])
def test_guarantees_in_the_ratio_solve_it_however_large(exercise, amounts):
    bench = exercise.start()
    give(bench, GUARANTEED, *amounts)
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


def test_a_maximum_beside_the_guarantee_changes_nothing(exercise):
    bench = exercise.start()
    give(bench, GUARANTEED, 3, 2, 1)
    give(bench, MAXIMUM, 10, 8, 6)
    assert exercise.check(bench).startswith("Solved.")


@pytest.mark.parametrize(
    "key, amounts, says",
    [
        (GUARANTEED, (), "2 are of gold, 2 of silver and 2 of bronze"),
        (GUARANTEED, (3, 2, 0), "of bronze"),
        (GUARANTEED, (1, 2, 3), "1 are of gold, 2 of silver and 3 of bronze"),
        (MAXIMUM, (3, 2, 1), "only 6 requests are served"),
        (MAXIMUM, (6, 4, 2), "the real scheduler mixes up"),  # asked, and the order differed from run to run
    ],
    ids=["as given", "bronze without one", "upside down", "maxima that stop it", "maxima in the ratio"],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, key, amounts, says):
    bench = exercise.start()
    give(bench, key, *amounts)
    assert_not_yet(exercise, bench, says)


def test_offsets_give_all_to_one(exercise):
    bench = exercise.start()
    for queue, offset in zip(QUEUES, (3, 2, 1)):
        bench.set(f"root.{queue}", "priority.offset", offset)
    assert "6 are of gold, 0 of silver and 0 of bronze" in exercise.check(bench)


# ---- the table of shares ---------------------------------------------------------------------------------------------


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("lessons/fair-between-queues")


def test_the_table_of_shares_is_covered_while_a_prediction_is_asked_for(bench):  # section 5, predict
    shown = bench.table("shares")
    assert [line.split()[1] for line in shown.splitlines()[1:]] == ["blue", "green", "red"]
    bench.predict()
    assert not {"blue", "green", "red"} & set(bench.table("shares").split())
    bench.reveal()
    assert "vcore 2 of 5 guaranteed = 0.4" in bench.table("shares")


def test_the_table_of_shares_is_that_of_the_selected_queue(bench):  # U-12
    bench.select("root.red")
    assert "red-app" in bench.table("shares")


# ---- the questions at the end ----------------------------------------------------------------------------------------


def leaves(bench: Workbench) -> list[str]:
    bench.run()
    return [step.decision.path[-1].removeprefix("root.") for step in bench.simulation.steps]


def test_question_1_a_guarantee_larger_than_the_cluster_is_a_measure_all_the_same(bench):
    bench.set("root.green", GUARANTEED, {"vcore": 40})
    assert leaves(bench)[:3] == ["green"] * 3


def test_question_2_priority_is_compared_before_the_share(bench):
    bench.add_request("red-app", "urgent", {"vcore": 1}, priority=1)
    assert leaves(bench)[0] == "red"
    bench.goto(1)
    assert [line.split()[1] for line in bench.table("shares").splitlines()[1:]] == ["blue", "green", "red"]


def test_question_3_the_larger_part_counts(bench):
    bench.apply(
        AddAllocation(
            node_id="node-1",
            ask=AskSpec(application_id="blue-app", key="data", resource=Resource(memory=parse_quantity("64Gi", "memory"))),
        )
    )
    assert leaves(bench)[:5] == ["green", "green", "green", "red", "blue"]

"""The exercise of the lesson on node sorting: what solves it, and what does not."""

from __future__ import annotations

import pytest

TYPE, WEIGHTS = "nodesortpolicy.type", "nodesortpolicy.resourceweights"


@pytest.mark.parametrize(
    "policy, weights",
    [
        ("fair", {"vcore": 4, "memory": 1}),
        ("fair", {"vcore": 1}),
        ("binpacking", {"vcore": 1, "memory": 4}),
        ("binpacking", {"memory": 1}),
    ],
)
def test_weights_that_keep_compute_free_solve_it(exercise, bench, policy, weights):
    bench.set("partition", WEIGHTS, weights)
    bench.set("partition", TYPE, policy)
    assert exercise.check(bench).startswith("Solved.")


@pytest.mark.parametrize(
    "policy, weights, says",
    [
        ("fair", None, "w2 went to compute"),
        ("fair", {"vcore": 1, "memory": 4}, "w1 went to compute"),
        ("binpacking", None, "w1 went to compute; w2 went to compute; w3 went to compute"),
        ("binpacking", {"vcore": 4, "memory": 1}, "w3 went to compute"),
    ],
)
def test_what_does_not_solve_it_is_told_by_where_they_went(exercise, bench, policy, weights, says):
    bench.set("partition", WEIGHTS, weights)
    bench.set("partition", TYPE, policy)
    answer = exercise.check(bench)
    assert answer.startswith("Not yet: solver finds no node with 8 free cores")
    assert says in answer


def test_serving_the_large_one_first_is_no_solution(exercise, bench):
    bench.set("root.work", "application.sort.policy", "fair")
    answer = exercise.check(bench)
    assert answer.startswith("Not yet:")

"""The exercise of the lesson on fences: what solves it, and what does not."""

from __future__ import annotations

import pytest
from lessons.trying import assert_not_yet, with_settings

TENANT_A, TENANT_B = "root.tenants.tenant-a", "root.tenants.tenant-b"


@pytest.mark.parametrize("offsets", [{TENANT_B: 20}, {TENANT_A: -1}, {TENANT_A: 0, TENANT_B: 10}])
def test_a_higher_offset_of_tenant_b_solves_it(exercise, bench, offsets):
    for path, offset in offsets.items():
        bench.set(path, "priority.offset", offset)
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


@pytest.mark.parametrize(
    "changes, says",
    [
        ([], "step 4 serves P8 of tenant-a, while requests of tenant-b still wait; the last of them is served at step 10"),
        ([(TENANT_B, "priority.offset", 20), ("root.tenants", "priority.policy", None)], "serves a tenant"),
        ([(TENANT_B, "priority.offset", 20), ("root.tenants", "priority.offset", -2000)], "P4 comes last, not P3"),
    ],
    ids=["as given", "without the fence at tenants", "tenants behind system-low"],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, bench, changes, says):
    with_settings(bench, changes)
    assert_not_yet(exercise, bench, says)


def test_a_design_that_works_by_other_requests_does_not_count(exercise, bench):
    bench.remove_app("child-a-1")
    assert "not those of the exercise" in exercise.check(bench)

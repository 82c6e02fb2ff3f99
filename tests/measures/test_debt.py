"""M-4: what queues were short of their guarantees while they asked for it."""

from __future__ import annotations

import pytest
from happened import Happened

HOUR = 3600
TREE = "a: {guaranteed: {vcore: 4}}\nb: {}"


def test_debt_is_what_is_lacking_of_guarantee_or_demand_over_time():
    run = Happened(TREE, until=HOUR).node("n1", vcore=8, memory=8).job("x", "root.a", vcore=2, count=3)
    run.attempt("x", arrives=0, starts=0)
    run.attempt("x", arrives=0, starts=HOUR / 2, number=1)
    run.attempt("x", arrives=0, starts=HOUR * 3 / 4, number=2)
    table = run.table()
    assert table["debt.vcore", "root.a"] == 1, "2 of 4 for half an hour; what is beyond the guarantee is nobody's debt"
    assert (table["debt.longest", "root.a"], table["time_to_guarantee.max", "root.a"]) == (HOUR / 2, HOUR / 2)
    assert table["debt.vcore", "cluster"] == table["debt.vcore", "root"] == 1
    assert table.show("debt.vcore", "root.b") == "no guarantee"
    assert table.show("debt.memory", "root.a") == "no guarantee", "there is one, of another resource"
    assert table["time_to_guarantee.max", "root.b"] is None


def test_no_more_is_lacking_than_is_asked_for():
    run = Happened(TREE, until=HOUR).job("x", "root.a", vcore=1)
    run.attempt("x", arrives=0, starts=HOUR / 4)
    table = run.table()
    assert table["debt.vcore", "root.a"] == 0.25
    assert table["time_to_guarantee.mean", "root.a"] == 900
    assert table.show("time_to_guarantee.max", "root.a") == "15 minutes"


def test_who_gets_it_at_once_or_never_asks_is_told_apart():
    run = Happened(f"{TREE}\nc: {{guaranteed: {{vcore: 1}}}}", until=HOUR).job("x", "root.a", vcore=1)
    run.attempt("x", arrives=10, starts=10, ends=20)
    table = run.table()
    assert table["time_to_guarantee.max", "root.a"] == 0
    assert table["time_to_guarantee.max", "root.c"] is None
    assert table["debt.longest", "root.c"] == 0


def test_what_a_child_lacks_is_seen_above_it_and_counted_once():
    run = Happened("t: {guaranteed: {vcore: 6}, a: {guaranteed: {vcore: 4}}, b: {guaranteed: {vcore: 2}}}", until=HOUR)
    run.job("x", "root.t.a", vcore=4).job("y", "root.t.b", vcore=1, count=5)
    run.attempt("x", arrives=0)
    for number in range(5):
        run.attempt("y", arrives=0, starts=0, number=number)
    table = run.table()
    assert table["debt.vcore", "root.t.a"] == 4
    assert table["debt.vcore", "root.t.b"] == 0
    assert table["debt.vcore", "root.t"] == 4, "the team lacks 1 of its own, and 4 with its child"
    assert table["debt.vcore", "cluster"] == 4
    assert table["time_to_guarantee.max", "cluster"] == HOUR


def test_stretches_are_told_one_by_one_and_clipped_to_the_window():
    run = Happened(TREE, until=1000, warm_up=100).job("x", "root.a", vcore=1, count=3)
    run.attempt("x", arrives=50, starts=200, ends=300)
    run.attempt("x", arrives=400, starts=450, ends=500, number=1)
    run.attempt("x", arrives=700, number=2)
    table = run.table()
    assert table["time_to_guarantee.max", "root.a"] == 300
    assert table["time_to_guarantee.mean", "root.a"] == pytest.approx((100 + 50 + 300) / 3)
    assert table["debt.vcore", "root.a"] == pytest.approx(450 / HOUR)


def test_who_asked_only_during_the_warm_up_did_not_ask():
    run = Happened(TREE, until=1000, warm_up=100).job("x", "root.a", vcore=1)
    run.attempt("x", arrives=10, starts=50, ends=100)
    table = run.table()
    assert table["time_to_guarantee.max", "root.a"] is None
    assert table["debt.vcore", "root.a"] == 0

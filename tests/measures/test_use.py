"""M-3: use over time, idle while somebody waited, stranded."""

from __future__ import annotations

import pytest
from happened import Happened

from workbench.measures.fit_tree import FitTree
from workbench.runs.record import Fate

HOUR = 3600


def half_an_hour_each() -> Happened:
    """Two nodes of 4 for an hour; x uses 4 for half of it, y uses 2 throughout."""
    run = Happened("a: {guaranteed: {vcore: 2}, max: {vcore: 4}}\nb: {}", until=HOUR)
    run.node("n1", vcore=4).node("n2", vcore=4)
    run.job("x", "root.a", user="anna", vcore=4).job("y", "root.b", vcore=2)
    run.attempt("x", arrives=0, starts=0, ends=HOUR / 2)
    run.attempt("y", arrives=0, starts=0, node="n2")
    return run


@pytest.mark.parametrize(
    ("scope", "share", "hours"),
    [("cluster", 0.5, 4), ("root", 0.5, 4), ("root.a", 0.25, 2), ("user:anna", 0.25, 2), ("job:y", 0.25, 2)],
)
def test_use_is_weighted_with_time_and_a_share_of_the_cluster(scope, share, hours):
    table = half_an_hour_each().table()
    assert table["utilization.vcore", scope] == share
    assert table["utilization.cpu", scope] == share
    assert table["used.vcore", scope] == hours


def test_a_queue_is_told_against_its_guarantee_and_the_smallest_maximum_above():
    run = half_an_hour_each()
    table = run.table()
    assert table["use_of_guarantee.vcore", "root.a"] == 1
    assert table["use_of_maximum.vcore", "root.a"] == 0.5
    assert table["use_of_guarantee.vcore", "root.b"] is None
    assert table.show("use_of_maximum.vcore", "root.b") == "no maximum"
    deep = Happened("a: {max: {vcore: 4}, b: {max: {memory: 8}}}", until=HOUR).job("x", "root.a.b", vcore=1)
    deep.attempt("x", arrives=0, starts=0)
    assert deep.table()["use_of_maximum.vcore", "root.a.b"] == 0.25


def test_a_dynamic_queue_has_the_settings_of_the_template():
    template = {"resources": {"guaranteed": {"vcore": 2}, "max": {"vcore": 4}}}
    run = Happened(f"a: {{parent: true, template: {template}}}", until=HOUR).node("n1", vcore=8)
    run.job("x", "root.a.anna", vcore=1)
    run.attempt("x", arrives=0, starts=0)
    table = run.table()
    assert table["use_of_guarantee.vcore", "root.a.anna"] == 0.5
    assert table["use_of_maximum.vcore", "root.a.anna"] == 0.25
    assert "root.a.anna" in map(str, table.scopes("queue"))


def test_capacity_is_that_of_the_nodes_that_are_there():
    run = Happened(until=100).node("n1", vcore=4).node("n2", 50, vcore=4).node("n1", 75)
    run.job("x", vcore=2)
    run.attempt("x", arrives=0, starts=0, ends=75, fate=Fate.NODE_LOST)
    assert run.table()["utilization.vcore"] == pytest.approx(2 * 75 / (4 * 75 + 4 * 50))


def test_use_before_the_end_of_the_warm_up_does_not_count():
    run = Happened(until=100, warm_up=50).node("n1", vcore=4).job("x", vcore=4)
    run.attempt("x", arrives=0, starts=0, ends=75)
    assert run.table()["utilization.vcore"] == 0.5


def test_idle_is_what_nodes_that_take_something_new_had_free_while_somebody_waited():
    run = Happened("a: {}\nb: {}", until=HOUR).node("n1", vcore=4).node("n2", vcore=4)
    run.node("n2", HOUR / 2, vcore=4, schedulable=False)
    run.job("x", "root.a", vcore=2).job("y", "root.b", vcore=1)
    run.attempt("x", arrives=0, starts=0)
    run.attempt("y", arrives=HOUR / 4)
    table = run.table()
    assert table["idle_while_waiting.vcore"] == 6 / 4 + 2 / 2
    assert table["idle_while_waiting.vcore", "root.b"] == 2.5
    assert table["idle_while_waiting.vcore", "root.a"] == 0


def test_only_those_count_who_ask_for_the_resource():
    run = Happened(until=HOUR).node("n1", vcore=4, memory=8).job("x", memory=16)
    run.attempt("x", arrives=0)
    table = run.table()
    assert table["idle_while_waiting.vcore"] == 0
    assert table["idle_while_waiting.memory"] == pytest.approx(8 / 2**30)


def test_stranded_is_what_is_enough_in_sum_and_on_no_single_node():
    run = Happened(until=HOUR).node("n1", vcore=4).node("n2", vcore=4)
    run.job("x", vcore=2, count=2).job("big", vcore=4).job("huge", vcore=16)
    run.attempt("x", arrives=0, starts=0, ends=HOUR / 2)
    run.attempt("x", arrives=0, starts=0, ends=HOUR * 3 / 4, number=1, node="n2")
    run.attempt("huge", arrives=0)
    run.attempt("big", arrives=HOUR / 4, starts=HOUR / 2)
    table = run.table()
    assert table["stranded.vcore"] == 1, "for a quarter of an hour 4 were free, 2 on each node"
    assert table["idle_while_waiting.vcore"] == 4 / 2 + 2 / 4 + 4 / 4


def test_stranded_is_nothing_where_one_node_would_do():
    run = Happened("a: {max: {vcore: 1}}", until=HOUR).node("n1", vcore=4).node("n2", vcore=1)
    run.job("held", vcore=4)
    run.attempt("held", arrives=0)
    assert run.table()["stranded.vcore"] == 0
    assert run.table().show("idle_while_waiting.vcore") == "5 vcore-hours"


def test_a_fit_needs_all_of_it_on_one_node():
    tree = FitTree([(4, 0), (0, 4), (2, 2)], 2)
    assert (tree.find((2, 2)), tree.find((4, 0))) == (2, 0)
    assert tree.find((3, 1)) is None
    tree.set(1, (3, 4))
    assert tree.find((3, 1)) == 1
    tree.set(1, (0, 0))
    assert tree.find((3, 1)) is None

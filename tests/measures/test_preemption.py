"""M-6: who was stopped for whom, what it cost, and whether it helped."""

from __future__ import annotations

import pytest
from happened import Happened

from workbench.measures.preemption import who_for_whom
from workbench.runs.record import Fate
from workbench.workloads.model import Restarts

HOUR = 3600
STOPPED = Fate.PREEMPTED
TREE = "prod: {guaranteed: {vcore: 2}}\nbatch: {}"


def one_stop(*, placed: float | None = 1810, restarts: Restarts | None = None, until: float = HOUR) -> Happened:
    """batch runs from 0 with 2 cores and is stopped after half an hour for prod."""
    run = Happened(TREE, until=until, restarts=restarts).node("n1", vcore=2)
    run.job("b", "root.batch", user="ben", vcore=2).job("p", "root.prod", user="pia", vcore=2)
    wants = run.attempt("p", arrives=1000, starts=placed)
    run.attempt("b", arrives=0, starts=0, ends=1800, fate=STOPPED, stopped_for=wants)
    return run


def test_a_stop_counts_for_whom_it_hits_and_for_whom_it_helps():
    table = one_stop().table()
    assert [table["preempted", scope] for scope in ("cluster", "root.batch", "root.prod")] == [1, 1, 0]
    assert [table["preempted.by", scope] for scope in ("cluster", "root.batch", "root.prod")] == [1, 0, 1]
    assert (table["preempted.for_others"], table["preempted.for_quota"]) == (1, 0)
    assert table.show("preempted") == "1 task"


def test_the_table_tells_who_was_stopped_for_whom():
    run = one_stop()
    run.job("c", "root.batch", vcore=1, count=2)
    for number in range(2):
        run.attempt("c", arrives=0, starts=0, ends=HOUR, fate=STOPPED, number=number)
    rows = who_for_whom(run.table().reading)
    assert rows.columns == ("stopped", "for", "times", "lost vcore-hours")
    assert list(rows) == [("root.batch", "a quota", 2, 2.0), ("root.batch", "root.prod", 1, 1.0)]
    assert list(who_for_whom(run.table().reading, "user"))[1] == ("ben", "pia", 1, 1.0)


def test_all_work_is_lost_where_a_task_starts_anew():
    run = one_stop()
    run.attempt("b", arrives=1805, restart=1)
    assert run.table()["lost.vcore"] == 1
    assert run.table()["lost.vcore", "root.prod"] == 0


@pytest.mark.parametrize(
    ("how", "lost_s"), [("from_start", 1800), ("keeps", 0), ("checkpoint", 300)], ids=["from the start", "keeps", "checkpoint"]
)
def test_what_will_be_kept_is_known_before_the_task_is_back(how, lost_s):
    restarts = Restarts(how=how, checkpoint_ms=500_000, comes_back_after_ms=5000)
    assert one_stop(restarts=restarts, until=1804).table()["lost.vcore"] == 2 * lost_s / HOUR


def test_what_an_earlier_attempt_did_is_lost_if_it_is_not_kept_in_the_end():
    run = Happened(until=HOUR).job("x", vcore=1).node("n1", vcore=1)
    run.attempt("x", arrives=0, starts=0, ends=600, fate=STOPPED)
    run.attempt("x", arrives=610, starts=700, ends=1000, fate=STOPPED, restart=1, kept=500)
    table = run.table()
    assert table["lost.vcore"] == pytest.approx((100 + 300 + 500) / HOUR), "it does not come back: all is lost"
    assert table["storm"] == 1
    assert run.table()["lost_with_nodes.vcore"] == 0


def test_work_lost_with_a_node_is_told_apart():
    run = Happened(until=HOUR).job("x", vcore=4).node("n1", vcore=4)
    run.attempt("x", arrives=0, starts=0, ends=900, fate=Fate.NODE_LOST)
    run.attempt("x", arrives=905, starts=905, restart=1)
    table = run.table()
    assert (table["lost_with_nodes.vcore"], table["lost.vcore"], table["preempted"]) == (1, 0, 0)


def test_a_placeholder_that_is_stopped_loses_no_work_and_is_no_storm():
    run = Happened(until=HOUR).job("g", count=1, gang=True)
    run.attempt("g", arrives=0, starts=0, ends=10, placeholder=True, fate=STOPPED)
    run.attempt("g", arrives=15, starts=20, ends=30, placeholder=True, restart=1, fate=STOPPED)
    table = run.table()
    assert (table["preempted"], table["lost.vcore"], table["storm"]) == (2, 0, 0)


@pytest.mark.parametrize(("placed", "vain"), [(1810, 0), (None, 1), (1700, 1)], ids=["placed", "never", "only before"])
def test_a_stop_is_in_vain_if_the_request_is_not_placed_after_it(placed, vain):
    assert one_stop(placed=placed).table()["preempted_in_vain", "root.batch"] == vain


def test_a_stop_is_in_vain_if_the_queue_stays_short_of_its_guarantee():
    short = Happened("prod: {guaranteed: {vcore: 4}}\nbatch: {}", until=HOUR).node("n1", vcore=2)
    short.job("b", "root.batch", vcore=2).job("p", "root.prod", vcore=2, count=2)
    wants = short.attempt("p", arrives=1000, starts=1810)
    short.attempt("p", arrives=1000, number=1)
    short.attempt("b", arrives=0, starts=0, ends=1800, fate=STOPPED, stopped_for=wants)
    assert short.table()["preempted_in_vain"] == 1


def test_a_stop_for_a_quota_is_not_in_vain():
    run = Happened("a: {}", until=100).job("x")
    run.attempt("x", arrives=0, starts=0, ends=10, fate=STOPPED)
    table = run.table()
    assert (table["preempted.for_quota"], table["preempted_in_vain"]) == (1, 0)


def test_stops_of_the_warm_up_do_not_count():
    run = Happened("a: {}", until=100, warm_up=50).job("x", count=2)
    run.attempt("x", arrives=0, starts=0, ends=49, fate=STOPPED)
    run.attempt("x", arrives=0, starts=0, ends=50, fate=STOPPED, number=1)
    assert run.table()["preempted"] == 1

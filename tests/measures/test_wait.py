"""M-1: from an ask's arrival to its placement."""

from __future__ import annotations

import pytest
from happened import Happened

from workbench.runs.record import Fate, JobState
from workbench.values.errors import CommandError


def three_waits() -> Happened:
    run = Happened("a: {}\nb: {}", until=100).node("n1", vcore=4)
    run.job("x", "root.a", user="anna", groups=("physics", "all"), kind="training", count=2).job("y", "root.b", user="ben")
    run.attempt("x", arrives=0, starts=10, ends=20)
    run.attempt("x", arrives=0, starts=30, ends=40, number=1)
    run.attempt("y", arrives=20, starts=20, ends=50)
    return run


@pytest.mark.parametrize(
    ("scope", "mean", "longest"),
    [
        ("cluster", 40 / 3, 30),
        ("root", 40 / 3, 30),
        ("root.a", 20, 30),
        ("ROOT.A", 20, 30),
        ("root.b", 0, 0),
        ("user:anna", 20, 30),
        ("group:physics", 20, 30),
        ("group:", 0, 0),
        ("class:training", 20, 30),
        ("class:", 0, 0),
        ("job:y", 0, 0),
    ],
)
def test_a_wait_lasts_from_arrival_to_placement_in_every_scope_of_its_job(scope, mean, longest):
    table = three_waits().table()
    assert table["wait.mean", scope] == pytest.approx(mean)
    assert table["wait.max", scope] == longest


def test_a_percentile_is_the_smallest_wait_that_so_many_do_not_exceed():
    run = Happened(until=1000).job("x", count=100)
    for number in range(100):
        run.attempt("x", arrives=0, starts=number + 1, ends=500, number=number)
    table = run.table()
    assert [table[f"wait.{name}"] for name in ("p50", "p90", "p95", "p99", "max")] == [50, 90, 95, 99, 100]


def test_who_never_ran_is_counted_apart_and_waits_until_the_end():
    run = Happened(until=100).job("x", count=3)
    run.attempt("x", arrives=0, starts=10)
    run.attempt("x", arrives=20, number=1)
    run.attempt("x", arrives=30, ends=50, number=2)
    table = run.table()
    assert table["wait.never"] == 2
    assert table["wait.max"] == 80
    assert table["wait.mean"] == pytest.approx((10 + 80 + 20) / 3)


def test_what_was_refused_did_not_wait():
    run = Happened(until=100).job("x", "", state=JobState.REJECTED)
    run.attempt("x", arrives=0, ends=0, fate=Fate.REJECTED)
    assert run.table()["wait.mean"] is None
    assert run.table()["wait.never"] is None
    assert run.table().show("wait.never") == "nobody asked"


def test_a_restart_counts_anew_and_in_total():
    run = Happened(until=100).job("x", count=2)
    run.attempt("x", arrives=0, starts=10, ends=20, fate=Fate.PREEMPTED)
    run.attempt("x", arrives=0, starts=5, ends=60, number=1)
    run.attempt("x", arrives=25, starts=65, ends=90, restart=1)
    table = run.table()
    assert (table["requests"], table["wait.max"], table["wait.mean"]) == (3, 40, pytest.approx(55 / 3))
    assert (table["wait.total.max"], table["wait.total.mean"]) == (50, 27.5)


def gang(**last) -> Happened:
    run = Happened(until=100).job("g", count=2, gang=True)
    run.attempt("g", arrives=0, starts=10, ends=30, placeholder=True, fate=Fate.REPLACED)
    run.attempt("g", arrives=0, starts=29, ends=40, placeholder=True, number=1, fate=Fate.REPLACED)
    run.attempt("g", arrives=29, starts=30, ends=60)
    run.attempt("g", arrives=29, number=1, **last)
    return run


def test_a_gang_waits_once_until_its_last_task_runs():
    table = gang(starts=40, ends=60).table()
    assert (table["requests"], table["wait.mean"], table["wait.never"]) == (1, 40, 0)


def test_a_gang_that_lacks_a_task_never_ran():
    table = gang().table()
    assert (table["requests"], table["wait.mean"], table["wait.never"]) == (1, 100, 1)


def test_a_gang_that_failed_waited_until_its_job_ended():
    run = Happened(until=100).job("g", count=2, gang=True, ends=50, state=JobState.FAILED)
    run.attempt("g", arrives=5, starts=10, ends=50, placeholder=True, fate=Fate.TIMED_OUT)
    run.attempt("g", arrives=5, ends=50, placeholder=True, number=1, fate=Fate.TIMED_OUT)
    table = run.table()
    assert (table["wait.mean"], table["wait.never"]) == (45, 1)


def test_a_task_of_a_gang_that_comes_back_waits_for_itself_and_adds_to_the_total_of_the_gang():
    run = gang(starts=40, ends=50, fate=Fate.NODE_LOST)
    run.attempt("g", arrives=55, starts=58, ends=80, number=1, restart=1)
    table = run.table()
    assert (table["requests"], table["wait.max"], table["wait.mean"]) == (2, 40, 21.5)
    assert (table["wait.total.mean"], table["wait.total.max"]) == (43, 43)


def test_requests_that_came_during_the_warm_up_do_not_count():
    run = Happened(until=100, warm_up=10).job("x", count=2).job("y")
    run.attempt("x", arrives=9, starts=50, ends=60, fate=Fate.PREEMPTED)
    run.attempt("x", arrives=10, starts=12, ends=60, number=1)
    run.attempt("x", arrives=65, starts=68, ends=90, restart=1)
    table = run.table()
    assert (table["requests"], table["wait.max"]) == (2, 3)
    assert table["wait.total.max"] == 2, "the task whose first request came in the warm-up is left out"
    assert table["wait.mean", "job:y"] is None


@pytest.mark.parametrize(
    ("name", "scope", "told"),
    [
        ("wait.p97", "cluster", "there is no measure 'wait.p97'; did you mean wait.p99"),
        ("wait.mean", "root.c", "there is no queue 'root.c' in this run; did you mean root"),
        ("wait.mean", "user:anne", "did you mean anna"),
        ("wait.mean", "prod", "'prod' is no scope; write cluster, the full path of a queue"),
        ("wait.mean", "job:z", "there is no job 'z'"),
    ],
)
def test_a_name_that_nothing_has_is_told_with_what_is_meant(name, scope, told):
    with pytest.raises(CommandError, match=told.replace("(", r"\(")):
        three_waits().table()[name, scope]


def test_a_configured_queue_without_jobs_has_nothing_to_measure():
    run = Happened("a: {}\nidle: {}", until=10).job("x")
    run.attempt("x", arrives=0, starts=0)
    assert run.table()["wait.mean", "root.idle"] is None


def test_own_waits_of_a_scope_can_be_had_one_by_one():
    from workbench.measures import wait

    table = three_waits().table()
    assert sorted(wait.waits_of(table.reading, table.scope("root.a"))) == [10, 30]

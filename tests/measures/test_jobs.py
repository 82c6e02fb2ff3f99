"""M-2: slowdown, turnaround, makespan, throughput, and how jobs ended."""

from __future__ import annotations

import pytest
from happened import Happened
from scenes import amounts

from workbench.runs.record import Fate, JobState
from workbench.workloads.model import Tasks


def test_the_bounded_slowdown_is_that_of_feitelson_with_ten_seconds():
    run = Happened(until=1000)
    for name, arrives, starts, ends in (("a", 0, 100, 200), ("b", 0, 19, 20), ("c", 10, 11, 12), ("d", 50, 50, 150)):
        run.job(name, at=arrives, lasts=ends - starts)
        run.attempt(name, arrives=arrives, starts=starts, ends=ends)
    table = run.table()
    found = {name: table["slowdown.max", f"job:{name}"] for name in "abcd"}
    assert found == {"a": 2, "b": 2, "c": 1, "d": 1}
    assert (table["slowdown.mean"], table["slowdown.p50"], table["slowdown.p99"]) == (1.5, 1, 2)
    assert table.show("slowdown.mean") == "1.5 times"


def test_the_run_of_a_job_is_its_longest_task_with_the_delay_to_its_start():
    tasks = (
        Tasks(resource=amounts(vcore=1), count=2, duration_ms=(20_000, 40_000)),
        Tasks(resource=amounts(vcore=1), duration_ms=0),
    )
    run = Happened(until=1000, start_delay=10).job("x", tasks=tasks, ends=150, state=JobState.FINISHED)
    assert run.table()["slowdown.mean"] == 3
    assert run.table()["turnaround.mean"] == 150


def test_a_restart_slows_a_job_down():
    run = Happened(until=1000).job("x", lasts=50)
    run.attempt("x", arrives=0, starts=0, ends=45, fate=Fate.PREEMPTED)
    run.attempt("x", arrives=50, starts=50, ends=100, restart=1)
    assert run.table()["slowdown.mean"] == 2


def how_jobs_end() -> Happened:
    run = Happened(until=3600, warm_up=100)
    run.job("early", at=50, lasts=100)
    run.attempt("early", arrives=50, starts=60, ends=160)
    run.job("before", at=10, lasts=20)
    run.attempt("before", arrives=10, starts=20, ends=40)
    run.job("done", at=100, lasts=100)
    run.attempt("done", arrives=100, starts=200, ends=300)
    run.job("waits", at=1000)
    run.attempt("waits", arrives=1000)
    run.job("runs", at=200)
    run.attempt("runs", arrives=200, starts=300)
    run.job("fails", at=200, ends=400, state=JobState.FAILED)
    run.job("refused", "", at=200, state=JobState.REJECTED)
    return run


def test_jobs_are_counted_by_how_they_ended_if_they_arrived_after_the_warm_up():
    table = how_jobs_end().table()
    names = ("submitted", "finished", "unfinished", "never_ran", "failed", "rejected")
    assert {name: table[f"jobs.{name}"] for name in names} == {
        "submitted": 5,
        "finished": 1,
        "unfinished": 2,
        "never_ran": 1,
        "failed": 1,
        "rejected": 1,
    }
    assert table["jobs.rejected", "root.a"] == 0, "no queue took it"


def test_turnaround_is_of_those_that_finished_and_throughput_of_all_that_did_so_after_the_warm_up():
    table = how_jobs_end().table()
    assert table["turnaround.max"] == 200
    assert table["throughput"] == pytest.approx(2 * 3600 / 3500)
    assert table.show("throughput") == "2.06 jobs per hour"


def test_the_makespan_goes_to_the_last_end_or_to_the_end_of_the_run():
    table = how_jobs_end().table()
    assert table["makespan"] == 3500
    assert table["makespan", "job:done"] == 200
    assert table["makespan", "job:early"] is None
    assert table["makespan", "job:refused"] is None


def test_nothing_that_finished_is_told():
    run = Happened(until=10).job("x")
    run.attempt("x", arrives=0)
    assert run.table()["slowdown.mean"] is None
    assert run.table().show("turnaround.mean") == "no jobs finished"

"""What the report promises is what a workload then meets: converted queues are played. Chapter 13."""

from __future__ import annotations

from collections import Counter

from small_runs import job, times
from yarn_files import imported, line_about

from workbench.runs import Run, simulate
from workbench.workloads import Job, Workload

ALL = {"root.a.user-limit-factor": -1, "root.b.user-limit-factor": -1}
"""Without limits of users."""
TWO = {"root.queues": "a,b", "root.a.capacity": 70, "root.b.capacity": 30}
MONITOR = "yarn.resourcemanager.scheduler.monitor.enable"


def played(tmp_path, properties: dict[str, object], *jobs: Job) -> Run:
    """A run on ten cores."""
    result = imported(tmp_path, properties, "memory=100Gi,vcores=10")
    return simulate(result.scenario.text, Workload(jobs=jobs), nodes="1 x vcore=10,memory=100Gi", until="1h")


def running(run: Run, at: str) -> dict[str, int]:
    """Tasks that run at an instant, by application, each of one core."""
    applications = run.at(at).state.partitions["default"].applications
    return {id: len(app.allocations) for id, app in applications.items() if app.allocations}


def test_queues_that_both_want_everything_have_their_shares(tmp_path):
    run = played(tmp_path, TWO | ALL, job("x", 0, 600, queue="root.a", count=10), job("y", 0, 600, queue="root.b", count=10))
    assert running(run, "30s") == {"x": 7, "y": 3}


def test_a_queue_has_what_nobody_else_wants_up_to_its_maximum(tmp_path):
    one = job("x", 0, 600, queue="root.a", count=10)
    assert running(played(tmp_path, TWO | ALL, one), "30s") == {"x": 10}
    assert running(played(tmp_path, TWO | ALL | {"root.a.maximum-capacity": 80}, one), "30s") == {"x": 8}


def test_one_user_has_what_the_report_says_and_others_have_more(tmp_path):
    jobs = [job("x", 0, 600, queue="root.a", count=10), job("y", 10, 600, queue="root.a", count=10, user="bob")]
    run = played(tmp_path, TWO, *jobs)
    said = line_about(imported(tmp_path, TWO, "memory=100Gi,vcores=10"), "root.a.user-limit-factor")
    assert "one user has at most vcore 7, memory 70Gi in root.a" in said
    assert running(run, "5s") == {"x": 7}
    assert running(run, "30s") == {"x": 7, "y": 3}


def test_no_more_applications_run_at_once_than_is_said(tmp_path):
    jobs = [job(name, 0, 60, queue="root.a") for name in ("x", "y", "z")]
    run = played(tmp_path, TWO | {"root.a.max-parallel-apps": 2}, *jobs)
    assert Counter(running(run, "30s")) == {"x": 1, "y": 1}
    assert times(run)["z"][1] >= 60


def test_applications_in_order_and_in_fair_shares(tmp_path):
    jobs = [job("x", 0, 600, queue="root.a", count=10), job("y", 0, 600, queue="root.a", count=10)]
    assert running(played(tmp_path, TWO | ALL | {"root.a.ordering-policy": "fifo"}, *jobs), "30s") == {"x": 10}
    assert running(played(tmp_path, TWO | ALL | {"root.a.ordering-policy": "fair"}, *jobs), "30s") == {"x": 5, "y": 5}


LATE = [job("y", 0, 1800, queue="root.b", count=10), job("x", 60, 600, queue="root.a", count=7)]


def test_who_is_guaranteed_more_gets_it_by_preemption_only_where_the_monitor_is_on(tmp_path):
    assert running(played(tmp_path, TWO | ALL, *LATE), "10m") == {"y": 10}
    assert running(played(tmp_path, TWO | ALL | {MONITOR: "true"}, *LATE), "10m") == {"y": 3, "x": 7}


def test_nobody_is_stopped_in_a_queue_that_is_kept_from_it(tmp_path):
    assert running(played(tmp_path, TWO | ALL | {MONITOR: "true", "root.b.disable_preemption": "true"}, *LATE), "10m") == {"y": 10}


def test_the_queue_with_the_higher_priority_is_served_first(tmp_path):
    jobs = [job("x", 0, 600, queue="root.a", count=10), job("y", 0, 600, queue="root.b", count=10)]
    by_priority = {"root.ordering-policy": "priority-utilization", "root.b.priority": 5}
    assert running(played(tmp_path, TWO | ALL | by_priority, *jobs), "30s") == {"y": 10}


def test_people_who_name_no_queue_go_where_the_mappings_send_them(tmp_path):
    mapped = {"root.queues": "a,b,default", "root.default.capacity": 0, "queue-mappings": "u:ann:a,g:ops:root.b"}
    jobs = [
        job("x", 0, 60, queue=""),
        job("y", 0, 60, queue="", user="bob", groups=("ops",)),
        job("z", 0, 60, queue="", user="eve", groups=("dev",)),
        job("w", 0, 60, queue="root.b"),
    ]
    run = played(tmp_path, TWO | mapped, *jobs)
    assert {row.job: row.queue for row in run.jobs} == {"x": "root.a", "y": "root.b", "z": "root.default", "w": "root.b"}


def test_queues_are_made_for_users_below_the_queue_that_allows_it(tmp_path):
    made = {
        "root.a.auto-create-child-queue.enabled": "true",
        "root.a.leaf-queue-template.maximum-capacity": 20,
        "queue-mappings": "u:%user:a.%user",
    }
    run = played(tmp_path, TWO | made, job("x", 0, 600, queue="", count=10), job("y", 0, 600, queue="", user="bob", count=10))
    assert {row.job: row.queue for row in run.jobs} == {"x": "root.a.ann", "y": "root.a.bob"}
    assert running(run, "30s") == {"x": 2, "y": 2}

"""What runs and waits on a cluster now, as a workload, from objects of Kubernetes and from a scheduler's answers. WL-13."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.cli import main
from workbench.values.errors import WorkloadError
from workbench.workloads import Workload, read
from workbench.workloads.checks import check_workload
from workbench.workloads.sources.registry import recognised

ANSWERS = Path(__file__).parents[1] / "importers" / "rest"
NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "worker-1"},
    "status": {"allocatable": {"cpu": "8", "pods": "110"}},
}


def pod(
    name: str, *, app: str = "etl", on: str = "", began: str = "", ended: str = "", cpu: str = "1", **spec: Any
) -> dict[str, Any]:
    """A pod; with `on` it runs there, with `ended` it does no more. Times are of one day."""
    at = {"nodeName": on} if on else {}
    status: dict[str, Any] = {"phase": "Succeeded" if ended else "Running" if on else "Pending"}
    if began:
        status["startTime"] = f"2026-01-02T{began}Z"
    if ended:
        state = {"startedAt": f"2026-01-02T{began}Z", "finishedAt": f"2026-01-02T{ended}Z"}
        status["containerStatuses"] = [{"name": "c", "state": {"terminated": state}}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "team-a", "labels": {"applicationId": app, "queue": "root.a"}},
        "spec": {"schedulerName": "yunikorn", "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}], **at, **spec},
        "status": status,
    }


def dump(folder: Path, *items: dict[str, Any]) -> Path:
    (folder / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [NODE, *items]}))
    return folder / "cluster.json"


def read_dump(folder: Path, *items: dict[str, Any]) -> Workload:
    made = read(dump(folder, *items))
    assert isinstance(made, Workload)
    check_workload(made)
    return made


def durations(workload: Workload, id: str) -> list[int | None]:
    """Seconds of each task of a job."""
    (job,) = (each for each in workload.jobs if each.id == id)
    found = [tasks.duration_of(number) for tasks in job.tasks for number in range(tasks.count)]
    return [ms if ms is None else ms // 1000 for ms in found]


def test_what_runs_arrives_at_once_and_what_waits_a_second_later(tmp_path):
    made = read_dump(tmp_path, pod("r1", on="worker-1"), pod("r2", on="worker-1"), pod("w1"), pod("x", app="web"))
    assert [(job.id, job.submit_ms, job.size, job.queue) for job in made.jobs] == [
        ("etl", 0, 2, "root.a"),
        ("etl.2", 1000, 1, "root.a"),
        ("web", 1000, 1, "root.a"),
    ]


def test_nodes_keep_their_names_without_what_others_occupy(tmp_path):
    other = pod("other", on="worker-1", cpu="3")
    other["spec"]["schedulerName"] = "default-scheduler"
    (event,) = read_dump(tmp_path, other).node_events
    assert (event.node_id, event.happens, event.capacity["vcore"]) == ("worker-1", "added", 5000)


def test_pods_that_ended_say_how_long_the_others_run(tmp_path):
    ended = [pod(f"e{number}", began="08:00:00", ended=f"08:00:{number}0") for number in range(1, 5)]
    made = read_dump(tmp_path, *ended, pod("w1"), pod("w2"))
    assert durations(made, "etl") == [20, 40]
    assert "How long it runs is taken from 4 pods that ended." in made.notes


def test_one_that_runs_already_runs_as_much_longer_as_those_that_were_longer(tmp_path):
    ended = [pod("short", began="08:00:00", ended="08:00:10"), pod("long", began="08:00:00", ended="08:01:40")]
    assert durations(read_dump(tmp_path, *ended, pod("r1", on="worker-1", began="08:01:20")), "etl") == [80]


def test_those_of_the_application_count_before_those_of_the_namespace_and_these_before_all(tmp_path):
    ended = [pod("e1", began="08:00:00", ended="08:00:10"), pod("e2", app="web", began="08:00:00", ended="08:01:40")]
    made = read_dump(tmp_path, *ended, pod("w1"), pod("w2", app="web"), pod("w3", app="new"))
    assert (durations(made, "etl"), durations(made, "web"), durations(made, "new")) == ([10], [100], [100])


def test_without_pods_that_ended_nothing_ends_and_that_is_told(tmp_path):
    made = read_dump(tmp_path, pod("w1"))
    assert durations(made, "etl") == [None]
    assert "How long it runs is not told, so that nothing of it ends." in made.notes


def test_a_pod_that_ended_at_no_time_is_counted(tmp_path):
    broken = pod("e1", began="08:00:00", ended="08:00:10")
    broken["status"]["containerStatuses"][0]["state"]["terminated"]["finishedAt"] = "later"
    made = read_dump(tmp_path, broken, pod("w1"))
    assert "Of 1 pods that ended it is not told from when to when they ran." in made.notes


def test_constraints_priority_and_who_may_be_stopped_come_along(tmp_path):
    made = read_dump(tmp_path, pod("w1", nodeSelector={"gpu": "yes"}, priority=7, preemptionPolicy="Never"))
    (tasks,) = made.jobs[0].tasks
    assert tasks.priority == 7 and not tasks.may_preempt
    assert tasks.allowed_nodes is not None or tasks.node_selector


def test_the_notes_of_the_import_are_there(tmp_path):
    other = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}
    assert any("Service" in each for each in read_dump(tmp_path, other, pod("w1")).notes)


def test_saved_answers_of_a_scheduler_are_one_too():
    assert recognised(ANSWERS) == "answers"
    made = read(ANSWERS)
    check_workload(made)
    assert [(job.id, job.submit_ms, job.size) for job in made.jobs] == [("web", 0, 2), ("batch", 0, 1), ("batch.2", 1000, 3)]
    assert [event.happens for event in made.node_events] == ["added", "added", "drained"]


def test_a_gang_that_waits_is_its_placeholders_and_of_one_that_runs_they_are_left_out(tmp_path):
    groups = json.dumps([{"name": "workers", "minMember": 2, "minResource": {"cpu": "1"}}])
    member = pod("driver")
    member["metadata"]["annotations"] = {
        "yunikorn.apache.org/task-groups": groups,
        "yunikorn.apache.org/task-group-name": "workers",
    }
    made = read_dump(tmp_path, member)
    assert sum(job.size for job in made.jobs) == 1
    assert any("placeholders of gangs" in each for each in made.notes)


def test_it_is_described_and_played_like_any_workload(tmp_path, capsys):
    path = dump(tmp_path, pod("e", began="08:00:00", ended="08:00:10"), pod("r1", on="worker-1"), pod("w1"))
    design = tmp_path / "queues.yaml"
    design.write_text("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]")
    assert main(["workload", "describe", str(path)]) == 0
    assert main(["simulate", str(design), "--workload", str(path)]) == 0
    assert "2 jobs" in capsys.readouterr().out
    run = wb.simulate(design, read(path))
    assert {row.job: row.state for row in run.jobs} == {"etl": "finished", "etl.2": "finished"}


def test_only_the_first_jobs_are_taken_when_that_is_wished(tmp_path):
    made = read(dump(tmp_path, pod("a", app="a"), pod("b", app="b")), first=1)
    assert [job.id for job in made.jobs] == ["a"] and "Only the first 1 of 2 jobs." in made.notes


def test_what_cannot_be_read_is_told_with_its_place(tmp_path):
    broken = pod("w1")
    broken["spec"]["containers"] = 5
    with pytest.raises(WorkloadError, match="cluster.json"):
        read(dump(tmp_path, broken))

"""Events and applications of a scheduler, saved in a folder; and what our own server tells, recorded again. WL-12."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from live_scheduler import application, new, ran
from small_runs import FLAT, job

import workbench as wb
from workbench.cli import main
from workbench.importers.rest import load_answers
from workbench.importers.rest_answers import asked
from workbench.importers.rest_client import RestError
from workbench.rest.answers import answer
from workbench.rest.source import Source
from workbench.simulation import Simulation
from workbench.values.errors import WorkloadError
from workbench.workloads import Workload, read
from workbench.workloads.recording.follow import Following
from workbench.workloads.recording.made import workload_of
from workbench.workloads.sources.registry import recognised

EVENTS = [*new(0, "web"), *ran(2, 12, "web", "w1", asked_s=0), *new(5, "etl"), *ran(7, 37, "etl", "e1", asked_s=5)]
APPLICATIONS = [application("web"), application("etl", user="bob")]


def saved(folder: Path, **files: Any) -> Path:
    for name, value in {"events": {"EventRecords": EVENTS, "LowestID": 0}, "applications": APPLICATIONS, **files}.items():
        text = value if isinstance(value, str) else json.dumps(value)
        (folder / f"{name}.json").write_text(text)
    return folder


def found(workload: Workload) -> list[tuple[str, str, int, int | None]]:
    return [(job.id, job.user, job.submit_ms, job.tasks[0].duration_of(0)) for job in workload.jobs]


EXPECTED = [("web", "ann", 0, 10_000), ("etl", "bob", 5000, 30_000)]


def test_a_folder_of_batches_is_a_workload(tmp_path):
    folder = saved(tmp_path, nodes=[{"nodeID": "n1", "capacity": {"vcore": 4000}}])
    assert recognised(folder) == "yunikorn"
    made = read(folder)
    assert found(made) == EXPECTED and [pool.count for pool in made.pools] == [1]


def test_lines_of_the_stream_are_as_good(tmp_path):
    lines = [{"InstanceUUID": "one"}, *EVENTS]
    assert found(read(saved(tmp_path, events="\n".join(map(json.dumps, lines)) + "\n"))) == EXPECTED


def test_batches_that_overlap_count_once_and_applications_may_be_in_several_files(tmp_path):
    files = {
        "events-2": {"EventRecords": EVENTS[3:]},
        "applications-completed": [APPLICATIONS[1]],
        "applications": [APPLICATIONS[0]],
    }
    assert found(read(saved(tmp_path, **files))) == EXPECTED


def test_what_is_no_event_is_an_error_with_the_file_or_left_out_and_counted(tmp_path):
    folder = saved(tmp_path, events={"EventRecords": [*EVENTS, {"type": "x"}]})
    with pytest.raises(WorkloadError, match=r"events.json: type is 'x'"):
        read(folder)
    made = read(folder, keep_going=True)
    assert found(made) == EXPECTED and any(each.startswith("1 entry could not be read") for each in made.notes)


def test_what_is_no_json_is_an_error_with_the_line(tmp_path):
    with pytest.raises(WorkloadError, match=r"events.json:line 2: not valid JSON"):
        read(saved(tmp_path, events='{"type": 2}\n{'))


def test_only_the_first_jobs_are_taken_when_that_is_wished(tmp_path):
    made = read(saved(tmp_path), first=1)
    assert found(made) == EXPECTED[:1] and "Only the first 1 of 2 jobs." in made.notes


def test_it_is_described_like_any_workload(tmp_path, capsys):
    assert main(["workload", "describe", str(saved(tmp_path))]) == 0
    assert "2 jobs" in capsys.readouterr().out


# ---- what our own server tells ------------------------------------------------------------------------------------------


class Asked:
    """A client of the interface of a simulated cluster."""

    base = "http://simulated"

    def __init__(self, simulation: Simulation):
        self.source = Source.of(simulation)

    def get(self, path: str) -> bytes:
        found = answer(self.source, "GET", f"/ws/v1{path}")
        if found.status != 200:
            raise RestError(f"{path}: the scheduler answers {found.status}", status=found.status)
        return found.body


JOBS = (job("web", 0, 40, count=2), job("etl", 5, 30, user="bob", queue="root.b", vcore=2), job("late", 60, 20, count=3))


def simulated(until: str) -> Simulation:
    """The workload, played until then, as a simulation that keeps its history."""
    run = wb.simulate(FLAT, Workload(jobs=JOBS), nodes="2 x vcore=4,memory=8Gi")
    return run.at(until)


def test_a_simulated_cluster_that_is_recorded_gives_the_workload_back():
    waited: list[float] = []
    following = Following(Asked(simulated("5m")), waited.append, lambda: bool(waited), past=True)
    made = workload_of(following.run())
    assert [(each.id, each.user, each.queue, each.size) for each in made.jobs] == [
        ("web", "ann", "root.a", 2),
        ("etl", "bob", "root.b", 1),
        ("late", "ann", "root.a", 3),
    ]
    for original, again in zip(JOBS, made.jobs):
        assert abs(again.submit_ms - made.jobs[0].submit_ms - original.submit_ms) <= 100
        assert all(
            abs((tasks.duration_of(number) or 0) - (original.tasks[0].duration_ms or 0)) <= 100
            for tasks in again.tasks
            for number in range(tasks.count)
        )


@pytest.mark.parametrize("until", ["3s", "10s", "50s", "65s", "5m"])
def test_a_simulated_cluster_that_is_imported_stands_as_it_stood(until):
    there = simulated(until)
    dump = load_answers(asked(Asked(there)))
    here = Simulation.from_scenario(dump.scenario)
    old, new_one = there.state.partitions["default"], here.state.partitions["default"]
    assert {id: dict(node.allocated.items()) for id, node in old.nodes.items()} == {
        id: dict(node.allocated.items()) for id, node in new_one.nodes.items()
    }
    live = {id: app for id, app in old.applications.items() if app.allocations or app.asks}
    assert {id: set(app.allocations) for id, app in live.items()} == {
        id: set(app.allocations) for id, app in new_one.applications.items()
    }
    assert {item.ask.key for item in there.waiting()} == {item.ask.key for item in here.waiting()}

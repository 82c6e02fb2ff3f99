"""`workbench simulate`: the contract that scripts rely on. Rules WL-1 to WL-7, M-9."""

from __future__ import annotations

import csv
import json
import signal

import pytest
from cli.process import done

from workbench.cli import main
from workbench.simulation import Simulation
from workbench.simulation.scenario import load_scenario

DESIGN = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: a}, {name: b}]
"""
WORKLOAD = """
workload:
  jobs:
    - {id: first, submit: 0s, duration: 100s, user: ann, queue: root.a, class: etl, resources: {vcore: 1}}
    - {id: second, submit: 10s, duration: 50s, user: ben, queue: root.b, resources: {vcore: 1}}
    - {id: large, submit: 20s, duration: 1s, user: ben, queue: root.b, resources: {vcore: 9}}
    - {id: lost, submit: 30s, duration: 1s, user: ann, queue: root.c, resources: {vcore: 1}}
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "queues.yaml").write_text(DESIGN, encoding="utf-8")
    (tmp_path / "week.yaml").write_text(WORKLOAD, encoding="utf-8")
    return tmp_path


def simulated(files, *more):
    return main(["simulate", str(files / "queues.yaml"), "--workload", str(files / "week.yaml"), "--nodes", "1 x vcore=1", *more])


def test_the_table_of_jobs_has_a_row_for_each_job(files):
    """Times in seconds since the workload's zero, empty where it never came to that."""
    assert simulated(files, "--csv", str(files / "jobs.csv")) == 0
    with (files / "jobs.csv").open(newline="", encoding="utf-8") as table:
        heads, *rows = csv.reader(table)
    assert heads == ["job", "user", "queue", "class", "submit_s", "start_s", "end_s", "wait_s", "restarts", "state"]
    assert rows == [
        ["first", "ann", "root.a", "etl", "0", "0", "100", "0", "0", "finished"],
        ["second", "ben", "root.b", "", "10", "100", "150", "90", "0", "finished"],
        ["large", "ben", "root.b", "", "20", "", "", "", "0", "waiting"],
        ["lost", "ann", "root.c", "", "30", "", "30", "", "0", "rejected"],
    ]


def test_json_has_measures_and_jobs(files):
    assert simulated(files, "--json", str(files / "run.json")) == 0
    told = json.loads((files / "run.json").read_text(encoding="utf-8"))
    assert told["measures"]["root.b"]["wait.never"] == 1
    assert told["jobs"][1] | {"wait_s": 90, "state": "finished"} == told["jobs"][1]


def test_the_page_needs_no_network_and_escapes_names(files):
    text = WORKLOAD.replace("user: ann", "user: '<b>ann</b>'")
    (files / "week.yaml").write_text(text, encoding="utf-8")
    assert simulated(files, "--html", str(files / "run.html")) == 0
    page = (files / "run.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;ann" in page and "<b>ann" not in page and 'content="default-src' in page


def test_the_scenario_is_in_the_recorded_form_and_decides_the_same(files):
    """WL-6."""
    assert simulated(files, "--scenario", str(files / "run.json")) == 0
    raw = json.loads((files / "run.json").read_text(encoding="utf-8"))
    assert set(raw) <= {"name", "description", "config", "confirm_releases", "engine", "events"}
    simulation = Simulation.from_scenario(load_scenario(files / "run.json"))
    while not simulation.done:
        simulation.step()
    assert [step.decision.key for step in simulation.steps if step.decision.outcome == "allocated"] == ["first:0", "second:0"]


def test_what_came_of_it_is_told_in_a_sentence_and_a_table(files, capsys):
    assert simulated(files) == 0
    told = capsys.readouterr().out
    assert "2 of 4 jobs finished" in told and "1 waiting" in told and "1 rejected" in told and "root.b" in told


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--nodes", "some"], "some"),
        (["--until", "tomorrow"], "tomorrow"),
        (["--until=-5m"], "-5m"),
        (["--rate", "0"], "rate"),
        (["--csv", "nowhere/jobs.csv"], "nowhere"),
    ],
)
def test_a_slip_is_told_before_anything_is_played(files, capsys, more, named):
    assert simulated(files, *more) == 2
    assert named in capsys.readouterr().err


def test_who_stops_it_keeps_what_was_done(files):
    """Ctrl-C ends it early, writes what there is, and says so; the exit code is that of an interrupt."""
    jobs = "".join(
        f"    - {{submit: {number}s, duration: 2s, queue: root.a, resources: {{vcore: 1}}}}\n" for number in range(2_000)
    )
    (files / "week.yaml").write_text(f"workload:\n  jobs:\n{jobs}", encoding="utf-8")
    code, output, errors = done(files, python=("-c", INTERRUPTED))
    assert code == 128 + signal.SIGINT, errors
    assert "stopped at" in output
    assert "finished" in (files / "jobs.csv").read_text(encoding="utf-8")


INTERRUPTED = """
import os, signal, sys
from workbench.cli import main
from workbench.runs import player
rest, count = player.Player._rest, 0
def rested(self):
    global count
    count += 1
    if count == 100:
        os.kill(os.getpid(), signal.SIGINT)
    rest(self)
player.Player._rest = rested
folder = sys.argv[1]
paths = [f"{folder}/queues.yaml", "--workload", f"{folder}/week.yaml"]
sys.exit(main(["simulate", *paths, "--nodes", "1 x vcore=1", "--csv", f"{folder}/jobs.csv"]))
"""

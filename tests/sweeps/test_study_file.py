"""Study files, and the command that runs them."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest
from cli.process import started
from sweep_plans import DESIGN

from workbench.cli import main
from workbench.sweeps import Between, Goal, Grid, Listed, Sample
from workbench.sweeps.store import StudyFile
from workbench.sweeps.study_file import load_study
from workbench.values.errors import ScenarioError, WorkbenchError

STUDY = """\
design: queues.yaml
workload:
  jobs:
    - {submit: 0s, repeat: 10, every: 2s, duration: 20s, queue: root.prod, user: ann, count: 4, resources: {vcore: "1"}}
    - {submit: 1s, repeat: 10, every: 2s, duration: 20s, queue: root.batch, user: bob, count: 4, resources: {vcore: "1"}}
nodes: 3 x vcore=4
seeds: 2
settings:
  root.prod:priority.offset: [0, 100]
  root.batch:resources.max.vcore: [4, 8]
goals:
  - {measure: wait.p95, of: root.prod, at_most: 5m}
  - {measure: wait.p95, of: root.batch}
"""


@pytest.fixture
def study(tmp_path):
    (tmp_path / "queues.yaml").write_text(DESIGN)
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path / "study.yaml"


def changed(study: Path, *changes: tuple[str, str]) -> Path:
    text = study.read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    study.write_text(text)
    return study


def test_a_study_has_what_a_sweep_takes(study):
    found = load_study(study)
    assert isinstance(found.settings, Grid) and len(found.settings) == 4
    assert found.more["goals"] == [Goal("wait.p95", "root.prod", at_most="5m"), Goal("wait.p95", "root.batch")]
    assert (found.more["seeds"], found.more["nodes"]) == (2, "3 x vcore=4")


def test_settings_may_be_a_list_of_combinations(study):
    text = study.read_text()
    start, end = text.index("settings:"), text.index("goals:")
    study.write_text(text[:start] + "settings: [{root.prod:priority.offset: 5}, {nodes: 1 x vcore=4}]\n" + text[end:])
    found = load_study(study)
    assert isinstance(found.settings, Listed)
    assert [*found.settings] == [{"root.prod:priority.offset": 5}, {"nodes": "1 x vcore=4"}]


def test_a_sample_may_have_ranges(study):
    changed(study, ("offset: [0, 100]", "offset: {from: 0, to: 100, step: 25}"), ("goals:", "sample: {count: 3, seed: 4}\ngoals:"))
    found = load_study(study).settings
    assert isinstance(found, Sample) and len(found) == 3
    assert found.settings["root.prod:priority.offset"] == Between(0, 100, 25)


def test_a_search_has_trials(study):
    changed(study, ("offset: [0, 100]", "offset: {from: 0, to: 100}"), ("goals:", "search: {trials: 3, seed: 4}\ngoals:"))
    found = load_study(study)
    assert found.searching == {"trials": 3, "search_seed": 4}
    assert len(found.run(executor="serial")) <= 3


def test_names_of_files_are_relative_to_the_study(study, tmp_path, monkeypatch):
    workload = study.read_text().partition("workload:")[2].partition("nodes:")[0]
    (tmp_path / "monday.yaml").write_text(f"workload:{workload}")
    changed(study, (workload, " monday.yaml\n"))
    monkeypatch.chdir("/")
    assert len(load_study(study).workload.jobs) == 20


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("root.prod:priority.offset", "root.prd:priority.offset", "line 9: settings.root.prd:priority.offset: no queue 'root.prd'"),
        ("priority.offset", "priority.ofset", "line 9: settings.root.prod:priority.ofset: a queue has no setting"),
        ("[0, 100]", "{from: 0, to: 9}", "line 9: settings.root.prod:priority.offset: a range needs a sample or a search"),
        ("[0, 100]", "7", "line 9: settings.root.prod:priority.offset: must be a list, found 7"),
        ("[0, 100]", "[]", "'root.prod:priority.offset' has no values"),
        ("wait.p95, of: root.batch", "wait.p59, of: root.batch", "line 13: goals[1]: there is no measure 'wait.p59'"),
        ("at_most: 5m", "at_most: soon", "line 12: goals[0]: wait.p95: at_most is a duration such as 5m"),
        ("goals:", "goal:", "line 11: unknown key 'goal' (did you mean goals?"),
        ("design: queues.yaml\n", "", "the key design is missing"),
        ("goals:", "sample: 3\nsearch: {}\ngoals:", "line 12: search: a study has a sample or a search, not both"),
        ("goals:", "sample: many\ngoals:", "line 11: sample: must be an integer, found the text 'many'"),
        ("goals:", "measures: [{measure: requests}]\ngoals:", "line 11: measures[0]: a measure is a name, or"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(study, before, after, says):
    with pytest.raises(ScenarioError) as told:
        load_study(changed(study, (before, after)))
    assert says in str(told.value) and "study.yaml" in str(told.value)


@pytest.mark.parametrize(
    "change", [("queues.yaml", "none.yaml"), ("nodes: 3 x vcore=4", "nodes: many"), ("seeds: 2", "seeds: none")]
)
def test_what_else_makes_no_sense_is_told_before_anything_runs(study, tmp_path, change):
    with pytest.raises(WorkbenchError):
        load_study(changed(study, change)).run(file=tmp_path / "s.db", executor="serial")


def test_the_command_prints_the_combinations_and_keeps_the_runs(study, tmp_path, capsys):
    assert main(["sweep", str(study), "--serial", "--csv", str(tmp_path / "rows.csv")]) == 0
    output, errors = capsys.readouterr()
    assert output.startswith("4 combinations with 2 seeds each. Best is root.prod:priority.offset")
    assert errors == ""
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 5
    store = StudyFile(tmp_path / "study.db")
    assert len(store.results()) == 8
    store.close()


def test_a_second_time_nothing_is_run_again(study, capsys):
    main(["sweep", str(study), "--serial"])
    first = capsys.readouterr().out
    main(["sweep", str(study), "--processes", "2", "--progress"])
    output, errors = capsys.readouterr()
    assert output == first
    assert "8 of 8 runs, 8 kept from before" in errors


def test_a_combination_that_fails_makes_the_exit_code_one(study, capsys):
    changed(study, ("[0, 100]", "[0, much]"))
    assert main(["sweep", str(study), "--serial"]) == 1
    assert "2 combinations failed" in capsys.readouterr().out


def test_the_page_has_the_pictures_and_needs_no_network(study, tmp_path):
    main(["sweep", str(study), "--serial", "--html", str(tmp_path / "page.html")])
    page = (tmp_path / "page.html").read_text()
    assert all(title in page for title in ("Trade-offs", "Pictures", "Combinations", "The best design"))
    assert "Content-Security-Policy" in page and "default-src" in page
    assert page.count("The same in numbers") == 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--dask", "nowhere"], "'nowhere' is no address of a Dask scheduler"),
        (["--csv", "no/such/rows.csv"], "cannot write no/such/rows.csv"),
        (["-o", "no/such/study.db"], "there is no such folder"),
    ],
)
def test_arguments_that_cannot_be_are_told(study, capsys, arguments, says):
    assert main(["sweep", str(study), *arguments]) == 2
    assert says in capsys.readouterr().err


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(study, tmp_path):
    changed(study, ("repeat: 10", "repeat: 60"), ("seeds: 2", "seeds: 50"))
    process = started("sweep", study, "--serial", "--progress", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stderr is not None
    seen = b""
    while b"2 of 200 runs" not in seen:
        piece = process.stderr.read1(4096)
        assert piece, seen
        seen += piece
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    kept = re.search(rb"(\d+) of 200 runs are kept in (\S+); 'workbench sweep (\S+)' goes on there", errors)
    assert process.returncode == 130 and kept is not None, errors
    store = StudyFile(tmp_path / "study.db")
    assert len(store.results()) >= int(kept[1]) >= 2
    store.close()

"""`workbench rollout`: read, told, written; and exit codes that scripts can use. RO-1 to RO-3"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from rollout_scenes import Cluster, design

from workbench.cli import main
from workbench.simulation.scenario import scenario_to_yaml

PLAIN = design("a:\nb:")
ANSWERS = Path(__file__).resolve().parents[1] / "importers" / "rest"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "live.yaml").write_text(scenario_to_yaml(Cluster(PLAIN).runs("x", "root.b", 2).scenario))
    (tmp_path / "same.yaml").write_text(PLAIN)
    (tmp_path / "without.yaml").write_text(design("a:"))
    (tmp_path / "more.yaml").write_text(design("a:\nb:\nc:") + "# c is for chemistry\n")
    (tmp_path / "wrong.yaml").write_text(design("a:\na:"))
    return tmp_path


def run(capsys, files, new, *arguments, live="live.yaml"):
    """Exit code, output, errors."""
    code = main(["rollout", str(files / new), "--live", str(files / live), *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.parametrize(
    ("new", "code", "first"),
    [
        ("same.yaml", 0, "Nothing stands against it: nothing changes, it is the file that is in force."),
        ("more.yaml", 0, "Nothing stands against it: 1 change, and nobody is stopped or refused within 10 minutes."),
        ("without.yaml", 1, "An application like x in root.b would be refused from now on."),
        ("wrong.yaml", 1, "The scheduler would refuse it: line 8: duplicate child name found with name 'a', level 1"),
    ],
)
def test_the_exit_code_says_whether_something_stands_against_it(files, capsys, new, code, first):  # RO-2
    found, output, errors = run(capsys, files, new)
    assert (found, errors) == (code, "")
    assert output.splitlines()[0].startswith(first.rstrip("."))


@pytest.mark.parametrize(("new", "live"), [("none.yaml", "live.yaml"), ("same.yaml", "none.yaml"), ("same.yaml", "empty")])
def test_what_cannot_be_read_is_told_in_a_sentence_with_exit_code_2(files, capsys, new, live):
    (files / "empty").mkdir()
    code, output, errors = run(capsys, files, new, live=live)
    assert (code, output) == (2, "")
    assert errors.startswith("workbench: ")
    assert len(errors.splitlines()) == 1


def test_it_writes_a_page_json_and_both_patches_and_nothing_else(files, capsys):
    there = {path.name: path.read_bytes() for path in files.iterdir()}
    targets = {name: files / name for name in ("report.html", "found.json", "patch.yaml", "back.yaml")}
    written = ("-o", targets["report.html"], "--json", targets["found.json"], "--patch", targets["patch.yaml"])
    code, _, _ = run(capsys, files, "more.yaml", *written, "--back", targets["back.yaml"])
    assert code == 0
    assert "<h2>7  How to go back</h2>" in targets["report.html"].read_text("utf-8")
    assert json.loads(targets["found.json"].read_text("utf-8"))["exit_code"] == 0
    assert yaml.safe_load(targets["patch.yaml"].read_text("utf-8")) == {
        "data": {"queues.yaml": (files / "more.yaml").read_text("utf-8")}
    }
    assert yaml.safe_load(targets["back.yaml"].read_text("utf-8")) == {"data": {"queues.yaml": PLAIN}}
    assert {path.name: path.read_bytes() for path in files.iterdir() if path.name not in targets} == there


def test_no_patch_is_written_of_what_would_be_refused(files, capsys):
    code, _, errors = run(capsys, files, "wrong.yaml", "--patch", files / "patch.yaml")
    assert code == 1
    assert "no patch was written" in errors
    assert not (files / "patch.yaml").exists()


def test_saved_answers_of_a_live_scheduler_are_a_source(files, capsys):
    shutil.copytree(ANSWERS, files / "answers")
    same = files / "answers" / "config.yaml"
    code, output, _ = run(capsys, files, same, live="answers")
    assert (code, output.splitlines()[0].partition(":")[0]) == (0, "Nothing stands against it")
    without = files / "no-dev.yaml"
    without.write_text(same.read_text().partition("    - name: dev")[0])
    code, output, _ = run(capsys, files, without, live="answers")
    assert code == 1
    assert "root.dev drains" in output


def test_the_release_and_how_far_to_look_can_be_chosen(files, capsys):
    code, output, _ = run(capsys, files, "more.yaml", "--engine", "1.9", "--minutes", 3)
    assert code == 0
    assert "Played for 3 minutes by the rules of release 1.9" in output


def test_with_a_workload_both_are_compared(files, capsys):
    (files / "work.yaml").write_text(
        "workload:\n  jobs:\n    - {submit: 0s, duration: 1m, count: 12, queue: root.a, resources: {vcore: 1}}\n"
    )
    (files / "small.yaml").write_text(design("a: {resources: {max: {vcore: 5}}}\nb:"))
    code, output, _ = run(capsys, files, "small.yaml", "--workload", files / "work.yaml")
    assert code == 0
    assert "With new, root.a waits" in output

"""`workbench compare`: the same arrivals under several designs, told, written, and kept when it is stopped."""

from __future__ import annotations

import csv
import json

import pytest
from comparisons import FIRST, PLAIN, behind_nightly_work

from workbench.cli import main
from workbench.comparison import Plan
from workbench.workloads import write


@pytest.fixture
def files(tmp_path):
    (tmp_path / "today.yaml").write_text(PLAIN)
    (tmp_path / "draft.yaml").write_text(FIRST)
    write(behind_nightly_work(), tmp_path / "monday.yaml")
    return tmp_path


def compare(capsys, files, *arguments):
    """Exit code, output, errors."""
    code = main(
        ["compare", str(files / "today.yaml"), str(files / "draft.yaml"), "--workload", str(files / "monday.yaml"), *arguments]
    )
    told = capsys.readouterr()
    return code, told.out, told.err


def test_it_says_what_changes_where_they_part_which_edit_does_it_and_who_pays(files, capsys):
    code, output, errors = compare(capsys, files)
    assert (code, errors) == (0, "")
    assert output.startswith("With B, root.prod waits at most 1 min 30 s instead of 4 min 50 s (95 of 100 requests);")
    assert "They part first here. At 1 min 40 s A places night-2 on node-000; B places prod-0 on node-000." in output
    assert "What changes is due to root.prod: priority.offset not set" in output
    assert "2 of 8 jobs wait less" in output
    assert "A is today.yaml. B is draft.yaml. The same arrivals for each: 8 jobs, played once" in output


def test_brief_is_only_the_sentence_and_the_table(files, capsys):
    code, output, _ = compare(capsys, files, "--brief", "--names", "today,draft")
    assert code == 0
    assert "With draft, root.prod waits" in output
    assert "They part" not in output


def test_it_writes_a_page_rows_and_json(files, capsys):
    targets = {kind: files / f"found.{kind}" for kind in ("html", "csv", "json")}
    code, _, _ = compare(capsys, files, *(text for kind, path in targets.items() for text in (f"--{kind}", str(path))))
    assert code == 0
    assert "<title>Comparison of A and B" in targets["html"].read_text("utf-8")
    rows = list(csv.DictReader(targets["csv"].open(encoding="utf-8")))
    assert any((row["measure"], row["scope"], row["a"]) == ("wait.p95", "root.prod", "290.0") for row in rows)
    assert json.loads(targets["json"].read_text("utf-8"))["jobs"]["B"][0]["job"] == "night-0"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--names", "x"], "2 designs need as many different names"),
        (["--until", "soon"], "a moment is a span of time"),
        (["--html", "/nowhere/at/all.html"], "cannot write"),
        (["--nodes", "many"], "nodes"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(files, capsys, arguments, told):
    code, output, errors = compare(capsys, files, *arguments)
    assert (code, output) == (2, "")
    assert told in errors
    assert "Traceback" not in errors


def test_interrupted_it_compares_what_was_finished(files, capsys, monkeypatch):
    play = Plan.play

    def interrupted(plan, **options):
        play(plan, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(Plan, "play", interrupted)
    code, output, _ = compare(capsys, files)
    assert code == 130
    assert output.startswith("With B, root.prod waits")
    assert "They part" not in output


def test_interrupted_before_anything_was_finished_it_only_stops(files, capsys, monkeypatch):
    def interrupted(plan, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Plan, "play", interrupted)
    code, output, errors = compare(capsys, files)
    assert (code, output) == (130, "")
    assert "stopped" in errors

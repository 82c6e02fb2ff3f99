"""`workbench answers` counts what is answered as recorded and shows the first differences of the rest."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from workbench.cli import main

ONE = Path(__file__).resolve().parents[1] / "conformance" / "rest" / "rest-flat-200005.json.gz"


def answers(capsys, *arguments):
    """Exit code and printed lines."""
    code = main(["answers", *map(str, arguments)])
    output = capsys.readouterr()
    assert output.err == ""
    return code, output.out.splitlines()


def test_a_recording_whose_answers_are_as_recorded_matches(capsys):
    count = len(json.loads(gzip.decompress(ONE.read_bytes()))["rest"])
    assert answers(capsys, ONE) == (0, [f"answered {count} requests: {count} match"])


def test_a_folder_is_searched_and_the_first_differences_of_each_are_shown(tmp_path, capsys):
    content = json.loads(gzip.decompress(ONE.read_bytes()))
    for each in content["rest"][:8]:
        each["status"] = 500
    (tmp_path / "rest-flat-1.json").write_text(json.dumps(content))
    count = len(content["rest"])
    code, lines = answers(capsys, tmp_path)
    assert (code, len(lines), lines[-1]) == (1, 7, f"answered {count} requests: {count - 8} match")
    assert lines[0].startswith("rest-flat-1.json: event ") and lines[0].endswith("status 200 instead of 500")
    assert lines[-2] == "rest-flat-1.json: 3 more"


def test_a_family_is_chosen_by_the_file_name(capsys):
    assert answers(capsys, ONE.parent, "--family", "no-such") == (1, ["answered 0 requests: 0 match"])


def test_what_is_no_recording_is_told_and_the_others_are_asked_all_the_same(tmp_path, capsys):
    (tmp_path / "rest-a.json").write_text("{}")
    (tmp_path / "rest-b.json.gz").write_bytes(ONE.read_bytes())
    code, lines = answers(capsys, tmp_path)
    assert code == 2 and "this is no recording of answers" in lines[0]
    assert lines[1].startswith("answered ")


def test_another_release_answers_otherwise(capsys):
    code, lines = answers(capsys, ONE, "--engine", "1.9")
    assert code == 1
    assert any("/ws/v1/scheduler/node-utilization: status 404 instead of 200" in line for line in lines)

"""`workbench replay` counts what came out as recorded and shows the first difference of the rest."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from workbench.cli import main

RECORDED = Path(__file__).resolve().parents[1] / "conformance" / "scenarios"
ONE = RECORDED / "documented-priorities-multitenancy.json"


def replay(capsys, *arguments):
    """Exit code and printed lines."""
    code = main(["replay", *map(str, arguments)])
    output = capsys.readouterr()
    assert output.err == ""
    return code, output.out.splitlines()


def changed(tmp_path, name, change):
    """A copy of the recording in which `change` altered what is expected."""
    recording = json.loads(ONE.read_text())
    change(recording)
    path = tmp_path / name
    path.write_text(json.dumps(recording))
    return path


def other_node(recording):
    outcome = next(
        outcome for item in recording["expect"]["trace"] for outcome in item.get("outcomes", ()) if "allocated" in outcome
    )
    outcome["node"] = "elsewhere"


def test_a_scenario_that_comes_out_as_recorded_matches(capsys):
    assert replay(capsys, ONE) == (0, ["replayed 1 scenarios: 1 match"])


def test_packed_recordings_are_read_too(tmp_path, capsys):
    packed = tmp_path / "flat-1.json.gz"
    packed.write_bytes(gzip.compress(ONE.read_bytes()))
    assert replay(capsys, packed) == (0, ["replayed 1 scenarios: 1 match"])


def test_a_folder_is_searched_and_one_difference_decides_the_exit_code(tmp_path, capsys):
    changed(tmp_path, "flat-1.json", other_node)
    changed(tmp_path, "flat-2.json", lambda recording: None)
    (tmp_path / "notes.txt").write_text("not a scenario")
    code, lines = replay(capsys, tmp_path)
    assert (code, lines[-1]) == (1, "replayed 2 scenarios: 1 match")
    assert len(lines) == 2
    assert '"node": "elsewhere"' in lines[0]


def test_a_family_is_picked_by_its_name(tmp_path, capsys):
    changed(tmp_path, "flat-1.json", other_node)
    changed(tmp_path, "tree-2.json", lambda recording: None)
    assert replay(capsys, tmp_path, "--family", "tree") == (0, ["replayed 1 scenarios: 1 match"])


def test_nothing_to_replay_is_no_success(tmp_path, capsys):
    assert replay(capsys, tmp_path) == (1, ["replayed 0 scenarios: 0 match"])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xff",
        b'{"config": "partitions: []", "events": []}',
        b'{"config": 1, "events": [], "expect": {}}',
        b'{"config": "partitions: []", "events": [], "expect": {"trace": [{"outcomes": 5}], "final": {}}}',
        b'{"config": "partitions: []", "events": [], "expect": {"trace": [], "snapshots": [{"event": [1]}], "final": {}}}',
        b'{"config": "", "events": [{"at_ms": 5, "drain_node": "n"}], "expect": {"trace": [], "final": {}}}',
    ],
    ids=[
        "nothing",
        "half an object",
        "a list",
        "no text",
        "nothing expected",
        "no configuration",
        "outcomes",
        "snapshots",
        "at_ms",
    ],
)
def test_a_broken_recording_is_told_and_the_others_are_still_replayed(tmp_path, capsys, data):
    (tmp_path / "flat-1.json").write_bytes(data)
    changed(tmp_path, "flat-2.json", lambda recording: None)
    code, lines = replay(capsys, tmp_path)
    assert (code, lines[-1]) == (2, "replayed 2 scenarios: 1 match")
    assert len(lines) == 2
    assert "flat-1" in lines[0]


def test_a_configuration_that_the_scheduler_refuses_is_a_difference(tmp_path, capsys):
    (tmp_path / "flat-1.json").write_text('{"config": "no: yaml: at all", "events": [], "expect": {"trace": [], "final": {}}}')
    code, lines = replay(capsys, tmp_path)
    assert (code, len(lines)) == (1, 2)
    assert "not playable" in lines[0]


def test_a_path_that_does_not_exist_ends_with_a_sentence(capsys):
    assert main(["replay", "no-such-folder"]) == 2
    assert capsys.readouterr().err == "workbench: no-such-folder: there is no such file or folder\n"

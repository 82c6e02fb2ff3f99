"""`workbench workload`: one verb each; notes on standard error, results in files that are whole or not there."""

from __future__ import annotations

import pytest

from workbench.cli import main
from workbench.workloads import read

TEXT = """\
workload:
  pools: 2 x vcore=8,memory=32Gi
  jobs:
    - {id: a, submit: 0s, duration: 10m, user: ann, queue: root.prod, resources: {vcore: "4", memory: 8Gi}, count: 2}
    - {id: b, submit: 20m, duration: 1h, user: bob, queue: root.batch, resources: {vcore: "2"}, after: [a]}
    - {id: c, submit: 50m, duration: 30m, user: ann, queue: root.batch, class: nightly, resources: {vcore: "1"}}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "monday.yaml"
    path.write_text(TEXT)
    return path


def workload(capsys, *arguments):
    """Exit code, output, errors of a verb."""
    code = main(["workload", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_a_workload_is_converted_to_the_format_of_the_name(file, tmp_path, capsys):
    target = tmp_path / "monday.json"
    assert workload(capsys, "convert", file, "-o", target) == (0, f"{target}: 3 jobs\n", "")
    assert read(target) == read(file)


def test_without_a_file_to_write_the_result_is_printed(file, tmp_path, capsys):
    code, output, errors = workload(capsys, "convert", file)
    (tmp_path / "monday.yml").write_text(output)
    assert (code, errors, read(tmp_path / "monday.yml")) == (0, "", read(file))


def test_a_slip_in_the_name_of_the_output_shows_before_anything_is_read(tmp_path, capsys):
    code, _, errors = workload(capsys, "convert", tmp_path / "missing.yaml", "-o", tmp_path / "x.doc")
    assert code == 2
    assert "cannot tell the format of" in errors
    assert workload(capsys, "convert", tmp_path / "missing.yaml", "-o", tmp_path, "--to", "json")[0] == 2


def test_what_cannot_be_read_ends_with_file_and_line_and_is_left_out_on_request(file, tmp_path, capsys):
    file.write_text(TEXT.replace("submit: 20m", "submit: -20m"))
    target = tmp_path / "rest.yaml"

    code, output, errors = workload(capsys, "convert", file, "-o", target)
    assert (code, output) == (2, "")
    assert f"{file}:line 5: workload.jobs[1].submit: is negative: '-20m'" in errors
    assert not target.exists()

    code, output, errors = workload(capsys, "convert", file, "-o", target, "--skip-bad")
    assert (code, output) == (0, f"{target}: 2 jobs\n")
    assert errors == "note: 1 job could not be read and was left out: line 5: workload.jobs[1].submit: is negative: '-20m'.\n"


def test_a_file_of_no_known_format_is_told_which_formats_there_are(file, capsys):
    file.write_text("hello")
    code, _, errors = workload(capsys, "convert", file)
    assert code == 2
    assert "nothing here tells what kind of workload this is (there are the formats yaml (YAML of the workbench)" in errors

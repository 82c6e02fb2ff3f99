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


# -- the other verbs ---------------------------------------------------------------------------------------------------

DESIGN = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: prod}, {name: batch}]
"""


def test_describe_says_what_it_is_like(file, capsys):
    code, output, errors = workload(capsys, "describe", file)
    assert (code, errors) == (0, "")
    assert output.startswith("monday: 3 jobs with 4 tasks of 2 users for 2 queues arrive within 50 minutes")
    assert "root.prod" in output and "Can never run" not in output


def test_describe_tells_what_can_never_run_with_a_design_and_nodes_and_exits_with_one(file, tmp_path, capsys):
    design = tmp_path / "queues.yaml"
    design.write_text(DESIGN)
    assert workload(capsys, "describe", file, "--design", design)[0] == 0

    design.write_text(DESIGN.replace("prod", "production"))
    code, output, _ = workload(capsys, "describe", file, "--design", design, "--nodes", "vcore=2,memory=1Gi")
    assert code == 1
    assert "Job a would be refused" in output
    assert "Job a asks for vcore 4, memory 8Gi a task, which no node could hold." in output


def test_a_window_is_cut_out(file, tmp_path, capsys):
    target = tmp_path / "window.yaml"
    code, _, errors = workload(capsys, "cut", file, "--since", "20m", "--until", "45m", "--warm-up", "10m", "-o", target)
    part = read(target)
    assert code == 0
    assert [(job.id, job.submit_ms, job.after) for job in part.jobs] == [("b", 600_000, ())]
    assert (part.warm_up_ms, part.ends_ms) == (600_000, 2_100_000)
    assert "note: 1 job would run beyond the end of the window; their durations are kept whole." in errors
    assert workload(capsys, "cut", file, "--since", "soon")[0] == 2


def test_load_and_times_are_scaled(file, tmp_path, capsys):
    target = tmp_path / "more.json"
    assert workload(capsys, "scale", file, "--load", "2", "--seed", "3", "-o", target)[0] == 0
    assert len(read(target).jobs) == 6
    assert workload(capsys, "scale", file, "--arrivals", "0.5", "-o", target)[0] == 0
    assert [(job.submit_ms, job.tasks[0].duration_ms) for job in read(target).jobs][1] == (600_000, 3_600_000)
    assert workload(capsys, "scale", file, "--time", "0.5", "-o", target)[0] == 0
    assert [(job.submit_ms, job.tasks[0].duration_ms) for job in read(target).jobs][1] == (600_000, 1_800_000)


def test_scale_wants_to_know_what_and_how_much(file, capsys):
    assert "say what to scale: --load, --time or --arrivals" in workload(capsys, "scale", file)[2]
    assert "the factor must be a number above 0" in workload(capsys, "scale", file, "--load", "0")[2]


def test_convert_merges_samples_and_takes_names_away(file, tmp_path, capsys):
    target = tmp_path / "made.csv"
    code, _, errors = workload(capsys, "convert", file, "--merge", file, "--anonymise", "--sample", "0.5", "-o", target)
    assert code == 0
    assert len(read(target).jobs) == 3
    assert "ann" not in target.read_text() and "bob" not in target.read_text()
    assert "note: A table has jobs only: nodes, what happens to them, restarts and the times of the record are left out." in errors


def test_other_tables_are_read_with_a_mapping(tmp_path, capsys):
    table = tmp_path / "jobs.csv"
    table.write_text("when,minutes,cpus\n0,5,1\n1,oops,2\n")
    mapping = "submit=when:h,duration=minutes:min,vcore=cpus"
    assert f"{table}:line 3: column minutes: no span of time: 'oops'" in workload(capsys, "convert", table, "--map", mapping)[2]
    code, output, errors = workload(capsys, "convert", table, "--map", mapping, "--skip-bad")
    assert code == 0 and "duration: 5m" in output
    assert "note: 1 row could not be read and was left out: line 3" in errors
    assert "the format yaml has no option 'map'" in workload(capsys, "convert", table, "--format", "yaml", "--map", mapping)[2]


def test_what_was_in_the_output_stays_when_the_input_cannot_be_read(file, tmp_path, capsys):
    target = tmp_path / "kept.yaml"
    target.write_text("precious")
    file.write_text(TEXT[:-30])
    assert workload(capsys, "convert", file, "-o", target)[0] == 2
    assert target.read_text() == "precious"

"""`workbench workload synthetic` and `fit`: a workload from a description, a description from a workload."""

from __future__ import annotations

import pytest

import workbench as wb
from workbench.cli import main
from workbench.workloads import PRESETS, Synthetic, preset, read

SPEC = """\
workload:
  synthetic:
    length: 2d
    load: 0.5
    pools: 4 x vcore=8,memory=32Gi
    classes:
      - {name: etl, queue: root.etl, arrivals: poisson(every=5m), duration: exponential(5m), size: {vcore: "1"}}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC)
    return path


def workload(capsys, *arguments):
    """Exit code, output, errors of a verb."""
    code = main(["workload", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_a_description_is_drawn_and_written(file, tmp_path, capsys):
    target = tmp_path / "week.yaml"
    code, output, errors = workload(capsys, "synthetic", file, "--seed", 3, "-o", target)
    assert code == 0
    drawn = read(file).workload(3)
    assert output == f"{target}: {len(drawn.jobs):,} jobs\n"
    assert "Made up, not measured" in errors
    assert read(target).jobs == drawn.jobs


def test_a_preset_is_drawn_with_its_queue_tree(tmp_path, capsys):
    target, design = tmp_path / "ci.yaml", tmp_path / "queues.yaml"
    given = ["--preset", "ci-farm", "--nodes", 3, "--load", "0.3", "--length", "6h", "-o", target, "--design", design]
    assert workload(capsys, "synthetic", *given)[0] == 0
    assert read(target).jobs == preset("ci-farm", nodes=3, load=0.3, length="6h").workload().jobs
    assert design.read_text() == preset("ci-farm", nodes=3).design()
    wb.load_path(design)


def test_what_it_would_be_is_said_without_drawing_it(file, capsys):
    code, output, errors = workload(capsys, "synthetic", file, "--load", 0.25, "--length", "1d", "--describe")
    assert (code, errors) == (0, "")
    assert output.startswith("About ") and "jobs in 1 day, all of class etl; they ask for 25% of the vcore of 4 nodes" in output
    assert PRESETS["ci-farm"].words in workload(capsys, "synthetic", "--preset", "ci-farm", "--describe")[1]


def test_a_workload_is_described_without_names_and_drawn_again(file, tmp_path, capsys):
    week, fitted, again = tmp_path / "week.json", tmp_path / "fitted.yaml", tmp_path / "again.json"
    assert workload(capsys, "synthetic", file, "-o", week)[0] == 0
    code, output, errors = workload(capsys, "fit", week, "-o", fitted)
    assert code == 0
    assert output.startswith(f"{fitted}: ") and "the durations of etl fit worst" in errors
    assert isinstance(read(fitted), Synthetic)
    assert workload(capsys, "synthetic", fitted, "-o", again)[0] == 0
    assert len(read(again).jobs) == pytest.approx(len(read(week).jobs), rel=0.15)


def test_without_a_file_the_description_is_printed(file, tmp_path, capsys):
    week, printed = tmp_path / "week.json", tmp_path / "printed.yaml"
    workload(capsys, "synthetic", file, "-o", week)
    code, output, _ = workload(capsys, "fit", week)
    printed.write_text(output)
    assert code == 0 and read(printed) == wb.workloads.fit(read(week))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "give a file with a description, or --preset with one of research-cluster, ci-farm"),
        (["SPEC", "--preset", "ci-farm"], "give a file with a description, or --preset"),
        (["SPEC", "--design", "x.yaml"], "only a preset has a queue tree"),
        (["SPEC", "--nodes", 4], "--nodes goes with a preset"),
        (["SPEC", "--load", 0], "the load must be above 0"),
        (["SPEC", "--load", "nan"], "the load must be above 0"),
        (["SPEC", "--length", "0s"], "the length must be above 0"),
        (["SPEC", "--length", "5 apples"], "no span of time: '5 apples'"),
        (["--preset", "ci-farm", "--nodes", 1], "nodes: 1 is out of range"),
        (["JOBS"], "holds jobs, not a description of how to make them: the key synthetic is missing"),
    ],
)
def test_what_makes_no_sense_is_told(file, tmp_path, capsys, arguments, part):
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text("workload: {jobs: [{submit: 0s, resources: {vcore: '1'}}]}")
    code, output, errors = workload(capsys, "synthetic", *[{"SPEC": file, "JOBS": jobs}.get(each, each) for each in arguments])
    assert (code, output) == (2, "")
    assert part in errors


def test_a_workload_without_jobs_cannot_be_fitted(tmp_path, capsys):
    empty = tmp_path / "empty.yaml"
    empty.write_text("workload: {jobs: []}")
    code, _, errors = workload(capsys, "fit", empty)
    assert code == 2 and "nothing to learn from" in errors

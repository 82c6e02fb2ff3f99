"""What somebody gives as a workload, wherever one is asked for: the thing itself, what makes one, or a file."""

from __future__ import annotations

import pytest
from small_runs import FLAT

import workbench as wb
from workbench.values.errors import CommandError, WorkloadError
from workbench.workloads import preset, workload_given

ONE_JOB = """
workload:
  pools: 1 x vcore=4
  jobs: [{submit: 0s, duration: 1m, queue: root.a, resources: {vcore: 1}}]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "work.yaml"
    path.write_text(ONE_JOB)
    return path


def test_a_workload_and_what_makes_one_are_taken_as_they_are():
    farm = preset("ci-farm", nodes=4)
    drawn = farm.workload(1)
    assert workload_given(farm) is farm
    assert workload_given(drawn) is drawn


def test_a_path_is_read_by_a_run_a_comparison_and_a_sweep(file):
    from_text = wb.workloads.parse_workload(ONE_JOB)
    run = wb.simulate(FLAT, str(file))
    assert run.digest() == wb.simulate(FLAT, from_text).digest()
    assert wb.compare(FLAT, FLAT, workload=file).first.digests == (run.digest(),)
    assert wb.sweep(FLAT, {"root.a:priority.offset": [0]}, file, executor="serial")[0].number_of("wait.mean") == 0


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(WorkloadError, match="nowhere.yaml"):
        wb.simulate(FLAT, tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (ONE_JOB, "parse_workload"),
        (None, "a workload is a Workload, something with a method workload"),
        (7, "not 7"),
        (wb.workloads.Preset, "a workload is a Workload"),
    ],
    ids=["text", "nothing", "number", "class"],
)
def test_what_is_no_workload_is_told_with_what_is_allowed(given, told):
    with pytest.raises(CommandError, match=told):
        workload_given(given)

"""`workbench workload convert` from the formats of other systems."""

from __future__ import annotations

import pytest

from workbench.cli import main
from workbench.workloads import read

FILES = {
    "log.swf": "; MaxProcs: 8\n; MaxNodes: 2\n"
    "1 0 -1 10 6 -1 -1 6 -1 1024 1 1 1 1 1 1 -1 -1\n"
    "2 5 -1 -1 -1 -1 -1 1 -1 -1 5 1 1 1 1 1 -1 -1\n",
    "log.psv": "JobID|User|Submit|Elapsed|AllocTRES\n7|ann|2026-01-05T08:00:00|00:01:00|cpu=4,mem=4G,node=2,gres/gpu:a100=2\n",
    "log/pods.csv": "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
    "scheduled_time\nt-0,4000,8192,1,500,T4,LS,Running,0,100,5\n",
}


@pytest.fixture(params=FILES)
def source(request, tmp_path):
    """A file of another system, or the folder that it is in."""
    path = tmp_path / request.param
    path.parent.mkdir(exist_ok=True)
    path.write_text(FILES[request.param])
    return path if path.parent == tmp_path else path.parent


def test_a_log_of_another_system_becomes_a_file_of_the_workbench_with_the_same_jobs(source, tmp_path, capsys):
    target = tmp_path / "out.yaml"
    assert main(["workload", "convert", str(source), "-o", str(target)]) == 0
    told = capsys.readouterr()
    assert told.out == f"{target}: 1 job\n"
    found = read(source)
    assert told.err.splitlines() == [f"note: {note}" for note in found.notes]
    assert (read(target).jobs, read(target).pools) == (found.jobs, found.pools)


def test_an_option_of_a_format_is_one_of_the_command(tmp_path, capsys):
    (tmp_path / "log.swf").write_text(FILES["log.swf"])
    target = tmp_path / "out.yaml"
    options = ["--queue", "root.u{user}", "--spread", "single", "--memory", "none"]
    assert main(["workload", "convert", str(tmp_path / "log.swf"), *options, "-o", str(target)]) == 0
    (job,) = read(target).jobs
    assert (job.queue, job.gang, dict(job.tasks[0].resource)) == ("root.u1", None, {"vcore": 6000})


def test_a_broken_line_of_a_log_is_named(tmp_path, capsys):
    (tmp_path / "log.swf").write_text(FILES["log.swf"] + "3 oops\n")
    assert main(["workload", "convert", str(tmp_path / "log.swf")]) == 2
    assert f"{tmp_path / 'log.swf'}:line 5: a job has 18 fields, this line 2" in capsys.readouterr().err

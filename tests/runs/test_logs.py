"""Logs of other systems run: what they do not tell stops no job."""

from __future__ import annotations

import pytest

from workbench.runs import simulate
from workbench.workloads import read

DESIGN = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: batch}]
"""
LOGS = {
    "log.swf": "; MaxNodes: 2\n; MaxProcs: 16\n"
    "1 0 -1 10 12 -1 -1 12 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 0 -1 0 4 -1 -1 4 -1 1024 1 3 1 1 1 1 1 5\n",
    "log.psv": "JobID|Submit|Elapsed|NCPUS|NNodes\n1|2026-01-05T08:00:00|00:00:10|12|2\n2|2026-01-05T08:00:00|00:00:00|4|1\n",
}


@pytest.mark.parametrize("name", LOGS)
def test_jobs_without_user_memory_or_duration_run_as_long_as_the_log_says(tmp_path, name):
    (tmp_path / name).write_text(LOGS[name])
    run = simulate(DESIGN, read(tmp_path / name, queue="root.batch"), nodes="2 x vcore=8,memory=32Gi")
    assert [(job.job, job.end_s - job.start_s, job.state) for job in run.jobs] == [("1", 10, "finished"), ("2", 0, "finished")]

"""What a job of a long file costs in memory, counted by Python's own account: what is kept, and what reading needs beside it."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest

from workbench.workloads import Workload, read
from workbench.workloads.sources.swf_writing import swf_text

LINES = 20_000
BYTES_A_JOB = 1500


def archive(count: int) -> str:
    """A log as archives have them: 250 users, 40 groups, 400 programs, 8 queues."""
    random, now = Random(1), 0
    rows = ["; MaxNodes: 240", "; MaxProcs: 1920"]
    for number in range(1, count + 1):
        now += random.randrange(120)
        size, kb = random.choice([1, 1, 2, 4, 8, 16, 64, 100]), random.choice([-1, 524288, 1048576])
        who = f"{random.randrange(1, 250)} {random.randrange(1, 40)} {random.randrange(1, 400)} {random.randrange(1, 9)} 1"
        rows.append(f"{number} {now} 5 {random.randrange(1, 90000)} {size} 9 {size * 1000} {size} 86400 {kb} 1 {who} -1 -1")
    return "\n".join(rows)


@pytest.fixture(scope="module")
def measured(tmp_path_factory) -> tuple[Workload, float, float]:
    """The jobs of a long file, with the bytes kept and the most that were held at once, for each job."""
    path = tmp_path_factory.mktemp("long") / "log.swf"
    path.write_text(archive(LINES))
    read(path, first=1)  # so that what is loaded once is not counted
    tracemalloc.start()
    try:
        workload = read(path)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return workload, kept / LINES, peak / LINES


def test_a_job_of_a_long_file_costs_little_memory(measured):
    workload, kept, _ = measured
    assert len(workload.jobs) == LINES
    assert kept < BYTES_A_JOB


def test_reading_holds_little_beside_the_jobs(measured):
    _, kept, peak = measured
    assert peak < 1.5 * kept


def test_a_long_log_is_written_as_it_was(measured, tmp_path):
    workload, _, _ = measured
    text, notes = swf_text(workload)
    assert notes == ()
    (tmp_path / "again.swf").write_text(text)
    assert read(tmp_path / "again.swf").jobs == workload.jobs

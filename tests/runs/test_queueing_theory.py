"""A run waits as queueing theory says: one queue, ten places, equal tasks, arrivals and durations exponential (M/M/10).

A simulator that cannot do this is wrong. The mean wait is held against Erlang's formula, and every single wait against the
recursion of Kiefer and Wolfowitz (1955) for first come, first served, which is exact.
"""

from __future__ import annotations

import heapq
import math
from functools import cache

import pytest
from workloads.erlang import mean_wait

from workbench.runs import Run, simulate
from workbench.workloads import Workload, synthetic

DESIGN = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: jobs}]
"""
SERVERS, LENGTH_S, WARM_UP_S = 10, 100.0, 4000.0
RUN_S = {0.5: 30_000, 0.7: 12_000, 0.9: 9_000}
"""Load -> length of a run: where waits are rare, it takes longer until their mean is close to normally distributed."""
LOADS = tuple(RUN_S)
STUDENT = {4: 2.776, 19: 2.093}
"""Degrees of freedom -> quantile of Student's t for an interval of 95 %."""


def jobs_at(load: float, seconds: int, seed: int) -> Workload:
    return synthetic(
        pools=f"1 x vcore={SERVERS}",
        length=f"{seconds}s",
        load=load,
        classes=[
            {
                "name": "job",
                "queue": "root.jobs",
                "arrivals": "poisson(every=1m)",
                "duration": f"exponential({LENGTH_S}s)",
                "size": {"vcore": "1"},
            }
        ],
    ).workload(seed)


@cache
def run(load: float, seed: int) -> Run:
    return simulate(DESIGN, jobs_at(load, RUN_S[load], seed), reasons=False)


def recursion(workload: Workload) -> list[float]:
    """Seconds that each job waits if the first to come takes the place that is free first."""
    free, waits = [0] * SERVERS, []
    for job in workload.jobs:
        start_ms = max(heapq.heappop(free), job.submit_ms)
        waits.append((start_ms - job.submit_ms) / 1000)
        heapq.heappush(free, start_ms + job.tasks[0].duration_of(0))
    return waits


def settled_mean(waits: list[float], workload: Workload) -> float:
    """The mean of those that arrive when the empty start is forgotten."""
    kept = [wait for wait, job in zip(waits, workload.jobs) if job.submit_ms >= WARM_UP_S * 1000]
    return math.fsum(kept) / len(kept)


def interval(means: list[float]) -> tuple[float, float]:
    """Student's interval of 95 % for the mean of independent runs."""
    mean = math.fsum(means) / len(means)
    deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in means) / (len(means) - 1))
    half = STUDENT[len(means) - 1] * deviation / math.sqrt(len(means))
    return mean - half, mean + half


@pytest.mark.parametrize("load", LOADS)
def test_the_mean_wait_is_within_the_interval_of_erlangs_formula(load):
    means = [settled_mean([row.wait_s for row in run(load, seed).jobs], run(load, seed).workload) for seed in range(5)]
    low, high = interval(means)
    assert low <= mean_wait(SERVERS, SERVERS * load, LENGTH_S) <= high


@pytest.mark.parametrize("load", LOADS)
def test_every_job_waits_as_long_as_the_recursion_says(load):
    for seed in range(5):
        assert [row.wait_s for row in run(load, seed).jobs] == recursion(run(load, seed).workload)


@pytest.mark.parametrize("load", LOADS)
def test_the_recursion_over_many_jobs_agrees_with_erlangs_formula_closely(load):
    # What the runs above are too short for: an interval narrow enough to tell ten servers from eleven.
    means = [settled_mean(recursion(week), week) for week in (jobs_at(load, 2 * RUN_S[load] + 20_000, seed) for seed in range(20))]
    low, high = interval(means)
    assert low <= mean_wait(SERVERS, SERVERS * load, LENGTH_S) <= high
    assert high < 2 * low
    assert not low <= mean_wait(SERVERS + 1, SERVERS * load, LENGTH_S) <= high

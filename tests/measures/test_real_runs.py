"""Measures of runs that the scheduler really decided: what has to hold of any of them."""

from __future__ import annotations

from random import Random

import pytest
from scenes import config_text

import workbench as wb
from workbench.measures import MeasureTable, Scope, measure
from workbench.measures.preemption import lost_ns
from workbench.measures.reasons import waited_ns
from workbench.runs.record import Fate, JobState
from workbench.workloads.model import Gang, Job, Pool, Restarts, Tasks, Workload

DESIGN = config_text("prod: {guaranteed: {vcore: 8}, preemption.delay: 10s}\nbatch: {max: {vcore: 14}}")


def jobs(seed: int) -> tuple[Job, ...]:
    """Thirty jobs, more than there is room for: some in gangs, those of prod before the others."""
    random, found, at = Random(seed), [], 0
    for number in range(30):
        at += random.randrange(12_000)
        prod = random.random() < 0.4
        tasks = Tasks(
            name="work",
            resource=wb.Resource(vcore=1000 * random.choice((1, 2, 4)), memory=2**30),
            count=random.choice((1, 2, 3)),
            duration_ms=random.randrange(1_000, 120_000),
        )
        found.append(
            Job(
                id=f"job-{number}",
                submit_ms=at,
                user=random.choice(("anna", "ben")),
                queue="root.prod" if prod else "root.batch",
                priority=10 if prod else 0,
                gang=Gang() if random.random() < 0.3 else None,
                tasks=(tasks,),
            )
        )
    return tuple(found)


@pytest.fixture(scope="module", params=[(1, "from_start"), (2, "keeps"), (3, "checkpoint")], ids=lambda each: each[1])
def table(request) -> MeasureTable:
    seed, how = request.param
    pool = Pool(name="n", capacity=wb.Resource(vcore=8000, memory=32 * 2**30), count=2, fails_every_ms=200_000, repair_ms=20_000)
    restarts = Restarts(how=how, checkpoint_ms=5_000)
    workload = Workload(jobs=jobs(seed), pools=(pool,), restarts=restarts, warm_up_ms=30_000)
    return measure(wb.simulate(DESIGN, workload, seed=seed))


def test_every_nanosecond_that_a_job_waited_has_its_reason(table):
    for job in table.reading.record.workload.jobs:
        found = waited_ns(table.reading, Scope("job", job.id))
        assert found.pop("unknown") == 0
        assert sum(found.values()) == round(table["waited.all", f"job:{job.id}"] * 10**9)


def test_what_tasks_held_is_what_they_had_to_do_and_what_was_lost(table):
    record = table.reading.record
    checked = 0
    for number, job in enumerate(record.workload.jobs):
        if record.job_state[number] != JobState.FINISHED:
            continue
        for task in range(job.size):
            mine = [i for i, a in enumerate(record.attempts()) if (a.job, a.number, a.placeholder) == (number, task, False)]
            held = sum(record.ended_at_ns[i] - record.placed_ns[i] for i in mine if record.placed_ns[i] >= 0)
            lost = sum(lost_ns(table.reading, i) for i in mine if record.fate[i] in (Fate.PREEMPTED, Fate.NODE_LOST))
            assert held - lost == job.tasks[0].duration_of(task) * 10**6
            checked += 1
    assert checked > 20


def test_nothing_is_used_beyond_what_is_there(table):
    assert 0 < table["utilization.vcore"] <= 1
    assert table["use_of_maximum.vcore", "root.batch"] <= 1
    assert table["stranded.vcore"] <= table["idle_while_waiting.vcore"]
    assert 0 <= table["fairness.distance"] <= 1
    assert 0 < table["fairness.jain"] <= 1


def test_a_queue_is_the_sum_of_its_jobs(table):
    for name in ("used.vcore", "preempted", "lost.vcore", "waited.all", "jobs.finished", "requests"):
        parts = sum(table[name, Scope("job", job.id)] for job in table.reading.record.workload.jobs)
        assert table[name, "root"] == pytest.approx(parts)
        assert table[name, "root"] == pytest.approx(table[name, "root.prod"] + table[name, "root.batch"])

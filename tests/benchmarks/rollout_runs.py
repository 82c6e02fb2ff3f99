"""Workloads for the figures of runs; as a program it plays one and tells what that took, in a process of its own.

python -m benchmarks.rollout_runs steady TASKS NODES
python -m benchmarks.rollout_runs month JOBS NODES QUEUES DAYS_APART
python -m benchmarks.rollout_runs trace FOLDER SCENARIO.json [TASKS]
python -m benchmarks.rollout_runs swf JOBS.swf
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random

from benchmarks.clusters import ASK, NODE, config_text
from benchmarks.life_cycles import most_bytes, resident_bytes
from workbench.measures import measure
from workbench.runs import Run, simulate
from workbench.simulation.scenario import scenario_to_json
from workbench.workloads import Job, Pool, Tasks, Workload, read

SLOTS = NODE["vcore"] // ASK["vcore"]
"""So many tasks run on one node."""
MEAN_MS = 600_000
DAY_MS = 24 * 3600 * 1000
WORKING_MS = DAY_MS * 10 // 24
"""Of every day jobs come in this part; then nobody comes, and what runs ends."""
DAYS = 30
LOAD = 0.8
FIFO = {"name": "q", "properties": {"application.sort.policy": "fifo"}}


def design(queues: int) -> str:
    """So many leaves."""
    return config_text({"name": f"q{number}"} for number in range(queues))


def steady(tasks: int, nodes: int, *, queues: int = 5, tasks_each: int = 10, seed: int = 1) -> Workload:
    """Equal tasks in jobs of so many, that keep four fifths of the cluster busy."""
    chance, at_ms, jobs = Random(seed), 0.0, []
    between_ms = MEAN_MS * tasks_each / (nodes * SLOTS * LOAD)
    for number in range(max(1, tasks // tasks_each)):
        at_ms += chance.expovariate(1 / between_ms)
        jobs.append(_job(number, int(at_ms), queues, tasks_each, 1 + int(chance.expovariate(1 / MEAN_MS))))
    return Workload(jobs=tuple(jobs), pools=(Pool(name="node", capacity=NODE, count=nodes),))


def month(count: int, nodes: int, queues: int, *, days_apart: int = 1, seed: int = 1) -> Workload:
    """So many jobs of two tasks on thirty working days, with so many days from one to the next: the same jobs, more idle time."""
    chance, jobs = Random(seed), []
    mean_ms = min(MEAN_MS * 6, LOAD * nodes * SLOTS * DAYS * WORKING_MS / (2 * count))
    when = [(number * DAYS // count, int(chance.random() * WORKING_MS)) for number in range(count)]
    for number, (day, at_ms) in enumerate(sorted(when)):
        lasts_ms = 1 + int(chance.expovariate(1 / mean_ms))
        jobs.append(_job(number, day * days_apart * DAY_MS + at_ms, queues, 2, lasts_ms))
    return Workload(jobs=tuple(jobs), pools=(Pool(name="node", capacity=NODE, count=nodes),))


def _job(number: int, at_ms: int, queues: int, tasks: int, lasts_ms: int) -> Job:
    work = Tasks(resource=ASK, count=tasks, duration_ms=lasts_ms)
    queue, user = f"root.q{number % queues}", f"user-{number % 50}"
    return Job(id=f"job-{number}", submit_ms=at_ms, queue=queue, user=user, kind=("batch", "web")[number % 2], tasks=(work,))


def swf_text(jobs: int, nodes: int, cores: int, *, seed: int = 1) -> str:
    """A file of the Standard Workload Format: jobs of one processor that keep four fifths of the cluster busy."""
    chance, at_s = Random(seed), 0.0
    lines = [f"; MaxNodes: {nodes}", f"; MaxProcs: {nodes * cores}"]
    for number in range(1, jobs + 1):
        at_s += chance.expovariate(nodes * cores * LOAD / 3600)
        lasts_s = 1 + int(chance.expovariate(1 / 3600))
        lines.append(f"{number} {int(at_s)} -1 {lasts_s} 1 -1 -1 1 {lasts_s} -1 1 {number % 20} 1 1 1 -1 -1 -1")
    return "\n".join(lines) + "\n"


def trace_design() -> str:
    """The leaves that the importer of the trace names."""
    return config_text({"name": name} for name in ("guaranteed", "ls", "burstable", "be"))


def main(kind: str, *given: str) -> dict[str, float | str]:
    """Make the workload, play it, and say what that took."""
    if kind == "steady":
        tasks, nodes = map(int, given)
        return _took(design(5), steady(tasks, nodes), reasons=False)
    if kind == "month":
        count, nodes, queues, days_apart = map(int, given)
        return _took(design(queues), month(count, nodes, queues, days_apart=days_apart), measures=True)
    started = time.process_time()
    if kind == "swf":
        return _took(config_text([FIFO]), read(given[0], queue="root.q"), reasons=False, started=started)
    workload = read(given[0], first=int(given[2]) if len(given) > 2 else None)
    run = simulate(trace_design(), workload, reasons=False)
    took = _told(run, time.process_time() - started)
    Path(given[1]).write_text(scenario_to_json(run.scenario()), encoding="utf-8")
    return took


def _took(config: str, workload: Workload, *, reasons: bool = True, measures: bool = False, started: float | None = None) -> dict:
    started = time.process_time() if started is None else started
    run = simulate(config, workload, reasons=reasons)
    if measures:
        assert all(row.shown for row in measure(run).rows())
    return _told(run, time.process_time() - started)


def _told(run: Run, seconds: float) -> dict[str, float | str]:
    held = resident_bytes()
    finished = sum(row.state == "finished" for row in run.jobs)
    return {
        "seconds": round(seconds, 3),
        "tasks": len(run.record),
        "jobs": len(run.jobs),
        "finished": finished,
        "days": round(run.record.ended_ns / 1e6 / DAY_MS, 2),
        "bytes": max(most_bytes(), held),  # the two are counted by the page at different moments
        "bytes_at_end": held,
    }


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))

"""Small designs and workloads for the tests of runs."""

from __future__ import annotations

from typing import Any

from workbench.runs import Run, simulate
from workbench.values.resources import Resource
from workbench.workloads import Job, Tasks, Workload

FLAT = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
          - name: b
"""

GUARANTEED = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: prod
            properties: {preemption.delay: 10s}
            resources:
              guaranteed: {vcore: 2}
          - name: batch
"""


def job(
    id: str, submit_s: float, duration_s: float | None, *, queue: str = "root.a", vcore: int = 1, count: int = 1, **more: Any
) -> Job:
    """A job of equal tasks of so many cores."""
    tasks = Tasks(
        resource=Resource(vcore=1000 * vcore),
        count=count,
        name=more.pop("name", ""),
        duration_ms=None if duration_s is None else round(duration_s * 1000),
        **{name: more.pop(name) for name in ("preemptible", "may_preempt", "node_selector", "required_node") if name in more},
    )
    return Job(id=id, submit_ms=round(submit_s * 1000), tasks=(tasks,), queue=queue, user=more.pop("user", "ann"), **more)


def run(*jobs: Job, design: str = FLAT, nodes: str | None = "1 x vcore=1", seed: int = 0, **more: Any) -> Run:
    """A run of these jobs; further fields of the workload and arguments of `simulate` by name."""
    arguments = {name: more.pop(name) for name in ("until", "rate", "release", "stop") if name in more}
    return simulate(design, Workload(jobs=jobs, **more), nodes=nodes, seed=seed, **arguments)


def times(made: Run) -> dict[str, tuple[Any, Any, Any]]:
    """job -> (submitted, started, ended), in seconds."""
    return {row.job: (row.submit_s, row.start_s, row.end_s) for row in made.jobs}

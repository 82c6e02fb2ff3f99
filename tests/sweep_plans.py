"""Cells to be planned in the tests of executors and stores."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from sweep_cells import PLAIN, Script

from workbench.sweeps.cells import CellFunction, CellResult, CellSpec
from workbench.sweeps.driving import Planned
from workbench.sweeps.executors import Executor, Work

DESIGN = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: prod
            resources: {guaranteed: {vcore: 4}, max: {vcore: 8, memory: 8Gi}}
          - name: batch
"""


def specs(count: int, script: Script = PLAIN) -> list[CellSpec]:
    """As many cells with the seeds 0, 1 ..."""
    return [CellSpec(design=DESIGN, workload=script, workload_digest="w", seed=seed) for seed in range(count)]


def planned(count: int, script: Script = PLAIN) -> list[Planned]:
    return [Planned(spec, "{}") for spec in specs(count, script)]


def results_of(
    executor: Executor, cells: Iterable[CellSpec], function: CellFunction, stopped: Callable[[], bool] = lambda: False
) -> dict[int, CellResult]:
    """Seed -> result."""
    cells = list(cells)
    waiting = deque(cells)
    workloads = {each.workload_digest: each.workload for each in cells}
    work = Work(function, lambda: waiting.popleft() if waiting else None, workloads, stopped)
    seeds = {each.digest: each.seed for each in cells}
    try:
        return {seeds[result.digest]: result for result in executor.results(work)}
    finally:
        executor.close()

"""Cells on any object with `submit(function, ...)`: an executor of another library, or a pool that somebody has running already.

It is theirs: it is not closed, and what it runs when a sweep is stopped it runs to its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.sweeps.cells import CellFunction, CellSpec
from workbench.sweeps.executors import submitting
from workbench.sweeps.executors.processes import cores
from workbench.sweeps.executors.seam import Results, Work
from workbench.values.errors import CommandError

PER_PLACE = 2
"""So many cells are given away for each place, so that no place waits for the next one."""


class Submitted:
    """Computes cells by `pool.submit(function, *arguments)`.

    Args:
        at_once: how many it computes at the same time; None for what the pool says of itself, or else the cores there are.
    """

    name = "an executor"

    def __init__(self, pool: Any, at_once: int | None = None):
        self.pool = pool
        self.at_once = at_once or getattr(pool, "_max_workers", None) or cores()

    def results(self, work: Work) -> Results:
        """The results as they are there. CommandError if the pool does not take cells any more."""
        return submitting.results(work, lambda: _Theirs(self.pool, work.workloads), PER_PLACE * self.at_once)

    def close(self) -> None:
        """It is for somebody else to close."""


class _Theirs:
    """A pool that somebody else looks after."""

    def __init__(self, pool: Any, workloads: Mapping[str, Any]):
        self._pool, self._workloads = pool, workloads
        self._futures: list[Any] = []
        self._broken = False

    def submit(self, function: CellFunction, spec: CellSpec) -> Any:
        future = self._pool.submit(
            submitting.with_workload, function, spec.without_workload(), self._workloads[spec.workload_digest]
        )
        self._futures = [each for each in self._futures if not each.done()] if hasattr(future, "done") else []
        self._futures.append(future)
        return future

    def is_loss(self, error: BaseException) -> bool:
        # Only an executor of our own can be made anew.
        from concurrent.futures import BrokenExecutor

        self._broken = self._broken or isinstance(error, BrokenExecutor)
        return self._broken

    def check(self) -> None:
        if self._broken:
            raise CommandError("the executor that was given is broken: one of its processes ended without a word; make a new one")

    def release(self) -> None:
        pass

    def close(self) -> None:
        for future in self._futures:
            if hasattr(future, "cancel"):
                future.cancel()

"""Cells in processes of this machine: `concurrent.futures`, started afresh (spawn), so that nothing of this process gets into them.

Every process holds the reading end of a pipe, the leash, whose other end only this process has. When that closes, however this
process ends, they end, too: nothing goes on computing for nobody.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from workbench.measures.own import check_sendable
from workbench.sweeps.cells import CellFunction, CellResult, CellSpec, sentence
from workbench.sweeps.executors import submitting
from workbench.sweeps.executors.seam import Results, Work
from workbench.values.errors import CommandError
from workbench.values.found import found

MOST_FAILED_STARTS = 3
_given: dict[str, Any] = {}
"""In a process of the pool: the workloads, by digest."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes:
    """Computes cells in so many processes; by default as many as there are cores.

    Raises:
        CommandError: a number below 1.
    """

    def __init__(self, count: int | None = None):
        if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
            raise CommandError(f"the number of processes is a whole number from 1 up, found {found(count)}")
        self.at_once = cores() if count is None else count
        self.failed_starts = 0
        self.pool: _Pool | None = None

    @property
    def name(self) -> str:
        """Where that is."""
        return f"{self.at_once} processes" if self.at_once > 1 else "a process of its own"

    def results(self, work: Work) -> Results:
        """The results as they are there. CommandError if processes end as soon as they start, or cannot find what they need."""
        check_sendable(work.own)
        self.failed_starts = 0
        return submitting.results(work, lambda: self._opened(work.workloads), self.at_once)

    def close(self) -> None:
        """End the processes."""
        if self.pool is not None:
            self.pool.close()

    def _opened(self, workloads: Mapping[str, Any]) -> _Pool:
        """The pool from before, or another one if it broke or has not got these workloads."""
        if self.pool is not None and self.pool.workloads.keys() >= workloads.keys():
            return self.pool
        self.close()
        self.pool = _Pool(self, workloads)
        return self.pool


class _Pool:
    """One pool of processes, until it breaks."""

    def __init__(self, owner: Processes, workloads: Mapping[str, Any]):
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        context = get_context("spawn")
        self._owner, self.workloads = owner, workloads
        self._theirs, self._leash = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(owner.at_once, context, _started, (self._theirs, dict(workloads)))
        try:
            self._probe = self._executor.submit(int)
        except Exception as error:  # whatever a workload of somebody's own raises when it is to be sent
            self._leash.close()
            text = f"the workload cannot be sent to processes: {sentence(error)}; executor='serial' needs none"
            raise CommandError(text) from None
        self._is_counted = False

    def submit(self, function: CellFunction, spec: CellSpec) -> Any:
        return self._executor.submit(_computed, function, spec.without_workload())

    def is_loss(self, error: BaseException) -> bool:
        from concurrent.futures import BrokenExecutor, CancelledError

        return isinstance(error, BrokenExecutor | CancelledError)

    def check(self) -> None:
        """CommandError if again and again not even a first, empty task was answered."""
        if self._is_counted or not self._probe.done():
            return
        self._is_counted = True
        works = not self._probe.cancelled() and self._probe.exception() is None
        self._owner.failed_starts = 0 if works else self._owner.failed_starts + 1
        if self._owner.failed_starts >= MOST_FAILED_STARTS:
            raise CommandError(
                "processes end as soon as they are started; in a script, a sweep has to stand below "
                "'if __name__ == \"__main__\":', since every process reads the script; executor='serial' does without processes"
            )

    def release(self) -> None:
        """They stay, as starting processes takes longer than many a cell."""

    def close(self) -> None:
        """End the processes, whatever they are at, and wait until they have."""
        self._owner.pool = None
        self._leash.close()
        self._theirs.close()
        self._executor.shutdown(wait=True, cancel_futures=True)


def _started(leash: Any, workloads: Mapping[str, Any]) -> None:
    """In a new process: Ctrl-C is the affair of the process that started it, and so is its end."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _given.update(workloads)
    Thread(target=_held, args=(leash,), daemon=True).start()


def _held(leash: Any) -> None:
    """Wait until nobody holds the other end of the leash any more, and end this process."""
    try:
        leash.recv_bytes()
    except (EOFError, OSError):
        pass
    os._exit(0)


def _computed(function: CellFunction, spec: CellSpec) -> CellResult:
    return submitting.with_workload(function, spec, _given[spec.workload_digest])

"""The cells of a sweep from start to end: what is there is not computed again, what fails is tried again, what is done is kept."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from workbench.sweeps.cells import CellFunction, CellResult, CellSpec, Outcome
from workbench.sweeps.executors import Executor, Results, Work
from workbench.sweeps.store import Store

TRIES = 2
"""How often a cell that fails is tried."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A cell to be computed, and what it is for: the text of its combination. `fault` says why it cannot be, "" if it can."""

    spec: CellSpec
    point: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a sweep is.

    Attributes:
        done: cells that have a result, those that were kept from before included.
        total: all of them.
        kept: those that were there from before.
        failed: those without numbers.
        last: the error of the last one that failed; empty if none did.
    """

    done: int
    total: int
    kept: int
    failed: int = 0
    last: str = ""


def driven(
    planned: Sequence[Planned],
    store: Store,
    executor: Executor,
    *,
    function: CellFunction,
    workloads: Mapping[str, Any],
    progress: Callable[[Stand], None] = lambda stand: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Results:
    """The results of the cells, first those that are kept from before, then each as it is there; each cell once.

    A cell that failed has its last error. Ended early, by `stopped` or by closing the iterator, what was given is kept.

    Raises:
        StudyError: the store cannot be written to any more.
        CommandError: the executor cannot compute any more.
    """
    cells = {each.spec.digest: each for each in planned}
    faults = [each for each in cells.values() if each.fault]
    kept = {
        **store.finished(digest for digest, each in cells.items() if not each.fault),
        **{each.spec.digest: CellResult(each.spec.digest, {}, Outcome.INVALID, each.fault) for each in faults},
    }
    failed, last = 0, ""
    done = 0
    before = len(kept) - len(faults)
    for result in kept.values():
        done += 1
        failed, last = (failed + 1, result.error) if result.error else (failed, last)
        yield result
    progress(Stand(done, len(cells), before, failed, last))
    waiting = deque(digest for digest in cells if digest not in kept)
    tries: Counter[str] = Counter()
    found_elsewhere: deque[CellResult] = deque()

    def take() -> CellSpec | None:
        while waiting:
            digest = waiting.popleft()
            # Another process may work on the same study.
            elsewhere = store.finished([digest]).get(digest)
            if elsewhere is None:
                return cells[digest].spec
            found_elsewhere.append(elsewhere)
        return None

    own = next((each.spec.own for each in planned), ())
    work = Work(function, take, workloads, stopped, own)
    with closing(_with(executor.results(work), found_elsewhere)) as results:
        for result in results:
            tries[result.digest] += 1
            if result.outcome is Outcome.FAILED and tries[result.digest] < TRIES:
                waiting.append(result.digest)
                continue
            cell = cells[result.digest]
            store.keep(result, point=cell.point, seed=cell.spec.seed)
            done += 1
            failed, last = (failed + 1, result.error) if result.error else (failed, last)
            progress(Stand(done, len(cells), before, failed, last))
            yield result


def _with(results: Results, found: deque[CellResult]) -> Results:
    """Those of the executor, and those that were found to be done already."""
    with closing(results):
        for result in results:
            while found:
                yield found.popleft()
            yield result
    while found:
        yield found.popleft()

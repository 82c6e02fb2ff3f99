"""Cells on anything that takes a function by `submit` and gives a future for its result: the loop that all such executors share.

A process that is lost takes down every cell that was under way with it, and nobody can tell which of them was to blame. So they
all go again; what is lost twice goes alone; and what is lost alone is to blame, and failed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from workbench.sweeps.cells import CellFunction, CellResult, CellSpec, Outcome, attempted, sentence
from workbench.sweeps.executors.seam import Results, Work

if TYPE_CHECKING:
    from queue import SimpleQueue

LOOK_UP_S = 0.2
"""How long a loop waits for a result before it looks whether it is to stop."""
ALONE_FROM, MOST_LOSSES = 2, 3
"""A cell that was lost so often goes alone, and so often, is given up."""


class Opened(Protocol):
    """A pool, ready for the cells of one sweep."""

    def submit(self, function: CellFunction, spec: CellSpec) -> Any:
        """A future of `attempted(function, spec)`, with its workload: it has `result()`, and if possible `add_done_callback`."""
        ...

    def is_loss(self, error: BaseException) -> bool:
        """Whether the error of a future means that the pool itself broke, and not only this cell."""
        ...

    def check(self) -> None:
        """CommandError if the pool can never answer again."""
        ...

    def release(self) -> None:
        """Nothing is under way; whoever made it may use it again."""
        ...

    def close(self) -> None:
        """Give up whatever is under way, and end it."""
        ...


def with_workload(function: CellFunction, spec: CellSpec, workload: Any) -> CellResult:
    """The result of a cell that came without its workload. Called where the cell is computed."""
    from dataclasses import replace

    return attempted(function, replace(spec, workload=workload))


def results(work: Work, opened: Callable[[], Opened], at_once: int) -> Results:
    """The results of the cells, as many under way as `at_once`; `opened` makes the pool, again if it broke."""
    from queue import Empty, SimpleQueue

    done: SimpleQueue[int] = SimpleQueue()
    tickets = count()
    under_way: dict[int, tuple[CellSpec, Any]] = {}
    again: deque[CellSpec] = deque()
    losses: Counter[str] = Counter()
    pool, in_order = opened(), False
    try:
        while not work.stopped():
            while len(under_way) < at_once and not _is_alone(under_way, losses):
                spec = _next(work, again, losses, bool(under_way))
                if spec is None:
                    break
                ticket = next(tickets)
                try:
                    future = pool.submit(work.function, spec)
                except Exception as error:
                    if not pool.is_loss(error):
                        yield CellResult(spec.digest, {}, Outcome.FAILED, sentence(error))
                        continue
                    future = _Broken(error)
                under_way[ticket] = spec, future
                if hasattr(future, "add_done_callback"):
                    future.add_done_callback(partial(_told, done, ticket))
            if not under_way:
                in_order = True
                return
            try:
                ticket = _finished(done, under_way)
            except Empty:
                pool.check()
                continue
            if ticket not in under_way:
                continue  # of a pool that broke
            spec, future = under_way.pop(ticket)
            try:
                result = future.result()
            except Exception as error:
                if not pool.is_loss(error):
                    yield CellResult(spec.digest, {}, Outcome.FAILED, sentence(error))
                    continue
            else:
                yield result
                continue
            pool.check()
            lost = [spec, *(each for each, _ in under_way.values())]
            under_way.clear()
            pool.close()
            for each in lost:
                losses[each.digest] += 1
                if losses[each.digest] < MOST_LOSSES:
                    again.append(each)
                else:
                    yield CellResult(
                        each.digest, {}, Outcome.LOST, f"the process that ran it ended without a word, {MOST_LOSSES} times; "
                        "it may have needed more memory than there is",
                    )  # fmt: skip
            pool = opened()
    finally:
        # Ctrl-C can strike when the pool has a cell that is not yet noted here: only an end in order leaves nothing under way.
        if in_order:
            pool.release()
        else:
            pool.close()


def _is_alone(under_way: dict[int, tuple[CellSpec, Any]], losses: Counter[str]) -> bool:
    return any(losses[spec.digest] >= ALONE_FROM for spec, _ in under_way.values())


def _next(work: Work, again: deque[CellSpec], losses: Counter[str], busy: bool) -> CellSpec | None:
    """The next cell; one that has to go alone only when nothing else is under way."""
    for _ in range(len(again)):
        if losses[again[0].digest] < ALONE_FROM or not busy:
            return again.popleft()
        again.rotate(-1)
    return None if again else work.take()


def _told(done: SimpleQueue[int], ticket: int, future: Any) -> None:
    done.put(ticket)


def _finished(done: SimpleQueue[int], under_way: dict[int, tuple[CellSpec, Any]]) -> int:
    """The ticket of a future that is done; the first one's where futures tell nobody, since its result can be waited for."""
    first, (_, future) = next(iter(under_way.items()))
    if not hasattr(future, "add_done_callback"):
        return first
    ticket: int = done.get(timeout=LOOK_UP_S)
    return ticket


class _Broken:
    """Future of a cell that the pool did not take any more."""

    def __init__(self, error: Exception):
        self.error = error

    def result(self) -> CellResult:
        raise self.error

    def add_done_callback(self, told: Callable[[Any], None]) -> None:
        told(self)

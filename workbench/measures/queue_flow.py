"""What every queue uses and waits for, instant by instant: one walk through a run, in steps of single numbers."""

from __future__ import annotations

from array import array

from workbench.measures.reading import Reading
from workbench.measures.timeline import Instant, shapes_of
from workbench.measures.tree import tree_of
from workbench.runs.record import NOBODY


class QueueFlow:
    """Use and demand of every queue with all below it, brought from instant to instant by `take`.

    The amount of resource `r` in queue `q` is at `q * kinds + r`, with queues numbered as in `QueueTree`.

    Attributes:
        used: what runs.
        wanted: the demand, what runs and what waits.
        touched: the queues in which something changed at the last instant.
    """

    def __init__(self, reading: Reading):
        tree, shapes, record = tree_of(reading), shapes_of(reading), reading.record
        self.kinds = len(reading.resources)
        self.used = [0] * (len(tree) * self.kinds)
        self.wanted = [0] * (len(tree) * self.kinds)
        self.touched: set[int] = set()
        self._job, self._job_queue, self._shape = record.job, record.job_queue, shapes.of
        self._amounts = shapes.amounts
        self._ways = [tuple(tree.up(tree.paths[path])) for path in record.queues]
        self._cells: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}

    def take(self, instant: Instant) -> None:
        """Bring use and demand to what they are after an instant."""
        self.touched.clear()
        self._each(instant.begin_to_wait, 1, 0)
        self._each(instant.stop_to_wait, -1, 0)
        self._each(instant.begin_to_run, 1, 1)
        self._each(instant.stop_to_run, -1, -1)

    def _each(self, attempts: array[int], wanted: int, used: int) -> None:
        for attempt in attempts:
            leaf = self._job_queue[self._job[attempt]]
            if leaf == NOBODY:
                continue
            for cell, amount in self._cells_of(leaf, self._shape[attempt]):
                self.wanted[cell] += wanted * amount
                if used:
                    self.used[cell] += used * amount
            self.touched.update(self._ways[leaf])

    def _cells_of(self, leaf: int, shape: int) -> tuple[tuple[int, int], ...]:
        """(cell, amount) of all that changes with one attempt."""
        found = self._cells.get((leaf, shape))
        if found is None:
            amounts = [(place, amount) for place, amount in enumerate(self._amounts[shape]) if amount]
            found = tuple((queue * self.kinds + place, amount) for queue in self._ways[leaf] for place, amount in amounts)
            self._cells[leaf, shape] = found
        return found

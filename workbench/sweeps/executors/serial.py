"""One cell after the other, in this process. It needs nothing, and is all that a browser's Python has."""

from __future__ import annotations

from workbench.sweeps.cells import attempted
from workbench.sweeps.executors.seam import Results, Work


class Serial:
    """Computes cells here and now."""

    name = "this process"
    at_once = 1

    def results(self, work: Work) -> Results:
        """The results, in the order of the cells."""
        while not work.stopped() and (spec := work.take()) is not None:
            yield attempted(work.function, spec)

    def close(self) -> None:
        """There is nothing to let go of."""

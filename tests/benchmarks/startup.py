"""How long `import workbench` takes."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.measure import Figure, Options, Target, python, spread

SECTION = "import"
IMPORT = "import time; t = time.perf_counter(); import workbench{more}; print(time.perf_counter() - t)"


def figures(options: Options) -> Iterator[Figure]:
    # Names load on first use, so that the import alone tells little.
    for name, more in (("import workbench", ""), ("import workbench, with Simulation", "; workbench.Simulation")):
        times = [float(python("-c", IMPORT.format(more=more))) for _ in range(1 + 2 * options.rounds)][1:]
        yield Figure(SECTION, name, median(times), "s", Target("<=", 0.3), f"{spread(times)} s", {"seconds": times})

"""How long `import workbench` takes, and what numpy is worth where the engine uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import median

from benchmarks.measure import Figure, Options, Target, in_turn, python, spread

SECTION = "import"
IMPORT = "import time; t = time.perf_counter(); import workbench{more}; print(time.perf_counter() - t)"
BLOCKED = "import sys; sys.modules['numpy'] = None; "
WORK = """
import json, sys, time
from functools import partial
from benchmarks.growth import shared_out
from benchmarks.measure import measured
run = measured(partial(shared_out, {nodes}, 5, 2 * {count} + 100, {count}), {limit})
print(json.dumps([run.each_us, sys.modules.get("numpy") is not None]))
"""


def figures(options: Options) -> Iterator[Figure]:
    # Names load on first use, so that the import alone tells little.
    for name, more in (("import workbench", ""), ("import workbench, with Simulation", "; workbench.Simulation")):
        times = [float(python("-c", IMPORT.format(more=more))) for _ in range(1 + 2 * options.rounds)][1:]
        yield Figure(SECTION, name, median(times), "s", Target("<=", 0.3), f"{spread(times)} s", {"seconds": times})
    work = WORK.format(nodes=options.scaled(5000, 20), count=options.allocations, limit=options.limit_s)
    without, with_numpy = in_turn(lambda: json.loads(python("-c", BLOCKED + work)), lambda: json.loads(python("-c", work)),
                                  options.rounds)
    name = "speed without numpy / with it"
    if not any(used for _, used in with_numpy):
        yield Figure(SECTION, name, None, "x", Target(">=", 1 / 3), "not measured: the engine does not use numpy")
        return
    slow, fast = (median(each for each, _ in runs) for runs in (without, with_numpy))
    yield Figure(SECTION, name, fast / slow, "x", Target(">=", 1 / 3), "", {"without_us": slow, "with_us": fast})

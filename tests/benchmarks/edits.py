"""What an edit of a large design costs: played again from the start or applied from now on, kept in a session or not."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.clusters import config_text
from benchmarks.measure import Figure, Options, Target, spread
from workbench import Simulation, Workbench

SECTION = "edits"
LEAVES = 9


def figures(options: Options) -> Iterator[Figure]:
    parents = options.scaled(50, 2)
    plain = _seconds(parents, options.rounds, mode="rerun", kept=False)
    for mode, kept in (("rerun", False), ("rerun", True), ("reload", False), ("reload", True)):
        taken = _seconds(parents, options.rounds, mode=mode, kept=kept)
        yield Figure(
            SECTION,
            f"an edit of {parents * (LEAVES + 1)} queues, {mode}, {'a session kept' if kept else 'no session'}",
            median(taken) * 1000,
            "ms of CPU",
            Target("<=", 100),
            f"{median(taken) / median(plain):.2f} times a rerun without session; {spread(taken)}",
            {"seconds": taken},
        )


def _seconds(parents: int, rounds: int, *, mode: str, kept: bool) -> list[float]:
    """CPU time of each of a row of edits of a design that was read from a text."""
    below = [{"name": f"q{at}", "resources": {"guaranteed": {"vcore": at + 1}}} for at in range(LEAVES)]
    queues = [{"name": f"p{at}", "queues": below} for at in range(parents)]
    bench = Workbench(Simulation(config_text(queues)))
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        if kept:
            bench.autosave(Path(folder) / "kept.json")
        bench.edit_mode(mode)
        for number in range(2 + 4 * rounds):
            started = time.process_time()
            bench.set(f"root.p{number % parents}.q3", "priority.offset", number + 1)
            taken.append(time.process_time() - started)
        if bench.keeper is not None:
            bench.keeper.finish()
    return taken[2:]

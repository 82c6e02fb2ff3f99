"""What the incremental search saves over the plain one, on the same work."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.clusters import NODE, application, asks, config_text, engine, warmed_up
from benchmarks.measure import Figure, Options, Target, Work, compared
from workbench.values.resources import Resource

SECTION = "search"
MOST = 200
"""The plain search is slow; more allocations would tell no more."""


def figures(options: Options) -> Iterator[Figure]:
    nodes = options.scaled(1000, 20)
    for waiting in (0, options.scaled(1000, 10)):
        yield compared(
            SECTION,
            f"plain / incremental: {nodes:,} nodes, 100 queues, {waiting:,} asks that fit nowhere",
            partial(_work, "plain", nodes, waiting, options),
            partial(_work, "incremental", nodes, waiting, options),
            options,
            target=Target(">=", 1),
        )


def _work(search: str, nodes: int, waiting: int, options: Options) -> Work:
    made = engine(config_text({"name": f"q{number}"} for number in range(100)), nodes=nodes, search=search)
    for number in range(100):
        application(made, f"app-{number}", f"root.q{number}")
        asks(made, f"app-{number}", waiting // 100, Resource(vcore=NODE["vcore"] + 1), prefix=f"large-{number}", priority=1)
        asks(made, f"app-{number}", 3)
    return warmed_up(made, min(MOST, options.allocations))

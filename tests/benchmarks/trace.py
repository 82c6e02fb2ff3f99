"""The tasks of Alibaba's GPU trace, replayed here and on the real core: whole processes, start-up included.

Both read the same scenario and write what happened in the same form, and the figure tells how many moments came out alike.
No wait is longer than a second: with the months that lie between the tasks the core is busy with its own periodic checks,
which is no measure of scheduling. A task that stays on lasts as many cycles as before.

The data are a folder with the tables of nodes and tasks of cluster-trace-gpu-v2023.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.measure import Figure, Options, Target, in_turn, python
from workbench.conformance.replay import normal
from workbench.importers.alibaba import load_alibaba
from workbench.simulation.scenario import AdvanceMs, Scenario, scenario_to_json

SECTION = "trace"
NODES, TASKS = "openb_node_list_all_node.csv", "openb_pod_list_default.csv"
LONGEST_WAIT_MS = 1000


def figures(options: Options) -> Iterator[Figure]:
    target = Target(">=", 4)
    if options.trace is None:
        yield Figure(SECTION, "replay of the trace, the core's time / ours", None, "x", target, "not measured: no --trace")
        return
    scenario = shortened(load_alibaba(options.trace / NODES, options.trace / TASKS, tasks=options.trace_tasks))
    name = f"{scenario.description.partition(' of the')[0]}: the core's time / ours"
    with tempfile.TemporaryDirectory() as folder:
        given, here, there = (Path(folder) / name for name in ("scenario.json", "ours.json", "core.json"))
        given.write_text(scenario_to_json(scenario), encoding="utf-8")

        def ours() -> float:
            return _seconds(lambda: python("-m", "benchmarks.replay", str(given), str(here)))

        if options.peer is None:
            yield Figure(SECTION, name, None, "x", target, f"not measured: no --peer; ours alone: {ours():.1f} s")
            return
        environment = {**os.environ, "ORACLE_IN": str(given), "ORACLE_OUT": str(there), "ORACLE_CORE": "v1.8.0"}
        mine, cores = in_turn(
            ours,
            lambda: _seconds(
                lambda: subprocess.run([options.peer], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=sys.stderr)
            ),
            options.rounds,
        )
        alike, total = agreement(here, there)
        yield Figure(
            SECTION,
            name,
            median(cores) / median(mine),
            "x",
            target,
            f"ours {median(mine):.1f} s, the core's {median(cores):.1f} s; {alike:,} of {total:,} moments alike",
            {"ours_s": mine, "peer_s": cores, "alike": alike, "moments": total},
        )


def shortened(scenario: Scenario) -> Scenario:
    """The same events, with no wait above `LONGEST_WAIT_MS`."""
    return replace(
        scenario,
        events=tuple(
            replace(event, command=AdvanceMs(min(event.command.ms, LONGEST_WAIT_MS)))
            if isinstance(event.command, AdvanceMs)
            else event
            for event in scenario.events
        ),
    )


def agreement(one: Path, other: Path) -> tuple[int, int]:
    """How many trace items of two recordings are alike, and how many there are."""
    ones, others = (json.loads(path.read_text(encoding="utf-8"))["trace"] for path in (one, other))
    alike = sum(_item(mine) == _item(yours) for mine, yours in zip(ones, others))
    return alike, max(len(ones), len(others))


def _item(item: dict) -> tuple:
    return (
        item["event"],
        item.get("cycle", 0),
        item["t_ms"],
        sorted(json.dumps(normal(outcome), sort_keys=True) for outcome in item["outcomes"]),
    )


def _seconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return round(time.perf_counter() - started, 3)

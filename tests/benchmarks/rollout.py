"""Runs of workloads: what they cost beside bare placing, with size, beside the real core, another simulator, and in a sweep.

Jobs that need a process of their own (memory, another program) are played by `rollout_runs`. The sweep counts wall time, since it
is about several processes at once: on a machine that others use as well its figures tell nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.clusters import allocate, application, asks, engine
from benchmarks.measure import Figure, Options, Target, Work, compared, in_turn, python, until
from benchmarks.rollout_runs import SLOTS, design, steady, swf_text
from benchmarks.trace import NODES as TRACE_NODES
from workbench.runs import simulate
from workbench.sweeps import sweep
from workbench.sweeps.executors.processes import Processes, cores

SECTION = "rollout"
QUEUES = 5
SWEPT = 24
"""Cells of a sweep, each of about a second: what a process takes to start is a part of it, and not the larger one."""
PEER_NODES, PEER_CORES = 500, 16


def figures(options: Options) -> Iterator[Figure]:
    yield from _placing(options)
    yield _trace(options)
    yield from _month(options)
    yield from _million(options)
    yield from _sweeps(options)
    yield _accasim(options)


# -- beside bare placing ----------------------------------------------------------------------------------------------


def _placing(options: Options) -> Iterator[Figure]:
    tasks, nodes = options.scaled(20_000, 40), options.scaled(500, 4)
    for each, submits in ((10, False), (10, True), (1, True)):
        yield compared(
            SECTION,
            f"a run of {tasks:,} tasks, {each} in a job / placing them{' once they are asked for' * (not submits)}",
            partial(_run, tasks, nodes, each),
            partial(_bare, tasks, nodes, each, submits),
            options,
            target=Target("<=", 3),
            note="asking for them included on both sides" if submits else "arrivals and ends are on the side of the run alone",
        )


def _run(tasks: int, nodes: int, tasks_each: int) -> Work:
    workload, config = steady(tasks, nodes, queues=QUEUES, tasks_each=tasks_each), design(QUEUES)
    return lambda limit_s: len(simulate(config, workload, reasons=False).record)


def _bare(tasks: int, nodes: int, tasks_each: int, submits: bool) -> Work:
    """A cluster that has room for all of them at once, since none of them ends."""
    made = engine(design(QUEUES), nodes=max(nodes, -(-tasks // SLOTS)), history=False)

    def submit() -> None:
        for number in range(tasks // tasks_each):
            application(made, f"job-{number}", f"root.q{number % QUEUES}", user=f"user-{number % 50}")
            asks(made, f"job-{number}", tasks_each)

    def work(limit_s: float) -> int:
        if submits:
            submit()
        done = 0
        for _ in until(limit_s, tasks):
            allocate(made)
            done += 1
        return done

    if not submits:
        submit()
    return work


# -- beside the core --------------------------------------------------------------------------------------------------


def _trace(options: Options) -> Figure:
    target, name = Target(">=", 4), "the trace with its true times, the core's time / ours"
    if options.trace is None:
        return Figure(SECTION, name, None, "x", target, "not measured: no --trace")
    assert (options.trace / TRACE_NODES).is_file()
    first = [str(options.trace_tasks)] if options.trace_tasks else []
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder) / "scenario.json", Path(folder) / "core.json"
        ours = played("trace", str(options.trace), str(given), *first)
        name = f"{ours['tasks']:,} tasks of the trace over {ours['days']:,.0f} days: the core's time / ours"
        if options.peer is None:
            note = f"not measured: no --peer; ours alone: {ours['seconds']:.2f} s"
            return Figure(SECTION, name, None, "x", target, note, {"ours": ours})
        environment = {**os.environ, "ORACLE_IN": str(given), "ORACLE_OUT": str(written), "ORACLE_CORE": "v1.8.0"}
        before = os.times()
        process = subprocess.Popen([options.peer], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            complaint = process.communicate(timeout=options.limit_s)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            complaint = ""
            process.communicate()
        after = os.times()
        taken_s = after.children_user + after.children_system - before.children_user - before.children_system
        ended = written.exists()
        if process.returncode > 0:
            note = f"not measured: the peer cannot play it; is it that of tests/oracle/core? {complaint.strip()[-200:]}"
            return Figure(SECTION, name, None, "x", target, note, {"ours": ours})
    note = (
        f"ours {ours['seconds']:.2f} s, the core's {taken_s:.0f} s{'' if ended else ', stopped by --limit: it is more than this'}"
    )
    return Figure(SECTION, name, taken_s / ours["seconds"], "x", target, note, {"ours": ours, "peer_s": taken_s, "ended": ended})


# -- with size --------------------------------------------------------------------------------------------------------


def _month(options: Options) -> Iterator[Figure]:
    count, nodes, queues = options.scaled(100_000, 60), options.scaled(1000, 4), options.scaled(100, 3)
    once, twice = in_turn(
        partial(played, "month", count, nodes, queues, 1), partial(played, "month", count, nodes, queues, 2), min(2, options.rounds)
    )
    busy, idle = (median(each["seconds"] for each in runs) for runs in (once, twice))
    details = {"once": once, "twice": twice}
    name = f"{count:,} jobs in a month, {nodes:,} nodes, {queues} queues, all measures"
    yield Figure(
        SECTION, f"{name}: over two months / over one", idle / busy, "x", Target("<=", 1.1), f"{idle:.1f} / {busy:.1f} s", details
    )
    most = max(each["bytes"] for each in (*once, *twice))
    yield Figure(SECTION, f"{name}: the most memory", most / 1e9, "GB", Target("<=", 1), f"{once[0]['tasks']:,} tasks", details)


def _million(options: Options) -> Iterator[Figure]:
    """As many tasks for each node on both sides, and as busy."""
    many, few = options.scaled(1_000_000, 100), options.scaled(10_000, 50)
    nodes, fewer = options.scaled(10_000, 4), options.scaled(100, 2)
    large, small = played("steady", many, nodes), [played("steady", few, fewer) for _ in range(options.rounds)]
    each_us = large["seconds"] / large["tasks"] * 1e6
    other_us = median(run["seconds"] / run["tasks"] * 1e6 for run in small)
    details = {"large": large, "small": small}
    name = f"{many:,} tasks on {nodes:,} nodes"
    yield Figure(
        SECTION,
        f"{name}: time for each task / of {few:,} on {fewer:,}",
        each_us / other_us,
        "x",
        Target("<=", 1.5),
        f"{each_us:.0f} / {other_us:.0f} us",
        details,
    )
    yield Figure(SECTION, f"{name}: the most memory", large["bytes"] / 1e9, "GB", Target("<=", 3), "", details)


# -- sweeps -----------------------------------------------------------------------------------------------------------


def _sweeps(options: Options) -> Iterator[Figure]:
    wanted = (
        ("a sweep in two processes, times as fast as in one", Target(">=", 1.8)),
        ("a sweep on a Dask cluster of two workers / in two processes", Target("<=", 1.1)),
    )
    if cores() < 2:
        for name, target in wanted:
            yield Figure(SECTION, name, None, "x", target, "not measured: there is only one core")
        return
    tasks = options.scaled(4000, 20)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    one, two = in_turn(partial(_swept, tasks, 1), partial(_swept, tasks, 2), min(2, options.rounds))
    busy = f"; the load of the machine was {load:.1f} before" if load > 0.5 else ""
    name, target = wanted[0]
    note = f"{median(one):.1f} / {median(two):.1f} s for {SWEPT} cells{busy}"
    yield Figure(SECTION, name, median(one) / median(two), "x", target, note, {"one_s": one, "two_s": two})
    name, target = wanted[1]
    if find_spec("distributed") is None:
        yield Figure(SECTION, name, None, "x", target, "not measured: the extra dask is not installed")
        return
    yield _dask(tasks, min(2, options.rounds), name, target, busy)


def _dask(tasks: int, rounds: int, name: str, target: Target, busy: str) -> Figure:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        there, here = in_turn(partial(_swept, tasks, client), partial(_swept, tasks, 2), rounds)
    note = f"{median(there):.1f} / {median(here):.1f} s for {SWEPT} cells{busy}"
    return Figure(SECTION, name, median(there) / median(here), "x", target, note, {"dask_s": there, "processes_s": here})


def _swept(tasks: int, where: Any) -> float:
    """Seconds of wall time, the start of processes included."""
    workload = steady(tasks, max(4, tasks // 40), queues=QUEUES)
    executor = Processes(where) if isinstance(where, int) else where
    offsets = list(range(0, 10 * SWEPT, 10))
    started = time.perf_counter()
    found = sweep(design(QUEUES), {"root.q0:priority.offset": offsets}, workload, executor=executor, progress=lambda stand: None)
    seconds = time.perf_counter() - started
    assert len(found.variants) == SWEPT
    if isinstance(executor, Processes):
        executor.close()
    return round(seconds, 3)


# -- another simulator ------------------------------------------------------------------------------------------------


def _accasim(options: Options) -> Figure:
    jobs = options.scaled(10_000, 30)
    name = f"{jobs:,} jobs of an SWF file, first in first out, {PEER_NODES} nodes: AccaSim's time / ours"
    target = Target(">=", 5)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "jobs.swf"
        file.write_text(swf_text(jobs, PEER_NODES, PEER_CORES), encoding="utf-8")
        if find_spec("accasim") is None:
            ours = played("swf", str(file))
            note = f"not measured: the extra benchmarks is not installed; ours alone: {ours['seconds']:.2f} s"
            return Figure(SECTION, name, None, "x", target, note, {"ours": ours})
        mine, theirs = in_turn(
            partial(played, "swf", str(file)), partial(_other, str(file), str(PEER_NODES), str(PEER_CORES)), options.rounds
        )
    assert all(run["finished"] == jobs for run in mine) and all(run["jobs"] == jobs for run in theirs)
    ours_s, theirs_s = (median(run["seconds"] for run in runs) for runs in (mine, theirs))
    note = f"{jobs / theirs_s:,.0f} and {jobs / ours_s:,.0f} jobs a second"
    return Figure(SECTION, name, theirs_s / ours_s, "x", target, note, {"ours": mine, "accasim": theirs})


def _other(*arguments: str) -> dict[str, float]:
    found: dict[str, float] = _last_line(lambda: python("-m", "benchmarks.accasim_run", *arguments))
    return found


def played(kind: str, *arguments: object) -> dict[str, Any]:
    """What `rollout_runs` tells, in a fresh process."""
    return _last_line(lambda: python("-m", "benchmarks.rollout_runs", kind, *map(str, arguments)))


def _last_line(run: Callable[[], str]) -> Any:
    return json.loads(run().splitlines()[-1])

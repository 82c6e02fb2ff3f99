"""What remembering costs: stepping back after a long history, the memory of one, and none where it is switched off."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterator
from statistics import median

from benchmarks.clusters import ASK, allocate, config_text
from benchmarks.life_cycles import COMMANDS_EACH, live, small_cluster
from benchmarks.measure import Figure, Options, Target, python, spread
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddAsk, AddNode, AskSpec, Release
from workbench.simulation import Simulation

SECTION = "history"


def figures(options: Options) -> Iterator[Figure]:
    short, long = options.scaled(1000, 10), options.scaled(100_000, 50)
    yield from _steps(short, long, options.allocations)
    yield from _simulation(options.scaled(1000, 10), options.scaled(20_000, 50), max(3, options.allocations // 4))
    yield _inputs(options.scaled(10_000, 200), options.rounds)
    events = options.scaled(1_000_000, 300)
    memory = _memory(events // COMMANDS_EACH, "history")
    grown_gb = (memory["after"] - memory["before"]) / 1e9
    yield Figure(
        SECTION,
        f"memory of a process with a history of {events:,} commands",
        memory["after"] / 1e9,
        "GB",
        Target("<=", 1.5),
        f"of which the history {grown_gb:.2f} GB",
        memory,
    )
    yield Figure(
        SECTION,
        "a life cycle in the last tenth of that history / in the first",
        memory["late_s"] / memory["early_s"],
        "x",
        Target("<=", 1.5),
        "memory to search for garbage included",
        memory,
    )
    few, many = (_memory(options.scaled(count, 100), "none") for count in (20_000, 100_000))
    yield Figure(
        SECTION,
        f"memory without history after {many['life_cycles']:,} life cycles / after {few['life_cycles']:,}",
        many["after"] / few["after"],
        "x",
        Target("<=", 1.05),
        "",
        {"few": few, "many": many},
    )


def _inputs(count: int, rounds: int) -> Figure:
    """Twice as many inputs take twice as long: what an input costs does not depend on how many there were."""
    took: dict[int, list[float]] = {count: [], 2 * count: []}
    for _ in range(rounds):
        for inputs, times in took.items():
            simulation = Simulation(config_text([]))
            gc.collect()
            began = time.perf_counter()
            for number in range(inputs):
                simulation.apply(AddNode(node_id=f"node-{number}", capacity=ASK))
            times.append(time.perf_counter() - began)
    few, many = (median(times) for times in took.values())
    details = {"seconds": {str(inputs): times for inputs, times in took.items()}}
    return Figure(
        SECTION, f"time of {2 * count:,} inputs / of {count:,}", many / few, "x", Target("<=", 2.4), f"{many:.2f} s", details
    )


def _memory(life_cycles: int, history: str) -> dict[str, float]:
    return json.loads(python("-m", "benchmarks.life_cycles", str(life_cycles), history))


def _steps(short: int, long: int, samples: int) -> Iterator[Figure]:
    """Both engines are measured in turn, in one process; the long one's objects burden the collector for both alike."""
    engines = {"short": small_cluster(history=True), "long": small_cluster(history=True)}
    for name, count in (("short", short), ("long", long)):
        live(engines[name], "task", count)
    back: dict[str, list[float]] = {name: [] for name in engines}
    forth: dict[str, list[float]] = {name: [] for name in engines}
    gc.collect()
    for number in range(samples):
        for name, engine in engines.items():
            forward_s, backward_s = _step_and_back(engine, f"sample-{number}")
            forth[name].append(forward_s * 1e3)
            back[name].append(backward_s * 1e3)
    details = {
        "back_ms": {name: median(times) for name, times in back.items()},
        "forth_ms": {name: median(times) for name, times in forth.items()},
    }
    yield Figure(
        SECTION,
        f"one step back after {long:,} life cycles",
        median(back["long"]),
        "ms",
        Target("<=", 1),
        f"from {spread(back['long'])} ms",
        details,
    )
    yield Figure(
        SECTION,
        f"one step back after {long:,} life cycles / after {short:,}",
        median(back["long"]) / median(back["short"]),
        "x",
        Target("<=", 1.5),
        "",
        details,
    )
    yield Figure(
        SECTION,
        f"one step forward after {long:,} life cycles / after {short:,}",
        median(forth["long"]) / median(forth["short"]),
        "x",
        Target("<=", 1.5),
        "",
        details,
    )


def _step_and_back(engine: Engine, key: str) -> tuple[float, float]:
    """Seconds of one allocating cycle, and of taking it back."""
    engine.apply(AddAsk(ask=AskSpec(application_id="app", key=key, resource=ASK)))
    mark = engine.mark
    started = time.perf_counter()
    allocate(engine)
    between = time.perf_counter()
    engine.unwind(mark)
    ended = time.perf_counter()
    engine.apply(Release(application_id="app", key=key))
    return between - started, ended - between


def _simulation(short: int, long: int, samples: int) -> Iterator[Figure]:
    """The same through a `Simulation`, which also keeps its script and its steps."""
    back: dict[int, list[float]] = {}
    simulations = {count: _played(count) for count in (short, long)}
    gc.collect()
    for _ in range(samples):
        for count, simulation in simulations.items():
            started = time.perf_counter()
            simulation.back()
            back.setdefault(count, []).append((time.perf_counter() - started) * 1e3)
            simulation.step()
    details = {str(count): median(times) for count, times in back.items()}
    yield Figure(
        SECTION,
        f"back() of a Simulation after {long:,} steps",
        median(back[long]),
        "ms",
        Target("<=", 1),
        f"after {short:,} steps {median(back[short]):.3f} ms",
        details,
    )


def _played(steps: int) -> Simulation:
    simulation = Simulation(config_text([{"name": "q"}]))
    simulation.add_nodes(10, vcore=str(steps), memory=f"{3 * steps}Gi")
    simulation.submit("app", queue="root.q", user="user")
    for number in range(steps):
        simulation.apply(AddAsk(ask=AskSpec(application_id="app", key=f"k-{number}", resource=ASK)))
    assert simulation.run() == steps
    return simulation

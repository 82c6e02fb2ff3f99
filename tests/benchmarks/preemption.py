"""A cluster full of a scavenger's tasks, and the queues that it lends the room from ask for it back, task by task.

Every ask tries to preempt, stops one task, waits on the node that this frees, and is placed there. Against the core both replay the
same scenario: ours in this process, from the first cycle on; the core's time is that of its program less what it takes for the
same scenario without cycles.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.clusters import config_text
from benchmarks.measure import Figure, Measured, Options, Target, Work, compared, in_turn, until
from benchmarks.trace import agreement
from workbench.config import load_config
from workbench.conformance.replay import outcomes
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec
from workbench.simulation import driver
from workbench.simulation.scenario import AdvanceMs, Scenario, ScenarioEvent, Schedule, scenario_to_json
from workbench.values.resources import Resource

SECTION = "preemption"
TASKS = (300, 1000, 3000)
ON_A_NODE = 10
CORE = Resource(vcore=1000)
LEVELS = {
    False: "two guaranteed queues",
    True: "ten queues, guarantees at three levels",
}


def figures(options: Options) -> Iterator[Figure]:
    for deep, queues in LEVELS.items():
        for tasks in TASKS if not deep else TASKS[1:2]:
            yield _against_the_core(options, options.scaled(tasks, 30), queues, deep=deep)
    few, many = options.scaled(1000, 30), options.scaled(10_000, 60)
    for deep, queues in LEVELS.items():
        yield compared(
            SECTION,
            f"an attempt at {many:,} running tasks / at {few:,}, {queues}",
            partial(_taking_back, options, many, deep=deep),
            partial(_taking_back, options, few, deep=deep),
            options,
            target=Target("<=", 1.5),
        )
    yield compared(
        SECTION,
        f"an attempt at {many:,} running tasks / at {few:,}, on as many nodes",
        partial(_taking_back, options, many, on_a_node=many * ON_A_NODE // few),
        partial(_taking_back, options, few),
        options,
        target=Target("<=", 1.5),
    )


# -- the scene --------------------------------------------------------------------------------------------------------


def scene(tasks: int, *, deep: bool = False, on_a_node: int = ON_A_NODE) -> Scenario:
    """All nodes full of tasks of scavengers, and as many asks as the others are guaranteed, each old enough to preempt."""
    each = tasks // (3 if not deep else 10)
    takers = {f"root.taker{number}": each for number in range(2)} if not deep else dict.fromkeys(_deep_leaves(), each)
    givers = ["root.scavenger"] if not deep else ["root.scavenger", "root.lent.scavenger"]
    commands: list[Any] = [
        AddNode(node_id=f"node-{number}", capacity=Resource(vcore=1000 * on_a_node)) for number in range(tasks // on_a_node)
    ]
    commands += [AddApplication(application=ApplicationSpec(id=leaf, queue=leaf, user="u")) for leaf in [*givers, *takers]]
    for number in range(tasks // on_a_node * on_a_node):
        spec = AskSpec(application_id=givers[number % len(givers)], key=f"runs-{number}", resource=CORE)
        commands.append(AddAllocation(ask=spec, node_id=f"node-{number // on_a_node}"))
    for number in range(each):
        commands += [AddAsk(ask=AskSpec(application_id=leaf, key=f"{leaf}-{number}", resource=CORE)) for leaf in takers]
    commands += [AdvanceMs(2_000), Schedule(2 * each * len(takers))]
    return Scenario(
        config=_deep(each)
        if deep
        else config_text([{"name": "scavenger"}, *(_taker(f"taker{number}", each) for number in range(2))]),
        events=tuple(ScenarioEvent(command, index=index) for index, command in enumerate(commands)),
    )


def _taker(name: str, cores: int, below: list[dict] | None = None) -> dict[str, Any]:
    queue: dict[str, Any] = {"name": name, "resources": {"guaranteed": {"vcore": cores}}, "properties": {"preemption.delay": "1s"}}
    return queue if below is None else {**queue, "queues": below}


def _deep_leaves() -> list[str]:
    return [f"root.org{org}.team{team}.taker{taker}" for org in range(2) for team in range(2) for taker in range(2)]


def _deep(each: int) -> str:
    """Two organisations of two teams of two queues, all guaranteed something, and two scavengers, one below a parent."""

    def org(number: int) -> dict[str, Any]:
        teams = [_taker(f"team{team}", 2 * each, [_taker(f"taker{taker}", each) for taker in range(2)]) for team in range(2)]
        return _taker(f"org{number}", 4 * each, teams)

    return config_text([{"name": "scavenger"}, {"name": "lent", "queues": [{"name": "scavenger"}]}, org(0), org(1)])


# -- one attempt ------------------------------------------------------------------------------------------------------


def _taking_back(options: Options, tasks: int, *, deep: bool = False, on_a_node: int = ON_A_NODE) -> Work:
    """The first attempts of the scene, with the cycles in which those asks are placed."""
    told = scene(tasks, deep=deep, on_a_node=on_a_node)
    played = _from_the_first_cycle(told)
    next(played)
    count = min(options.allocations, told.events[-1].command.cycles // 2 - 1)  # type: ignore[union-attr]

    def work(limit_s: float) -> int:
        done = 0
        for _ in until(limit_s, count):
            next(played), next(played)
            done += 1
        return done

    return work


def _from_the_first_cycle(told: Scenario) -> Iterator[driver.Item]:
    """What happens in each cycle; the first answer comes when everything before is over."""
    engine = Engine(load_config(told.config), history=False)
    driver.begin(engine)
    for item in driver.items(engine, told):
        if item.cycle or item.event == len(told.events) - 2:
            yield item


# -- against the core -------------------------------------------------------------------------------------------------


def _against_the_core(options: Options, tasks: int, queues: str, *, deep: bool) -> Figure:
    name = f"{tasks:,} tasks of a scavenger, {queues}: the core's time / ours"
    told, target = scene(tasks, deep=deep), Target(">=", 8)
    if options.peer is None:
        seconds = _ours(told).seconds
        return Figure(SECTION, name, None, "x", target, f"not measured: no --peer; ours alone: {seconds:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        mine = Path(folder) / "ours.json"
        theirs = [Path(folder) / f"core-{number}.json" for number in range(options.rounds)]
        unwritten = iter(theirs)
        ours, cores = in_turn(lambda: _ours(told, mine).seconds, lambda: _theirs(options, told, next(unwritten)), options.rounds)
        alike, total = agreement(mine, theirs[0])
        # Nodes and queues that stand equal are the core's to order: from one play to the next it decides otherwise itself.
        itself = agreement(theirs[0], theirs[1])[0] if len(theirs) > 1 else None
    own = "" if itself is None else f", {itself:,} between two plays of the core"
    return Figure(
        SECTION,
        name,
        median(cores) / median(ours),
        "x",
        target,
        f"ours {median(ours):.2f} s, the core's {median(cores):.2f} s; {alike:,} of {total:,} moments alike{own}",
        {"ours_s": ours, "peer_s": cores, "alike": alike, "moments": total, "alike_core_to_core": itself},
    )


def _ours(told: Scenario, written: Path | None = None) -> Measured:
    begun = time.perf_counter()
    played = _from_the_first_cycle(told)
    next(played)
    ready = time.perf_counter()
    items = list(played)
    seconds = time.perf_counter() - ready
    if written is not None:
        trace, carried = [], ()
        for item in items:
            trace.append(
                {
                    "event": item.event,
                    "cycle": item.cycle,
                    "t_ms": item.now_ns // 10**6,
                    "outcomes": outcomes(carried + item.events),
                }
            )
            carried = item.confirmed
        written.write_text(json.dumps({"trace": trace}), encoding="utf-8")
    return Measured(len(items), seconds, ready - begun)


def _theirs(options: Options, told: Scenario, written: Path) -> float:
    """Seconds that the core takes for the cycles; what happened in them is written."""
    without = replace(told, events=told.events[:-1])
    seconds = -_played(options, without, written)
    seconds += _played(options, told, written)
    found = json.loads(written.read_text(encoding="utf-8"))
    written.write_text(json.dumps({"trace": [item for item in found["trace"] if item.get("cycle")]}), encoding="utf-8")
    return seconds


def _played(options: Options, told: Scenario, written: Path) -> float:
    assert options.peer is not None
    given = written.with_suffix(".scenario.json")
    given.write_text(scenario_to_json(told), encoding="utf-8")
    environment = {**os.environ, "ORACLE_IN": str(given), "ORACLE_OUT": str(written), "ORACLE_CORE": "v1.8.0"}
    started = time.perf_counter()
    subprocess.run([options.peer], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started

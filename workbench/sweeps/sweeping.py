"""`sweep`: run every combination of some settings with every seed, and keep what comes of each. SW-1 to SW-4."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from workbench.sweeps.cells import HEADLINES, CellFunction, CellResult, Wanted, run_cell
from workbench.sweeps.choices import Point, choices_of
from workbench.sweeps.display import Watch, watched
from workbench.sweeps.driving import Planned, Stand, driven
from workbench.sweeps.executors import Executor, chosen
from workbench.sweeps.goals import Goal, goals_of
from workbench.sweeps.planning import Plan, planned
from workbench.sweeps.result import Sweep, Variant
from workbench.sweeps.store import Store, opened
from workbench.values.errors import CommandError
from workbench.values.found import found


def sweep(
    design: Any,
    settings: Any,
    workload: Any,
    *,
    seeds: int | Sequence[int] = 1,
    goals: Any = None,
    measures: Iterable[str | Wanted] = (),
    nodes: Any = None,
    until: str | float | None = None,
    release: str | None = None,
    rate: float | None = None,
    file: str | os.PathLike[str] | None = None,
    executor: Any = None,
    progress: Callable[[Stand], None] | None = None,
    stop: Callable[[], bool] | None = None,
    run: CellFunction = run_cell,
) -> Sweep:
    """Run a workload under every variant of a design. SW-1

        wb.sweep(design, {"root.prod:priority.offset": [0, 100, 1000], "nodes": ["8 x vcore=8", "16 x vcore=8"]}, workload, seeds=5)

    Args:
        design, workload, nodes, until, release, rate: as `wb.simulate` takes them.
        settings: address of a setting -> values, for every combination; a list of combinations; or a `Sample` of them. A setting
            is one of a queue (`root.prod:priority.offset`, `root.prod:resources.max.vcore`), of the partition
            (`partition:preemption.enabled`), or `nodes`, `load` (so many times as much arrives) or `release`.
        seeds: how many runs of each combination, or which seeds.
        goals: what is best: `Goal`s; the first of equal ones by bounds kept, then goal by goal.
        measures: which numbers to take: names of measures, for the cluster and every queue, or pairs of a name and a scope.
            Without any, those that are shown first; those of goals are taken anyway.
        file: keeps the results, so that a sweep that was ended goes on there; None keeps them in memory.
        executor: None for all cores of this machine; "serial", a number of processes, the address of a Dask scheduler, a
            `distributed.Client`, or anything with `submit`. The numbers are the same everywhere.
        progress: told after every cell how far it is; without one a notebook shows it, with a button to stop.
        stop: asked now and then; True ends the sweep with what is there.
        run: computes a cell in place of `run_cell`.

    Raises:
        ConfigError: the design cannot be read, or a setting is nowhere in it. A combination that makes no sense stops nothing.
        WorkloadError, CommandError: another argument makes no sense, or the executor cannot go on.
        StudyError: the file cannot be read or written.
    """
    choices, wanted_goals = choices_of(settings), goals_of(goals)
    plan = planned(
        design,
        workload,
        seeds=seeds,
        nodes=nodes,
        until=until,
        release=release,
        rate=rate,
        wanted=wanted_of(measures, wanted_goals),
    )
    points = list(choices)
    plan.check(points)
    with room(file, executor, progress, stop) as (store, where, watch):
        return swept(plan, points, wanted_goals, store=store, executor=where, watch=watch, run=run)


@contextmanager
def room(
    file: str | os.PathLike[str] | None,
    executor: Any,
    progress: Callable[[Stand], None] | None,
    stop: Callable[[], bool] | None,
) -> Iterator[tuple[Store, Executor, Watch]]:
    """What a sweep needs beside its plan, for as long as the `with` block runs: a store, an executor, somebody who looks at it."""
    where = chosen(executor)
    try:
        with closing(opened(file)) as store, watched(progress, stop) as watch:
            yield store, where, watch
    finally:
        if where is not executor:
            where.close()


def swept(
    plan: Plan,
    points: Sequence[Point],
    goals: Sequence[Goal],
    *,
    store: Store,
    executor: Executor,
    watch: Watch,
    run: CellFunction,
) -> Sweep:
    """The sweep of some combinations; what is in the store already is not run again."""
    cells = [plan.cells(point) for point in points]
    every = [each for some in cells for each in some]
    results = computed(plan, every, store=store, executor=executor, watch=watch, run=run)
    return Sweep(plan, [variant_of(number, points[number], some, results) for number, some in enumerate(cells)], goals)


def computed(
    plan: Plan, cells: Sequence[Planned], *, store: Store, executor: Executor, watch: Watch, run: CellFunction
) -> dict[str, CellResult]:
    """Digest -> result of all these cells, or of as many as there are when it is stopped."""
    digest = plan.common.workload_digest
    store.keep_workload(digest, plan.workload_content)
    results = driven(
        cells,
        store,
        executor,
        function=run,
        workloads={digest: plan.common.workload},
        progress=watch.tell,
        stopped=watch.stopped,
    )
    found: dict[str, CellResult] = {}
    with closing(results):
        try:
            for result in results:
                found[result.digest] = result
        except KeyboardInterrupt:
            if not watch.is_interrupted():
                raise
    return found


def variant_of(number: int, point: Point, cells: Sequence[Planned], results: Mapping[str, CellResult]) -> Variant:
    """A combination with those of its results that are there."""
    there = {each.spec.seed: results[each.spec.digest] for each in cells if each.spec.digest in results}
    return Variant(number, point, there, len(cells))


def wanted_of(measures: Iterable[str | Wanted], goals: Sequence[Goal]) -> tuple[Wanted, ...]:
    """The numbers to be taken. CommandError for something that is neither a name nor a pair."""
    wanted: list[Wanted] = []
    for each in [measures] if isinstance(measures, str) else measures:
        if isinstance(each, str):
            wanted.append((each, ""))
        elif isinstance(each, tuple | list) and len(each) == 2 and all(isinstance(part, str) for part in each):
            wanted.append((each[0], each[1]))
        else:
            raise CommandError(f"measures are names, or pairs of a name and a scope, found {found(each)}")
    # What is shown first is taken with the goals, so that there is something to see beside them.
    return (*(wanted or [HEADLINES]), *(goal.wanted for goal in goals))

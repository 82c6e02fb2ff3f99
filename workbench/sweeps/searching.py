"""`search`: look for the best settings where there are too many combinations to try them all. SW-5; the extra `search`, optuna.

What to try next is asked of optuna's tree-structured Parzen estimator, with bounds as its constraints. Some combinations at once
are a generation: all of them are asked for, run, and only then told, so that what is tried hangs on the seed and on nothing else,
not on which of them was there first or how many processes there are. Every question has a random generator of its own. What was
asked for is kept in the study beside the cells, and is not asked again: a search that was ended goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from workbench.sweeps import goals as goals_
from workbench.sweeps.cells import CellFunction, Wanted, run_cell
from workbench.sweeps.choices import Between, Choices, Point, key_of
from workbench.sweeps.display import Watch
from workbench.sweeps.driving import Stand
from workbench.sweeps.executors import Executor
from workbench.sweeps.fingerprint import digest_of
from workbench.sweeps.goals import Goal, goals_of
from workbench.sweeps.planning import Plan, planned
from workbench.sweeps.result import Sweep, Variant
from workbench.sweeps.store import Store
from workbench.sweeps.sweeping import computed, room, variant_of, wanted_of
from workbench.values.errors import CommandError
from workbench.values.found import found

MOST_TRIALS = 100_000
MOST_AIMS = 3


def search(
    design: Any,
    settings: Mapping[str, Choices],
    workload: Any,
    *,
    goals: Any,
    trials: int = 50,
    at_once: int = 4,
    search_seed: int = 0,
    seeds: int | Sequence[int] = 1,
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
    """Look for the settings that keep the bounds of the goals and do best by the others.

        wb.sweeps.search(design, {"root.prod:priority.offset": wb.sweeps.Between(0, 1000)}, workload,
                         goals=[Goal("wait.p95", of="root.prod", at_most="5m"), Goal("lost.vcore")])

    Args:
        settings: address of a setting -> a list of values or a range of numbers, `Between`.
        goals: bounds, and up to three goals that are to be as good as they can.
        trials: how many combinations to try. A larger number later goes on where a smaller one ended.
        at_once: how many are asked for at a time; fewer learn sooner from what came before, more keep more processes busy.
        search_seed: another one tries others.

    The rest is as in `sweep`. The result has the combinations that were tried, each once, in their order.

    Raises:
        CommandError: optuna is not installed, or an argument makes no sense. Otherwise as `sweep`.
    """
    space, wanted_goals = _space(settings), goals_of(goals)
    bounds, aims = goals_.parted(wanted_goals)
    if not wanted_goals:
        raise CommandError("a search needs goals, such as Goal('wait.p95', of='root.prod', at_most='5m')")
    if len(aims) > MOST_AIMS:
        raise CommandError(f"a search has at most {MOST_AIMS} goals without bounds, found {len(aims)}")
    for name, number, most in (("trials", trials, MOST_TRIALS), ("at_once", at_once, 1000)):
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
            raise CommandError(f"{name}: a whole number from 1 to {most:,}, found {found(number)}")
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
    plan.check([dict.fromkeys(space)])
    asked = _Asked(space, bounds, aims, search_seed)
    with room(file, executor, progress, stop) as (store, where, watch):
        return _searched(plan, asked, wanted_goals, trials, at_once, store=store, executor=where, watch=watch, run=run)


def _searched(
    plan: Plan,
    asked: _Asked,
    goals: Sequence[Goal],
    trials: int,
    at_once: int,
    *,
    store: Store,
    executor: Executor,
    watch: Watch,
    run: CellFunction,
) -> Sweep:
    name = digest_of(
        json.dumps([plan.common.digest, asked.seed, at_once, repr(asked.space), [str(each) for each in goals]]).encode()
    )
    variants: dict[str, Variant] = {}
    tally = _Tally(trials * len(plan.seeds), watch)
    for first in range(0, trials, at_once):
        numbers = range(first, min(first + at_once, trials))
        points = {number: asked.point(number, store, name) for number in numbers}
        cells = {number: plan.cells(point) for number, point in points.items()}
        watching = Watch(tally.tell, watch.stopped, watch.is_interrupted)
        every = [each for some in cells.values() for each in some]
        results = computed(plan, every, store=store, executor=executor, watch=watching, run=run)
        tally.close(len(every))
        tried = {number: variant_of(len(variants), points[number], cells[number], results) for number in numbers}
        for each in tried.values():
            variants.setdefault(key_of(each.point), _numbered(each, len(variants)))
        if watch.stopped() or any(len(each.results) < each.seeds for each in tried.values()):
            break
        for number, each in tried.items():
            asked.tell(number, each)
    return Sweep(plan, list(variants.values()), goals)


class _Asked:
    """What optuna was asked and told.

    Raises:
        CommandError: optuna is not installed.
    """

    def __init__(self, space: Mapping[str, Choices], bounds: Sequence[Goal], aims: Sequence[Goal], seed: int):
        try:
            import optuna
        except ModuleNotFoundError:
            raise CommandError("a search needs optuna: 'pip install \"policy-workbench[search]\"' adds it") from None
        self._optuna = optuna
        self.space, self.bounds, self.aims, self.seed = space, bounds, aims, seed
        self._distributions = {address: _distribution(optuna, values) for address, values in space.items()}
        with _quiet(optuna):
            self._study = optuna.create_study(directions=["minimize"] * max(1, len(aims)))
        self._trials: dict[int, Any] = {}

    def point(self, number: int, store: Store, name: str) -> Point:
        """The so-manieth combination to try: the one that was asked for before, or the one that optuna says."""
        kept = store.trial(name, number)
        if kept is not None:
            self._study.enqueue_trial(json.loads(kept))
        # One generator for each question: what was asked before, or in another process, moves nothing.
        seed = int(digest_of(f"{self.seed} {number}".encode())[:8], 16)
        with _quiet(self._optuna):
            self._study.sampler = self._optuna.samplers.TPESampler(seed=seed, constant_liar=True)
            trial = self._study.ask(fixed_distributions=self._distributions)
        self._trials[number] = trial
        if kept is None:
            store.keep_trial(name, number, json.dumps(trial.params))
        return {
            address: values[trial.params[address]] if not isinstance(values, Between) else trial.params[address]
            for address, values in self.space.items()
        }

    def tell(self, number: int, variant: Variant) -> None:
        """What became of a combination that was asked for."""
        trial, numbers = self._trials.pop(number), variant.number_of
        costs = [goal.cost(numbers(*goal.wanted)) for goal in self.aims] or [goals_.rank(self.bounds, numbers)[1]]
        excesses = [goal.excess(numbers(*goal.wanted)) for goal in self.bounds]
        with _quiet(self._optuna):
            if any(cost == float("inf") for cost in costs) or None in excesses:
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
                return
            for place, excess in enumerate(excesses):
                trial.set_constraint(f"bound {place}", float(excess or 0.0))
            self._study.tell(trial, costs)


class _Tally:
    """How far all generations are together."""

    def __init__(self, total: int, watch: Watch):
        self._total, self._watch = total, watch
        self._before = self._last = Stand(0, total, 0)

    def tell(self, stand: Stand) -> None:
        before = self._before
        self._last = Stand(
            before.done + stand.done, self._total, before.kept + stand.kept, before.failed + stand.failed, stand.last or before.last
        )
        self._watch.tell(self._last)

    def close(self, cells: int) -> None:
        """A generation is over; combinations that were tried twice count as often."""
        last = self._last
        self._before = Stand(self._before.done + cells, self._total, last.kept, last.failed, last.last)


def _space(settings: Any) -> dict[str, Choices]:
    if not isinstance(settings, Mapping) or not settings:
        raise CommandError(f"a search has settings, each with values or a range, found {found(settings)}")
    space: dict[str, Choices] = {}
    for address, values in settings.items():
        if isinstance(values, Between):
            space[address] = values
        elif isinstance(values, Sequence | range) and not isinstance(values, str) and values:
            space[address] = list({key_of({"": value}): value for value in values}.values())
        else:
            raise CommandError(f"{address}: give a list of values or Between(low, high), found {found(values)}")
    return space


def _distribution(optuna: Any, values: Choices) -> Any:
    """The range, or the places of the values: a value may be anything, optuna only takes what it knows."""
    known = optuna.distributions
    if not isinstance(values, Between):
        return known.CategoricalDistribution(tuple(range(len(values))))
    if values.whole:
        return known.IntDistribution(int(values.low), int(values.high), log=values.log, step=1 if values.log else int(values.step))
    return known.FloatDistribution(values.low, values.high, log=values.log, step=values.step or None if not values.log else None)


def _numbered(variant: Variant, number: int) -> Variant:
    return Variant(number, variant.point, variant.results, variant.seeds)


@contextmanager
def _quiet(optuna: Any) -> Iterator[None]:
    """Within it optuna tells no news of every trial."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(before)

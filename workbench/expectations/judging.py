"""Judging: every run is played once, for all expectations that are about it, and each is told as soon as it is judged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.expectations.arrivals import Arrivals
from workbench.expectations.kinds.registry import designs_of
from workbench.expectations.result import Expectations, Result
from workbench.expectations.story import RunStory, ScenarioStory, Story, scenario_under
from workbench.expectations.suite import Expectation, Suite, load_suite, parse_suite
from workbench.expectations.verdicts import CannotFail, Judgement, Outcome, Verdict
from workbench.measures import MeasureTable, measure
from workbench.runs import Run, simulate
from workbench.runs.run import Tell
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError, WorkbenchError


class Ended(Exception):
    """Somebody wants no more to be judged."""


class Judge:
    """Judges the expectations of a suite, one after the other.

    Args:
        suite: what is expected.
        only: names of those that are wanted; all without any.
        progress: told now and then how much is played, of 1, and what.
        stop: asked now and then whether to end; what was judged until then, stays.

    Raises:
        CommandError: there is no expectation of a name in `only`.
    """

    def __init__(
        self, suite: Suite, *, only: Iterable[str] = (), progress: Tell | None = None, stop: Callable[[], bool] | None = None
    ):
        self.suite = suite
        self.expectations = suite.chosen((only,) if isinstance(only, str) else tuple(only))
        self.finished: list[Result] = []
        self._progress, self._stop = progress, stop
        self._runs: dict[tuple[int, str, int], tuple[Run, MeasureTable]] = {}
        self._stories: dict[tuple[int, str, int], Story] = {}
        self._scenarios: dict[int, tuple[ScenarioStory, Scenario]] = {}

    def results(self) -> Iterator[Result]:
        """Every expectation, judged, as soon as it is; ended early, those that are left are not judged and do not come."""
        for expectation in self.expectations[len(self.finished) :]:
            try:
                result = self.judge(expectation)
            except Ended:
                return
            self.finished.append(result)
            yield result

    def found(self) -> Expectations:
        """All that was judged; the others say that they were not."""
        left = [Result(each, ()) for each in self.expectations[len(self.finished) :]]
        return Expectations(self.suite, (*self.finished, *left))

    def judge(self, expectation: Expectation) -> Result:
        """One expectation.

        Raises:
            Ended: somebody ended it.
        """
        if expectation.scenario is not None or not expectation.workloads:
            name = expectation.scenario_name
            return Result(expectation, (Judgement(_verdict(expectation, _Case(self, expectation)), name),))
        judgements: list[Judgement] = []
        notes: list[str] = []
        for name in expectation.workloads:
            arrivals = self.suite.arrivals[name]
            try:
                seeds = arrivals.seeds
                notes += [arrivals.note] if arrivals.note else []
            except WorkbenchError as error:
                judgements.append(Judgement(Verdict(Outcome.ERROR, str(error)), name))
                continue
            for seed in seeds:
                case = _Case(self, expectation, arrivals, seed)
                verdict = _verdict(expectation, case)
                judgements.append(Judgement(verdict, name, seed if arrivals.by_chance else None, case.played))
        return Result(expectation, tuple(judgements), tuple(notes))

    def run(self, config: SchedulerConfig, arrivals: Arrivals, seed: int) -> tuple[Run, MeasureTable]:
        """The run of a workload under a design, played if it was not yet, with its measures."""
        key = (id(config), arrivals.name, seed)
        if key not in self._runs:
            before, total = len(self._runs), max(self._total, len(self._runs) + 1)
            what = arrivals.name + (f", seed {seed}" if arrivals.by_chance else "")

            def tell(fraction: float, text: str) -> None:
                if self._progress is not None:
                    self._progress((before + fraction) / total, f"{what}: {text}")

            tell(0.0, "begins")
            made = simulate(
                config,
                arrivals.workload(seed),
                until=arrivals.until,
                seed=seed,
                release=self.suite.release,
                rate=self.suite.rate,
                progress=tell,
                stop=self._stop,
            )
            if made.stopped:
                raise Ended
            self._runs[key] = made, measure(made)
        return self._runs[key]

    def story(self, config: SchedulerConfig, arrivals: Arrivals, seed: int) -> Story:
        """What happened in a run."""
        key = (id(config), arrivals.name, seed)
        if key not in self._stories:
            self._stories[key] = RunStory(*self.run(config, arrivals, seed))
        return self._stories[key]

    def scenario(self, scenario: Scenario) -> tuple[ScenarioStory, Scenario]:
        """What happens in a scenario under the design, and the scenario with that design."""
        if id(scenario) not in self._scenarios:
            if self._stop is not None and self._stop():
                raise Ended
            under, config = scenario_under(scenario, self.suite.config)
            self._scenarios[id(scenario)] = ScenarioStory(under, config), under
        return self._scenarios[id(scenario)]

    @cached_property
    def _total(self) -> int:
        """How many runs there are to play."""
        wanted: set[tuple[int, str, int]] = set()
        for each in self.expectations:
            for name in each.workloads:
                try:
                    seeds = self.suite.arrivals[name].seeds
                except WorkbenchError:
                    continue  # told when it is judged
                for config in (self.suite.config, *designs_of(each.check)):
                    wanted.update((id(config), name, seed) for seed in seeds)
        return len(wanted)


class _Case:
    """What one judgement is about."""

    def __init__(self, judge: Judge, expectation: Expectation, arrivals: Arrivals | None = None, seed: int = 0):
        self._judge, self._expectation, self._arrivals, self._seed = judge, expectation, arrivals, seed
        self.played: Run | None = None

    @property
    def design(self) -> SchedulerConfig:
        config = self._judge.suite.config
        if config is None and self._scenario is not None:
            return self._judge.scenario(self._scenario)[0].config
        assert config is not None  # the suite was refused otherwise
        return config

    @property
    def run(self) -> Run:
        return self._own()[0]

    @property
    def table(self) -> MeasureTable:
        return self._own()[1]

    @property
    def story(self) -> Story:
        if self._scenario is not None:
            return self._judge.scenario(self._scenario)[0]
        self._own()
        assert self._arrivals is not None
        return self._judge.story(self.design, self._arrivals, self._seed)

    @property
    def simulation(self) -> Simulation | None:
        if self._scenario is None:
            return None
        simulation = Simulation.from_scenario(self._judge.scenario(self._scenario)[1])
        simulation.run()
        return simulation

    def against(self, design: SchedulerConfig) -> tuple[Run, MeasureTable]:
        if self._arrivals is None:
            raise CommandError("designs are compared with a workload")
        return self._judge.run(design, self._arrivals, self._seed)

    @property
    def _scenario(self) -> Scenario | None:
        return self._expectation.scenario

    def _own(self) -> tuple[Run, MeasureTable]:
        run, table = self.against(self.design)
        self.played = run
        return run, table


def _verdict(expectation: Expectation, case: _Case) -> Verdict:
    try:
        return expectation.check.judge(case)
    except CannotFail as error:
        return Verdict(Outcome.ERROR, str(error), idle=True)
    except WorkbenchError as error:
        return Verdict(Outcome.ERROR, str(error))


def expect(
    expectations: str | os.PathLike[str] | Mapping[str, Any],
    *,
    design: Any = None,
    only: Iterable[str] = (),
    folder: str | os.PathLike[str] = ".",
    progress: Tell | None = None,
    stop: Callable[[], bool] | None = None,
) -> Expectations:
    """Judge expectations of a design. EX-1 to EX-4

        found = wb.expect("queues.expect.yaml")
        found.passed, print(found)

    Args:
        expectations: a file, its text, or the same as a mapping; what it says is in `workbench.expectations.suite`.
        design: in place of the one that is named there: a configuration, its text or its file.
        only: names of expectations; all of them without any.
        folder: that names of files in a text or mapping are relative to.
        progress: told now and then how much is played, of 1, and what.
        stop: asked now and then whether to end early; what was judged until then, stays.

    Raises:
        ScenarioError: the expectations cannot be read; with the line.
        ConfigError: `design` is not valid.
        CommandError: there is no expectation of a name.
    """
    if isinstance(expectations, Mapping) or isinstance(expectations, str) and "\n" in expectations:
        suite = parse_suite(expectations, folder=folder, design=design)
    else:
        suite = load_suite(Path(expectations), design=design)
    judge = Judge(suite, only=only, progress=progress, stop=stop)
    for _ in judge.results():
        pass
    return judge.found()

"""A study as a file: the design, the workload, what is varied and what is best, for `workbench sweep STUDY.yaml`.

    design: queues.yaml
    workload: monday.swf                  # a file, or the workload itself as below the key `workload` of one
    nodes: 20 x vcore=8,memory=32Gi
    seeds: 5
    settings:
      root.prod:priority.offset: [0, 100, 1000]
      root.batch:resources.max.vcore: {from: 10, to: 100, step: 10}    # for a sample or a search
    sample: 30                            # of all combinations; or
    search: {trials: 50}
    goals:
      - {measure: wait.p95, of: root.prod, at_most: 5m}
      - {measure: lost.vcore}

`settings` may be a list of combinations, too. Names of files are relative to the study. Errors tell the line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from workbench.config import load_path
from workbench.config.model import SchedulerConfig
from workbench.files.reading import read_text
from workbench.simulation.scenario.document import Cursor, read
from workbench.sweeps.choices import Between, Grid, Listed, Sample
from workbench.sweeps.goals import Goal
from workbench.sweeps.result import Sweep
from workbench.sweeps.searching import search
from workbench.sweeps.settings import address_of
from workbench.sweeps.sweeping import sweep
from workbench.values.errors import PlacedError, ScenarioError, WorkbenchError
from workbench.workloads import read as read_workload_file
from workbench.workloads.reading import read_workload

KEYS = ("design", "workload", "nodes", "until", "release", "rate", "seeds", "settings", "sample", "search", "goals", "measures")
MOST = 10**6
T = TypeVar("T")


@dataclass(frozen=True)
class Study:
    """What a study file says.

    Attributes:
        path: of the file.
        config: the design.
        workload: what arrives.
        settings: the combinations to try; of a search, the mapping from settings to values and ranges.
        searching: the arguments of `search` that are its own; None for a sweep.
        more: the other arguments of `sweep` or `search`.
    """

    path: Path
    config: SchedulerConfig
    workload: Any
    settings: Any
    searching: Mapping[str, Any] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def run(self, **where: Any) -> Sweep:
        """The sweep or the search. `where` are the arguments of `sweep` that say where it runs: file, executor, progress, stop."""
        if self.searching is not None:
            return search(self.config, self.settings, self.workload, **self.searching, **self.more, **where)
        return sweep(self.config, self.settings, self.workload, **self.more, **where)


def load_study(path: str | os.PathLike[str]) -> Study:
    """The study in a file.

    Raises:
        ScenarioError: with the line of what is wrong in it.
        ConfigError, WorkloadError: the design or the workload cannot be read.
    """
    path = Path(path)
    top = read(read_text(path, error=ScenarioError), source=str(path))
    given = top.fields(*KEYS)
    for key in ("design", "workload", "settings"):
        if key not in given:
            raise top.fault(f"the key {key} is missing", "a study has design, workload and settings")
    if "sample" in given and "search" in given:
        raise given["search"].fault("a study has a sample or a search, not both")
    config = load_path(path.parent / given["design"].name())
    at = given["workload"]
    workload = read_workload_file(path.parent / at.text()) if isinstance(at.value, str) else read_workload(at)
    more: dict[str, Any] = {key: given[key].plain() for key in ("nodes", "until", "release", "rate", "seeds") if key in given}
    more["goals"] = [_goal(each) for each in given["goals"].items()] if "goals" in given else []
    more["measures"] = [_measure(each) for each in given["measures"].items()] if "measures" in given else []
    searching = _searching(given["search"]) if "search" in given else None
    ranges = "sample" in given or searching is not None
    settings: Any = _settings(given["settings"], config, ranges)
    if "sample" in given:
        settings = _sample(given["sample"], given["settings"], settings)
    elif searching is not None:
        if not isinstance(settings, dict):
            raise given["settings"].fault("a search has a mapping of settings, not a list")
        if not more["goals"]:
            raise top.fault("a search has goals", "such as goals: [{measure: wait.p95, of: root.prod, at_most: 5m}]")
    else:
        settings = _placed(given["settings"], lambda: Grid(settings) if isinstance(settings, dict) else Listed(settings))
    return Study(path, config, workload, settings, searching, more)


def _settings(at: Cursor, config: SchedulerConfig, ranges: bool) -> dict[str, Any] | list[dict[str, Any]]:
    """Setting -> values, or the list of combinations."""
    if isinstance(at.value, list):
        return [{address: each.plain() for address, each in _addressed(point, config)} for point in at.items()]
    found: dict[str, Any] = {}
    for address, values in _addressed(at, config):
        if isinstance(values.value, dict):
            if not ranges:
                raise values.fault("a range needs a sample or a search", "list the values, or add 'sample: 30'")
            found[address] = _range(values)
        else:
            found[address] = [each.plain() for each in values.items()]
    return found


def _addressed(at: Cursor, config: SchedulerConfig) -> list[tuple[str, Cursor]]:
    """(address, value) of each setting; one whose value is null is there, too."""
    at.mapping()
    addresses = [*at.value]
    for address in addresses:
        _placed(at.at(address), lambda address=address: address_of(address, config))  # type: ignore[misc]
    return [(address, at.at(address)) for address in addresses]


def _range(at: Cursor) -> Between:
    given = at.fields("from", "to", "step", "log")
    for key in ("from", "to"):
        if key not in given:
            raise at.fault(f"the key {key} is missing", "a range is {from: 0, to: 100, step: 10}")
    numbers = {name: _number(given[key]) for name, key in (("low", "from"), ("high", "to"), ("step", "step")) if key in given}
    log = given["log"].switch() if "log" in given else False
    return _placed(at, lambda: Between(**numbers, log=log))


def _sample(at: Cursor, settings_at: Cursor, settings: Any) -> Sample:
    if not isinstance(settings, dict):
        raise settings_at.fault("a sample is taken of a mapping of settings, not of a list")
    if isinstance(at.value, dict):
        given = at.fields("count", "seed")
        if "count" not in given:
            raise at.fault("the key count is missing", "a sample is {count: 30, seed: 1}, or only its count")
        seed = given["seed"].integer(0, 2**63 - 1) if "seed" in given else 0
        count = given["count"].integer(1, MOST)
        return _placed(at, lambda: Sample(settings, count, seed=seed))
    count = at.integer(1, MOST)
    return _placed(at, lambda: Sample(settings, count))


def _searching(at: Cursor) -> dict[str, int]:
    given = at.fields("trials", "at_once", "seed")
    names = {"trials": "trials", "at_once": "at_once", "seed": "search_seed"}
    return {names[key]: each.integer(0 if key == "seed" else 1, MOST) for key, each in given.items()}


def _goal(at: Cursor) -> Goal:
    given = at.fields("measure", "of", "at_most", "at_least", "aim")
    if "measure" not in given:
        raise at.fault("the key measure is missing", "a goal is {measure: wait.p95, of: root.prod, at_most: 5m}")
    arguments = {key: each.value for key, each in given.items()}
    return _placed(at, lambda: Goal(**arguments))


def _measure(at: Cursor) -> Any:
    if isinstance(at.value, str):
        return at.name()
    given = at.fields("measure", "of")
    if set(given) != {"measure", "of"}:
        raise at.fault("a measure is a name, or {measure: wait.p95, of: root.prod}")
    return given["measure"].name(), given["of"].name()


def _number(at: Cursor) -> int | float:
    if isinstance(at.value, bool) or not isinstance(at.value, int | float):
        raise at.fault("must be a number")
    return at.value


def _placed(at: Cursor, make: Callable[[], T]) -> T:
    """What `make` makes; what is wrong with it is told with its place."""
    try:
        return make()
    except PlacedError as error:
        raise at.fault(error.text, error.hint) from None
    except WorkbenchError as error:
        raise at.fault(str(error)) from None

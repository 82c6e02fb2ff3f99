"""What an expectation is judged with: the workloads of a file, each with its nodes, its seeds and what is cut or scaled of it.

    workloads:
      monday: monday.swf
      burst: {preset: training-and-inference, load: 1.2, seeds: 5}
      night: {file: monday.swf, cut: {since: 20h, until: 30h, warm_up: 2h}, scale_load: 1.5, nodes: 20 x vcore=8,memory=32Gi}
      small: {nodes: 2 x vcore=4, jobs: [{submit: 0s, duration: 1m, queue: root.a, resources: {vcore: 1}, repeat: 10}]}

A mapping has a `file`, or is a workload itself, as below the key `workload` of a file of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.simulation.scenario.document import Cursor
from workbench.values.errors import PlacedError, ScenarioError, WorkbenchError
from workbench.values.found import found
from workbench.workloads import AnyWorkload, Pool, Seeded, Workload, of_seed, parse_nodes, read
from workbench.workloads.reading import GENERATORS, read_workload
from workbench.workloads.spans import FORM, parse_span
from workbench.workloads.transform import cut, scale_load, scale_time

MOST_SEEDS = 1000
OWN = ("seeds", "nodes", "until", "warm_up", "cut", "scale_load", "scale_time")
OF_FILES = ("file", "format", "map", "first")
ONE_WILL_DO = "nothing in {} happens at random, so that one seed tells as much as many"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What holds for every workload of a file that says nothing else."""

    pools: tuple[Pool, ...] | None = None
    until: str | float | None = None
    warm_up_ms: int | None = None
    seeds: tuple[int, ...] | None = None


class Arrivals:
    """One workload of a file of expectations. What is in files is read when it is first asked for.

    Attributes:
        name: in the file.
        until: where its runs end.
    """

    def __init__(self, name: str, at: Cursor, folder: Path, frame: Frame, own: Mapping[str, Cursor] | None = None):
        self.name, self._at, self._folder, self._frame = name, at, folder, frame
        self._own = own or {}
        self._source: AnyWorkload | None = None
        self.until = _until(self._own["until"]) if "until" in self._own else frame.until
        self._pools = _pools(self._own["nodes"]) if "nodes" in self._own else frame.pools
        self._warm_up_ms = _span(self._own["warm_up"]) if "warm_up" in self._own else frame.warm_up_ms
        self._wanted = read_seeds(self._own["seeds"]) if "seeds" in self._own else frame.seeds

    @property
    def by_chance(self) -> bool:
        """Whether seeds make a difference."""
        source = self.source
        if not isinstance(source, Workload):
            return True
        return any(pool.fails_every_ms for pool in (source.pools if self._pools is None else self._pools))

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that it is judged with; one where chance plays no part."""
        return (self._wanted or (0,)) if self.by_chance else (0,)

    @property
    def note(self) -> str:
        """What whoever wrote the file should know; empty for nothing."""
        asked = "seeds" in self._own and self._wanted is not None and len(self._wanted) > 1
        return ONE_WILL_DO.format(self.name) if asked and not self.by_chance else ""

    @property
    def source(self) -> AnyWorkload:
        """The workload, or what makes one of a seed.

        Raises:
            ScenarioError: it cannot be read; says where.
        """
        if self._source is None:
            self._source = self._read()
        return self._source

    def workload(self, seed: int) -> Workload:
        """What arrives with a seed, with its nodes and cut and scaled as the file says."""
        made = of_seed(self.source, seed)
        own = self._own
        try:
            if "cut" in own:
                given = own["cut"].fields("since", "until", "warm_up")
                made = cut(made, **{key: each.value for key, each in given.items()})
            if "scale_load" in own:
                made = scale_load(made, own["scale_load"].value, seed)
            if "scale_time" in own:
                made = scale_time(made, own["scale_time"].value)
        except ScenarioError:
            raise
        except WorkbenchError as error:
            raise self._at.fault(str(error)) from None
        if self._warm_up_ms is not None:
            made = replace(made, warm_up_ms=self._warm_up_ms)
        return made if self._pools is None else replace(made, pools=self._pools)

    def _read(self) -> AnyWorkload:
        value: Any = self._at.value
        if isinstance(value, Workload) or isinstance(value, Seeded) and not isinstance(value, dict | str):
            return value
        try:
            if isinstance(value, str):
                return read(self._folder / self._at.name())
            if "file" in value:
                options = {key: self._at.at(key).plain() for key in ("format", "map", "first") if value.get(key) is not None}
                return read(self._folder / self._at.at("file").name(), options.pop("format", None), **options)
            return read_workload(self._at.without(*(key for key in self._own)))
        except ScenarioError:
            raise
        except PlacedError as error:
            raise self._at.fault(str(error)) from None
        except WorkbenchError as error:
            raise self._at.fault(str(error)) from None


def read_arrivals(name: str, at: Cursor, folder: Path, frame: Frame) -> Arrivals:
    """One entry of `workloads`. What it says itself is looked at now, what is in a file later.

    Raises:
        ScenarioError: with its place.
    """
    value: Any = at.value
    if not isinstance(value, dict):
        if not isinstance(value, str | Workload | Seeded):
            raise at.fault(
                f"must be the name of a file or a mapping, found {found(value)}",
                "such as monday.swf or {preset: ci-farm, seeds: 5}",
            )
        return Arrivals(name, at, folder, frame)
    given = at.mapping()
    if "file" in given:
        given = at.fields(*OWN, *OF_FILES)
        return Arrivals(name, at, folder, frame, {key: each for key, each in given.items() if key in OWN})
    own = {key: each for key, each in given.items() if key in OWN and not _is_its_own(key, each, given)}
    made = Arrivals(name, at, folder, frame, own)
    if not {*GENERATORS, "jobs"} & set(given):
        raise at.fault("says of no jobs", f"give file, jobs, {' or '.join(GENERATORS)}")
    made._source = made._read()
    return made


def _is_its_own(key: str, at: Cursor, given: Mapping[str, Cursor]) -> bool:
    """Whether a key is one of the workload itself: the warm-up of a list of jobs, the number of nodes of a preset."""
    return key == "warm_up" and "jobs" in given or key == "nodes" and "preset" in given and not isinstance(at.value, str)


def read_frame(given: Mapping[str, Cursor]) -> Frame:
    """What a file says for all its workloads. ScenarioError with its place."""
    return Frame(
        pools=_pools(given["nodes"]) if "nodes" in given else None,
        until=_until(given["until"]) if "until" in given else None,
        warm_up_ms=_span(given["warm_up"]) if "warm_up" in given else None,
        seeds=read_seeds(given["seeds"]) if "seeds" in given else None,
    )


def read_seeds(at: Cursor) -> tuple[int, ...]:
    """Seeds: how many from 0 on, or which. ScenarioError with its place."""
    if isinstance(at.value, list):
        seeds = tuple(dict.fromkeys(each.integer(0, 2**63 - 1) for each in at.items()))
        if not seeds:
            raise at.fault("is empty", "say how many, or which")
        return seeds
    return tuple(range(at.integer(1, MOST_SEEDS)))


def _pools(at: Cursor) -> tuple[Pool, ...]:
    if isinstance(at.value, list | tuple) and all(isinstance(each, Pool) for each in at.value):
        return tuple(at.value)
    try:
        return parse_nodes(at.name())
    except PlacedError as error:
        if isinstance(error, ScenarioError):
            raise
        raise at.fault(error.text, error.hint) from None


def _span(at: Cursor) -> int:
    try:
        return parse_span(at.value)
    except ValueError as error:
        raise at.fault(str(error), FORM) from None


def _until(at: Cursor) -> float:
    seconds = _span(at) / 1000
    if not seconds:
        raise at.fault("a run ends after its start", FORM)
    return seconds

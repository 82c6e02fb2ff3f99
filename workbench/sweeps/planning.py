"""From combinations of settings to cells: the edited design, the nodes, the load and the release of each, with every seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.config.write.export import accepted, plain_yaml
from workbench.measures import measure_named, scope_of
from workbench.measures.own import own_measures
from workbench.runs.simulate import design_of, until_of
from workbench.scheduler.releases.profiles import profile_of
from workbench.sweeps.cells import HEADLINES, CellSpec, Wanted
from workbench.sweeps.choices import Point, key_of
from workbench.sweeps.driving import Planned
from workbench.sweeps.fingerprint import content, digest_of
from workbench.sweeps.loads import load_of
from workbench.sweeps.settings import LOAD, NODES, RELEASE, Address, address_of, with_setting
from workbench.values.errors import CommandError, WorkbenchError
from workbench.values.found import found
from workbench.workloads import parse_nodes, workload_given

MOST_SEEDS = 10_000


@dataclass(frozen=True)
class Plan:
    """What all cells of a sweep have in common.

    Attributes:
        config: the design that is varied.
        workload: what arrives, or what makes it of a seed.
        seeds: of each combination.
        common: a cell of the design as it is; the cells are made from it.
    """

    config: SchedulerConfig
    workload: Any
    seeds: tuple[int, ...]
    common: CellSpec

    @cached_property
    def workload_content(self) -> bytes:
        """What the workload is made of."""
        return content(self.workload)

    def check(self, points: Iterable[Point]) -> None:
        """ConfigError if a setting is nowhere in the design; what makes no sense is the affair of each combination."""
        for address in {address: None for point in points for address in point}:
            address_of(address, self.config)

    def cells(self, point: Point) -> list[Planned]:
        """The cells of a combination, one for each seed. What makes no sense in it is their fault, told in place of numbers."""
        text = key_of(point)
        try:
            spec, fault = self._spec(point), ""
        except WorkbenchError as error:
            spec, fault = replace(self.common, design=text), str(error)
        return [Planned(replace(spec, seed=seed), text, fault) for seed in self.seeds]

    def config_of(self, point: Point) -> SchedulerConfig:
        """The design with the settings of a combination, as the scheduler would accept it. ConfigError if it would not."""
        config = self.config
        for address, value in point.items():
            place: Address | None = address_of(address, self.config)
            if place is not None:
                config = with_setting(config, place, value)
        return accepted(config)

    def _spec(self, point: Point) -> CellSpec:
        config = self.config_of(point)
        nodes, release = point.get(NODES, self.common.nodes), point.get(RELEASE, self.common.release)
        if isinstance(nodes, str):
            parse_nodes(nodes)
        elif nodes is not None:
            raise CommandError(f"nodes: must be a text such as '20 x vcore=8,memory=32Gi', found {found(nodes)}")
        if release is not None:
            release = profile_of(str(release)).version
        load = self.common.load if point.get(LOAD) is None else load_of(point[LOAD])
        return replace(self.common, design=plain_yaml(config), nodes=nodes, release=release, load=load)


def planned(
    design: Any,
    workload: Any,
    *,
    seeds: int | Sequence[int] = 1,
    nodes: Any = None,
    until: str | float | None = None,
    release: str | None = None,
    rate: float | None = None,
    wanted: Iterable[Wanted] = (),
) -> Plan:
    """The plan of a sweep. Raises ConfigError, WorkloadError or CommandError for what makes no sense whatever is varied."""
    config = design_of(design)
    if isinstance(workload, str | PathLike):
        # Anything else may be what a cell function of somebody's own takes.
        workload = workload_given(workload)
    until_of(until)
    if isinstance(nodes, str):
        parse_nodes(nodes)
    pools = nodes if isinstance(nodes, str) or nodes is None else tuple(nodes)
    if pools is not None and not isinstance(pools, str):
        workload = replace(workload, pools=pools)
        pools = None
    for name, scope in wanted:
        if name:
            measure_named(name)
        if scope:
            scope_of(scope)
    wanted = tuple(sorted(set(wanted))) or (HEADLINES,)
    common = CellSpec(
        design=plain_yaml(config),
        workload=workload,
        workload_digest=digest_of(content(workload)),
        nodes=pools,
        until=until,
        release=release,
        rate=rate,
        wanted=wanted,
        own=own_measures(name for name, _ in wanted),
    )
    return Plan(config, workload, _seeds(seeds), common)


def _seeds(given: Any) -> tuple[int, ...]:
    if isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= MOST_SEEDS:
            raise CommandError(f"seeds: 1 to {MOST_SEEDS:,} of them, found {given}")
        return tuple(range(given))
    if isinstance(given, Sequence | range) and not isinstance(given, str) and given:
        if all(isinstance(each, int) and not isinstance(each, bool) for each in given):
            return tuple(dict.fromkeys(given))
    raise CommandError(f"seeds: how many, or a list of whole numbers, found {found(given)}")

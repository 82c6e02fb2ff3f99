"""The cluster that a new design is to be rolled out to: where it comes from, and the engine that stands where it stands now.

This is the one place that knows of importers. A scenario stands for the moment at which all its events have happened; its planned
inputs are still to come, under any design.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from workbench.config import load_config
from workbench.config.model import SchedulerConfig
from workbench.config.write.export import queues_key, written
from workbench.importers.look import is_url
from workbench.importers.opening import opened, recognised
from workbench.scheduler.engine import Engine
from workbench.scheduler.releases.profiles import profile_of
from workbench.simulation import Simulation, driver
from workbench.simulation.scenario import Scenario, all_example_names, example
from workbench.simulation.scenario.checks import check_partitions, check_scenario
from workbench.values.errors import CommandError, ConfigError
from workbench.values.found import found as phrase


@dataclass(frozen=True)
class Live:
    """A cluster as it is now.

    Attributes:
        scenario: the configuration that it started with, and what led to what is there.
        source: what it was read from, for people.
        notes: what is not known of it, in sentences.
        key: under which its ConfigMap carries the configuration; empty if that is not known.
    """

    scenario: Scenario
    source: str = ""
    notes: tuple[str, ...] = ()
    key: str = ""

    @property
    def release(self) -> str:
        """Of the core, by whose rules it is played."""
        return self.scenario.engine

    def engine(self) -> tuple[Engine, driver.Place]:
        """A new engine that stands where the cluster stands, and the place in the scenario.

        Raises:
            ConfigError: the scheduler would refuse the configuration of the cluster.
            CommandError: the scenario asks for what no scheduler can do.
        """
        scenario = self.scenario
        engine = Engine(self.first_config, release=scenario.engine)
        driver.begin(engine, scenario.pace)
        place = driver.START
        while place.event < len(scenario.events):
            _, place = driver.step(engine, scenario, place)
        return engine, place

    @cached_property
    def first_config(self) -> SchedulerConfig:
        """What the cluster started with; a reload may have followed."""
        config = self.scenario.config
        if not isinstance(config, str):
            return config
        return load_config(config, source=self.source or None, limits_by_path=profile_of(self.release).limits_by_path)


def read_live(source: Live | Simulation | Scenario | str | os.PathLike[str], *, release: str | None = None, **options: Any) -> Live:
    """What there is at a path, as a cluster: whatever an importer recognises, such as saved REST answers or a scenario.

    Args:
        source: a path, the address of a scheduler that runs, which is only read, or the name of an example; or a scenario; or a
            simulation, or a workbench, at its present moment.
        release: of the core; None for what the scenario says.
        options: of the importer, such as `token_file` for the address of a scheduler.

    Raises:
        ScenarioError, ConfigError: it cannot be read, or the scheduler would refuse its configuration.
        CommandError: there is no such release, or the scenario holds what none may.
    """
    found = _found(source, release, options)
    if release is not None:
        found = replace(found, scenario=replace(found.scenario, engine=profile_of(release).version))
    check_scenario(found.scenario)
    if not found.first_config.partitions:
        raise ConfigError("the configuration of the live cluster has no partition", source=found.source or None)
    check_partitions(found.first_config, found.scenario)
    return found


def in_force(engine: Engine) -> SchedulerConfig:
    """The configuration that an engine goes by, with its text."""
    return written(engine.state.config)


def _found(source: Live | Simulation | Scenario | str | os.PathLike[str], release: str | None, options: Mapping[str, Any]) -> Live:
    if isinstance(source, Live):
        return source
    shown = getattr(source, "simulation", None)  # of a workbench, which this part does not know
    source = shown if isinstance(shown, Simulation) else source
    if isinstance(source, Simulation):
        config = source.config.text or source.config
        here = replace(source.scenario, config=config, events=source.happened, planned=source.planned, engine=source.release)
        return Live(here, here.name)
    if isinstance(source, Scenario):
        return Live(source, source.name)
    if not isinstance(source, str | os.PathLike):
        raise CommandError(f"a live cluster is a path, an address, a scenario, a simulation or a workbench, not {phrase(source)}")
    if str(source) in all_example_names():
        return Live(example(str(source)), str(source))
    # Pods of Kubernetes go by their names, as people know them.
    usual: dict[str, Any] = {}
    if not is_url(source) and recognised(source) == "kubernetes":
        usual = {"names": True, "release": release}
    imported = opened(source, **{**usual, **options}).imported
    _, notes = imported.simulation()
    return Live(imported.scenario, str(source), notes, queues_key(imported.configmap) if imported.configmap else "")

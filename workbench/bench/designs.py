"""Designs by name or by path: the packaged examples, and whatever an importer recognises."""

from __future__ import annotations

import os
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from workbench.bench import designs_texts, texts
from workbench.importers import opening
from workbench.importers.look import is_url
from workbench.simulation.scenario import all_example_names, example, example_names
from workbench.simulation.simulation import Simulation
from workbench.values.errors import ScenarioError, WorkloadError
from workbench.workloads.sources.registry import recognised as recognised_workload

DEFAULT_DESIGN = "multitenancy"
DESIGN_VARIABLE = "WORKBENCH_DESIGN"
"""Environment variable in which `workbench lab` hands the design to the notebook."""
STEP_VARIABLE = "WORKBENCH_STEP"
"""Environment variable with the step at which the notebook is to open that design; at its start without it."""


class Design(NamedTuple):
    """A design that was opened.

    Attributes:
        simulation: the cluster, at its start.
        name: short, for people.
        notes: what was left out, approximated or assumed, in sentences.
        configmap: the text of the ConfigMap that it was taken from; empty if it was not.
    """

    simulation: Simulation
    name: str
    notes: tuple[str, ...] = ()
    configmap: str = ""


def read_design(design: str | Path) -> Design:
    """A design by an example's name, or by the path of anything that an importer recognises (`workbench.importers`).

    Raises:
        ConfigError, ScenarioError: the design cannot be read, or there is none of that name.
    """
    if str(design) in all_example_names():
        return Design(Simulation.from_scenario(example(str(design))), str(design))
    if is_url(design):
        return _design(opening.opened(str(design)), None)
    path = Path(design)
    if not os.path.exists(path):
        known = all_example_names()
        named = [each for each in known if each.rpartition("/")[2] == str(design)]
        if len(named) == 1:  # an example of a folder, called by its own name
            return read_design(named[0])
        short = {each.rpartition("/")[2]: each for each in known}
        near = named or [short.get(each, each) for each in get_close_matches(str(design), [*known, *short], n=3, cutoff=0.6)]
        raise ScenarioError(texts.no_such_design(str(design), example_names(), tuple(dict.fromkeys(near))))
    return _design(opening.opened(path, recognised(path)), path)


def recognised(path: Path) -> str:
    """The name of the importer that recognises a path. ScenarioError if none does; of a workload it says what to do with it."""
    try:
        return opening.recognised(path)
    except ScenarioError as unknown:
        try:
            format = recognised_workload(path)
        except WorkloadError:
            raise unknown from None
        raise ScenarioError(
            designs_texts.is_workload(format), source=str(path), hint=designs_texts.how_to_play(str(path))
        ) from None


def read_rest(folder: str | Path) -> Design:
    """The cluster that saved answers of the REST API tell of. ScenarioError or ConfigError if an answer cannot be read."""
    return _design(opening.opened(folder, "rest"), Path(folder))


def _design(found: opening.Opened, path: Path | None) -> Design:
    simulation, notes = found.imported.simulation()
    if notes:
        simulation.scenario = replace(simulation.scenario, description=" ".join(notes))
    # A design that is a file is called like it, whatever name is written in it.
    name = simulation.scenario.name if path is None or path.is_dir() else Path(path.name.removesuffix(".gz")).stem
    return Design(simulation, name, notes, found.imported.configmap)


def opened(design: Design) -> str:
    """What to say when a design was opened: its name, and what is not known of it."""
    return " ".join((texts.opened(design.name), *design.notes))

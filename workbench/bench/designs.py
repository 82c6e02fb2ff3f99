"""Designs by name or by path: the packaged examples, and whatever an importer recognises."""

from __future__ import annotations

import os
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from workbench.bench import designs_texts, texts
from workbench.bench.templates import PREFIX, template
from workbench.config import load_config
from workbench.files.reading import read_text
from workbench.importers import opening
from workbench.importers.look import is_url
from workbench.simulation.scenario import all_example_names, example, example_names
from workbench.simulation.simulation import Simulation
from workbench.values.errors import ConfigError, ScenarioError, WorkloadError
from workbench.workloads.sources.registry import recognised as recognised_workload

EMPTY, QUEUES = "empty", "queues"
"""The template of an empty design; what the importer of queue configurations is called."""
DEFAULT_DESIGN = "multitenancy"
DESIGN_VARIABLE = "WORKBENCH_DESIGN"
"""Environment variable in which `workbench lab` hands the design to the notebook."""
STEP_VARIABLE = "WORKBENCH_STEP"
"""Environment variable with the step at which the notebook is to open that design; at its start without it."""


class Draft(NamedTuple):
    """A queues.yaml that the scheduler refuses, to be mended.

    Attributes:
        text: of the file. error: what is wrong with it, with the line.
    """

    text: str
    error: ConfigError


class Design(NamedTuple):
    """A design that was opened.

    Attributes:
        simulation: the cluster, at its start.
        name: short, for people.
        notes: what was left out, approximated or assumed, in sentences.
        configmap: the text of the ConfigMap that it was taken from; empty if it was not.
        draft: what the file says, if the scheduler refuses it; then the simulation is that of an empty design.
    """

    simulation: Simulation
    name: str
    notes: tuple[str, ...] = ()
    configmap: str = ""
    draft: Draft | None = None


def read_design(design: str | Path) -> Design:
    """A design by an example's name, or by the path of anything that an importer recognises (`workbench.importers`).

    Raises:
        ConfigError, ScenarioError: the design cannot be read, or there is none of that name.
    """
    if str(design).startswith(PREFIX) and not os.path.exists(design):
        return Design(Simulation(load_config(template(str(design).removeprefix(PREFIX)))), str(design))
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


def read_to_mend(design: str | Path) -> Design:
    """The same; but a queues.yaml that the scheduler refuses is opened, too, as the draft of an empty design.

    Raises:
        ConfigError, ScenarioError: it cannot be read, or is none.
    """
    try:
        return read_design(design)
    except ConfigError as error:
        path = Path(design)
        if not os.path.isfile(path) or opening.recognised(path) != QUEUES:
            raise
        empty = Simulation(load_config(template(EMPTY)))
        return Design(empty, _name_of(path), draft=Draft(read_text(path, packed=path.name.lower().endswith(".gz")), error))


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
    name = simulation.scenario.name if path is None or path.is_dir() else _name_of(path)
    return Design(simulation, name, notes, found.imported.configmap)


def _name_of(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).stem


def opened(design: Design) -> str:
    """What to say when a design was opened: its name, and what is not known of it, or what is wrong with it."""
    if design.draft is not None:
        return designs_texts.opened_to_mend(design.name, str(design.draft.error))
    return " ".join((texts.opened(design.name), *design.notes))

"""Designs by name or by path: the packaged examples, scenario files, and queue configurations with an empty cluster."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from workbench.bench import designs_texts, texts
from workbench.config import load_config
from workbench.files.reading import read_text
from workbench.importers import rest
from workbench.simulation.scenario import all_example_names, example, example_names, load_scenario
from workbench.simulation.simulation import Simulation
from workbench.values.errors import ScenarioError

DEFAULT_DESIGN = "multitenancy"
DESIGN_VARIABLE = "WORKBENCH_DESIGN"
"""Environment variable in which `workbench lab` hands the design to the notebook."""
STEP_VARIABLE = "WORKBENCH_STEP"
"""Environment variable with the step at which the notebook is to open that design; at its start without it."""


def read_design(design: str | Path) -> tuple[Simulation, str]:
    """The simulation and the short name of a design: an example's name, a scenario file, a queues.yaml or a folder of answers.

    Raises:
        ConfigError, ScenarioError: the design cannot be read, or there is none of that name.
    """
    if str(design) in all_example_names():
        return Simulation.from_scenario(example(str(design))), str(design)
    path = Path(design)
    if rest.is_dump(path):
        simulation = read_rest(path)
        return simulation, simulation.scenario.name
    if not os.path.isfile(path):
        raise ScenarioError(texts.no_such_design(str(design), example_names()))
    if path.suffix.lower() == ".gz":
        return Simulation.from_scenario(load_scenario(path)), path.stem
    text = read_text(path, error=ScenarioError)
    # A queues.yaml has its partitions at the top; a scenario holds the configuration as a value.
    if re.search(r"^partitions\s*:", text, re.MULTILINE):
        return Simulation(load_config(text, source=path.name)), path.stem
    return Simulation.from_scenario(load_scenario(path)), path.stem


def read_rest(folder: str | Path) -> Simulation:
    """The cluster that saved answers of the REST API tell of; its description says what they leave open.

    ScenarioError or ConfigError if an answer cannot be read.
    """
    simulation, notes = rest.simulation_of(rest.load_rest(folder))
    described = " ".join(designs_texts.rest_note(note) for note in notes)
    simulation.scenario = replace(simulation.scenario, description=described)
    return simulation


def opened(simulation: Simulation, name: str, design: str | Path) -> str:
    """What to say when a design was opened: its name, and of a live cluster what is not known of it."""
    parts = (texts.opened(name), simulation.scenario.description if Path(design).is_dir() else "")
    return " ".join(part for part in parts if part)

"""Scenarios: a configuration and the events that happen to a cluster, read from and written to files."""

from workbench.simulation.scenario.examples import all_example_names, example, example_names
from workbench.simulation.scenario.model import (
    CYCLE_MS,
    RECORDED,
    SETTLE_MS,
    AdvanceMs,
    Happening,
    Pace,
    Planned,
    Scenario,
    ScenarioEvent,
    Schedule,
    Until,
)
from workbench.simulation.scenario.reading import load_scenario, parse_inputs, parse_scenario
from workbench.simulation.scenario.writing import scenario_to_dict, scenario_to_json, scenario_to_yaml

__all__ = [
    "CYCLE_MS",
    "RECORDED",
    "SETTLE_MS",
    "AdvanceMs",
    "Happening",
    "Pace",
    "Planned",
    "Scenario",
    "ScenarioEvent",
    "Schedule",
    "Until",
    "all_example_names",
    "example",
    "example_names",
    "load_scenario",
    "parse_inputs",
    "parse_scenario",
    "scenario_to_dict",
    "scenario_to_json",
    "scenario_to_yaml",
]

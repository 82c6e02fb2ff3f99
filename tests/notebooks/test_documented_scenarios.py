"""Every documented example that is packaged decides what the real core decided for the same configuration and inputs."""

from __future__ import annotations

import pytest

from notebooks import recordings
from workbench import Workbench
from workbench.config import load_config
from workbench.conformance.replay import replay
from workbench.scheduler.records.commands import UpdateConfig
from workbench.simulation.scenario import Scenario, example, example_names, parse_scenario
from workbench.simulation.scenario.writing import scenario_to_yaml

NAMES = [name.removeprefix("documented/") for name in example_names("documented")]
OLDER = {name for name in NAMES if example(f"documented/{name}").engine != "1.8"}
"""Played by the rules of an older release; the core that was recorded is 1.8.0."""


def inputs(scenario: Scenario) -> list:
    """The configuration and the events, texts of configurations by what they mean."""
    return [
        load_config(scenario.config).partitions,
        *(
            load_config(event.command.text).partitions if isinstance(event.command, UpdateConfig) else event.command
            for event in scenario.events
        ),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_documented_example_can_be_played_and_written(name):
    made = example(f"documented/{name}")
    assert made.name == name
    assert made.description
    assert parse_scenario(scenario_to_yaml(made)) == made
    assert Workbench.example(f"documented/{name}").run() > 0


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OLDER | recordings.UNSETTLED.keys()])
def test_a_documented_example_comes_out_as_on_the_core(name):
    found = recordings.recorded(name)
    assert found is not None, f"the core was not asked about {name}: there is no documented-{name}.json"
    scenario = recordings.scenario_of(Workbench.example(f"documented/{name}"), name)
    assert scenario.expect is not None
    report = replay(scenario)
    assert report.agrees, str(report)
    assert inputs(scenario) == inputs(found)


@pytest.mark.parametrize("name", [name for name in recordings.VARIANTS if name != "design-placement-secondary"])
def test_what_a_notebook_goes_on_to_change_comes_out_as_on_the_core(name):
    scenario = recordings.scenario_of(recordings.variant(name), name)
    assert scenario.expect is not None, f"there is no documented-{name}.json"
    report = replay(scenario)
    assert report.agrees, str(report)

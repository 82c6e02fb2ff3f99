"""The packaged scenarios behind the notebooks of preemption, quotas and gangs decide the same as the real core did.

Each is recorded as `documented-NAME.json`, among the recorded scenarios or among the questions asked. The recorded scenarios count
pods with two digits or with one; `repeat` gives them three.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from workbench.conformance.replay import replay
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario, example, example_names, parse_scenario

CONFORMANCE = Path(__file__).resolve().parents[1] / "conformance"
NAMES = [name.rpartition("/")[2] for name in example_names("documented")
         if name.rpartition("/")[2].startswith(("preemption-", "quota-", "gang-", "site-"))]
NOT_RECORDED = {
    "gang-job": "two placeholders of one group, and the core takes either first",
    "preemption-slow-ends": "one of several nodes with one victim each; the core takes any of them",
    "quota-parent-even": "three queues that use nothing yet, and the core begins with any of them",
}
"""What the core decides differently from run to run, so it is not recorded; the tests of each topic have what does not differ."""


def recording(name: str) -> Scenario | None:
    """The recording of that scenario, its pods named as in the packaged one; None if there is none."""
    for folder in ("scenarios", "asked"):
        path = CONFORMANCE / folder / f"documented-{name}.json"
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            if folder == "scenarios":
                text = re.sub(r'"([a-z0-9]+)-(\d\d)"', r'"\1-0\2"', text)
            if name == "preemption-same-application":
                text = re.sub(r'"([ab]\d)-(\d)"', r'"\1-00\2"', text)
            return parse_scenario(text, "json", name=path.stem)
    return None


@pytest.mark.parametrize("name", NAMES)
def test_the_packaged_scenario_is_the_recorded_one(name):
    recorded, packaged = recording(name), example(f"documented/{name}")
    assert (recorded is None) == (name in NOT_RECORDED)
    if recorded is not None:
        assert yaml.safe_load(packaged.config) == yaml.safe_load(recorded.config)
        assert [each.command for each in packaged.events if not is_reload(each)] == [
            each.command for each in recorded.events if not is_reload(each)]
        assert len(packaged.events) == len(recorded.events)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_RECORDED])
def test_the_packaged_scenario_decides_what_the_core_decided(name):
    recorded, packaged = recording(name), example(f"documented/{name}")
    assert recorded is not None
    events = tuple(replace(mine, snapshot=theirs.snapshot) for mine, theirs in zip(packaged.events, recorded.events, strict=True))
    report = replay(replace(packaged, events=events, expect=recorded.expect))
    assert report.agrees, str(report)


@pytest.mark.parametrize("name", NAMES)
def test_the_description_tells_what_it_is_about_and_the_steps_end(name):   # what is shown where examples are chosen
    scenario = example(f"documented/{name}")
    assert len(scenario.description.split()) >= 15
    simulation = Simulation.from_scenario(scenario)
    assert 0 < simulation.run(max_steps=60) < 60


def is_reload(event) -> bool:
    """A new configuration is compared as part of the replay; its text may be set differently."""
    return type(event.command).__name__ == "UpdateConfig"

"""Replay a scenario and write what happened, in the form in which the core's recordings are written.

python -m benchmarks.replay SCENARIO.json TRACE.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from workbench.config import load_config
from workbench.conformance.replay import outcomes
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Advance
from workbench.scheduler.records.events import Event
from workbench.simulation import driver
from workbench.simulation.scenario import Scenario, load_scenario
from workbench.simulation.snapshot import snapshot


def recording(scenario: Scenario) -> dict:
    """Everything that happened, item by item, and the state at the end."""
    engine = Engine(load_config(scenario.text), release=scenario.engine, history=False)
    driver.begin(engine, scenario.pace)
    items, carried = [], ()
    for item in driver.items(engine, scenario):
        happened: tuple[Event, ...] = carried + item.events
        items.append(
            {"event": item.event, "cycle": item.cycle, "t_ms": item.now_ns // driver.MS_NS, "outcomes": outcomes(happened)}
        )
        carried = item.confirmed
    engine.apply(Advance(ns=scenario.pace.message_ns))
    return {"scenario": scenario.name, "trace": items, "final": snapshot(engine.state)}


if __name__ == "__main__":
    given, written = map(Path, sys.argv[1:])
    written.write_text(json.dumps(recording(load_scenario(given)), indent=1), encoding="utf-8")

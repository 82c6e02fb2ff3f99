"""A run in the plain form of the recorded scenarios, which any harness of the real core plays. WL-6.

In that form every message is followed by 1 ms and every cycle takes 101 ms, so that ten are placed in a second. A run at its own
pace takes less; in the plain form the waits between its instants are shortened by as much, until there is nothing left to shorten.
As a rule the decisions stay the same. Whether they do is tried here with the engine, which knows both paces.
"""

from __future__ import annotations

from dataclasses import replace

from workbench.config import load_config
from workbench.runs.run import Run
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.events import Allocated, ApplicationRejected, AskRejected, Event, Released
from workbench.scheduler.releases.profiles import profile_of
from workbench.simulation import driver
from workbench.simulation.scenario import RECORDED, AdvanceMs, Scenario, ScenarioEvent, Schedule, Until
from workbench.simulation.scenario.model import Happening

MS_NS = driver.MS_NS
DIFFERS = (
    "in the recorded form a cycle takes 101 ms, and with that the scheduler would decide otherwise from {what} on; the scenario "
    "says its own pace instead, which this package plays and other harnesses may not. A run with --rate 9 is nearer to that form"
)


def plain_scenario(run: Run) -> tuple[Scenario, str]:
    """The run as a scenario, in the recorded form if it decides the same there; else at its own pace, with a sentence on why."""
    scenario = run.scenario()
    plain = replace(scenario, pace=RECORDED, events=_stretched(scenario))
    first = _first_difference(_decided(scenario), _decided(plain))
    return (plain, "") if first is None else (scenario, DIFFERS.format(what=first))


def _stretched(scenario: Scenario) -> tuple[ScenarioEvent, ...]:
    """The same events at the recorded pace, each as near to its instant as that allows."""
    now_ns = RECORDED.message_ns
    found: list[Happening] = []
    for event in scenario.events:
        command = event.command
        if isinstance(command, Until):
            # An `AdvanceMs` is followed by a millisecond of its own.
            ms = (command.at_ns - now_ns - RECORDED.message_ns) // MS_NS
            if ms >= 1:
                found.append(AdvanceMs(ms))
                now_ns += ms * MS_NS + RECORDED.message_ns
            continue
        found.append(command)
        cycles = command.cycles if isinstance(command, Schedule) else 0
        now_ns += cycles * (RECORDED.cycle_ns + RECORDED.message_ns) if cycles else RECORDED.message_ns
    return tuple(ScenarioEvent(command, index=index) for index, command in enumerate(found))


def _decided(scenario: Scenario) -> list[tuple[str, str, str]]:
    engine = Engine(
        load_config(scenario.text, limits_by_path=profile_of(scenario.engine).limits_by_path),
        release=scenario.engine,
        history=False,
    )
    driver.begin(engine, scenario.pace)
    found: list[tuple[str, str, str]] = []
    for item in driver.items(engine, scenario):
        found += [said for event in (*item.events, *item.confirmed) if (said := _said(event)) is not None]
    return found


def _said(event: Event) -> tuple[str, str, str] | None:
    if isinstance(event, Allocated):
        return "placed", event.key, event.node_id
    if isinstance(event, Released):
        return "released", event.key, event.type
    if isinstance(event, AskRejected):
        return "rejected", event.key, ""
    return ("rejected", event.application_id, "") if isinstance(event, ApplicationRejected) else None


def _first_difference(ones: list[tuple[str, str, str]], others: list[tuple[str, str, str]]) -> str | None:
    for number, (one, other) in enumerate(zip(ones, others)):
        if one != other:
            return f"decision {number + 1}, {one[1]}"
    return None if len(ones) == len(others) else f"decision {min(len(ones), len(others)) + 1}"

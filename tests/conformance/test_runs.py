"""Runs of workloads decide what the real core decided when it played them. Rule WL-6.

The recordings are runs of every family of generated workloads, exported as scenarios and played on the core thirty times, always
alike; `python -m oracle.runs` plays others, where Go is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.runs import SHOWS, simulated_again
from workload_families import FAMILIES

from workbench.conformance.replay import family_of, replay, scenario_files
from workbench.runs.keys import ask_key
from workbench.runs.record import Fate, Record
from workbench.simulation.scenario import load_scenario, scenario_to_json

RECORDED = scenario_files([Path(__file__).parent / "runs"])


def key_of(record: Record, attempt: int) -> str:
    """The key under which an attempt asked."""
    row, job = record.attempt(attempt), record.job_of(attempt)
    number = sum(tasks.count for tasks in job.tasks[: row.group]) + row.number
    return ask_key(job.id, number, restart=row.restart, placeholder=row.placeholder)


def told(expect, kind: str) -> list[dict]:
    """What the core told the resource manager, of one kind, in order."""
    return [outcome for item in expect["trace"] for outcome in item["outcomes"] if kind in outcome]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_engine_plays_the_exported_run_as_the_core_did(path):
    """WL-6: every outcome at its time, and the state at the end."""
    report = replay(load_scenario(path))
    assert report.agrees, str(report)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_run_places_and_stops_what_the_core_did(path):
    """WL-6: the run itself, simulated now: who was placed where in which order, and who was stopped."""
    scenario = load_scenario(path)
    record = simulated_again(scenario).record
    placed = [(key_of(record, each), record.nodes[record.node[each]]) for each in record.placements()]
    assert placed == [(each["allocated"], each["node"]) for each in told(scenario.expect, "allocated")]
    for fate, type in ((Fate.PREEMPTED, "PREEMPTED_BY_SCHEDULER"), (Fate.REPLACED, "PLACEHOLDER_REPLACED")):
        stopped = sorted(key_of(record, index) for index in range(len(record)) if record.fate[index] == fate)
        assert stopped == sorted(each["released"] for each in told(scenario.expect, "released") if each["type"] == type)


def test_every_family_is_there_and_shows_what_it_is_about():
    """Preemption, gangs, restarts, nodes that are removed, fail, or come and go on demand."""
    assert {family_of(path) for path in RECORDED} == set(FAMILIES)
    for path in RECORDED:
        text = scenario_to_json(load_scenario(path))
        assert all(each in text for each in SHOWS.get(family_of(path), ())), path.name

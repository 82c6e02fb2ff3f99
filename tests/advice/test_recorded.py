"""What the checks say never happens did not happen in any recorded run of the real core."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import workbench as wb
from workbench.config import load_config
from workbench.scheduler.engine import Engine

RECORDED = sorted((Path(__file__).resolve().parents[1] / "conformance" / "scenarios").glob("*.json"))
FAMILIES = sorted({path.stem.rpartition("-")[0] for path in RECORDED} - {"reload"})


@pytest.mark.parametrize("family", [family for family in FAMILIES if not family.startswith("documented")] + ["documented"])
def test_no_recorded_run_proves_a_check_wrong(family):  # E-40, PL-36, P-30, C-140
    """No application where none can be, no preemption for a queue that can never preempt, nothing stale in a fresh start."""
    for path in RECORDED:
        if not path.stem.startswith(f"{family}-"):
            continue
        recorded = json.loads(path.read_text("utf-8"))
        if any("update_config" in event for event in recorded["events"]):
            continue
        config = load_config(recorded["config"])
        told = wb.checks(config, Engine(config).state)
        assert not [check for check in told if check.code == "L-38" or check.severity == "error"], path.name
        apps = recorded["expect"]["final"]["apps"]
        shut = {check.path for check in told if check.code in ("L-19", "L-36")}
        assert not {app["queue"] for app in apps.values() if app["state"] != "Rejected"} & shut, path.name


def test_limits_that_never_count_make_no_difference_to_a_recorded_run():  # L-26, PL-101
    (path,) = [path for path in RECORDED if path.stem == "limits-41"]
    scenario = wb.load_scenario(path)
    config = load_config(scenario.config)
    checks = [check for check in wb.checks(config) if check.code == "L-26"]
    assert checks

    def placed(config: wb.SchedulerConfig) -> list[tuple[str, str]]:
        sim = wb.Simulation(config, scenario=scenario)
        while not sim.done:
            sim.step()
        return [(step.decision.key, step.decision.outcome) for step in sim.steps]

    mended = checks[0].remedies[0].apply(config)
    assert placed(mended) == placed(config)


ASKED = RECORDED[0].parents[1] / "asked"


def test_the_real_core_stops_the_pods_of_two_queues_in_turn_as_long_as_they_come_back():  # L-43, P-46
    trace = json.loads((ASKED / "endless-storm.json").read_text("utf-8"))["expect"]["trace"]
    stopped = [said["app"] for item in trace for said in item["outcomes"] if said.get("type") == "PREEMPTED_BY_SCHEDULER"]
    assert stopped == ["a", "more", "again-a0", "again-b0", "again-a1", "again-b1", "again-a2"], "of one, then of the other"


@pytest.mark.parametrize("name", ["share-small-guarantee", "share-guarantee-of-nothing", "share-guarantee-too-large"])
def test_the_real_core_serves_a_queue_once_that_a_check_says_waits_for_its_sibling(name):  # L-44, R-521
    scenario = wb.load_scenario(ASKED / f"{name}.json")
    sim = wb.Simulation.from_scenario(scenario)
    (check,) = [check for check in wb.checks(sim.config, sim.state) if check.code == "L-44"]
    queues = json.loads((ASKED / f"{name}.json").read_text("utf-8"))["expect"]["final"]["queues"]
    assert queues[check.path]["allocated"]["vcore"] == check.lint.size
    assert queues[check.lint.others[0]]["allocated"]["vcore"] == 19 * check.lint.size

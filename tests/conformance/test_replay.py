"""Recorded scenarios come out here as they did on the real core, and a replay tells what does not."""

from __future__ import annotations

import copy
import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.conformance.replay import family_of, outcomes, replay, replay_paths, scenario_files
from workbench.scheduler.records.events import Ignored, NodeRejected, Reserved
from workbench.simulation.scenario import AdvanceMs, ScenarioEvent, load_scenario
from workbench.values.errors import ScenarioError

RECORDED = Path(__file__).parent / "scenarios"
FAMILIES = [
    "flat",
    "tree",
    "churn",
    "limits",
    "preempt",
    "preempt_tree",
    "gang",
    "placed",
    "reload",
    "dynamic",
    "restore",
    "mixed",
    "documented",
]
"""The families that must come out as recorded."""


@pytest.mark.parametrize(
    "path", [path for path in scenario_files([RECORDED]) if family_of(path) in FAMILIES], ids=lambda path: path.stem
)
def test_the_scenario_comes_out_as_recorded(path):
    report = replay(load_scenario(path))
    assert report.agrees, str(report)
    assert report.matched == report.total


def test_no_family_is_left_out():
    assert {family_of(path) for path in scenario_files([RECORDED])} == set(FAMILIES)


# -- what a replay tells ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def multitenancy():
    return load_scenario(RECORDED / "documented-priorities-multitenancy.json")


@pytest.fixture
def expecting(multitenancy):
    """The multitenancy recording after its expectation has been changed by a function."""

    def changed(change):
        expect = copy.deepcopy(dict(multitenancy.expect))
        change(expect)
        return replay(replace(multitenancy, expect=expect))

    return changed


def test_a_report_counts_trace_items_and_states(multitenancy):
    report = replay(multitenancy)
    expect = multitenancy.expect
    assert report.total == len(expect["trace"]) + len(expect["snapshots"]) + 1
    assert str(report) == f"documented-priorities-multitenancy: all {report.total} items as recorded"


def test_another_outcome_is_told_with_event_cycle_and_time(expecting):
    def first_to_another_node(expect):
        item = next(item for item in expect["trace"] if any("allocated" in outcome for outcome in item["outcomes"]))
        next(outcome for outcome in item["outcomes"] if "allocated" in outcome)["node"] = "node-9"

    report = expecting(first_to_another_node)
    assert not report.agrees
    difference = report.difference
    assert (difference.what, difference.event, difference.kind, difference.cycle) == ("outcomes", 19, "schedule", 1)
    assert difference.expected == [{"allocated": "system-high-P1", "app": "system-high", "node": "node-9"}]
    assert difference.got == [{"allocated": "system-high-P1", "app": "system-high", "node": "node-1"}]
    assert str(report).startswith(
        "documented-priorities-multitenancy: 20 of 45 items as recorded, then event 19 (schedule), "
        "cycle 1, t = 121 ms: outcomes differ: expected [{"
    )


def test_outcomes_have_no_order(expecting):
    assert expecting(lambda expect: [item["outcomes"].reverse() for item in expect["trace"]]).agrees


@pytest.mark.parametrize(
    ("change", "what", "place"),
    [
        (lambda expect: expect["trace"][3].update(t_ms=99), "t_ms", 3),
        (lambda expect: expect["trace"][3].update(event=99), "event", 3),
        (lambda expect: expect["trace"][3].update(cycle=1), "cycle", 3),
        (lambda expect: expect["trace"].pop(), "number of items", 30),
        (lambda expect: expect["trace"].append({"event": 31, "t_ms": 1, "outcomes": []}), "number of items", -1),
        (lambda expect: expect["snapshots"][0]["queues"]["root"].update(priority=7), "snapshot queues root priority", 18),
        (lambda expect: expect["snapshots"][0]["queues"].pop("root.tenants"), "snapshot queues root.tenants", 18),
        (lambda expect: expect["snapshots"].pop(0), "snapshot apps", 18),
        (lambda expect: expect["final"]["apps"]["child-a-1"].update(state="Completed"), "final apps child-a-1 state", -1),
        (lambda expect: expect["final"]["nodes"]["node-1"]["allocated"].update(vcore=1), "final nodes node-1 allocated", -1),
    ],
    ids=["time", "event", "cycle", "item too many", "item missing", "priority", "queue", "snapshot", "state", "node"],
)
def test_the_first_difference_is_named(expecting, change, what, place):
    difference = expecting(change).difference
    assert (difference.what, difference.event) == (what, place)


def test_the_text_of_a_rejection_may_differ_in_white_space_only():
    assert outcomes([NodeRejected("n", "no:\n  really  not")]) == [{"node_rejected": "n", "reason": "no: really not"}]


def test_what_the_resource_manager_is_not_told_is_no_outcome():
    assert outcomes([Reserved("k", "a", "n"), Ignored("nothing")]) == []


def test_a_scenario_whose_configuration_is_refused_is_not_playable(multitenancy):
    report = replay(replace(multitenancy, config="partitions: [{queues: [{name: 'a!'}]}]"))
    assert not report.agrees
    assert report.failure.startswith("not playable: ")
    assert report.matched == 0


def test_a_scenario_that_goes_on_is_told(multitenancy):
    longer = replace(multitenancy, events=(*multitenancy.events, ScenarioEvent(AdvanceMs(5), index=len(multitenancy.events))))
    difference = replay(longer).difference
    assert (difference.what, difference.expected) == ("number of items", None)


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        (None, "nothing is expected"),
        ({}, "expect.trace must be a list"),
        ({"trace": [1], "final": {}}, "expect.trace must be a list"),
        ({"trace": []}, "expect.final must be a mapping"),
        ({"trace": [], "final": {}, "snapshots": 3}, "expect.snapshots must be"),
    ],
)
def test_a_scenario_without_a_proper_expectation_cannot_be_replayed(multitenancy, expect, said):
    with pytest.raises(ScenarioError, match=said):
        replay(replace(multitenancy, expect=expect))


# -- which files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("flat-12.json", "flat"),
        ("preempt_tree-3.json", "preempt_tree"),
        ("mixed-4.json.gz", "mixed"),
        ("plan.json", "plan"),
        ("documented-gang-soft-timeout.json", "documented"),
    ],
)
def test_the_family_is_the_name_up_to_the_last_hyphen(name, family):
    assert family_of(name) == family


def test_folders_are_searched_and_a_family_can_be_picked(tmp_path):
    (tmp_path / "more").mkdir()
    shutil.copy(RECORDED / "flat-0.json", tmp_path / "more")
    (tmp_path / "tree-0.json.gz").write_bytes(gzip.compress((RECORDED / "tree-0.json").read_bytes()))
    (tmp_path / "notes.txt").write_text("no scenario")
    assert [name for name, report in replay_paths([tmp_path]) if report.agrees] == ["flat-0.json", "tree-0.json.gz"]
    assert [name for name, _ in replay_paths([tmp_path], family="tree")] == ["tree-0.json.gz"]


def test_a_path_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(ScenarioError, match="there is no such file or folder"):
        scenario_files([tmp_path / "nothing"])


def test_recordings_of_answers_and_lists_of_facts_stand_beside_scenarios_in_a_folder(tmp_path):
    for name in ("flat-1.json", "rest-flat-1.json.gz", "kubernetes.json", "kubernetes.json.gz"):
        (tmp_path / name).write_text("{}")
    assert [path.name for path in scenario_files([tmp_path])] == ["flat-1.json"]
    assert [path.name for path in scenario_files([tmp_path], answers=True)] == ["rest-flat-1.json.gz"]
    assert [path.name for path in scenario_files([tmp_path / "kubernetes.json"])] == [
        "kubernetes.json"
    ]  # whoever names it means it

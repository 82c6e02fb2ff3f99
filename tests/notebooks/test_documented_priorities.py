"""The figures of "App & Queue Priorities" (user guide), against the engine."""

from __future__ import annotations

from notebooks import recordings
from workbench import Workbench, explain
from workbench.scheduler.objects.tree import find
from workbench.simulation.scenario import load_scenario

BEFORE = {
    "root.system": 1001,
    "root.system.system-normal": 10,
    "root.system.system-high": 1001,
    "root.system.system-low": -997,
    "root.tenants": 0,
    "root.tenants.tenant-a": 10,
    "root.tenants.tenant-a.child-a-1": 8,
    "root.tenants.tenant-a.child-a-2": 6,
    "root.tenants.tenant-b": 0,
    "root.tenants.tenant-b.child-b-1": 9,
    "root.tenants.tenant-b.child-b-2": 8,
}
STEPS = [
    ("root.system.system-high", "P1", "system-high 1001 → n/a; system 1001 → 10"),
    ("root.system.system-normal", "P10", "system-normal 10 → 2; system 10 → 2"),
    ("root.system.system-normal", "P2", "system-normal 2 → n/a; system 2 → -997"),
    ("root.tenants.tenant-a.child-a-1", "P8", "child-a-1 8 → 5"),
    ("root.tenants.tenant-a.child-a-2", "P6", "child-a-2 6 → 4"),
    ("root.tenants.tenant-a.child-a-1", "P5", "child-a-1 5 → n/a"),
    ("root.tenants.tenant-a.child-a-2", "P4", "child-a-2 4 → n/a; tenant-a 10 → n/a"),
    ("root.tenants.tenant-b.child-b-1", "P9", "child-b-1 9 → 7"),
    ("root.tenants.tenant-b.child-b-2", "P8", "child-b-2 8 → n/a"),
    ("root.tenants.tenant-b.child-b-1", "P7", "child-b-1 7 → n/a; tenant-b 0 → n/a; tenants 0 → n/a"),
    ("root.system.system-low", "P3", "system-low -997 → n/a; system -997 → n/a"),
]
"""The documented table; what happens at root is left out there."""


def priority(bench: Workbench, path: str) -> int:
    queue = find(bench.partition, path)
    assert queue is not None
    return queue.priority


def steps(bench: Workbench) -> list[tuple[str, str, str]]:
    """Queue, request and changed priorities of every step, without those of root."""
    bench.run()
    return [
        (queue, request, "; ".join(change for change in changes.split("; ") if not change.startswith("root ")))
        for _, queue, request, changes in explain.step_rows(bench.simulation).rows
    ]


def served(bench: Workbench) -> list[str]:
    bench.run()
    return [step.decision.key for step in bench.simulation.steps]


def test_the_priorities_of_the_multitenancy_tree_before_the_first_step():  # R-661, example "Multitenancy"
    bench = Workbench.example("multitenancy")
    assert {path: priority(bench, path) for path in BEFORE} == BEFORE


def test_the_eleven_steps_and_what_each_changes():  # R-662, example "Multitenancy"
    assert steps(Workbench.example("multitenancy")) == STEPS


def test_the_core_took_the_same_eleven_steps():
    file = recordings.recording("priorities-multitenancy")
    assert file is not None
    recorded = [
        outcome["allocated"].rpartition("-")[::2]
        for item in load_scenario(file).expect["trace"]
        for outcome in item["outcomes"]
        if "allocated" in outcome
    ]
    assert [(queue.rpartition(".")[2], request) for queue, request, _ in STEPS] == recorded


def test_in_a_single_queue_the_application_with_the_highest_request_goes_first():  # R-531, example "Single queue"
    assert served(Workbench.example("documented/priority-single-queue")) == ["late-9", "early-5", "late-3", "early-1"]


def test_an_application_drops_from_20_to_10_when_its_request_of_20_is_served():  # R-610, "Application Priority"
    bench = Workbench.example("documented/application-priority-dynamic")
    application = bench.partition.applications["a"]
    assert application.priority == 20
    bench.step()
    assert application.priority == 10
    assert served(bench) == ["a-20", "b-15", "a-10"]


def test_with_priorities_disabled_the_older_application_gets_all_of_its_requests_first():
    assert served(recordings.variant("application-priority-disabled")) == ["a-20", "a-10", "b-15"]


def test_an_offset_of_5_makes_25_and_then_15_of_a_leaf():  # R-625, "Queue Priority"
    bench = Workbench.example("documented/queue-priority-offset")
    assert priority(bench, "root.shifted") == 25
    bench.step()
    assert priority(bench, "root.shifted") == 15
    assert served(bench) == ["P20", "P17", "P10"]

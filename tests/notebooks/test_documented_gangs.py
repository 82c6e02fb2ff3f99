"""The page *Gang Scheduling* of the user guide on the packaged scenarios: placeholders, their replacement, and the two styles."""

from __future__ import annotations

import pytest
from notebooks.test_documented_preemption import played

from workbench import Workbench


def states(bench: Workbench, application: str = "g") -> list[str]:
    """Every state of an application so far."""
    known = (*bench.partition.applications.values(), *bench.partition.completed.values())
    return [state for each in known if each.id == application for _, state in each.state_log]


def test_the_documented_job_gets_two_placeholders_and_then_its_two_pods():  # *Gang Scheduling*, example
    name = "gang-scheduling-job-example"
    before = played("gang-job", 2).partition.applications[name]
    assert dict(before.placeholder_allocated.items()) == {"vcore": 200, "memory": 100_000_000}
    assert not before.allocated
    bench = played("gang-job")
    after = bench.partition.applications[name]
    assert sorted(after.allocations) == ["sleep-000", "sleep-001"]
    assert dict(after.allocated.items()) == {"vcore": 200, "memory": 100_000_000}
    assert [step.decision.outcome for step in bench.simulation.steps] == ["allocated"] * 2 + ["replaced"] * 2


@pytest.mark.parametrize("style", ["soft", "hard"])
def test_a_gang_that_fits_does_the_same_in_both_styles(style):
    bench = played(f"gang-{style}-replaced")
    taken = [(step.decision.outcome, step.decision.key, step.decision.node_id) for step in bench.simulation.steps]
    assert taken == [
        ("allocated", "ph-0", "node-1"),
        ("allocated", "ph-1", "node-2"),
        ("allocated", "ph-2", "node-1"),
        ("replaced", "real-0", "node-1"),
        ("replaced", "real-1", "node-2"),
        ("replaced", "real-2", "node-1"),
    ]
    assert states(bench) == ["Accepted", "Running"]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("soft", ["Accepted", "Resuming", "Accepted"]),
        ("hard", ["Accepted", "Failing", "Failed"]),
    ],
)
def test_what_each_style_does_when_the_time_is_up(style, expected):  # *Gang Scheduling*, styles
    assert states(played(f"gang-{style}-timeout", 2)) == ["Accepted"]
    bench = played(f"gang-{style}-timeout")
    assert states(bench) == expected
    assert not bench.partition.root.allocated.get("vcore")


def test_after_a_soft_timeout_the_pods_that_are_sent_again_run_without_a_gang():
    bench = played("gang-soft-timeout")
    bench.add_request("g", "again", {"vcore": "1"}, repeat=3)
    assert bench.run() == 2
    assert states(bench)[-1] == "Running"
    assert len(bench.partition.applications["g"].allocations) == 2


def test_a_further_node_completes_the_gang_in_time():  # what the notebook leaves to the reader
    bench = played("gang-soft-timeout", 2)
    bench.add_node("node-2", {"vcore": "1"})
    bench.run(1)
    assert states(bench) == ["Accepted", "Running"]

"""The numbers of the pages *Quota Preemption* and *Resource Quota Management* of the user guide, on the packaged scenarios."""

from __future__ import annotations

import pytest
from notebooks.test_documented_preemption import played, used

from workbench import Workbench
from workbench.scheduler.objects.tree import find


def running(bench: Workbench, application: str) -> list[str]:
    """Keys of what runs of an application, sorted."""
    return sorted(bench.partition.applications[application].allocations)


@pytest.mark.parametrize(
    ("name", "pods", "before", "after", "left"),
    [
        ("quota-enforced", 5, 10, 6, ["pod-000", "pod-001", "pod-002"]),
        ("quota-best-effort", 3, 9, 6, ["pod-000", "pod-001"]),
        ("quota-unsuccessful", 3, 9, 9, ["pod-000", "pod-001", "pod-002"]),
    ],
    ids=["successful", "best effort", "unsuccessful"],
)
def test_the_documented_pictures(name, pods, before, after, left):  # *Quota Enforcement through Preemption* (design); P-136, 18.9
    bench = Workbench.example(f"documented/{name}")
    bench.run(pods)
    assert used(bench, "prod") == [before]
    bench.run()
    assert used(bench, "prod") == [after]
    assert running(bench, "prod") == left


def test_with_4_too_much_still_one_pod_of_3_goes():  # P-136: a second one would leave less than the guarantee
    bench = Workbench.example("documented/quota-best-effort")
    bench.run(3)
    bench.add_request("prod", "waiting-too", {"vcore": "2"})
    bench.edit_mode("reload")
    bench.set("root.prod", "resources.max", {"vcore": "5"})
    bench.advance(901)
    bench.cycle()
    assert running(bench, "prod") == ["pod-000", "pod-001"]


def test_before_the_delay_has_passed_nothing_happens():  # *Quota Preemption*; P-133
    bench = Workbench.example("documented/quota-enforced")
    bench.run(5)
    bench.add_request("prod", "waiting-too", {"vcore": "2"})
    bench.edit_mode("reload")
    bench.set("root.prod", "resources.max", {"vcore": "6"})
    bench.advance(14 * 60)
    bench.cycle()
    assert used(bench, "prod") == [10]
    bench.advance(61)
    bench.cycle()
    assert used(bench, "prod") == [6]


def test_the_documented_property_does_nothing_in_1_8():  # *Quota Preemption*: quota.preemption.delay; P-131, L-13
    bench = played("quota-documented-key")
    assert used(bench, "prod") == [10]
    assert "L-13" in [each.code for each in bench.check()]


def test_nothing_is_enforced_while_nothing_waits():  # *Quota Preemption*: waiting requests do not matter; P-133, they do
    bench = played("quota-nothing-waits")
    assert used(bench, "prod") == [10]
    bench.add_request("prod", "late", {"vcore": "2"})
    bench.cycle()
    assert used(bench, "prod") == [6]


CHILDREN = ("parent.child1", "parent.child2", "parent.child3")


@pytest.mark.parametrize(
    ("name", "children"),
    [
        ("quota-parent-alone", [900, 0, 0]),
        ("quota-parent-even", [300, 300, 300]),
        ("quota-parent-filled", [0, 750, 150]),
    ],
)
def test_the_documented_distributions_below_a_quota_of_900(name, children):  # *Resource Quota Management*
    bench = played(name)
    assert used(bench, *CHILDREN) == children
    assert used(bench, "parent") == [900]


def test_fixed_queues_get_their_guarantee_and_grow_up_to_their_maximum():  # *Resource Quota Management*, static queues
    queues = ("advertisement", "search", "sandbox")
    assert used(played("quota-static", 20), *queues) == [50, 40, 10]
    assert used(played("quota-static"), *queues) == [80, 0, 10]


def test_the_quota_of_a_namespace_becomes_the_maximum_of_its_queue():  # *Resource Quota Management*: 64 CPUs, 100G, 1 GPU; PL-86
    bench = played("quota-namespaces")
    made = find(bench.partition, "root.development")
    assert dict(made.maximum.items()) == {"vcore": 64_000, "memory": 100 * 10**9, "nvidia.com/gpu": 1}
    assert find(bench.partition, "root.analysis").maximum is None
    assert used(bench, "development") == [64]
    assert made.allocated["nvidia.com/gpu"] == 1


def test_the_policy_that_the_page_sets_on_root_has_no_effect():  # L-15, L-16
    assert {"L-15", "L-16"} <= {each.code for each in played("quota-namespaces").check()}


def test_namespaces_go_below_the_parents_that_they_name():  # *Resource Quota Management*, parent queue mapping
    bench = played("quota-namespace-parents")
    placed = {each.id: each.queue_path for each in bench.partition.applications.values()}
    assert placed == {
        "ledger": "root.production.finance",
        "shop": "root.production.sales",
        "build": "root.development.dev",
        "suite": "root.development.test",
    }
    assert list(bench.partition.rejected) == ["survey"]


def test_without_a_submitacl_as_on_the_page_everybody_is_turned_away():  # *Resource Quota Management*, parent queue mapping
    bench = Workbench.example("documented/quota-namespace-parents")
    bench.set("root", "submitacl", None)
    bench.run()
    assert len(bench.partition.rejected) == 5

"""What two pages say on queues, against the engine and the core.

They are "Scheduler Configuration" (design, 0.8.0) and "Partition and Queue Configuration" (user guide).
"""

from __future__ import annotations

import json

import pytest
from notebooks.documented_configurations import CONFIGURATIONS, DIFFERS, files

from notebooks import recordings
from workbench import Workbench
from workbench.config.properties import DEFAULT_SETTINGS
from workbench.explain.verdicts import verdict
from workbench.scheduler.objects.tree import find
from workbench.simulation.scenario import load_scenario

OWN = recordings.CONFORMANCE / "documented"


def placed(bench: Workbench, application: str) -> str:
    return bench.simulation.placement(application).queue


def holds(bench: Workbench) -> dict[str, int]:
    """Application -> cores that it holds at the end."""
    bench.run()
    return {each.id: each.allocated.get("vcore", 0) // 1000 for each in bench.partition.applications.values()}


# -- verdicts ---------------------------------------------------------------------------------------------------------


def recorded_verdicts() -> dict[str, str]:
    """Name -> the text of the core's refusal, "" if it took the configuration."""
    scenario = json.loads((OWN / "configurations.json").read_text(encoding="utf-8"))
    assert [event["update_config"] for event in scenario["events"]] == list(files().values())
    return {
        name: "".join(outcome["config_rejected"] for outcome in item["outcomes"])
        for name, item in zip(CONFIGURATIONS, scenario["expect"]["trace"])
    }


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_workbench_accepts_and_refuses_what_the_core_does(name):  # C-30, both pages
    core = recorded_verdicts()[name]
    refusal = verdict(files()[name])
    assert (refusal is not None) == bool(core)
    if refusal is not None and "yaml:" not in core:  # the wording of the YAML library is its own (C-10)
        assert core == f"update of configuration failed: {refusal.text}"


def test_where_the_core_says_otherwise_than_the_documentation():  # C-53, C-88, C-89, C-120
    core = recorded_verdicts()
    assert DIFFERS == {
        name for name, (documented, _, _) in CONFIGURATIONS.items() if documented and (documented == "refused") != bool(core[name])
    }


# -- the design of 0.8.0 ----------------------------------------------------------------------------------------------


def test_a_queue_is_known_by_its_whole_path():  # C-60, PL-46, "Queue Definition"
    bench = Workbench.example("documented/queue-types")
    assert [placed(bench, id) for id in ("dev-of-a", "dev-of-b", "prod-of-a", "any-case")] == [
        "root.companya.development",
        "root.companyb.development",
        "root.production.companya",
        "root.companya.development",
    ]


@pytest.mark.parametrize("application", ["to-a-parent", "to-a-marked-parent", "to-nowhere"])
def test_applications_run_in_leaves_that_exist(application):  # PL-34, PL-45
    assert placed(Workbench.example("documented/queue-types"), application) == ""


@pytest.mark.parametrize(
    ("name", "queue"),
    [  # "Placement Rules definition"
        ("design-placement", "root.fixedparent.user1"),
        ("design-placement-group", "root.companya.user1"),
        ("design-placement-denied", ""),
    ],
)
def test_the_placement_example_of_the_design(name, queue):  # PL-50, PL-61, PL-63
    bench = recordings.variant(name) if name in recordings.VARIANTS else Workbench.example(f"documented/{name}")
    assert placed(bench, "app-1") == queue


def test_the_rule_for_further_groups_is_an_extension_that_the_core_does_not_know():  # PL-71, PL-23
    assert placed(recordings.variant("design-placement-secondary"), "app-1") == "root.companya.user1"
    core = load_scenario(OWN / "design-placement-secondary.json")
    assert "secondarygroup" in core.config
    assert [outcome["reason"] for item in core.expect["trace"] for outcome in item["outcomes"] if "app_rejected" in outcome] == [
        "failed to place application app-1: application rejected: no placement rule matched"
    ]


def test_a_queue_that_leaves_the_configuration_drains_and_goes_when_it_is_empty():  # C-160 to C-163, "Configuration updates"
    bench = Workbench.example("documented/reload-drain")
    bench.run(max_steps=6)
    draining = find(bench.partition, "root.b")
    assert draining is not None and draining.status == "Draining"
    assert bench.simulation.steps[5].decision.key == "b-02"  # what waited there goes on
    bench.run()
    assert placed(bench, "b2") == ""
    assert find(bench.partition, "root.b") is None


# -- the page on queue configuration ----------------------------------------------------------------------------------


def test_eight_applications_run_although_there_is_room_for_more():  # R-541, "Queues"
    bench = Workbench.example("documented/queue-resources")
    bench.run(max_steps=8)
    level = find(bench.partition, "root.namespaces.level1")
    assert level is not None
    assert (level.running_applications, level.allocated["vcore"]) == (8, 48_000)
    assert "may run 8 applications" in bench.why_not("ask-9")
    bench.run()
    assert level.allocated["vcore"] == 50_000
    assert "50 of 50 used" in bench.why_not("too-much")


def test_a_limit_of_ten_applications_is_ten_for_each_user():  # PL-125, "Limits"
    bench = Workbench.example("documented/limit-applications")
    bench.run(max_steps=20)
    running = [each.id for each in bench.partition.applications.values() if each.state == "Running"]
    assert sum(id.startswith("sue") for id in running) == sum(id.startswith("bob") for id in running) == 10
    assert bench.why_not("sue-11").splitlines()[1].endswith("10 running, so another must wait.")


def test_a_limit_of_a_user_is_not_shared():  # PL-102, "Limits"
    bench = Workbench.example("documented/user-limit")
    bench.run(max_steps=5)
    assert {each.id: each.allocated["vcore"] for each in bench.partition.applications.values()} == {"a": 2000, "b": 3000}


def test_wildcards_hold_for_each_other_user_and_for_all_other_groups_together():  # PL-102, PL-103, PL-111
    assert holds(Workbench.example("documented/limits-of-groups")) == {"of-sue": 4, "of-bob": 1, "of-carol": 2, "of-dan": 1}


def test_which_properties_children_take_over():  # C-130, C-131, "Properties"
    bench = Workbench.example("documented/queue-properties")
    department, interactive = bench.partition.root.children["department"], bench.partition.root.children["interactive"]
    child, own, mistyped = (department.children[name].settings for name in ("as-its-parent", "of-its-own", "mistyped"))
    notebooks = interactive.children["notebooks"].settings
    assert (child.application_sort_policy, child.priority_sorting, child.preemption_delay_ns) == ("fair", False, 10 * 10**9)
    assert (child.priority_policy, child.priority_offset, child.preemption_policy) == ("default", 0, "default")
    assert (own.application_sort_policy, own.priority_sorting, own.preemption_delay_ns) == ("fifo", True, 120 * 10**9)
    assert (mistyped.application_sort_policy, mistyped.priority_offset) == ("fifo", 0)
    assert mistyped.preemption_delay_ns == DEFAULT_SETTINGS.preemption_delay_ns
    assert notebooks.preemption_policy == "disabled"


@pytest.mark.parametrize(
    ("path", "applications", "guaranteed", "maximum"),
    [  # C-141, C-142, "Child Template"
        ("root.parent.sales", 0, None, {"vcore": 21_000, "memory": 610 * 10**9}),
        ("root.notemplate.sales", 10, {"vcore": 1_000, "memory": 10**9}, {"vcore": 20_000, "memory": 600 * 10**9}),
    ],
)
def test_a_template_of_the_own_hides_that_of_root(path, applications, guaranteed, maximum):
    queue = find(Workbench.example("documented/child-template").partition, path)
    assert queue is not None and not queue.is_managed
    assert queue.max_applications == applications
    assert (None if queue.guaranteed is None else dict(queue.guaranteed.items())) == guaranteed
    assert queue.maximum is not None and dict(queue.maximum.items()) == maximum

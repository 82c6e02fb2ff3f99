"""Sentences of the lessons that people act upon, tried: what the text says there is what happens."""

from __future__ import annotations

import json

import pytest
from lessons.playing import TUTORIALS

from workbench import Workbench
from workbench.scheduler.objects.tree import find


def text_of(lesson: str) -> str:
    """The text of a lesson, in one line."""
    (path,) = TUTORIALS.glob(f"{lesson}-*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return " ".join(" ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown").split())


@pytest.mark.parametrize("lesson", ["06", "09", "11", "12"])
def test_what_is_removed_from_the_text_stays_until_a_restart(lesson):  # C-153
    assert "until the scheduler restarts" in text_of(lesson)
    bench = Workbench.example("multitenancy")
    bench.edit_mode("reload")
    bench.set("root.tenants", "priority.policy", None)
    assert find(bench.partition, "root.tenants").priority == 0
    bench.set("root.tenants", "priority.policy", "default")
    bench.goto(1)
    assert bench.why().startswith("P8 of app child-a-1 is next")


def test_rules_and_access_lists_are_taken_as_a_new_configuration_writes_them():  # C-150
    assert "rules and access lists are taken as they are written" in text_of("09")
    bench = Workbench.example("lessons/getting-into-a-queue")
    bench.edit_mode("reload")
    bench.set("root.people", "submitacl", None)
    bench.set("partition", "placementrules", "- name: user\n  create: true\n  parent: {name: fixed, value: root.people}\n")
    bench.add_app("late", "", "ben", groups="staff")
    assert bench.why_placed("late").startswith("App late is rejected")


def test_law_2_looks_only_at_the_state_before_the_victim_goes():  # P-74
    assert "one that uses 6 of a guaranteed 5 may lose a victim of 3, and has 3 then" in text_of("11")
    bench = Workbench.from_yaml(
        """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: asks
            resources: {guaranteed: {vcore: 3}}
          - name: gives
            resources: {guaranteed: {vcore: 5}}
"""
    )
    bench.add_node("node-1", {"vcore": 6})
    bench.add_app("old", "root.gives")
    bench.add_request("old", "g", {"vcore": 3}, repeat=2)
    bench.run()
    bench.add_app("new", "root.asks")
    bench.add_request("new", "a", {"vcore": 3})
    bench.advance(40)
    bench.run()
    assert find(bench.partition, "root.gives").allocated.get("vcore") == 3000


def test_a_soft_gang_has_nothing_left_to_ask_for_after_its_time():
    assert "every request of it that still waits is removed, real ones too" in text_of("10")
    bench = Workbench.example("lessons/gang")
    bench.run()
    bench.add_request("training", "T", {"vcore": 2}, task_group="workers")
    bench.advance(60)
    bench.run()
    training = bench.partition.applications["training"]
    assert training.state == "Accepted"
    assert not training.asks and not training.allocations


def test_a_gang_that_is_not_complete_counts_against_maxapplications():
    assert "also where that is a placeholder of a gang (below) that is not complete yet" in text_of("10")
    bench = Workbench.example("lessons/gang")
    bench.set("root.lab", "maxapplications", 2)
    bench.run()
    assert bench.partition.applications["training"].state == "Accepted"
    assert "may run 2 applications: 1 running and 1 starting" in bench.why_not("Q1")


def test_a_name_that_no_queue_can_have_ends_the_search():  # PL-30
    assert "is an error: it ends the search, and the application is rejected whatever rules follow" in text_of("09")
    bench = Workbench.example("lessons/getting-into-a-queue")
    bench.add_app("bad", "root.fin ance", "ben", groups="staff")
    assert bench.why_placed("bad").startswith("App bad is rejected.")
    assert "guests" not in bench.why_placed("bad")


def test_without_a_rule_that_takes_it_an_application_goes_to_root_default_where_there_is_one():  # PL-31
    assert "if no rule takes an application, it goes to `root.default`, where there is such a queue" in text_of("09")
    bench = Workbench.example("lessons/getting-into-a-queue")
    bench.set("partition", "placementrules", "- name: provided\n")
    bench.add_app("lost", "root.nosuch", "fay", groups="finance")
    assert bench.why_placed("lost").startswith("App lost is rejected.")
    bench.add_queue("root", "default")
    bench.set("root.default", "submitacl", "*")
    assert bench.why_placed("lost").startswith("App lost goes to root.default.")


def test_of_equal_priority_the_share_of_the_guarantee_counts_and_not_that_of_the_cluster():
    assert "the smaller share of what it is guaranteed or, as nothing is guaranteed here, of the cluster" in text_of("06")
    bench = Workbench.example("multitenancy")
    bench.set("root.tenants", "priority.policy", None)
    bench.set("root.system", "resources.guaranteed", {"vcore": 2})
    bench.goto(1)
    assert "root: tenants (share 0) before system (share 0.5), equal in priority." in bench.why()


@pytest.mark.parametrize("sorting, first", [("disabled", "v"), ("enabled", "v")])
def test_of_equal_usage_the_higher_priority_goes_first_also_where_priority_is_switched_off(sorting, first):
    assert "Of equal usage the higher priority would go first; only then it counts." in text_of("02")
    bench = Workbench.example("lessons/first-in-a-queue")
    bench.set("root.lab", "application.sort.policy", "fair")
    bench.set("root.lab", "application.sort.priority", sorting)
    for application, key, priority in (("one", "u", 3), ("two", "v", 7)):
        bench.add_app(application, "root.lab")
        bench.add_request(application, key, {"vcore": 1}, priority=priority)
    bench.run()
    assert bench.simulation.steps[0].decision.key == first


def test_equal_queues_are_told_apart_by_share_then_by_what_waits_and_then_by_nothing():
    assert "Then the smaller share decides, then the queue in which more waits" in text_of("05")
    bench = Workbench.example("lessons/offsets")
    bench.set("root.development.tests", "priority.offset", 51)
    assert "a tie in priority, share and pending amounts: the scheduler leaves this order open" in bench.why()
    bench.add_request("tests", "T1", {"vcore": 1}, queue="root.development.tests")
    assert bench.why().startswith("T60 of app tests is next")


@pytest.mark.parametrize("release, first_two", [("1.4", ["alpha-driver"]), ("1.8", ["gamma-driver", "alpha-driver"])])
def test_only_old_releases_let_one_application_start_at_a_time(release, first_two):  # C-183, R-538
    assert "Up to release 1.5 there was a third policy" in text_of("02")
    bench = Workbench.example("lessons/one-start-at-a-time")
    bench.release(release)
    bench.reset()
    bench.run(max_steps=2)
    assert [step.decision.key for step in bench.simulation.steps] == first_two

"""Differences between configurations: exactly the changed keys, by path."""

from __future__ import annotations

import pytest

from workbench.config import edit, load_config
from workbench.config.diff import Difference, diff
from workbench.config.model import ChildTemplate, Limit, NodeSorting, PlacementRule, QueueConfig, ResourcesConfig

TEXT = """\
partitions:
  - name: default
    queues:
      - name: root
        queues:
          - name: system
          - name: tenants
            properties: {priority.policy: fence, priority.offset: 5}
            resources: {max: {vcore: 10, memory: 8Gi}}
            queues:
              - name: a
              - name: b
"""
CONFIG = load_config(TEXT)


@pytest.mark.parametrize(("changed", "path", "key", "old", "new"), [
    (edit.with_property(CONFIG, "root.tenants", "priority.offset", 7),
     "root.tenants", "properties.priority.offset", "5", "7"),
    (edit.with_property(CONFIG, "root.tenants", "priority.policy", None),
     "root.tenants", "properties.priority.policy", "fence", None),
    (edit.with_max(CONFIG, "root.tenants", {"memory": "8Gi", "vcore": "11"}),
     "root.tenants", "resources.max.vcore", "10", "11"),
    (edit.with_guaranteed(CONFIG, "root.system", {"gpu": "1"}), "root.system", "resources.guaranteed.gpu", None, "1"),
    (edit.with_field(CONFIG, "root.system", "maxapplications", 3), "root.system", "maxapplications", None, "3"),
    (edit.with_field(CONFIG, "root", "submitacl", "*"), "root", "submitacl", None, "*"),
    (edit.with_field(CONFIG, "root.tenants", "parent", True), "root.tenants", "parent", None, "true"),
    (edit.with_queue_moved(CONFIG, "root.system", "root"), "root", "queues", "system, tenants", "tenants, system"),
    (edit.with_node_sorting(CONFIG, NodeSorting(type="binpacking")), "", "nodesortpolicy.type", None, "binpacking"),
    (edit.with_node_sorting(CONFIG, NodeSorting(weights={"vcore": 4.0})),
     "", "nodesortpolicy.resourceweights.vcore", None, "4"),
    (edit.with_placement_rules(CONFIG, (PlacementRule(name="user"),)), "", "placementrules[0]", None, "user"),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_one_changed_key_is_one_difference(changed, path, key, old, new):
    assert diff(CONFIG, changed) == (Difference(path, key, old, new),)
    assert diff(changed, CONFIG) == (Difference(path, key, new, old),)


def test_equal_configurations_do_not_differ_however_they_were_written():
    rewritten = load_config("""
        partitions:
        - queues:
          - {name: system}
          - name: TENANTS
            queues: [{name: A}, {name: b}]
            resources: {max: {memory: 8Gi, vcore: '10'}}
            properties: {priority.offset: '5', priority.policy: fence}
        """)
    assert diff(CONFIG, rewritten) == (), "case, order of keys and the written root are no change (C-156, C-20)"


def test_an_added_queue_is_listed_with_its_keys_and_everything_below_it():
    added = QueueConfig(name="c", max_applications=1, queues=(QueueConfig(name="d"),))
    assert diff(CONFIG, edit.with_queue_added(CONFIG, "root.tenants", added)) == (
        Difference("root.tenants.c", "", None, "parent"),
        Difference("root.tenants.c", "maxapplications", None, "1"),
        Difference("root.tenants.c.d", "", None, "leaf"),
    )


def test_a_removed_queue_that_leaves_a_leaf_changes_the_parents_type():  # C-120
    smaller = edit.without_queue(edit.without_queue(CONFIG, "root.tenants.a"), "root.tenants.b")
    assert diff(CONFIG, smaller) == (
        Difference("root.tenants", "", "parent", "leaf"),
        Difference("root.tenants.a", "", "leaf", None),
        Difference("root.tenants.b", "", "leaf", None),
    )


def test_limits_go_by_their_users_and_groups_so_that_a_new_one_moves_no_other():
    sue = Limit(limit="l", users=("sue",), max_applications=2)
    dev = Limit(groups=("dev",), max_resources={"vcore": "1"})
    one, two = (edit.with_field(CONFIG, "root.system", "limits", limits) for limits in ((dev,), (sue, dev)))
    assert diff(one, two) == (
        Difference("root.system", "limits[sue]", None, "l"),
        Difference("root.system", "limits[sue].maxapplications", None, "2"),
        Difference("root.system", "limits", None, "sue;  dev"),
    )
    swapped = edit.with_field(CONFIG, "root.system", "limits", (dev, sue))
    assert diff(two, swapped) == (Difference("root.system", "limits", "sue;  dev", " dev; sue"),)


def test_limits_of_the_partition_are_those_of_the_root():  # C-85
    text = "partitions: [{{{} queues: [{{name: root, limits: [{{users: [sue], maxapplications: 1}}]}}]}}]"
    limits = "limits: [{users: [sue], maxapplications: 1}],"
    assert diff(load_config(text.format("")), load_config(text.format(limits))) == ()


def test_a_template_is_told_from_an_empty_one_and_from_none():
    template = ChildTemplate(max_applications=2, properties={"k": "v"}, resources=ResourcesConfig(max={}))
    changed = edit.with_field(CONFIG, "root.tenants", "childtemplate", template)
    assert [(each.key, each.new) for each in diff(CONFIG, changed)] == [
        ("childtemplate", "set"),
        ("childtemplate.maxapplications", "2"),
        ("childtemplate.resources.max", "{}"),
        ("childtemplate.properties.k", "v"),
    ]
    empty = edit.with_field(CONFIG, "root.tenants", "childtemplate", ChildTemplate())
    assert diff(CONFIG, empty) == (Difference("root.tenants", "childtemplate", None, "set"),)


def test_partitions_are_told_apart_by_name_ignoring_case():
    two = load_config("partitions: [{name: Default, queues: []}, {name: gpu, queues: [{name: a}]}]")
    one = load_config("partitions: [{queues: []}]")
    assert diff(one, two) == (
        Difference("", "", None, "partition", "gpu"),
        Difference("root", "", None, "parent", "gpu"),
        Difference("root", "parent", None, "true", "gpu"),
        Difference("root.a", "", None, "leaf", "gpu"),
    )


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (Difference("root.a", "properties.k", "1", "2"), "root.a: properties.k '1' -> '2'"),
        (Difference("root.a", "properties.k", None, ""), "root.a: properties.k not set -> ''"),
        (Difference("root.a", "", None, "leaf"), "root.a: added"),
        (Difference("root.a", "", "leaf", None), "root.a: removed"),
        (Difference("root.a", "", "leaf", "parent"), "root.a: type 'leaf' -> 'parent'"),
        (Difference("", "preemption.enabled", "true", None, "gpu"), "partition gpu: preemption.enabled 'true' -> not set"),
    ],
)
def test_a_difference_reads_as_one_line(difference, text):
    assert str(difference) == text

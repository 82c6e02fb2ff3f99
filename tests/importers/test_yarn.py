"""A capacity-scheduler.xml as queues: what each property becomes, and that its line of the report says so. Chapter 13."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from yarn_files import CLUSTER, config, grade_of, imported, line_about, queue, xml

from workbench.config import load_config
from workbench.importers.opening import opened, recognised
from workbench.importers.yarn import import_yarn, parse_cluster
from workbench.values.errors import CommandError, ConfigError

TWO = {"root.queues": "a,b", "root.a.capacity": 70, "root.b.capacity": 30}
NESTED = {
    "root.queues": "Prod,dev",
    "root.Prod.capacity": 40,
    "root.dev.capacity": 60,
    "root.dev.queues": "eng,science",
    "root.dev.eng.capacity": 75,
    "root.dev.science.capacity": 25,
}
EXACT, NEAR, DROPPED = "Exactly the same", "Nearly the same", "Not converted"


# ---- the tree -----------------------------------------------------------------------------------------------------------


def test_the_lists_of_queues_are_the_tree_with_names_in_lower_case(tmp_path):
    result = imported(tmp_path, NESTED)
    root = queue(result, "root")
    assert [each.name for each in root.queues] == ["prod", "dev"]
    assert [each.name for each in queue(result, "root.dev").queues] == ["eng", "science"]
    assert "root.dev has 2 queues below it" in line_about(result, "root.dev.queues")
    assert grade_of(result, "root.queues") == EXACT


def test_names_that_become_one_are_an_error_with_the_line(tmp_path):
    with pytest.raises(ConfigError, match=r"capacity-scheduler.xml:line 2: .*root.queues: 'Dev' and 'dev' are one queue here"):
        imported(tmp_path, {"root.queues": "Dev,dev"})


@pytest.mark.parametrize("name", ["a.b", "a b", "ä", "x" * 65])
def test_a_name_that_no_queue_can_have_here_is_an_error_with_the_line(tmp_path, name):
    with pytest.raises(ConfigError, match="line 2: .* cannot be the name of a queue here"):
        imported(tmp_path, {"root.queues": name})


def test_a_file_without_queues_is_told_what_is_missing(tmp_path):
    with pytest.raises(ConfigError, match="there is no property yarn.scheduler.capacity.root.queues"):
        imported(tmp_path, {"maximum-applications": 100})


def test_what_is_said_of_a_queue_that_no_list_names_is_told(tmp_path):
    result = imported(tmp_path, {**TWO, "root.nowhere.capacity": 50})
    assert grade_of(result, "root.nowhere.capacity") == DROPPED
    assert "line 5" in line_about(result, "root.nowhere.capacity")


# ---- capacity -----------------------------------------------------------------------------------------------------------


def test_a_share_is_the_product_of_the_shares_times_the_cluster(tmp_path):
    result = imported(tmp_path, NESTED)
    assert queue(result, "root").resources.guaranteed is None
    assert queue(result, "root.prod").resources.guaranteed == {"vcore": "40", "memory": "40Gi"}
    assert queue(result, "root.dev.eng").resources.guaranteed == {"vcore": "45", "memory": "45Gi"}
    assert queue(result, "root.dev.science").resources.guaranteed == {"vcore": "15", "memory": "15Gi"}
    assert grade_of(result, "root.dev.eng.capacity") == NEAR
    assert "does not grow" in line_about(result, "root.dev.eng.capacity")


def test_weights_are_shares_among_the_siblings(tmp_path):
    result = imported(tmp_path, {"root.queues": "a,b", "root.a.capacity": "3w", "root.b.capacity": "1w"})
    assert queue(result, "root.a").resources.guaranteed == {"vcore": "75", "memory": "75Gi"}
    assert queue(result, "root.b").resources.guaranteed == {"vcore": "25", "memory": "25Gi"}


def test_amounts_are_amounts_with_memory_in_mebibytes(tmp_path):
    result = imported(tmp_path, {"root.queues": "a", "root.a.capacity": "[memory=1024,vcores=4,yarn.io/gpu=2]"}, cluster=None)
    assert queue(result, "root.a").resources.guaranteed == {"vcore": "4", "memory": "1Gi", "yarn.io/gpu": "2"}
    assert grade_of(result, "root.a.capacity") == EXACT


def test_each_resource_may_have_a_share_of_its_own(tmp_path):
    result = imported(tmp_path, {"root.queues": "a", "root.a.capacity": "[memory=50%,vcores=12.5%]"})
    assert queue(result, "root.a").resources.guaranteed == {"vcore": "12500m", "memory": "50Gi"}


THREE = {"root.queues": "a,b,c", "root.a.capacity": 33.33, "root.b.capacity": 33.33, "root.c.capacity": 33.34}


@given(st.integers(1, 10**6), st.integers(1, 10**6))
@examples(10)
def test_children_are_never_guaranteed_more_than_their_parent(tmp_path_factory, milli, mebi):
    inner = {f"root.a.{name.removeprefix('root.')}": value for name, value in THREE.items()}
    result = imported(tmp_path_factory.mktemp("yarn"), {**THREE, **inner}, f"vcores={milli}m,memory={mebi}Mi")
    load_config(result.scenario.text)  # which refuses it otherwise (C-72)


@pytest.mark.parametrize("value", [70, "3w", "[memory=50%]"])
def test_without_the_size_of_the_cluster_a_share_is_refused_with_the_way_to_give_it(tmp_path, value):  # Y-1
    with pytest.raises(ConfigError, match=r"line 3: .*root.a.capacity: is a share of the cluster.*--cluster memory="):
        imported(tmp_path, {"root.queues": "a", "root.a.capacity": value}, cluster=None)


def test_the_size_may_be_that_of_nodes_that_are_known_from_elsewhere(tmp_path):  # Y-1
    (tmp_path / "nodes.yaml").write_text(
        "config: 'partitions: [{name: default, queues: [{name: root}]}]'\n"
        "events:\n- add_node: {id: n, repeat: 4, resources: {vcore: 10000, memory: 20Gi, pods: 110}}\n"
    )
    result = imported(tmp_path, TWO, None, nodes=tmp_path / "nodes.yaml")
    assert queue(result, "root.a").resources.guaranteed == {"vcore": "28", "memory": "56Gi"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("memory=100", "say the unit of memory=100: memory=100Mi"),
        ("memory", "is no size of a cluster"),
        ("vcores=x", "is no size of a cluster"),
        ("vcore=1,vcores=2", "each resource once"),
        ("", "is no size of a cluster"),
    ],
)
def test_a_size_that_makes_no_sense_is_told(text, told):
    with pytest.raises(CommandError, match=told):
        parse_cluster(text)


def test_a_size_may_have_any_resource():
    assert parse_cluster("memory=1Gi, vcores=2, nvidia.com/gpu=3") == {"memory": 2**30, "vcore": 2000, "nvidia.com/gpu": 3}


@pytest.mark.parametrize(
    ("capacities", "line", "told"),
    [
        ({"a": 70, "b": 40}, 4, "guaranteed more memory than root itself"),
        ({"a": 70, "b": "1w"}, 4, "of several kinds: percent and weight"),
        ({"a": "many"}, 3, "'many' is no capacity"),
        ({"a": "-5"}, 3, "'-5' is no capacity"),
        ({"a": 101}, 3, "is more than 100 percent"),
        ({"a": "[memory]"}, 3, "'memory' is no resource"),
        ({"a": "[memory=x]"}, 3, "'x' is no amount of memory"),
        ({"a": "[memory=99999999999999999]"}, 3, "is no amount of memory"),
    ],
)
def test_a_capacity_that_cannot_be_is_an_error_with_the_line(tmp_path, capacities, line, told):
    properties = {"root.queues": ",".join(capacities)} | {f"root.{name}.capacity": value for name, value in capacities.items()}
    with pytest.raises(ConfigError, match=rf"line {line}: yarn.scheduler.capacity.root.*{told}"):
        imported(tmp_path, properties)


def test_a_queue_without_capacity_is_guaranteed_nothing_and_that_is_told(tmp_path):
    result = imported(tmp_path, {"root.queues": "a"})
    assert queue(result, "root.a").resources.guaranteed is None
    assert "guaranteed nothing" in line_about(result, "root.a.capacity")


# ---- maximum ------------------------------------------------------------------------------------------------------------


def test_a_maximum_is_of_the_maximum_of_the_queue_above(tmp_path):
    result = imported(tmp_path, {**NESTED, "root.dev.maximum-capacity": 80, "root.dev.eng.maximum-capacity": 75})
    assert queue(result, "root.dev").resources.max == {"vcore": "80", "memory": "80Gi"}
    assert queue(result, "root.dev.eng").resources.max == {"vcore": "60", "memory": "60Gi"}
    assert grade_of(result, "root.dev.eng.maximum-capacity") == NEAR


@pytest.mark.parametrize("value", ["100", "-1"])
def test_all_that_the_queue_above_may_have_is_no_maximum(tmp_path, value):
    result = imported(tmp_path, {**TWO, "root.a.maximum-capacity": value})
    assert queue(result, "root.a").resources.max is None
    assert grade_of(result, "root.a.maximum-capacity") == EXACT


def test_an_amount_is_a_maximum_as_it_stands(tmp_path):
    result = imported(tmp_path, {**TWO, "root.a.maximum-capacity": "[memory=92160,vcores=80]"})
    assert queue(result, "root.a").resources.max == {"vcore": "80", "memory": "90Gi"}
    assert grade_of(result, "root.a.maximum-capacity") == EXACT


def test_a_maximum_of_nothing_is_told_since_it_bounds_nothing_here(tmp_path):  # C-122
    result = imported(tmp_path, {**TWO, "root.a.capacity": 0, "root.a.maximum-capacity": 0})
    assert queue(result, "root.a").resources.max is None
    assert grade_of(result, "root.a.maximum-capacity") == DROPPED


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("root.a", 60, "is less memory than the capacity of root.a"),
        ("root.a", "[memory=1048576]", "is more memory than root may have"),
        ("root.a", "3w", "a maximum cannot be a weight"),
    ],
)
def test_a_maximum_that_cannot_be_is_an_error_with_the_line(tmp_path, path, value, told):
    with pytest.raises(ConfigError, match=f"line 5: .*{path}.maximum-capacity: {told}"):
        imported(tmp_path, {**TWO, f"{path}.maximum-capacity": value})


# ---- users and applications ---------------------------------------------------------------------------------------------


def test_a_factor_is_a_limit_of_each_user_and_one_if_nothing_is_said(tmp_path):
    result = imported(tmp_path, {**TWO, "root.a.user-limit-factor": 0.5})
    for path, vcore, name in (("root.a", "35", "root.a.user-limit-factor"), ("root.b", "30", "root.b.user-limit-factor")):
        (limit,) = queue(result, path).limits
        assert limit.users == ("*",) and limit.max_resources["vcore"] == vcore
        assert grade_of(result, name) == NEAR
    assert "default of Hadoop" in line_about(result, "root.b.user-limit-factor")


def test_a_factor_of_minus_one_is_no_limit(tmp_path):
    result = imported(tmp_path, {**TWO, "root.a.user-limit-factor": -1})
    assert queue(result, "root.a").limits == ()


def test_a_factor_beyond_the_maximum_is_the_maximum_and_needs_no_limit(tmp_path):
    result = imported(tmp_path, {**TWO, "root.a.user-limit-factor": 5, "root.a.maximum-capacity": 80})
    assert queue(result, "root.a").limits == ()
    assert grade_of(result, "root.a.user-limit-factor") == EXACT


def test_applications_at_once_are_bounded_below_a_bound_everywhere(tmp_path):  # C-80
    result = imported(tmp_path, {**NESTED, "root.dev.max-parallel-apps": 10, "root.dev.eng.max-parallel-apps": 20})
    assert [queue(result, path).max_applications for path in ("root.dev", "root.dev.eng", "root.dev.science")] == [10, 10, 10]
    assert "that of the queue above it" in line_about(result, "root.dev.eng.max-parallel-apps")
    assert queue(result, "root.prod").max_applications == 0


def test_a_general_bound_of_applications_is_that_of_each_queue(tmp_path):
    result = imported(tmp_path, {**TWO, "max-parallel-apps": 7, "root.b.max-parallel-apps": 3})
    assert [queue(result, path).max_applications for path in ("root", "root.a", "root.b")] == [7, 7, 3]


# ---- order, priority, preemption ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["fifo", "fair"])
def test_the_order_of_applications_is_kept(tmp_path, order):
    result = imported(tmp_path, {**TWO, "root.a.ordering-policy": order})
    assert queue(result, "root.a").properties["application.sort.policy"] == order
    assert grade_of(result, "root.a.ordering-policy") == EXACT


def test_an_order_that_there_is_not_here_is_told(tmp_path):
    result = imported(tmp_path, {**TWO, "root.a.ordering-policy": "fifo-for-pending-apps"})
    assert grade_of(result, "root.a.ordering-policy") == DROPPED


def test_priorities_of_queues_count_below_the_policy_that_looks_at_them(tmp_path):
    result = imported(tmp_path, {**TWO, "root.ordering-policy": "priority-utilization", "root.a.priority": 10})
    assert queue(result, "root.a").properties["priority.offset"] == "10"
    assert grade_of(result, "root.a.priority") == NEAR
    without = imported(tmp_path, {**TWO, "root.a.priority": 10})
    assert "priority.offset" not in queue(without, "root.a").properties


def test_who_is_not_preempted_there_is_not_here_and_may_be_further_below(tmp_path):
    result = imported(tmp_path, {**NESTED, "root.dev.disable_preemption": "true", "root.dev.eng.disable_preemption": "false"})
    assert queue(result, "root.dev").properties["preemption.policy"] == "disabled"
    assert queue(result, "root.dev.eng").properties["preemption.policy"] == "default"
    assert grade_of(result, "root.dev.disable_preemption") == EXACT


def test_preemption_is_on_if_the_monitor_is_and_off_if_nothing_is_said(tmp_path):
    monitor = "yarn.resourcemanager.scheduler.monitor.enable"
    assert not config(imported(tmp_path, TWO)).partitions[0].preemption.enabled
    assert config(imported(tmp_path, {**TWO, monitor: "true"})).partitions[0].preemption.enabled


def test_the_monitor_may_stand_in_a_second_file(tmp_path):
    (tmp_path / "yarn-site.xml").write_text(xml({"yarn.resourcemanager.scheduler.monitor.enable": "true"}))
    (tmp_path / "cs.xml").write_text(xml(TWO))
    result = import_yarn([tmp_path / "cs.xml", tmp_path / "yarn-site.xml"], CLUSTER)
    assert config(result).partitions[0].preemption.enabled


# ---- access and placement -----------------------------------------------------------------------------------------------


def test_access_is_kept_and_that_of_root_written_out(tmp_path):
    acls = {
        "root.a.acl_submit_applications": "ann,bob dev,ops",
        "root.b.acl_administer_queue": " admins",
        "root.b.acl_submit_applications": " ",
    }
    result = imported(tmp_path, {**TWO, **acls})
    root = queue(result, "root")
    assert (root.submit_acl, root.admin_acl) == ("*", "*")
    assert queue(result, "root.a").submit_acl == "ann,bob dev,ops"
    assert (queue(result, "root.b").admin_acl, queue(result, "root.b").submit_acl) == (" admins", "")
    assert grade_of(result, "root.a.acl_submit_applications") == EXACT


def test_names_that_can_never_match_here_are_told(tmp_path):  # C-103
    result = imported(tmp_path, {**TWO, "root.a.acl_submit_applications": "ann,DOM\\bob data.team"})
    assert queue(result, "root.a").submit_acl == "ann"
    assert "without DOM\\bob, data.team" in line_about(result, "root.a.acl_submit_applications").replace("\\\\", "\\")


def rules(result) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...], str]]:
    return [
        (each.name, each.value, each.filter.users if each.filter else (), each.filter.groups if each.filter else (),
         each.parent.value if each.parent else "")
        for each in config(result).partitions[0].placement_rules
    ]  # fmt: skip


def test_mappings_are_rules_in_their_order_behind_the_queue_that_was_asked_for(tmp_path):
    properties = {**NESTED, "root.queues": "Prod,dev,default", "queue-mappings": "u:ann:science,g:ops:root.Prod,u:%user:%user"}
    result = imported(tmp_path, properties)
    assert rules(result) == [
        ("provided", "", (), (), ""),
        ("fixed", "root.dev.science", ("ann",), (), ""),
        ("fixed", "root.prod", (), ("ops",), ""),
        ("user", "", (), (), ""),
        ("fixed", "root.default", (), (), ""),
    ]
    assert grade_of(result, "queue-mappings") == EXACT


def test_mappings_that_override_come_first(tmp_path):
    result = imported(tmp_path, {**TWO, "queue-mappings": "u:ann:b", "queue-mappings-override.enable": "true"})
    assert [each[0] for each in rules(result)] == ["fixed", "provided"]


def test_a_mapping_below_a_queue_is_a_rule_with_a_parent(tmp_path):
    result = imported(tmp_path, {**NESTED, "queue-mappings": "u:%user:root.dev.%user"})
    assert rules(result)[1] == ("user", "", (), (), "root.dev")


@pytest.mark.parametrize("mapping", ["u:%user:%primary_group", "u:ann:nowhere", "u:ann:dev", "g:%x:root.prod", "u:%user:x.%user"])
def test_a_mapping_without_a_rule_is_told(tmp_path, mapping):
    result = imported(tmp_path, {**NESTED, "queue-mappings": mapping})
    assert [each[0] for each in rules(result)] == ["provided"]
    assert grade_of(result, "queue-mappings") == DROPPED and mapping in line_about(result, "queue-mappings")


@pytest.mark.parametrize("mapping", ["ann", "x:ann:b", "u:ann:", "u:a:b:c"])
def test_what_is_no_mapping_is_an_error_with_the_line(tmp_path, mapping):
    with pytest.raises(ConfigError, match="line 5: yarn.scheduler.capacity.queue-mappings: .* is no mapping"):
        imported(tmp_path, {**TWO, "queue-mappings": mapping})


# ---- queues that are made -----------------------------------------------------------------------------------------------


def test_queues_that_are_made_for_users_have_a_template(tmp_path):
    template = {
        "root.a.auto-create-child-queue.enabled": "true",
        "root.a.leaf-queue-template.capacity": 10,
        "root.a.leaf-queue-template.maximum-capacity": 50,
        "root.a.leaf-queue-template.ordering-policy": "fair",
        "root.a.leaf-queue-template.max-parallel-apps": 4,
        "root.a.leaf-queue-template.user-limit-factor": 3,
        "queue-mappings": "u:%user:a.%user",
    }
    result = imported(tmp_path, {**TWO, **template})
    made = queue(result, "root.a")
    assert made.parent and made.child_template.max_applications == 4
    assert made.child_template.resources.guaranteed == {"vcore": "7", "memory": "7Gi"}
    assert made.child_template.resources.max == {"vcore": "50", "memory": "50Gi"}
    assert made.child_template.properties == {"application.sort.policy": "fair"}
    (rule,) = (each for each in config(result).partitions[0].placement_rules if each.name == "user")
    assert rule.create and rule.parent.value == "root.a"
    assert grade_of(result, "root.a.auto-create-child-queue.enabled") == NEAR
    assert grade_of(result, "root.a.leaf-queue-template.user-limit-factor") == DROPPED


def test_queues_that_are_made_by_their_names_are_so_here(tmp_path):
    more = {"root.a.auto-queue-creation-v2.enabled": "true", "root.a.auto-queue-creation-v2.leaf-template.capacity": "2w"}
    result = imported(tmp_path, {**TWO, **more})
    provided = config(result).partitions[0].placement_rules[0]
    assert (provided.name, provided.create) == ("provided", True)
    assert grade_of(result, "root.a.auto-queue-creation-v2.leaf-template.capacity") == DROPPED


# ---- what does not come over --------------------------------------------------------------------------------------------

DROPPED_ONES = {
    "maximum-applications": 10000,
    "maximum-am-resource-percent": 0.1,
    "root.a.maximum-applications": 100,
    "root.a.maximum-am-resource-percent": 0.2,
    "root.a.minimum-user-limit-percent": 25,
    "root.a.accessible-node-labels": "gpu",
    "root.a.accessible-node-labels.gpu.capacity": 100,
    "root.a.default-node-label-expression": "gpu",
    "root.a.maximum-application-lifetime": 3600,
    "root.a.default-application-lifetime": 600,
    "root.a.ordering-policy.fair.enable-size-based-weight": "true",
    "root.a.intra-queue-preemption.disable_preemption": "true",
    "root.a.user-settings.ann.weight": 2,
    "root.a.maximum-allocation-mb": 8192,
    "root.a.acl_application_max_priority": "[user=ann max_priority=5]",
    "root.a.state": "STOPPED",
    "node-locality-delay": 40,
    "per-node-heartbeat.multiple-assignments-enabled": "true",
    "schedule-asynchronously.enable": "true",
    "user.ann.max-parallel-apps": 3,
    "mapping-rule-format": "json",
    "yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval": 3000,
    "yarn.scheduler.minimum-allocation-mb": 1024,
    "yarn.nodemanager.resource.memory-mb": 65536,
}


@pytest.mark.parametrize("name", DROPPED_ONES)
def test_what_has_no_counterpart_is_told_with_its_line_and_what_comes_nearest(tmp_path, name):
    result = imported(tmp_path, {**TWO, name: DROPPED_ONES[name]})
    assert grade_of(result, name) == DROPPED
    assert "line 5" in line_about(result, name) and "known here" not in line_about(result, name)


@pytest.mark.parametrize("name", ["root.a.capcity", "maximum-aplications", "root.a.ordering-polcy"])
def test_what_is_no_property_is_told_with_its_line(tmp_path, name):  # Y-3
    result = imported(tmp_path, {**TWO, name: 1})
    assert "line 5" in line_about(result, name) and "is no property of the capacity scheduler" in line_about(result, name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("root.a.max-parallel-apps", "many"),
        ("root.a.max-parallel-apps", "-1"),
        ("root.a.user-limit-factor", "much"),
        ("root.a.priority", "high"),
        ("root.a.disable_preemption", "perhaps"),
        ("root.a.state", "ASLEEP"),
        ("yarn.resourcemanager.scheduler.monitor.enable", "sometimes"),
        ("root.a.auto-create-child-queue.enabled", "maybe"),
    ],
)
def test_a_value_that_cannot_be_is_an_error_with_property_and_line(tmp_path, name, value):  # Y-3
    with pytest.raises(ConfigError, match=rf"line 5: .*{name}: .*{value}"):
        imported(tmp_path, {**TWO, name: value})


def test_the_notes_count_what_came_over_and_name_an_example_of_the_rest(tmp_path):
    result = imported(tmp_path, {**TWO, "root.a.maximum-applications": 5, "root.b.maximum-applications": 6})
    assert result.notes[0].endswith(" 2 were not converted.") and result.notes[0] in result.report
    (told,) = [each for each in result.notes if each.startswith("Not converted: ")]
    assert "root.a.maximum-applications (line 5) and " in told and "root.b.maximum-applications (line 6): " in told


@given(st.sets(st.sampled_from(sorted(DROPPED_ONES)), min_size=1))
@examples(10)
def test_every_property_is_in_the_report_once_or_more(tmp_path_factory, names):
    properties = {**NESTED, **{name.replace("root.a.", "root.dev.eng."): DROPPED_ONES[name] for name in names}}
    report = imported(tmp_path_factory.mktemp("yarn"), properties).report
    assert all(f"{name}` |" in report for name in properties)


# ---- the result ---------------------------------------------------------------------------------------------------------


def test_the_result_is_checked_by_advice_too(tmp_path):  # Y-2
    result = imported(tmp_path, TWO)
    assert "## What is worth a look in the result" in result.report and "The limit of user *" in result.report
    assert any("in the result worth a look" in each for each in result.notes)


def test_a_file_of_yarn_can_be_opened_at_once(tmp_path):  # Y-2
    path = tmp_path / "given"
    path.write_text(xml({"root.queues": "a", "root.a.capacity": "[vcores=4]"}))
    assert recognised(path) == "yarn"
    assert opened(path).imported.scenario.name == "given"
    assert opened(path, cluster=CLUSTER).kind == "yarn"

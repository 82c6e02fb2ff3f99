"""Chapter 12: what one object of Kubernetes means to the scheduler. What the facts say is checked by tests/conformance."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kubernetes_objects import A, namespace, node, pod, priority_class, required
from laws import examples

from workbench.importers.kubernetes import belonging, constraints, gangs, namespaces, nodes, priorities, sizes
from workbench.importers.kubernetes.applications import admission_labels, application_id, queue_name, user_of
from workbench.importers.kubernetes.fields import WrongField
from workbench.importers.kubernetes.quantities import amount, amounts, quantity
from workbench.scheduler.placement.tags import quota
from workbench.values.quantities import MAX_INT64


def sidecar(**requests: str) -> dict:
    return {"name": "s", "restartPolicy": "Always", "resources": {"requests": requests}}


# -- K-1, K-2, K-3 ------------------------------------------------------------------------------------------------------


def test_a_pod_is_the_schedulers_if_it_names_it():  # K-1
    assert belonging.is_ours(pod())
    assert not belonging.is_ours(pod(schedulerName="default-scheduler"))
    assert not belonging.is_ours(pod(schedulerName=None))
    assert belonging.foreign_kind(pod(owner="Node")) == "static"
    assert belonging.foreign_kind(pod(owner="DaemonSet")) == "default"


def test_pods_that_have_ended_and_gated_ones_are_known():  # K-2
    assert [
        phase for phase in ("Pending", "Running", "Succeeded", "Failed", "Unknown") if belonging.has_ended(pod(phase=phase))
    ] == [
        "Succeeded",
        "Failed",
    ]
    assert belonging.is_gated(pod(schedulingGates=[{"name": "wait"}]))
    assert not belonging.is_gated(pod(schedulingGates=[]))


def test_as_if_all_were_ours_leaves_out_what_nodes_and_daemon_sets_own_and_the_system():  # K-3
    assert belonging.would_be_ours(pod(schedulerName="default-scheduler", owner="ReplicaSet"))
    assert not belonging.would_be_ours(pod(owner="Node"))
    assert not belonging.would_be_ours(pod(owner="DaemonSet"))
    assert not belonging.would_be_ours(pod(namespace="kube-system"))
    assert admission_labels(pod(namespace="a"))["applicationId"] == "yunikorn-a-autogen"


# -- K-10 to K-14 -------------------------------------------------------------------------------------------------------


def test_a_pod_that_names_no_application_is_of_that_of_its_namespace_or_of_its_own():  # K-10
    assert application_id(pod(namespace="team-a")) == "yunikorn-team-a-autogen"
    assert application_id(pod(namespace="team-a", uid="u7"), unique=True) == "team-a-u7"
    assert application_id(pod(labels={"applicationId": "a"}), unique=True) == "a"


def test_an_empty_name_of_a_queue_is_none():  # K-11
    assert queue_name(pod(labels={f"{A}queue": "", "queue": "root.q"})) == "root.q"


@pytest.mark.parametrize(
    "said", ["[]", "5", '{"user": 5}', '{"user": "jo", "groups": "dev"}', '{"user": "jo", "groups": [5]}', "[" * 9999]
)
def test_a_user_that_cannot_be_read_is_nobody(said):  # K-12, R-972
    found = user_of(pod(annotations={f"{A}user.info": said}, labels={f"{A}username": "kim"}))
    assert (found.name, found.groups) == ("nobody", None)


def test_what_a_namespace_says_becomes_tags_that_the_core_reads():  # K-13, K-14, PL-86
    said = namespace("team-a", namespace_quota='{"cpu": "2", "memory": "1Gi"}', namespace_maxApps="3", parentqueue="root.x")
    tags = namespaces.tags_of(namespaces.quotas_of(said))
    assert dict(quota(tags).maximum) == {"vcore": 2000, "memory": 2**30}
    assert quota(tags).max_applications == 3
    assert tags["namespace.parentqueue"] == "root.x"


def test_annotations_of_a_namespace_that_cannot_be_read_are_named():  # K-50
    said = namespace("team-a", namespace_quota="cpu=5", namespace_guaranteed='{"cpu": 1}', namespace_maxApps="ten")
    assert namespaces.unread(said) == [f"{A}namespace.quota", f"{A}namespace.guaranteed", f"{A}namespace.maxApps"]
    assert namespaces.unread(namespace("team-a", namespace_quota='{"cpu": "1"}', parentqueue="root.a")) == []


# -- K-20 to K-22 -------------------------------------------------------------------------------------------------------


def test_a_sidecar_that_is_larger_than_all_else_counts_double_in_1_8_and_once_in_1_9():  # K-20, R-970
    found = pod(requests={"cpu": "500m"}, initContainers=[sidecar(cpu="1", **{"nvidia.com/gpu": "1"})])
    assert sizes.pod_size(found, "1.8") == {"vcore": 2000, "nvidia.com/gpu": 2, "pods": 1}
    assert sizes.pod_size(found, "1.9") == {"vcore": 1500, "nvidia.com/gpu": 1, "pods": 1}


def test_sidecars_that_run_already_count_beside_an_init_container():  # K-20, R-970
    found = pod(requests={"cpu": "1"}, initContainers=[sidecar(cpu="1"), {"name": "i", "resources": {"requests": {"cpu": "4"}}}])
    assert sizes.pod_size(found, "1.8")["vcore"] == sizes.pod_size(found, "1.9")["vcore"] == 5000


def test_limits_never_count():  # K-20
    found = pod()
    found["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "4"}}
    assert sizes.pod_size(found) == {"pods": 1}


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), (".5", Fraction(1, 2)), ("5.", 5), ("-1", -1), ("1E", 10**18), ("1e2", 100), ("1E-2", Fraction(1, 100)),
     (3, 3), (0.25, Fraction(1, 4)), ("1e99", 10**60)],
)  # fmt: skip
def test_quantities_have_fractions_exponents_and_small_units(text, number):  # K-21
    assert quantity(text) == number


@pytest.mark.parametrize("text", ["", ".", "x", "1 Gi", "1gi", "1K", "1ee2", "--1", "1e", True, "٣", "1" * 41])
def test_what_is_no_quantity_is_refused(text):  # K-21
    with pytest.raises(ValueError, match="quantities must match"):
        quantity(text)


def test_amounts_are_rounded_up_and_bounded():  # K-21
    assert amount("cpu", "1n") == ("vcore", 1)
    assert amount("memory", "0.1") == ("memory", 1)
    assert amount("example.com/thing", "1e40") == ("example.com/thing", MAX_INT64)
    with pytest.raises(WrongField, match="spec.overhead.cpu: found 'x': quantities must match"):
        amounts({"spec": {"overhead": {"cpu": "x"}}}, "spec", "overhead")


@given(st.integers(0, 2**40), st.sampled_from(["", "m", "k", "Ki", "M", "Mi", "G", "u", "n"]))
@examples(20)
def test_an_amount_is_the_least_whole_number_that_is_enough(number, unit):  # K-21
    exact = quantity(f"{number}{unit}")
    assert 0 <= amount("memory", f"{number}{unit}")[1] - exact < 1
    assert 0 <= amount("cpu", f"{number}{unit}")[1] - exact * 1000 < 1


def test_a_node_offers_what_is_allocatable_and_a_cordon_is_a_taint():  # K-22
    found = node(cordoned=True, cpu="4")
    assert nodes.node_size(found) == {"vcore": 4000, "memory": 2**35, "pods": 110}
    assert nodes.is_cordoned(found)
    assert constraints.taints_of(found) == ["node.kubernetes.io/unschedulable:NoSchedule"]
    assert constraints.taints_of(node()) == []


# -- K-30 to K-33 -------------------------------------------------------------------------------------------------------


def test_priority_is_that_of_the_pod_then_of_its_class_then_of_the_default_class():  # K-30
    classes = {
        each.name: each
        for each in map(priorities.priority_class, [priority_class("high", 100), priority_class("usual", 7, globalDefault=True)])
    }
    assert priorities.priority_of(pod(priority=3, priorityClassName="high"), classes) == 3
    assert priorities.priority_of(pod(priorityClassName="high"), classes) == 100
    assert priorities.priority_of(pod(), classes) == 7
    assert priorities.priority_of(pod(), {}) == 0
    with pytest.raises(WrongField, match="spec.priority: found 9999999999"):
        priorities.priority_of(pod(priority=9999999999), {})


def test_the_annotation_of_the_pod_beats_that_of_its_class_and_only_false_forbids():  # K-30
    given = priority_class("safe", 1, preemptionPolicy="Never")
    given["metadata"]["annotations"] = {f"{A}allow-preemption": "false"}
    classes = {"safe": priorities.priority_class(given)}
    assert priorities.standing_of(pod(priorityClassName="safe"), classes) == priorities.Standing(1, False, False)
    said = pod(priorityClassName="safe", annotations={f"{A}allow-preemption": "no"}, preemptionPolicy="PreemptLowerPriority")
    assert priorities.standing_of(said, classes) == priorities.Standing(1, True, True)


def test_only_a_daemon_sets_pod_wants_the_node_that_its_affinity_names():  # K-31
    affinity = required({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n7"]}]})
    assert constraints.required_node(pod(owner="DaemonSet", affinity=affinity)) == "n7"
    assert constraints.required_node(pod(owner="ReplicaSet", affinity=affinity)) == ""
    assert constraints.required_node(pod(owner="DaemonSet")) == ""


def test_a_term_that_accepts_makes_up_for_one_that_cannot_be_read():  # K-32
    bad = {"matchExpressions": [{"key": "zone", "operator": "Like", "values": ["a"]}]}
    good = {"matchExpressions": [{"key": "zone", "operator": "Exists"}]}
    spec = pod(affinity=required(bad, good))["spec"]
    assert constraints.selects(spec, "n1", {"zone": "a"})
    with pytest.raises(constraints.AffinityError, match=r'nodeSelectorTerms\[0\].*Unsupported value: "Like"'):
        constraints.selects(spec, "n1", {})


@pytest.mark.parametrize("values", [[], ["1", "2"], ["x"]])
def test_a_comparison_needs_one_number(values):  # K-32
    spec = pod(affinity=required({"matchExpressions": [{"key": "gen", "operator": "Gt", "values": values}]}))["spec"]
    assert not constraints.selects(spec, "n1", {"gen": "7"})


def test_only_what_keeps_pods_away_is_a_taint():  # K-32
    taints = [
        {"key": "a", "effect": "PreferNoSchedule"},
        {"key": "b", "value": "1", "effect": "NoExecute"},
        {"key": "c", "effect": "NoSchedule"},
    ]
    assert constraints.taints_of(node(taints=taints)) == ["b=1:NoExecute", "c:NoSchedule"]
    assert constraints.tolerates([{"key": "b", "value": "1"}], "b=1:NoExecute")
    assert constraints.tolerates([{"key": "c"}], "c:NoSchedule")
    assert not constraints.tolerates([{"key": "c", "operator": "Gt"}], "c:NoSchedule")


def test_a_gang_is_each_group_times_its_members():  # K-33
    said = '[{"name": "w", "minMember": 3, "minResource": {"cpu": "0.0005", "nvidia.com/gpu": 1}}]'
    groups = gangs.task_groups(pod(annotations={f"{A}task-groups": said}))
    assert gangs.gang_total(groups) == {"vcore": 3, "nvidia.com/gpu": 3, "pods": 3}


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("[5]", "json: cannot unmarshal number into Go value of type cache.TaskGroup"),
        ('[{"name": 5}]', "json: cannot unmarshal number into Go struct field TaskGroup.name of type string"),
        (
            '[{"name": "a", "minMember": "2"}]',
            "json: cannot unmarshal string into Go struct field TaskGroup.minMember of type int32",
        ),
        ('[{"name": "a"', "unexpected end of JSON input"),
        ('[{"name": "a", "minMember": 1, "minResource": {"cpu": 1}, "tolerations": 5}]', "cannot unmarshal number"),
    ],
)
def test_a_gang_that_cannot_be_read_says_why(said, error):  # K-33
    with pytest.raises(gangs.GangError) as raised:
        gangs.read_task_groups(said)
    assert error in str(raised.value)

"""A cluster from objects of Kubernetes: what becomes what, what is counted, and what is wrong with a file. Chapter 12."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path

import pytest
import yaml
from kubernetes_objects import A, config_map, listed, namespace, node, pod, priority_class, required

from workbench import ConfigError, ScenarioError, Workbench
from workbench.importers.kubernetes.cluster import Cluster, load_kubernetes
from workbench.importers.kubernetes.notes import Matter
from workbench.importers.kubernetes.notes_texts import sentence
from workbench.importers.opening import opened, recognised
from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, AddNode, DrainNode
from workbench.simulation import Simulation

QUEUES = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: a}, {name: b}]
"""
CONFIG = config_map("yunikorn-configs", {"queues.yaml": QUEUES})
MINE = {"applicationId": "app", "queue": "root.a"}


def cluster(tmp_path: Path, *objects, **options) -> Cluster:
    """What these objects are read as."""
    (tmp_path / "dump.json").write_text(json.dumps(listed(*objects)))
    return load_kubernetes([tmp_path / "dump.json"], **options)


def of(found: Cluster, kind: type) -> list:
    return [event.command for event in found.scenario.events if type(event.command) is kind]


def counts(found: Cluster) -> dict[Matter, int]:
    return {note.matter: note.count for note in found.notes if note.matter is not Matter.AGES}


# -- what becomes what --------------------------------------------------------------------------------------------------


def test_every_bound_pod_is_an_allocation_on_its_node_and_every_pending_one_an_ask(tmp_path):  # K-51
    found = cluster(
        tmp_path,
        CONFIG,
        node("n1"),
        node("n2"),
        pod("runs", labels=MINE, node="n1"),
        pod("waits", labels=MINE),
        pod("agent", schedulerName="default-scheduler", node="n2", owner="DaemonSet"),
    )
    simulation = Simulation.from_scenario(found.scenario)
    state = simulation.state.partitions["default"]
    assert {each.id: sorted(each.allocations) for each in state.nodes.values()} == {"n1": ["uid-runs"], "n2": []}
    assert dict(state.nodes["n2"].occupied.items()) == {"vcore": 1000, "memory": 2**30, "pods": 1}
    assert [item.ask.key for item in simulation.waiting()] == ["uid-waits"]
    assert state.applications["app"].queue_path == "root.a"


def test_pending_foreign_pods_ended_ones_gated_ones_and_those_on_unknown_nodes_are_counted(tmp_path):  # K-1, K-2, K-50
    found = cluster(
        tmp_path,
        CONFIG,
        node("n1"),
        pod("theirs", schedulerName="volcano"),
        pod("done", labels=MINE, node="n1", phase="Succeeded"),
        pod("failed", schedulerName="volcano", node="n1", phase="Failed"),
        pod("gated", labels=MINE, schedulingGates=[{"name": "g"}]),
        pod("lost", labels=MINE, node="n9"),
    )
    assert counts(found) == {
        Matter.NODES: 1,
        Matter.FOREIGN_WAITING: 1,
        Matter.ENDED: 2,
        Matter.GATED: 1,
        Matter.UNKNOWN_NODE: 1,
    }
    assert [type(event.command) for event in found.scenario.events] == [AddNode]
    told = [sentence(note) for note in found.notes]
    assert "1 pod runs on a node that is not among the objects, and is left out: default/lost on n9." in told


def test_pods_that_have_ended_say_how_long_they_run(tmp_path):  # K-2
    def ended(name: str, minutes: int, **more):
        state = {"terminated": {"startedAt": "2026-01-02T03:00:00Z", "finishedAt": f"2026-01-02T03:{minutes:02d}:00Z"}}
        return pod(name, phase="Succeeded", status={"containerStatuses": [{"name": "c", "state": state}]}, **more)

    silent = pod("silent", phase="Failed", labels=MINE)
    pods = [ended("a", 5, labels=MINE), ended("b", 7, labels=MINE), ended("c", 30, labels=MINE), ended("d", 1), silent]
    found = cluster(tmp_path, CONFIG, *pods, durations=True)
    assert [sentence(note) for note in found.notes if note.matter is Matter.RAN] == [
        "1 pod of no named queue that ended ran 1m0s at the median, 1m0s at most.",
        "3 pods of root.a that ended ran 7m0s at the median, 30m0s at most.",
    ]
    assert Matter.RAN not in counts(cluster(tmp_path, CONFIG, *pods))


def test_as_if_all_were_ours(tmp_path):  # K-3
    objects = [
        CONFIG,
        node("n1"),
        pod("web", schedulerName="default-scheduler", namespace="team", node="n1", owner="ReplicaSet"),
        pod("agent", schedulerName="default-scheduler", namespace="team", node="n1", owner="DaemonSet"),
        pod("dns", schedulerName="default-scheduler", namespace="kube-system", node="n1", owner="ReplicaSet"),
    ]
    assert counts(cluster(tmp_path, *objects))[Matter.FOREIGN] == 3
    found = cluster(tmp_path, *objects, all_ours=True)
    assert counts(found) == {Matter.NODES: 1, Matter.RUNNING: 1, Matter.FOREIGN: 2, Matter.AS_IF_OURS: 1}
    (application,) = of(found, AddApplication)
    assert application.application.id == "yunikorn-team-autogen"


def test_ids_are_made_for_each_pod_when_the_service_says_so(tmp_path):  # K-10
    unique = config_map("yunikorn-configs", {"queues.yaml": QUEUES, "admissionController.filtering.generateUniqueAppId": "true"})
    found = cluster(tmp_path, unique, node(), pod("a"), pod("b"))
    assert [each.application.id for each in of(found, AddApplication)] == ["default-uid-a", "default-uid-b"]
    assert [each.application.id for each in of(cluster(tmp_path, CONFIG, node(), pod("a"), pod("b")), AddApplication)] == [
        "yunikorn-default-autogen"
    ]


def test_the_oldest_pod_speaks_for_its_application_and_uids_decide_within_a_second(tmp_path):  # K-11
    young = pod("young", uid="0", created="2026-01-02T03:04:06Z", labels={**MINE, "queue": "root.b"})
    twin = pod("twin", uid="2", labels={**MINE, "queue": "root.b"})
    old = pod("old", uid="1", labels=MINE, annotations={f"{A}user.info": '{"user": "jo", "groups": ["dev"]}'})
    found = cluster(tmp_path, CONFIG, node(), young, twin, old)
    (application,) = of(found, AddApplication)
    assert (application.application.queue, application.application.user, application.application.groups) == (
        "root.a",
        "jo",
        ("dev",),
    )
    asks = [each.ask for each in of(found, AddAsk)]
    assert [(ask.key, ask.originator) for ask in asks] == [("1", True), ("2", False), ("0", False)]
    assert counts(found)[Matter.DIFFERENT] == 1


def test_the_application_with_the_oldest_pod_comes_first_and_what_waits_in_the_order_of_creation(tmp_path):  # K-11, K-51
    def at(second: int, id: str, **more):
        return pod(
            f"p{second}",
            uid=f"u{second}",
            created=f"2026-01-02T03:04:0{second}Z",
            labels={"applicationId": id, "queue": "root.a"},
            **more,
        )

    found = cluster(tmp_path, CONFIG, node("n1"), at(5, "x"), at(3, "y"), at(1, "x", node="n1"), at(4, "y"), at(6, "x"))
    assert [each.application.id for each in of(found, AddApplication)] == ["x", "y"]
    assert [each.ask.key for each in of(found, AddAsk)] == ["u3", "u4", "u5", "u6"]


def test_tags_are_those_of_the_first_pod_and_of_its_namespace(tmp_path):  # K-13, K-14
    quotas = namespace("team", namespace_quota='{"cpu": "2"}', parentqueue="root.b")
    broken = namespace("other", namespace_maxApps="many")
    found = cluster(tmp_path, CONFIG, quotas, broken, node("n1"), pod("p", namespace="team", labels=MINE, node="n1"))
    (application,) = of(found, AddApplication)
    assert dict(application.application.tags) == {
        "namespace": "team",
        "application.create.force": "true",
        f"{A}task-groups": "",
        f"{A}schedulingPolicyParameters": "",
        "namespace.resourcequota": '{"resources":{"vcore":{"value":2000}}}',
        "namespace.parentqueue": "root.b",
    }
    assert (counts(found)[Matter.QUOTA], counts(found)[Matter.QUOTA_UNREAD]) == (1, 1)


@pytest.mark.parametrize(("release", "taints", "drained"), [("1.8", 1, 0), ("1.9", 1, 1)])
def test_a_cordoned_node_is_a_taint_in_1_8_and_drained_in_1_9_behind_its_pods(tmp_path, release, taints, drained):  # K-22, R-971
    found = cluster(tmp_path, CONFIG, node("n1", cordoned=True), pod(labels=MINE, node="n1"), release=release)
    assert found.scenario.engine == release
    assert len(of(found, AddNode)[0].taints) == taints
    assert len(of(found, DrainNode)) == drained
    assert type(found.scenario.events[-1].command) is (DrainNode if drained else AddAllocation)
    assert Simulation.from_scenario(found.scenario).state.partitions["default"].nodes["n1"].schedulable is not bool(drained)


def test_sizes_are_those_of_the_release(tmp_path):
    sidecar = {"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "2"}}}
    objects = [CONFIG, node(), pod(labels=MINE, initContainers=[sidecar])]
    assert of(cluster(tmp_path, *objects, release="1.8"), AddAsk)[0].ask.resource["vcore"] == 4000
    assert of(cluster(tmp_path, *objects, release="1.9"), AddAsk)[0].ask.resource["vcore"] == 3000


def test_priorities_and_classes(tmp_path):  # K-30
    safe = priority_class("safe", 5, preemptionPolicy="Never")
    safe["metadata"]["annotations"] = {f"{A}allow-preemption": "false"}
    found = cluster(
        tmp_path,
        pod("a", labels=MINE, priorityClassName="safe"),
        pod("b", labels=MINE, priority=7, priorityClassName="gone"),
        pod("c", labels=MINE, priorityClassName="gone"),
        CONFIG,
        safe,
    )
    asks = [(each.ask.priority, each.ask.allow_preempt_self, each.ask.allow_preempt_other) for each in of(found, AddAsk)]
    assert asks == [(5, False, False), (7, True, True), (0, True, True)]
    assert counts(found)[Matter.CLASS_UNKNOWN] == 1


def test_constraints_are_followed_exactly(tmp_path):  # K-31, K-32
    ssd = required({"matchExpressions": [{"key": "gen", "operator": "Gt", "values": ["6"]}]})
    bad = required({"matchExpressions": [{"key": "gen", "operator": "Like", "values": ["6"]}]})
    own = required({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n2"]}]})
    found = cluster(
        tmp_path,
        CONFIG,
        node("n1", labels={"zone": "a", "gen": "7"}),
        node("n2", labels={"zone": "b", "gen": "6"}),
        pod("a", labels=MINE, nodeSelector={"zone": "a"}),
        pod("b", labels=MINE, affinity=ssd),
        pod("c", labels=MINE, affinity=bad),
        pod("d", labels=MINE, affinity=own, owner="DaemonSet"),
    )
    a, b, c, d = (each.ask for each in of(found, AddAsk))
    assert (dict(a.node_selector), a.allowed_nodes) == ({"zone": "a"}, None)
    assert b.allowed_nodes == ("n1",)
    assert c.allowed_nodes == ("(no node matches)",)
    assert (d.required_node, d.allowed_nodes) == ("n2", ("n2",))
    assert counts(found)[Matter.AFFINITY_UNREAD] == 1


@pytest.mark.parametrize(
    ("tolerations", "nodes"),
    [
        ([], ["plain"]),
        ([{"operator": "Exists"}], ["both", "execute", "plain", "schedule"]),
        ([{"key": "k", "operator": "Exists"}], ["both", "execute", "plain", "schedule"]),
        ([{"key": "k", "operator": "Exists", "effect": "NoSchedule"}], ["plain", "schedule"]),
        ([{"key": "k", "value": "v", "effect": "NoExecute"}], ["execute", "plain"]),
        ([{"key": "k", "value": "w"}], ["plain"]),
        ([{"key": "k"}], ["plain"]),
    ],
)
def test_tolerations_are_followed_effect_by_effect(tmp_path, tolerations, nodes):  # K-32
    def tainted(name: str, *effects: str):
        return node(name, taints=[{"key": "k", "value": "v", "effect": effect} for effect in effects])

    cluster_nodes = [
        node("plain"),
        tainted("schedule", "NoSchedule"),
        tainted("execute", "NoExecute"),
        tainted("both", "NoSchedule", "NoExecute"),
    ]
    found = cluster(
        tmp_path,
        CONFIG,
        *cluster_nodes,
        *(pod(f"p{n}", labels=MINE, tolerations=tolerations, requests={"cpu": "6"}) for n in range(4)),
    )
    simulation = Simulation.from_scenario(found.scenario)
    simulation.run(max_steps=4)
    placed = [each.id for each in simulation.state.partitions["default"].nodes.values() if each.allocations]
    assert sorted(placed) == nodes


def test_constraints_that_are_not_followed_are_counted_and_named(tmp_path):  # K-32, K-50
    container = {"name": "c", "ports": [{"hostPort": 80}], "resources": {}}
    found = cluster(
        tmp_path,
        CONFIG,
        pod("a", labels=MINE, affinity={"podAffinity": {"x": []}, "podAntiAffinity": {"x": []}}, topologySpreadConstraints=[{}]),
        pod(
            "b", labels=MINE, containers=[container], volumes=[{"persistentVolumeClaim": {}}, {"emptyDir": {}}], resourceClaims=[{}]
        ),
    )
    told = [sentence(note) for note in found.notes if note.matter is Matter.NOT_FOLLOWED]
    assert told == [
        "1 pod has host ports, which is not followed: default/b.",
        "1 pod has affinity to other pods, which is not followed: default/a.",
        "1 pod has anti-affinity to other pods, which is not followed: default/a.",
        "1 pod has resource claims, which is not followed: default/b.",
        "1 pod has topology spread, which is not followed: default/a.",
        "1 pod has volume claims, which is not followed: default/b.",
    ]


GROUPS = (
    '[{"name": "w", "minMember": 2, "minResource": {"cpu": "2"}, "nodeSelector": {"zone": "a"}, '
    '"tolerations": [{"key": "k", "operator": "Exists"}]}]'
)


def gang(name: str, **more):
    said = {
        f"{A}task-groups": GROUPS,
        f"{A}task-group-name": "w",
        f"{A}schedulingPolicyParameters": "placeholderTimeoutInSeconds=30 gangSchedulingStyle=Hard",
    }
    return pod(name, labels={**MINE, "queue": "root.a"}, annotations={**said, **more.pop("annotations", {})}, **more)


def test_a_gang_that_has_not_begun_gets_its_placeholders(tmp_path):  # K-33
    found = cluster(tmp_path, CONFIG, node(labels={"zone": "a"}), gang("a", priority=9), gang("b", priority=3))
    spec = of(found, AddApplication)[0].application
    assert dict(spec.placeholder_ask.items()) == {"vcore": 4000, "pods": 2}
    assert (spec.gang_style, spec.execution_timeout_ns) == ("Hard", 30 * 10**9)
    made = [each.ask for each in of(found, AddAsk) if each.ask.placeholder]
    assert [(ask.key, ask.task_group, ask.priority) for ask in made] == [("tg-app-w-0", "w", 9), ("tg-app-w-1", "w", 9)]
    assert (dict(made[0].node_selector), made[0].tolerations) == ({"zone": "a"}, ("k",))
    assert counts(found)[Matter.PLACEHOLDERS] == 2


def test_a_gang_that_has_begun_has_the_placeholders_that_are_there(tmp_path):  # K-33
    there = pod(
        "tg",
        labels=MINE,
        annotations={f"{A}placeholder": "true", f"{A}task-group-name": "w"},
        node="n1",
        created="2026-01-02T03:05:00Z",
    )
    found = cluster(tmp_path, CONFIG, node("n1"), gang("a"), there)
    assert [(each.ask.key, each.ask.placeholder) for each in of(found, AddAllocation)] == [("uid-tg", True)]
    assert Matter.PLACEHOLDERS not in counts(found)
    assert Matter.PLACEHOLDERS not in counts(cluster(tmp_path, CONFIG, node("n1"), gang("a", node="n1"), gang("b")))


def test_a_gang_that_cannot_be_read_is_told_and_the_application_goes_without(tmp_path):  # K-33
    found = cluster(tmp_path, CONFIG, pod("a", labels=MINE, annotations={f"{A}task-groups": "x"}))
    assert of(found, AddApplication)[0].application.placeholder_ask is None
    (note,) = (note for note in found.notes if note.matter is Matter.GANG_UNREAD)
    assert sentence(note) == (
        "1 pod has task groups that cannot be read (invalid character 'x' looking for beginning of value): default/a."
    )


def test_a_gang_without_end_is_refused(tmp_path):
    groups = json.dumps([{"name": "w", "minMember": 2_000_000_000, "minResource": {"cpu": "1"}}])
    with pytest.raises(ScenarioError, match="task-groups: 2000000000 members, at most are 100000"):
        cluster(tmp_path, CONFIG, pod("a", labels=MINE, annotations={f"{A}task-groups": groups}))


def test_the_configuration_is_that_of_both_config_maps_key_by_key(tmp_path):  # K-40
    packed = base64.b64encode(gzip.compress(QUEUES.encode())).decode()
    group = config_map("yunikorn-configs", {"service.policyGroup": "mine", "event.trackingEnabled": "false"})
    group["binaryData"] = {"mine.yaml.gz": packed}
    defaults = config_map(
        "yunikorn-defaults", {"queues.yaml": "partitions: []", "event.trackingEnabled": "true", "log.level": "INFO"}
    )
    found = cluster(tmp_path, group, defaults)
    assert found.scenario.text == QUEUES
    assert counts(found) == {Matter.SETTINGS: 4}
    written = yaml.safe_load(found.configmap)
    assert written["metadata"] == {"name": "yunikorn-configs", "namespace": "yunikorn"}
    assert written["data"] == {"service.policyGroup": "mine", "event.trackingEnabled": "false", "mine.yaml": QUEUES}


def test_without_a_configuration_it_is_the_default_one(tmp_path):  # K-40, C-3
    found = cluster(tmp_path, node(), pod(namespace="team-a"))
    assert counts(found)[Matter.NO_CONFIG] == 1
    state = Simulation.from_scenario(found.scenario).state.partitions["default"]
    assert state.applications["yunikorn-team-a-autogen"].queue_path == "root.team-a"


def test_config_maps_of_another_namespace_and_of_others_are_counted(tmp_path):  # K-40, K-50
    other = config_map("yunikorn-configs", {"queues.yaml": "x"}, namespace="staging")
    found = cluster(tmp_path, other, CONFIG, config_map("settings", {"a": "b"}, namespace="default"))
    assert found.scenario.text == QUEUES
    assert counts(found) == {Matter.OTHER_CONFIG_MAP: 1, Matter.CONFIG_ELSEWHERE: 1}


def test_a_configuration_that_the_scheduler_refuses_says_where_it_is(tmp_path):
    with pytest.raises(ConfigError, match=r"dump.json: ConfigMap yunikorn-configs, queues.yaml"):
        cluster(tmp_path, config_map("yunikorn-configs", {"queues.yaml": "partitions: [5]"}))


def test_other_kinds_and_objects_that_are_there_twice_are_counted(tmp_path):  # K-50
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "namespace": "a"}}
    found = cluster(tmp_path, CONFIG, node("n1"), node("n1", cpu="1"), job, {**job, "metadata": {"name": "k"}})
    assert [sentence(note) for note in found.notes][:-1] == [
        "1 node was read.",
        "1 object is there twice; the first counts: Node n1.",
        "2 objects of kind Job are left out: a/j and k.",
    ]


def test_pods_can_be_called_by_name(tmp_path):
    found = cluster(tmp_path, CONFIG, pod("p", namespace="team", labels=MINE), names=True)
    assert of(found, AddAsk)[0].ask.key == "team/p"


# -- files ----------------------------------------------------------------------------------------------------------------


def test_yaml_and_json_single_objects_and_lists_files_and_folders_are_the_same(tmp_path):
    objects = [CONFIG, node("n1"), pod("a", labels=MINE, node="n1"), pod("b", labels=MINE)]
    wanted = cluster(tmp_path, *objects).scenario.events
    (tmp_path / "listed.yaml").write_text(yaml.safe_dump(listed(*objects)))
    (tmp_path / "documents.yml").write_text("# objects\n---\n" + "\n---\n".join(map(yaml.safe_dump, objects)) + "...\n")
    (tmp_path / "indented.yaml").write_text("kind: List\napiVersion: v1\nitems:\n" + "".join(
        "  - " + yaml.safe_dump(each).replace("\n", "\n    ").rstrip(" ") for each in objects))  # fmt: skip
    (tmp_path / "lines.json").write_text("\n".join(map(json.dumps, objects)))
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress(json.dumps(listed(*objects)).encode()))
    for name in ("listed.yaml", "documents.yml", "indented.yaml", "lines.json", "packed.json.gz"):
        assert load_kubernetes([tmp_path / name]).scenario.events == wanted, name
    folder = tmp_path / "folder"
    (folder / "deeper").mkdir(parents=True)
    for place, each in enumerate(objects):
        (folder / ("deeper" if place > 2 else "") / f"{place}.yaml").write_text(yaml.safe_dump(each))
    (folder / "README.md").write_text("not an object")
    assert load_kubernetes([folder]).scenario.events == wanted
    assert load_kubernetes([folder / "0.yaml", folder / "1.yaml", folder / "2.yaml", folder / "deeper"]).scenario.events == wanted


def test_references_merges_and_odd_keys_are_read_as_anywhere(tmp_path):
    """What kubectl does not write, and people do."""
    (tmp_path / "f.yaml").write_text(
        "kind: Node\nmetadata: {name: n1}\nstatus:\n  capacity: &all {cpu: 4, memory: 1Gi}\n  allocatable: *all\n  1: odd\n"
        "---\nkind: Node\nmetadata: {name: n2}\nstatus: {allocatable: {<<: {cpu: 2, pods: 3}, pods: 5}}\n"
    )
    (tmp_path / "listed.yaml").write_text(
        "kind: List\nitems:\n- kind: Node\n  metadata: {name: n3}\n  status:\n    capacity: &all {cpu: 4}\n    allocatable: *all\n"
    )
    found = load_kubernetes([tmp_path / "f.yaml", tmp_path / "listed.yaml"])
    assert {each.node_id: dict(each.capacity.items()) for each in of(found, AddNode)} == {
        "n1": {"vcore": 4000, "memory": 2**30},
        "n2": {"vcore": 2000, "pods": 5},
        "n3": {"vcore": 4000},
    }


def test_lists_of_a_kind_need_not_say_it_of_their_items(tmp_path):
    (tmp_path / "nodes.json").write_text(
        json.dumps({"kind": "NodeList", "apiVersion": "v1", "items": [{**node("n1"), "kind": None} | {"kind": "Node"}]})
    )
    bare = {key: value for key, value in node("n2").items() if key not in ("kind", "apiVersion")}
    (tmp_path / "more.yaml").write_text(yaml.safe_dump({"kind": "NodeList", "apiVersion": "v1", "items": [bare]}))
    found = load_kubernetes([tmp_path / "nodes.json", tmp_path / "more.yaml"])
    assert [each.node_id for each in of(found, AddNode)] == ["n1", "n2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", r"f.yaml:line 1: document 1: not valid JSON"),
        ("kind: Job\n---\n- 1", r"f.yaml: document 2: the object: found a list"),
        ("a: [", r"line 2: document 1: not valid YAML"),
        ("apiVersion: v1", r"document 1: kind: is missing"),
        ('{"kind": "List", "items": [{"kind": "Pod"}]}', r"document 1, item 1, Pod: metadata.name: is missing"),
        ('{"kind": "PodList", "items": 5}', r"document 1, PodList: items: found 5, allowed is a list"),
        ("kind: List\nitems:\n- kind: Node\n- 5\n", r"document 1, item 2: the object: found 5"),
        ("kind: List\nitems:\n- kind: Node\n- a: ]\n", r"line 4: document 1: not valid YAML"),
        ("kind: Pod\nmetadata: {name: p, namespace: a}\nspec: {containers: [{resources: {requests: {cpu: x}}}]}",
         r"document 1, Pod a/p: spec.containers\[0\].resources.requests.cpu: found 'x': quantities must match"),
        ("kind: Pod\nmetadata: {name: p}\nspec: {containers: {}}", r"Pod p: spec.containers: found a mapping, allowed is a list"),
        ("kind: Pod\nmetadata: {name: p}\nspec: 5", r"Pod p: spec: found 5, allowed is a mapping"),
        ("kind: Pod\nmetadata: {name: p, labels: {a: 1}}", r"metadata.labels.a: found 1, allowed is a text in quotes"),
        ("kind: Pod\nmetadata: {name: p, creationTimestamp: x}", r"metadata.creationTimestamp: found 'x'"),
        ("kind: Node\nmetadata: {}", r"Node: metadata.name: is missing"),
        ("kind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: -1}}", r"Node n: the object: .*capacity"),
        ("kind: PriorityClass\nmetadata: {name: c}\nvalue: high", r"value: found the text 'high', allowed is a whole number"),
        ("kind: ConfigMap\nmetadata: {name: yunikorn-configs}\nbinaryData: {queues.yaml.gz: '?'}", r"binaryData.queues.yaml.gz"),
        ("x: " + "{a: " * 500, r"nested too deeply"),
        ("[" * 100_000, r"nested too deeply"),
        ("a: " + "[" * 5000, r"nested too deeply"),
        ("\n".join(" " * level + "a:" for level in range(3000)), r"nested too deeply"),
        ("kind: &a {x: *a}", r"not valid YAML|nested too deeply|kind: is missing"),
        ("- " * 3000 + "a", r"nested too deeply"),
    ],
)  # fmt: skip
def test_what_is_wrong_names_file_document_object_and_key(tmp_path, text, said):
    (tmp_path / "f.yaml").write_text(text)
    with pytest.raises(ScenarioError, match=said) as raised:
        load_kubernetes([tmp_path / "f.yaml"])
    assert "f.yaml" in str(raised.value)


def test_two_pods_of_one_uid_are_refused(tmp_path):
    with pytest.raises(ScenarioError, match="metadata.uid: 'u' is that of another pod as well"):
        cluster(tmp_path, CONFIG, pod("a", uid="u", labels=MINE), pod("b", uid="u", labels=MINE))


def test_an_empty_folder_says_how_files_are_named(tmp_path):
    with pytest.raises(ScenarioError, match="there is no file of objects .files end in .yaml"):
        load_kubernetes([tmp_path])


def test_no_tag_makes_anything(tmp_path):
    (tmp_path / "f.yaml").write_text("kind: !!python/object/apply:os.getcwd []")
    with pytest.raises(ScenarioError, match="not valid YAML"):
        load_kubernetes([tmp_path / "f.yaml"])


# -- recognised, opened, shown ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["json", "yaml"])
def test_lists_single_objects_and_folders_are_recognised_and_a_config_map_alone_is_not(tmp_path, format):
    dump = {"json": json.dumps, "yaml": yaml.safe_dump}[format]
    for name, content in {
        "list": listed(node()),
        "pod": pod(),
        "maps": listed(CONFIG),
        "nodes": {**listed(node()), "kind": "NodeList"},
    }.items():
        path = tmp_path / f"{name}.{format}"
        path.write_text(dump(content))
        assert recognised(path) == "kubernetes", name
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / f"pods.{format}").write_text(dump(listed(pod())))
    assert recognised(tmp_path / "x") == "kubernetes"
    (tmp_path / f"map.{format}").write_text(dump(CONFIG))
    assert recognised(tmp_path / f"map.{format}") == "configmap"


def test_a_folder_of_objects_opens_on_the_screen_with_its_notes(tmp_path):
    (tmp_path / "pods.json").write_text(
        json.dumps(listed(CONFIG, node("n1"), pod("a", labels=MINE, node="n1"), pod("b", labels=MINE)))
    )
    bench = Workbench.open(tmp_path)
    assert [item.ask.key for item in bench.simulation.waiting()] == ["default/b"]  # what people call it
    assert "1 pod of the scheduler runs." in bench.simulation.scenario.description


def test_an_application_that_the_scheduler_refuses_is_named(tmp_path):
    (tmp_path / "pods.json").write_text(json.dumps(listed(CONFIG, pod("a", labels={**MINE, "queue": "root.nowhere"}))))
    found = opened(tmp_path / "pods.json").imported
    assert "The scheduler would not accept app again, so it is missing here; Events says why." in found.simulation()[1]

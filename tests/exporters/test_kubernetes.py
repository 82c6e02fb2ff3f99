"""A scenario as objects of Kubernetes: what becomes what, what is said of the rest, and that it comes back the same. K-51."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import kubernetes_dump
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from kubernetes_objects import A
from laws import examples

from workbench.exporters.kubernetes.exporting import Export, export_kubernetes
from workbench.exporters.kubernetes.files import write_export
from workbench.exporters.kubernetes.notes_texts import sentence
from workbench.exporters.kubernetes.valid_names import is_label, is_label_key, is_name, resource_name, valid_name
from workbench.importers.kubernetes.cluster import load_kubernetes
from workbench.importers.kubernetes.notes import Matter
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    DrainNode,
    Release,
)
from workbench.simulation.scenario import AdvanceMs, Scenario, ScenarioEvent, Schedule, all_example_names, example
from workbench.values.resources import Resource

QUEUES = """\
partitions:
  - name: default
    # Everybody may submit.
    queues:
      - name: root
        submitacl: "*"
        queues: [{name: a}, {name: b}]
"""


def scenario(*commands, **more) -> Scenario:
    return Scenario(config=QUEUES, events=tuple(ScenarioEvent(each, index=place) for place, each in enumerate(commands)), **more)


def read(export: Export, folder: Path, **options) -> Scenario:
    """What the exported objects are read as."""
    (folder / "export.yaml").write_text(export.text, encoding="utf-8")
    return load_kubernetes([folder / "export.yaml"], **options).scenario


def objects(export: Export, kind: str) -> list[dict]:
    return [each for each in yaml.safe_load_all(export.text) if each["kind"] == kind]


def told(export: Export) -> list[str]:
    return [sentence(note) for note in export.notes]


NODE = AddNode(node_id="n1", capacity=Resource({"vcore": 8000, "memory": 2**35, "pods": 110}))
APP = AddApplication(application=ApplicationSpec(id="job", queue="root.a", user="jo", groups=("dev",)))


def ask(key: str, application: str = "job", **more) -> AskSpec:
    size = more.pop("resource", {"vcore": 500, "pods": 1})
    return AskSpec(application_id=application, key=key, resource=Resource(size), **more)


def test_a_pod_names_scheduler_application_queue_user_class_and_node():  # K-1, K-10 to K-12, K-30
    found = export_kubernetes(
        scenario(
            NODE,
            APP,
            AddAllocation(ask=ask("r", originator=True), node_id="n1"),
            AddAsk(ask=ask("W", priority=-5, allow_preempt_other=False)),
        )
    )
    runs, waits = objects(found, "Pod")
    assert runs["metadata"] == {
        "name": "r",
        "namespace": "default",
        "labels": {"applicationId": "job", "queue": "root.a"},
        "annotations": {f"{A}user.info": '{"user": "jo", "groups": ["dev"]}', "policy-workbench/key": "r"},
    }
    assert (runs["spec"]["schedulerName"], runs["spec"]["nodeName"]) == ("yunikorn", "n1")
    assert runs["spec"]["containers"][0]["resources"] == {"requests": {"cpu": "500m"}}
    assert (waits["metadata"]["name"], waits["metadata"]["annotations"]["policy-workbench/key"]) == ("w", "W")
    assert waits["spec"]["priorityClassName"] == "priority-minus-5-never"
    assert objects(found, "PriorityClass") == [
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": "priority-minus-5-never"},
            "value": -5,
            "preemptionPolicy": "Never",
        }
    ]
    assert found.notes == ()


def test_the_queues_are_in_the_config_map_with_their_comments():  # K-40
    found = export_kubernetes(scenario(NODE))
    (config,) = objects(found, "ConfigMap")
    assert (config["metadata"]["name"], config["data"]["queues.yaml"]) == ("yunikorn-configs", QUEUES)


def test_the_config_map_that_is_there_keeps_its_other_keys():
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\ndata:\n"
    into = f"{head}  # Ours.\n  event.trackingEnabled: 'true'\n  queues.yaml: |\n    partitions: []\n"
    found = export_kubernetes(scenario(NODE), configmap=into)
    assert "# Ours." in found.files["30-queues.yaml"] and "# Everybody may submit." in found.files["30-queues.yaml"]


def test_a_gang_that_has_not_begun_is_annotations_of_its_first_pod(tmp_path):  # K-33
    spec = replace(
        APP.application, placeholder_ask=Resource({"vcore": 2000, "pods": 2}), gang_style="Hard", execution_timeout_ns=30 * 10**9
    )
    placeholders = [
        AddAsk(ask=ask(f"tg-{n}", resource={"vcore": 1000, "pods": 1}, placeholder=True, task_group="w")) for n in range(2)
    ]
    given_scenario = scenario(
        NODE, AddApplication(application=spec), *placeholders, AddAsk(ask=ask("p", task_group="w", originator=True))
    )
    found = export_kubernetes(given_scenario)
    (pod,) = objects(found, "Pod")
    annotations = pod["metadata"]["annotations"]
    assert json.loads(annotations[f"{A}task-groups"]) == [{"name": "w", "minMember": 2, "minResource": {"cpu": "1"}}]
    assert annotations[f"{A}schedulingPolicyParameters"] == "placeholderTimeoutInSeconds=30 gangSchedulingStyle=Hard"
    assert json.loads(annotations["policy-workbench/placeholders"]) == {"w": ["tg-0", "tg-1"]}
    assert found.notes == ()
    back = [event.command.ask.key for event in read(found, tmp_path).events if type(event.command) is AddAsk]
    assert back == ["tg-0", "tg-1", "p"]


def test_a_gang_that_has_begun_keeps_its_placeholders_as_pods(tmp_path):  # K-33
    held = AddAllocation(ask=ask("tg-0", placeholder=True, task_group="w", originator=True), node_id="n1")
    found = export_kubernetes(scenario(NODE, APP, held, AddAsk(ask=ask("p", task_group="w"))))
    assert [pod["metadata"]["annotations"].get(f"{A}placeholder") for pod in objects(found, "Pod")] == ["true", None]
    assert [type(event.command) for event in read(found, tmp_path).events] == [AddNode, AddApplication, AddAllocation, AddAsk]


def test_a_cordoned_node_and_constraints(tmp_path):  # K-22, K-32
    cordon = replace(NODE, node_id="n2", taints=("node.kubernetes.io/unschedulable:NoSchedule",), attributes={"zone": "a"})
    wants = AddAsk(ask=ask("p", originator=True, node_selector={"zone": "a"}, tolerations=("k", "l=v"), allowed_nodes=("n2",)))
    given_scenario = scenario(NODE, cordon, APP, wants, DrainNode(node_id="n2"), engine="1.9")
    found = export_kubernetes(given_scenario)
    assert found.notes == ()
    assert objects(found, "Node")[1]["spec"]["unschedulable"] is True
    assert [type(e.command) for e in read(found, tmp_path, release="1.9").events][-1] is DrainNode
    (pod,) = objects(found, "Pod")
    assert pod["spec"]["tolerations"] == [{"key": "k", "operator": "Exists"}, {"key": "l", "operator": "Equal", "value": "v"}]


def test_foreign_load_is_a_pod_of_another_scheduler(tmp_path):  # K-1
    foreign = AddAllocation(
        ask=ask("x", application="", tags={"foreign": "static", "creationTime": "1767323045"}), node_id="n1", foreign=True
    )
    found = export_kubernetes(scenario(NODE, foreign))
    (pod,) = objects(found, "Pod")
    assert "schedulerName" not in pod["spec"]
    assert found.notes == ()


def test_types_that_kubernetes_does_not_know_get_a_prefix_and_lose_it_again(tmp_path):
    node = replace(NODE, capacity=Resource({"gpu": 4, "nvidia.com/gpu": 2, "pods": 5}))
    found = export_kubernetes(
        scenario(node, APP, AddAsk(ask=ask("p", originator=True, resource={"gpu": 1, "nvidia.com/gpu": 1, "pods": 1})))
    )
    resources = objects(found, "Pod")[0]["spec"]["containers"][0]["resources"]
    assert resources["limits"] == resources["requests"] == {"policy-workbench/gpu": "1", "nvidia.com/gpu": "1"}
    assert found.notes == ()


def test_what_kubernetes_has_no_place_for_is_said():  # K-50
    found = export_kubernetes(
        scenario(
            replace(NODE, capacity=Resource({"vcore": 8000})),
            APP,
            AddApplication(application=ApplicationSpec(id="idle", queue="root.a")),
            AddAsk(ask=ask("p", resource={"vcore": 1}, originator=True, required_node="n1")),
            Schedule(3),
            AdvanceMs(5),
            Release(application_id="job", key="p"),
        )
    )
    assert told(found) == [
        "Kubernetes counts pods, the scenario does not: every request has one, and every node room for 110.",
        "1 release input is left out.",
        "Everybody is there at once: 2 inputs that let time pass or ask for cycles are left out.",
        "1 application has no object and is left out: idle.",
        "required_node of 1 waiting request cannot be said as it is (only a DaemonSet's pod may require a node): job p.",
    ]


def test_a_hand_made_scenario_is_the_same_again_but_for_what_is_said(tmp_path):
    found = read(export_kubernetes(example("multitenancy")), tmp_path)
    wanted = example("multitenancy")
    asks = [each.command.ask for each in found.events if type(each.command) is AddAsk]
    by_key = {(each.application_id, each.key): each for each in asks}
    for event in wanted.events:
        if type(event.command) is AddAsk:
            given_ask = event.command.ask
            there = by_key[given_ask.application_id, given_ask.key]
            assert there.priority == given_ask.priority
            assert dict(there.resource.items()) == {**dict(given_ask.resource.items()), "pods": 1}


@pytest.mark.parametrize("name", [each for each in all_example_names() if "/" not in each or each.startswith("lessons/")])
def test_every_example_can_be_exported_and_what_was_said_stays_the_same(name, tmp_path):
    once = read(export_kubernetes(example(name)), tmp_path, release=example(name).engine)
    again = export_kubernetes(once)
    assert again.notes == ()
    assert read(again, tmp_path, release=once.engine) == once


def test_a_whole_cluster_is_the_same_again(tmp_path):  # K-51
    (tmp_path / "dump.json").write_text(kubernetes_dump.made(7, nodes=20, pods=300).json())
    there = load_kubernetes([tmp_path / "dump.json"]).scenario
    found = export_kubernetes(there)
    # The agents' pods are a DaemonSet's, which an exported pod cannot be.
    assert [(note.count, note.what, note.field) for note in found.notes] == [(20, "foreign load", "tags")]
    back = read(found, tmp_path)
    assert back.config == there.config
    assert [_without_required_node(each.command) for each in back.events] == [
        _without_required_node(each.command) for each in there.events
    ]


def _without_required_node(command):
    if not getattr(command, "foreign", False):
        return command
    tags = {key: value for key, value in command.ask.tags.items() if key != f"{A}requiredNode"}
    return replace(command, ask=replace(command.ask, tags=tags))


# -- the law ------------------------------------------------------------------------------------------------------------

plain_words = st.one_of(
    st.sampled_from(["a", "job-1", "Job_1", "x/y", "ä b", "root.a", "a.", "-", "tg-job-w-0"]),
    st.text("abXY09-._/=:*{}#'\" ä漢☃🙂", min_size=1, max_size=8),
)
sizes = st.dictionaries(
    st.sampled_from(["vcore", "memory", "gpu", "nvidia.com/gpu", "cpu", "a b"]), st.integers(0, 2**40), max_size=3
)
texts = st.dictionaries(plain_words, plain_words, max_size=2)


@st.composite
def any_scenario(draw) -> Scenario:
    """Nodes, applications, what runs and waits and what is foreign, with names and amounts of every kind."""
    counts = draw(st.booleans())

    def size() -> Resource:
        return Resource({**draw(sizes), **({"pods": draw(st.integers(0, 3))} if counts else {})})

    nodes = draw(st.lists(plain_words, max_size=3, unique=True))
    taint = st.sampled_from(["k=v:NoSchedule", "k:NoExecute", "node.kubernetes.io/unschedulable:NoSchedule", "odd taint"])
    commands: list = [
        AddNode(node_id=each, capacity=size(), attributes=draw(texts), taints=tuple(draw(st.lists(taint, max_size=2))))
        for each in nodes
    ]
    applications = draw(st.lists(plain_words, max_size=3, unique=True))
    for id in applications:
        spec = ApplicationSpec(
            id=id,
            queue=draw(st.sampled_from(["", "root.a", "q/1"])),
            user=draw(st.sampled_from(["", "jo", "nobody"])),
            groups=tuple(draw(st.lists(plain_words, max_size=2))),
            tags=draw(st.one_of(st.just({}), st.just({"namespace": "team-a"}), texts)),
            placeholder_ask=draw(st.one_of(st.none(), st.just(Resource({"vcore": 1000})))),
            gang_style=draw(st.sampled_from(["", "Soft", "Hard"])),
            execution_timeout_ns=draw(st.sampled_from([0, 10**9, 1_500_000_000])),
        )
        commands.append(AddApplication(application=spec))
    for key in draw(st.lists(plain_words, max_size=6, unique=True)) if applications else ():
        made = AskSpec(
            application_id=draw(st.sampled_from(applications)),
            key=key,
            resource=size(),
            priority=draw(st.integers(-3, 3)),
            task_group=draw(st.sampled_from(["", "w", "g 1"])),
            placeholder=draw(st.booleans()),
            originator=draw(st.booleans()),
            allow_preempt_self=draw(st.booleans()),
            allow_preempt_other=draw(st.booleans()),
            required_node=draw(st.sampled_from(["", *nodes])),
            allowed_nodes=draw(
                st.one_of(st.none(), st.lists(st.sampled_from([*nodes, "gone"]), min_size=1, max_size=2).map(tuple))
            ),
            node_selector=draw(texts),
            tolerations=tuple(draw(st.lists(st.sampled_from(["*", "k", "k=v"]), max_size=2))),
            tags=draw(st.one_of(st.just({}), texts)),
        )
        kind = draw(st.sampled_from(["ask", "runs", "foreign"]))
        if kind == "ask" or not nodes:
            commands.append(AddAsk(ask=made))
        else:
            owner = "" if kind == "foreign" else made.application_id
            placed = replace(made, application_id=owner)
            commands.append(AddAllocation(ask=placed, node_id=draw(st.sampled_from(nodes)), foreign=kind == "foreign"))
    commands += [DrainNode(node_id=each) for each in nodes if draw(st.booleans())]
    return scenario(*commands, engine=draw(st.sampled_from(["1.8", "1.9"])))


@given(any_scenario())
@examples(60)
def test_whatever_the_objects_say_comes_back_the_same(tmp_path_factory, made):  # K-51
    folder = tmp_path_factory.mktemp("export")
    found = export_kubernetes(made)
    once = read(found, folder, release=made.engine)
    again = export_kubernetes(once)
    assert told(again) == []
    assert read(again, folder, release=made.engine) == once
    if not found.notes:
        kinds = [type(event.command) for event in made.events]
        assert sorted(map(str, kinds)) == sorted(str(type(event.command)) for event in once.events)


@given(any_scenario())
@examples(20)
def test_every_name_is_one_that_kubernetes_takes(made):
    for each in yaml.safe_load_all(export_kubernetes(made).text):
        metadata = each["metadata"]
        assert is_name(metadata["name"]) and is_name(metadata.get("namespace", "x"))
        assert all(is_label_key(key) and is_label(value) for key, value in metadata.get("labels", {}).items())
        assert all(is_label_key(key) and isinstance(value, str) for key, value in metadata.get("annotations", {}).items())
        for container in each.get("spec", {}).get("containers", ()):
            requests = container["resources"].get("requests", {})
            assert all("/" in name or name in ("cpu", "memory") for name in requests)


@given(st.lists(st.text(max_size=80), max_size=5))
@examples(30)
def test_valid_names_are_valid_and_different(given_names):
    taken: list[str] = []
    for each in given_names:
        name = valid_name(each, taken)
        assert is_name(name) and name not in taken
        taken.append(name)


@pytest.mark.parametrize("kind", ["cpu", "a b", "ä", "policy-workbench/x", "x/y/z", "/x", "pods/"])
def test_a_type_is_always_a_name_of_a_resource(kind):
    assert is_label_key(resource_name(kind)) and "/" in resource_name(kind)


# -- files --------------------------------------------------------------------------------------------------------------


def test_a_folder_has_a_file_for_each_kind_and_comes_back_the_same(tmp_path):
    found = export_kubernetes(scenario(NODE, APP, AddAsk(ask=ask("p", originator=True))))
    paths = write_export(found, tmp_path / "out")
    assert [path.name for path in paths] == ["10-namespaces.yaml", "30-queues.yaml", "40-nodes.yaml", "50-pods.yaml"]
    write_export(found, tmp_path / "one.yaml")
    assert load_kubernetes([tmp_path / "out"]).scenario.events == load_kubernetes([tmp_path / "one.yaml"]).scenario.events


def test_pods_are_read_as_they_stand_when_they_do_not_say_when_they_were_made(tmp_path):
    commands = [AddAsk(ask=ask(key, originator=key == "z")) for key in "zyx"]
    found = load_kubernetes(write_export(export_kubernetes(scenario(NODE, APP, *commands)), tmp_path / "f.yaml"))
    assert [event.command.ask.key for event in found.scenario.events if type(event.command) is AddAsk] == ["z", "y", "x"]
    assert Matter.DIFFERENT not in {note.matter for note in found.notes}

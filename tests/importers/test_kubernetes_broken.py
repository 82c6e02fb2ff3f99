"""Whatever stands in the objects, an import ends in a cluster or in one sentence with the place. Nothing else is ever raised."""

from __future__ import annotations

import copy
import json
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from kubernetes_objects import A, config_map, listed, namespace, node, pod, priority_class, required
from laws import examples

from workbench import WorkbenchError
from workbench.importers.kubernetes.cluster import load_kubernetes
from workbench.importers.kubernetes.notes_texts import sentence
from workbench.simulation import Simulation

GANG = json.dumps(
    [{"name": "w", "minMember": 2, "minResource": {"cpu": "1"}, "nodeSelector": {"a": "b"}, "tolerations": [{"key": "k"}]}]
)
WHOLE: list[dict[str, Any]] = [
    node("n1", taints=[{"key": "k", "value": "v", "effect": "NoSchedule"}], labels={"zone": "a"}, **{"nvidia.com/gpu": "1"}),
    namespace("default", namespace_quota='{"cpu": "5"}', namespace_maxApps="3", parentqueue="root.x"),
    priority_class("high", 5, globalDefault=True, preemptionPolicy="Never"),
    config_map("yunikorn-configs", {"service.policyGroup": "queues"}, binaryData={"x.gz": "H4sIAAAAAAAAAwMAAAAAAAAAAAA="}),
    pod(
        "p",
        labels={"applicationId": "a", "queue": "root.a", f"{A}username": "jo"},
        annotations={
            f"{A}task-groups": GANG,
            f"{A}user.info": '{"user": "jo", "groups": ["g"]}',
            f"{A}schedulingPolicyParameters": "x=1",
        },
        priorityClassName="high",
        overhead={"cpu": "1m"},
        nodeSelector={"zone": "a"},
        tolerations=[{"key": "k", "operator": "Exists", "effect": "NoSchedule"}],
        affinity=required(
            {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}], "matchFields": [{"key": "metadata.name"}]}
        ),
        initContainers=[{"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}}],
        resources={"requests": {"cpu": "2"}},
        volumes=[{"name": "v", "persistentVolumeClaim": {}}],
        imagePullSecrets=[{"name": "s"}],
        schedulingGates=[],
    ),
    pod(
        "q",
        node="n1",
        owner="DaemonSet",
        status={
            "containerStatuses": [{"name": "c", "allocatedResources": {"cpu": "2"}, "resources": {"requests": {"cpu": "2"}}}],
            "conditions": [],
        },
    ),
    pod("f", node="n1", schedulerName="other", owner="Node"),
]
"""One object of every kind, with everything that is read."""


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, each in inner for found in places(each, (*path, key)))]


PLACES = places(WHOLE)[1:]
ODD = st.one_of(
    st.sampled_from(
        [
            None,
            True,
            0,
            -1,
            2**70,
            1.5,
            float("1e300"),
            "",
            "x",
            "-1",
            "1e999",
            "\ud800",
            "9" * 30,
            [],
            {},
            [None],
            [{}],
            [5],
            {"": ""},
        ]
    ),
    st.text(max_size=5),
    st.recursive(
        st.integers(),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
        max_leaves=4,
    ),
)


def changed(path: tuple[Any, ...], value: Any) -> list[Any]:
    """The objects with another value at the place."""
    found = copy.deepcopy(WHOLE)
    here: Any = found
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return found


def outcome(path, release: str) -> str:
    try:
        found = load_kubernetes([path], release=release)
        Simulation.from_scenario(found.scenario)
        assert all(map(sentence, found.notes))
        return "read"
    except WorkbenchError as error:
        assert path.name in str(error)
        assert "\n" not in str(error)
        return "refused"


def test_the_objects_are_read_as_they_are(tmp_path):
    (tmp_path / "dump.json").write_text(json.dumps(listed(*WHOLE)))
    assert outcome(tmp_path / "dump.json", "1.8") == "read"


@given(st.sampled_from(PLACES), ODD, st.sampled_from(["1.8", "1.9"]))
@example((4, "metadata", "uid"), "uid-q", "1.8")
@example((5, "metadata", "namespace"), "\n", "1.8")
@examples(300)
def test_one_odd_value_is_read_or_refused(tmp_path_factory, path, value, release):
    folder = tmp_path_factory.mktemp("broken")
    (folder / "dump.json").write_text(json.dumps(listed(*changed(path, value))))
    assert outcome(folder / "dump.json", release) in ("read", "refused")


@given(st.data(), st.sampled_from(["1.8", "1.9"]))
@examples(60)
def test_a_text_that_was_cut_or_damaged_is_read_or_refused(tmp_path_factory, data, release):
    folder = tmp_path_factory.mktemp("damaged")
    text = data.draw(st.sampled_from([json.dumps(listed(*WHOLE)), yaml.safe_dump(listed(*WHOLE)), yaml.safe_dump_all(WHOLE)]))
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(at + 40, len(text))))
    put = data.draw(
        st.sampled_from(["", "\n", "- ", ": ", "&a ", "*a", "!x ", "---\n", "'", '"', "{", "[", "\t", "\x00", "items:\n- "])
    )
    (folder / "dump.yaml").write_text(text[:at] + put + text[end:])
    assert outcome(folder / "dump.yaml", release) in ("read", "refused")

"""Export: every configuration reads back equal, in the same order, as YAML and inside a ConfigMap."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from workbench.config import load_config, parse_config
from workbench.config.model import PartitionConfig, QueueConfig, SchedulerConfig
from workbench.config.write.export import from_configmap, other_data, plain_yaml, to_configmap, to_yaml
from workbench.values.errors import ConfigError

FACTS = Path(__file__).parents[1] / "conformance" / "configs.yaml"
ACCEPTED = {
    case["name"]: case["config"] for case in yaml.safe_load(FACTS.read_text(encoding="utf-8"))["cases"] if case.get("accepted")
}

FULL = """\
partitions:
  - name: default
    placementrules:
      - name: user
        create: true
        parent:
          name: fixed
          value: root.people
        filter:
          type: allow
          users:
            - sue
          groups:
            - 'dev.*'
      - name: provided
    nodesortpolicy:
      type: binpacking
      resourceweights:
        vcore: 2.5
        memory: 1
    preemption:
      enabled: false
      quotapreemptionenabled: true
    usergroupresolver:
      type: os
    queues:
      - name: root
        submitacl: '*'
        limits:
          - limit: everybody
            users:
              - '*'
            maxapplications: 4
            maxresources:
              vcore: 500m
        queues:
          - name: people
            parent: true
            adminacl: sue,bob dev
            maxapplications: 10
            resources:
              guaranteed:
                memory: 8Gi
              max:
                vcore: 12
                memory: 16Gi
                nvidia.com/gpu: 1
            properties:
              priority.policy: fence
              priority.offset: -5
            childtemplate:
              maxapplications: 2
              resources:
                max:
                  vcore: 2
              properties:
                application.sort.policy: fair
"""


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_every_accepted_configuration_reads_back_equal(text):
    config = replace(load_config(text), checksum="")
    exported = to_yaml(config)
    assert load_config(exported) == config
    assert to_yaml(load_config(exported)) == exported, "exporting again changes nothing"
    assert from_configmap(to_configmap(config)) == exported


def test_the_text_is_what_a_person_would_have_written():
    assert plain_yaml(load_config(FULL)) == FULL


def test_only_what_differs_from_the_default_is_written():
    config = load_config("""
        partitions:
        - preemption:
          nodesortpolicy: {type: ''}
          queues:
          - {name: a, parent: false, maxapplications: 0, resources: {}, properties: {}, limits: [], adminacl: ''}
        """)
    written = "partitions:\n  - name: default\n    queues:\n      - name: root\n        queues:\n          - name: a\n"
    assert plain_yaml(config) == written


def test_an_empty_configuration_has_no_partitions():  # C-3
    assert to_yaml(load_config("")) == "partitions: []\n"
    assert load_config(to_yaml(SchedulerConfig())) == SchedulerConfig()


def test_order_of_queues_and_keys_is_kept():
    config = load_config("partitions: [{queues: [{name: z, properties: {b: 1, a: 2}}, {name: m}, {name: a}]}]")
    back = load_config(to_yaml(config)).partition().root
    assert [queue.name for queue in back.queues] == ["z", "m", "a"]
    assert list(back.queues[0].properties) == ["b", "a"]


@pytest.mark.parametrize("text", [
    "", " ", "true", "No", "y", "~", "null", "1", "007", "1.5", "1e3", "0x1F", "1_000", "-1", "+1", ".5", "5.s", "1:30",
    "2001-01-01", "=", "<<", "*", "&a", "!x", "@a", "`", "%", "- a", "-", "?", "a: b", "a #b", "#a", "'", '"', "\\",
    "it's",
    '{"a": 1}', "[a]", "a, b", " a", "a ", "a\nb", "a\tb", "\x85", "\u2028", "\ufeff", "\x00", "\u00e9", "\U0001f600",
    "a" * 2000, "1h2m3.5s", ".inf", "9" * 40, "18446744073709551616",
])  # fmt: skip
def test_any_text_survives_as_value_and_as_key(text):  # C-12
    config = SchedulerConfig(
        partitions=(
            PartitionConfig(
                queues=(QueueConfig(name="root", parent=True, properties={text: "v", "k" + text: text}, submit_acl=text),)
            ),
        )
    )
    assert load_after_export(config) == config
    assert from_configmap(to_configmap(config)) == to_yaml(config)


def load_after_export(config: SchedulerConfig) -> SchedulerConfig:
    """Read back without validation, which has its say about ACLs; the root alone needs to be told it is a parent."""
    partitions = []
    for partition in parse_config(to_yaml(config)).partitions:
        partitions.append(replace(partition, queues=tuple(replace(root, parent=True) for root in partition.queues)))
    return SchedulerConfig(partitions=tuple(partitions))


def test_other_readers_of_yaml_see_the_same_texts():
    texts = {"a": "true", "b": "12", "c": "1:30", "d": "a\nb", "e": "it's", "f": "0x10"}
    config = SchedulerConfig(partitions=(PartitionConfig(queues=(QueueConfig(name="root", properties=texts),)),))
    read = yaml.safe_load(to_yaml(config))["partitions"][0]["queues"][0]["properties"]
    assert read == {**texts, "b": 12}, "a plain number is text where text is wanted (C-12)"


def test_the_deepest_tree_that_can_be_read_can_be_written():
    queue = QueueConfig(name="q")
    for _ in range(90):
        queue = QueueConfig(name="q", queues=(queue,))
    root = QueueConfig(name="root", parent=True, queues=(queue,))
    config = SchedulerConfig(partitions=(PartitionConfig(queues=(root,)),))
    assert load_config(to_yaml(config)) == config


# --- ConfigMap ---


def test_a_configmap_carries_the_text_as_a_literal_block():
    text = to_configmap(load_config(FULL), others={"log.level": "-1", "service.clusterId": "x", "queues.yaml": "old"})
    head, _, block = text.partition("  queues.yaml: |\n")
    assert head == (
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yunikorn-configs\n  namespace: yunikorn\n"
        "data:\n  log.level: '-1'\n  service.clusterId: x\n"
    )
    assert block == "".join(f"    {line}\n" for line in FULL.splitlines())
    read = yaml.safe_load(text)
    assert read["data"]["queues.yaml"] == FULL
    assert all(isinstance(value, str) for value in read["data"].values()), "Kubernetes takes nothing but text there"


def test_name_namespace_and_key_can_be_chosen():
    others = {"service.policyGroup": "gpu"}
    text = to_configmap(load_config(FULL), name="1", namespace="ns", key="gpu.yaml", others=others)
    assert yaml.safe_load(text)["metadata"] == {"name": "1", "namespace": "ns"}
    assert from_configmap(text) == from_configmap(text, key="gpu.yaml") == FULL


@pytest.mark.parametrize("key", ["", "a b", "a: b", "\u00e9", "a/b"])
def test_a_key_that_kubernetes_refuses_is_refused(key):
    with pytest.raises(ConfigError, match="cannot be a key of a ConfigMap"):
        to_configmap(load_config(FULL), key=key)
    with pytest.raises(ConfigError, match="cannot be a key of a ConfigMap"):
        to_configmap(load_config(FULL), others={key: "v"})


def test_what_stands_in_a_configmap_comes_out_as_it_stands_comments_included():
    inside = "# ours\npartitions:\n- name: default # the one\n  queues: []\n"
    exported = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"uid": "1"}, "data": {"queues.yaml": inside}}
    assert from_configmap(json.dumps(exported)) == inside
    assert from_configmap(yaml.safe_dump(exported)) == inside


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no ConfigMap: its kind is not given"),
        ("[]", "this is no ConfigMap: its kind is not given"),
        (FULL, "load it as it is"),
        ("kind: List\nitems: []", "this is no ConfigMap: its kind is 'List'"),
        ("kind: ConfigMap", "has no text under 'queues.yaml' in data.*keys there: none"),
        ("kind: ConfigMap\ndata: {queue.yaml: x, b: y}", "keys there: queue.yaml, b"),
        ("kind: ConfigMap\ndata: {queues.yaml: {a: b}}", "has no text under 'queues.yaml'"),
        ("kind: ConfigMap\ndata: {service.policyGroup: gpu, queues.yaml: x}", "has no text under 'gpu.yaml'"),
        ("kind: [", "not valid YAML"),
    ],
)
def test_what_is_no_configmap_is_refused_with_what_was_found(text, message):
    with pytest.raises(ConfigError, match=message):
        from_configmap(text)


def test_what_a_configmap_holds_besides_comes_out_and_goes_in_again():
    config = load_config("partitions: [{name: default, queues: [{name: root}]}]")
    others = {"service.policyGroup": "gpu", "log.level": "WARN"}
    text = to_configmap(config, key="gpu.yaml", others=others)
    assert other_data(text) == others
    assert other_data(to_configmap(config)) == {}
    with pytest.raises(ConfigError, match="no ConfigMap"):
        other_data("kind: Secret\ndata: {log.level: WARN}")

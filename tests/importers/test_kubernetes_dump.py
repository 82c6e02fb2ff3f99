"""A dump of 200 nodes and 3,000 pods: it is read whole, counted right, twice the same, steps, and explains who waits."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import kubernetes_dump
import pytest

from workbench import explain
from workbench.importers.kubernetes.cluster import Cluster, load_kubernetes
from workbench.importers.kubernetes.notes import Matter
from workbench.simulation import Simulation
from workbench.simulation.digest import digest

COUNTED = {
    Matter.NODES: "nodes",
    Matter.RUNNING: "running",
    Matter.WAITING: "waiting",
    Matter.FOREIGN: "foreign",
    Matter.FOREIGN_WAITING: "foreign waiting",
    Matter.ENDED: "ended",
    Matter.CORDONED: "cordoned",
    Matter.QUOTA: "quotas",
    Matter.PLACEHOLDERS: "placeholders",
    Matter.NOT_FOLLOWED: "spread",
    Matter.OTHER_CONFIG_MAP: "other config maps",
}
"""What a note counts -> what the generator counted."""
MADE = cache(kubernetes_dump.made)


def read(folder: Path, dump: kubernetes_dump.Dump) -> Cluster:
    (folder / "cluster.json").write_text(dump.json())
    return load_kubernetes([folder / "cluster.json"])


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Cluster:
    return read(tmp_path_factory.mktemp("dump"), MADE())


def test_the_counts_are_those_of_the_objects_that_were_made(large):  # K-50
    assert sum(MADE().counts[name] for name in ("nodes", "running", "waiting", "foreign", "foreign waiting", "ended")) == 3200
    told = {note.matter: note.count for note in large.notes}
    assert {COUNTED[matter]: count for matter, count in told.items() if matter in COUNTED} == dict(MADE().counts)
    assert told.keys() - COUNTED.keys() == {Matter.SETTINGS, Matter.AGES}


def test_the_state_is_what_was_shown_and_twice_the_same(large, tmp_path):  # K-51
    first, second = Simulation.from_scenario(large.scenario), Simulation.from_scenario(read(tmp_path, MADE()).scenario)
    assert digest(first.state) == digest(second.state)
    partition = first.state.partitions["default"]
    pods = {each["metadata"]["uid"]: each for each in MADE().objects if each["kind"] == "Pod"}
    shown = {
        uid: each["spec"]["nodeName"]
        for uid, each in pods.items()
        if each["spec"].get("nodeName") and each["status"]["phase"] == "Running" and each["spec"]["schedulerName"] == "yunikorn"
    }
    here = {key: node.id for node in partition.nodes.values() for key in node.allocations}
    assert {key: node for key, node in here.items() if pods[key]["spec"]["schedulerName"] == "yunikorn"} == shown


def test_it_steps_and_a_pod_that_waits_is_explained(large):
    simulation = Simulation.from_scenario(large.scenario)
    assert simulation.run(max_steps=20) == 20
    decision = simulation.preview()
    waits = [item for item in simulation.waiting() if item.ask.key != decision.key]
    assert len(waits) > 500
    for item in waits[::50]:
        first, *reasons = explain.why_not(item, decision)
        assert first.startswith(f"Not yet: {item.ask.key} of app {item.ask.application_id} in ")
        assert reasons and all(" comes after " in each for each in reasons)


def test_how_far_it_is_is_told_and_only_grows(tmp_path):
    dump = kubernetes_dump.made(2, nodes=10, pods=150)
    for name, text in (("a.json", dump.json()), ("a.yaml", dump.yaml())):
        (tmp_path / name).write_text(text)
        told: list[float] = []
        load_kubernetes([tmp_path / name], progress=lambda fraction, _, told=told: told.append(fraction))
        assert len(told) >= 3
        assert told == sorted(told)
        assert 0 < told[0] and told[-1] <= 1


def test_the_same_objects_in_yaml_are_the_same_cluster(tmp_path):
    dump = kubernetes_dump.made(3, nodes=10, pods=150)
    (tmp_path / "cluster.yaml").write_text(dump.yaml())
    found = load_kubernetes([tmp_path / "cluster.yaml"])
    assert found.scenario == read(tmp_path, dump).scenario
    assert found.notes == read(tmp_path, dump).notes

"""What the real scheduler answered, imported: the cluster that comes of it is the one that the answers tell."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from loopback import serving

from workbench.importers.rest import import_rest
from workbench.scheduler.objects.tree import find
from workbench.simulation import Simulation
from workbench.values.resources import Resource

RECORDED = json.loads(gzip.decompress((Path(__file__).parent / "rest-recorded.json.gz").read_bytes()))
"""Name of a recording -> address -> status and body of core 1.8.0, all at one instant."""
BELOW = "/ws/v1/partition/default"
ELSEWHERE = {"dynamic-200002": 2}
"""Applications that a tag placed, which the answers do not tell."""


@pytest.fixture(params=RECORDED)
def recorded(request) -> tuple[str, dict[str, Any], Simulation, tuple[str, ...]]:
    """Name, bodies, the cluster that was imported, and the notes."""
    given = RECORDED[request.param]
    texts = {path: each["body"] if isinstance(each["body"], str) else json.dumps(each["body"]) for path, each in given.items()}
    with serving(dict(texts)) as service:
        simulation, notes = import_rest(service.url).simulation()
    return request.param, {path: each["body"] for path, each in given.items()}, simulation, notes


def without_zeros(amounts: dict[str, int] | Resource | None) -> dict[str, int]:
    return {kind: amount for kind, amount in (amounts or {}).items() if amount}


def below(queue: dict[str, Any]) -> list[dict[str, Any]]:
    return [queue, *(each for child in queue.get("children") or () for each in below(child))]


def test_every_node_has_and_holds_what_was_told(recorded):
    _, bodies, simulation, _ = recorded
    nodes = simulation.state.partitions["default"].nodes
    told = bodies[f"{BELOW}/nodes"]
    assert list(nodes) and sorted(nodes) == sorted(each["nodeID"] for each in told)
    for each in told:
        node = nodes[each["nodeID"]]
        assert without_zeros(node.capacity) == without_zeros(each.get("capacity"))
        assert without_zeros(node.allocated) == without_zeros(each.get("allocated"))
        assert without_zeros(node.occupied) == without_zeros(each.get("occupied"))
        assert node.schedulable == each.get("schedulable", False)


def test_every_application_is_where_it_was_or_that_is_said(recorded):
    name, bodies, simulation, notes = recorded
    applications = simulation.state.partitions["default"].applications
    told = bodies[f"{BELOW}/applications/active"] or []
    assert sorted(applications) == sorted(each["applicationID"] for each in told)
    elsewhere = [each for each in told if applications[each["applicationID"]].queue_path != each["queueName"]]
    assert len(elsewhere) == ELSEWHERE.get(name, 0)
    assert any("By the placement rules" in note for note in notes) == bool(elsewhere)
    for each in told:
        assert len(applications[each["applicationID"]].allocations) == len(each.get("allocations") or ())


def test_every_queue_holds_and_waits_for_what_was_told(recorded):
    name, bodies, simulation, _ = recorded
    partition = simulation.state.partitions["default"]
    for each in below(bodies[f"{BELOW}/queues"]):
        if name in ELSEWHERE and each["queuename"].startswith("root.users."):
            continue
        queue = find(partition, each["queuename"])
        assert without_zeros(queue.allocated) == without_zeros(each.get("allocatedResource"))
        assert without_zeros(queue.pending) == without_zeros(each.get("pendingResource"))


def test_settings_of_the_service_are_told_and_not_taken_for_queues(recorded):
    _, _, _, notes = recorded
    assert "1 setting of the service is left out: they are not about queues." in notes

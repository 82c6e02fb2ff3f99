"""How an address finds its answer, and what every answer says: chapter 11, sections 1 and 2."""

from __future__ import annotations

import gzip
import json

import pytest

import workbench as wb
from workbench.rest import Source, answer
from workbench.rest.table import ROUTES

NAMES = {
    "partition": "default",
    "queue": "root.tenants.tenant-a.child-a-1",
    "state": "active",
    "application": "child-a-1",
    "node": "node-1",
    "user": "alice",
    "group": "dev",
}


@pytest.fixture
def source() -> Source:
    simulation = wb.Simulation.from_scenario(wb.example("multitenancy"))
    simulation.run(max_steps=3)
    return Source.of(simulation)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_address_is_answered_with_json_text_or_a_way_elsewhere(source, route):
    found = answer(source, route.method, route.path.format(**NAMES))
    assert found.status in (200, 301, 404) and found.content_type
    if found.content_type.startswith("application/json") and found.following is None:
        assert json.loads(found.body) == found.document


def test_an_error_is_a_document_that_says_the_text_twice(source):
    """RE-2"""
    found = answer(source, "GET", "/ws/v1/partition/default/queue/root.nope")
    assert (found.status, found.content_type) == (404, "application/json; charset=UTF-8")
    assert found.document == {"status_code": 404, "message": "Queue not found", "description": "Queue not found"}


def test_an_unknown_address_another_method_and_a_slash_too_many_are_told_apart(source):
    """RE-2"""
    assert answer(source, "GET", "/ws/v1/nothing").body == b"404"
    wrong = answer(source, "DELETE", "/ws/v1/config")
    assert (wrong.status, dict(wrong.headers)["Allow"]) == (405, "GET, OPTIONS")
    moved = answer(source, "GET", "/ws/v1/clusters/")
    assert (moved.status, dict(moved.headers)["Location"]) == (301, "/ws/v1/clusters")


def test_every_document_may_be_read_by_pages_from_elsewhere_but_not_the_metrics(source):
    """RE-1"""
    assert dict(answer(source, "GET", "/ws/v1/clusters").headers)["Access-Control-Allow-Methods"] == "GET, OPTIONS"
    assert dict(answer(source, "POST", "/ws/v1/validate-conf").headers)["Access-Control-Allow-Methods"] == "OPTIONS, POST"
    assert not answer(source, "GET", "/ws/v1/metrics").headers


def test_names_in_an_address_are_unescaped_once_and_some_twice(source):
    """RE-6"""
    assert answer(source, "GET", "/ws/v1/partition/default/node/node%2D1").status == 200
    assert answer(source, "GET", "/ws/v1/partition/default/node/node%252D1").status == 404
    assert answer(source, "GET", "/ws/v1/partition/default/queue/root%2Etenants").status == 200
    assert answer(source, "GET", "/ws/v1/partition/default/queue/root%252Etenants").status == 200
    assert answer(source, "GET", "/ws/v1/partition/default/queue/root%25").status == 400
    assert answer(source, "GET", "/ws/v1/partition/nope/usage/users").status == 200


def test_letters_of_another_case_and_slashes_too_many_lead_to_the_address(source):
    """RE-2"""
    for path in ("/ws/v1/Clusters", "/ws/v1//clusters", "/WS/v1/./clusters"):
        moved = answer(source, "GET", path)
        assert (moved.status, dict(moved.headers)["Location"]) == (301, "/ws/v1/clusters")
    assert answer(source, "GET", "/ws/v1/partition/DEFAULT/nodes").status == 404


def test_a_slash_where_a_name_is_missing_is_seen_only_where_the_address_could_go_on_otherwise(source):
    """RE-2"""
    part = "/ws/v1/partition/default"
    found = {name: answer(source, "GET", f"{part}/{name}/").status for name in ("queue", "node", "usage/group", "applications")}
    assert found == {"queue": 301, "node": 301, "usage/group": 301, "applications": 404}


def test_a_configuration_that_is_none_is_refused_with_every_misfit(source):
    """RE-20"""

    def reason(text: str) -> str:
        found = answer(source, "POST", "/ws/v1/validate-conf", text.encode()).document
        assert found["allowed"] is (not found.get("reason", ""))
        return found.get("reason", "")

    partition = "partitions:\n- name: default\n"
    assert reason("") == ""
    assert reason("partitions: [") == "yaml: line 1: did not find expected node content"
    assert reason("a: b: c") == "yaml: mapping values are not allowed in this context"
    assert reason("partitions: *x") == "yaml: unknown anchor 'x' referenced"
    assert reason(f"{partition}  queues: 5\n  foo: 1\n") == (
        "yaml: unmarshal errors:\n  line 3: cannot unmarshal !!int `5` into []configs.QueueConfig\n"
        "  line 4: field foo not found in type configs.PartitionConfig"
    )
    assert reason(f"{partition}  name: x\n") == 'yaml: unmarshal errors:\n  line 3: mapping key "name" already defined at line 2'
    assert reason(f"{partition}  queues:\n  - name: root\n    maxapplications: many\n") == (
        "yaml: unmarshal errors:\n  line 5: cannot unmarshal !!str `many` into uint64"
    )
    assert reason(f"{partition}  queues:\n  - name: root\n    queues:\n    - name: a\n    - name: a\n") == (
        "duplicate child name found with name 'a', level 1"
    )


@pytest.mark.parametrize(
    ("release", "asked", "packed"),
    [
        ("1.9", "gzip", True),
        ("1.9", "br, GZip;q=0.5", True),
        ("1.9", "gzip;q=0", False),
        ("1.9", "br", False),
        ("1.8", "gzip", False),
    ],
)
def test_long_answers_are_packed_from_1_9_on_for_those_who_can_unpack_them(release, asked, packed):
    """R-961"""
    source = Source.of(wb.Simulation.from_scenario(wb.example("multitenancy"), release=release))
    path = "/ws/v1/partition/default/queues"
    found = answer(source, "GET", path, headers={"Accept-Encoding": asked})
    assert (("Content-Encoding", "gzip") in found.headers) is packed
    assert json.loads(gzip.decompress(found.body) if packed else found.body) == found.document
    assert len(answer(source, "GET", "/ws/v1/clusters", headers={"Accept-Encoding": asked}).body) < 1400


def test_one_address_is_gone_from_1_9_on():
    """R-960"""
    for release, status in (("1.8", 200), ("1.9", 404)):
        source = Source.of(wb.Simulation.from_scenario(wb.example("multitenancy"), release=release))
        assert answer(source, "GET", "/ws/v1/scheduler/node-utilization").status == status
        assert answer(source, "GET", "/ws/v1/scheduler/node-utilizations").status == 200


def test_asking_changes_nothing(source):
    """RE-42"""
    before = source.engine().mark, source.engine().written
    for route in ROUTES:
        answer(source, route.method, route.path.format(**NAMES))
    assert (source.engine().mark, source.engine().written) == before

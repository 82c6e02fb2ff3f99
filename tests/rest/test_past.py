"""What is told of the past is that of the simulation as it is: it grows with every step and forgets what is undone. RE-23"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

import workbench as wb
from workbench.rest import Source, answer
from workbench.rest.past.ring import NODE, Ring, Told
from workbench.rest.stream import Listener
from workbench.values.errors import CommandError

PATHS = ("/ws/v1/events/batch", "/ws/v1/metrics", "/ws/v1/partition/default/applications/active", "/ws/v1/history/apps")


def made() -> wb.Simulation:
    return wb.Simulation.from_scenario(wb.example("multitenancy"))


def said(source: Source) -> list[bytes]:
    return [answer(source, "GET", path).body for path in PATHS]


@examples(12)
@given(moves=st.lists(st.sampled_from(["step", "back", "cycle", "advance", "look", "ask"]), max_size=12))
def test_whatever_was_done_and_undone_the_answers_are_those_of_one_who_asks_for_the_first_time(moves):
    simulation = made()
    source = Source.of(simulation)
    for move in moves:
        match move:
            case "step":
                simulation.step()
            case "back":
                simulation.goto(max(0, simulation.position - 1))
            case "cycle":
                simulation.cycle()
            case "advance":
                simulation.advance(61_000)
            case "look":
                simulation.preview()
            case "ask":
                said(source)
    assert said(source) == said(Source.of(simulation))


def test_stepping_tells_the_allocation_as_the_core_does():
    simulation = made()
    source = Source.of(simulation)
    before = source.past.events.next
    decision = simulation.step()
    told = [(each.type, each.detail, each.object, each.reference) for each in source.past.events.since(before, 10)]
    assert told[0] == (NODE, 303, decision.node_id, decision.key)
    assert told[-1] == (2, 200, decision.application_id, decision.key)


def test_a_listener_hears_the_instance_first_and_then_each_event_once():
    simulation = made()
    source = Source.of(simulation)
    listener = Listener(source, count=2)
    first = [json.loads(line) for line in listener.lines()]
    assert first[0] == {"InstanceUUID": source.instance} and len(first) == 3
    assert listener.lines() == []
    simulation.step()
    heard = [json.loads(line) for line in listener.lines()]
    assert [each["timestampNano"] for each in heard] and all(each["type"] for each in heard)
    simulation.back()
    simulation.step()
    assert len(listener.lines()) <= len(heard)


def test_a_slow_listener_is_told_in_parts():
    listener = Listener(Source.of(made()), count=1000)
    assert len(listener.lines(most=3)) == 4
    assert len(listener.lines(most=3)) == 3


def test_a_simulation_without_history_cannot_be_asked_for_its_past():
    source = Source.of(wb.Simulation.from_scenario(wb.example("multitenancy"), history=False))
    with pytest.raises(CommandError):
        answer(source, "GET", "/ws/v1/events/batch")


def test_the_ring_forgets_the_oldest_and_keeps_their_numbers():
    ring = Ring(capacity=3)
    for number in range(5):
        ring.add(Told(number, NODE, f"n{number}"))
    assert (ring.lowest, ring.highest, ring.next) == (2, 4, 5)
    assert [each.object for each in ring.since(3, 10)] == ["n3", "n4"]
    assert ring.since(1, 10) == [] and ring.since(5, 10) == []


def test_the_official_parser_reads_the_metrics():
    """Chapter 14, section 2: gauges and counters in the text form of Prometheus."""
    from prometheus_client.parser import text_string_to_metric_families

    simulation = made()
    simulation.run(max_steps=4)
    text = answer(Source.of(simulation), "GET", "/ws/v1/metrics").body.decode()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    attempts = families["yunikorn_scheduler_container_allocation_attempt"].samples
    assert {sample.labels["state"]: sample.value for sample in attempts}["allocated"] == 4
    assert families["yunikorn_queue_resource"].type == "gauge"


def test_an_answer_says_the_configuration_as_json_to_who_accepts_exactly_that():
    source = Source.of(made())
    found = answer(source, "GET", "/ws/v1/config", headers={"ACCEPT": "application/json"})
    assert found.document["partitions"][0]["name"] == "default"
    assert answer(source, "GET", "/ws/v1/config", headers={"Accept": "application/json, */*"}).content_type.startswith(
        "application/x-yaml"
    )

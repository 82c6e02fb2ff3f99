"""Events that make no sense: each is answered with a reason, and changes nothing but time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scenes import Scene, amounts

from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Cycle,
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.scheduler.records.events import Ignored
from workbench.simulation.digest import lines
from workbench.values.errors import CommandError
from workbench.values.resources import Resource

HUGE = 2**63 - 1
ASK = AskSpec(application_id="x", key="new", resource=amounts(vcore=1))


@pytest.fixture
def scene() -> Scene:
    made = Scene("a: {max: {vcore: 8}}").node("n1", vcore=10).app("x").asks("x", 2)
    made.cycles(1)
    return made.forget()


@pytest.mark.parametrize(("command", "reason"), [
    (AddNode(node_id="n1", capacity=amounts(vcore=1)), "has an existing node n1"),
    (UpdateNode(node_id="gone", capacity=amounts(vcore=1)), "no node 'gone' is registered"),
    (DrainNode(node_id="gone"), "no node 'gone' is registered"),
    (UndrainNode(node_id="gone"), "no node 'gone' is registered"),
    (RemoveNode(node_id="gone"), "no node 'gone' is registered"),
    (AddApplication(application=ApplicationSpec(id="x", queue="root.a", user="u")), "application already existed"),
    (RemoveApplication(application_id="gone"), "no active application 'gone'"),
    (AddAsk(ask=replace(ASK, application_id="gone")), "failed to find application gone"),
    (AddAsk(ask=replace(ASK, resource=Resource())), "allocation contains no resources"),
    (AddAsk(ask=replace(ASK, resource=Resource(vcore=0))), "allocation contains no resources"),
    (AddAsk(ask=replace(ASK, resource=Resource(vcore=-1))), "allocation contains negative resources"),
    (AddAsk(ask=replace(ASK, placeholder=True)), "names no task group"),
    (AddAllocation(ask=ASK, node_id="gone"), "failed to find node gone"),
    (AddAllocation(ask=ASK, node_id="gone", foreign=True), "failed to find node gone for allocation new"),
    (AddAllocation(ask=replace(ASK, application_id="gone"), node_id="n1"), "failed to find application gone"),
    (Release(application_id="gone", key="x-0"), "no active application 'gone' holds 'x-0'"),
    (UpdateConfig(config="partitions: ["), "update of configuration failed"),
    (UpdateConfig(config="partitions:\n- name: default\n  queues:\n  - name: root\n    nonsense: 1\n"), "nonsense"),
], ids=lambda value: type(value).__name__ if not isinstance(value, str) else value)  # fmt: skip
def test_a_bad_event_is_answered_with_a_reason_and_changes_nothing(scene, command, reason):
    before = _digest(scene)
    events = scene.engine.apply(command)
    told = [event.reason for event in events if isinstance(event, Ignored)] + scene.forget().send(command).refused()
    assert any(reason in text for text in told), told
    assert _digest(scene) == before


@pytest.mark.parametrize("key", ["nothing", "n1"], ids=str)
def test_releasing_what_is_not_there_changes_nothing(scene, key):
    before = _digest(scene)
    scene.release("x", key)
    assert _digest(scene) == before
    assert scene.released() == []


@pytest.mark.parametrize("command", [
    AddAsk(ask=replace(ASK, resource=Resource(vcore=HUGE))),
    AddAllocation(ask=replace(ASK, resource=Resource(vcore=HUGE)), node_id="n1"),
    AddNode(node_id="n2", capacity=Resource(vcore=HUGE)),
    UpdateNode(node_id="n1", capacity=Resource(vcore=HUGE)),
], ids=lambda command: type(command).__name__)  # fmt: skip
def test_an_amount_whose_sums_leave_64_bits_is_refused(scene, command):
    """The core saturates its sums, after which they can never be right again; here the event is refused instead."""
    scene.node("other", vcore=1)
    before = _digest(scene)
    events = scene.engine.apply(command)
    assert any("64 bits" in event.reason for event in events)
    assert _digest(scene) == before


@pytest.mark.parametrize("command", [Advance(ns=-1), replace(AddAsk(ask=ASK), partition="other")], ids=["time", "partition"])
def test_what_no_message_could_ask_is_an_error_that_says_so(scene, command):
    before = _digest(scene)
    with pytest.raises(CommandError, match="backwards|no partition 'other'; the configuration has: default"):
        scene.engine.apply(command)
    assert _digest(scene) == before


def test_a_cycle_without_anything_to_place_is_no_error():
    assert Scene().engine.apply(Cycle()) == ()


BESIDES = ("cluster now_ns", "cluster next_seq", "cluster identities", "cluster timers", "partition default rejected", "rejected")


def _digest(scene: Scene) -> list[str]:
    """Everything but time, the numbers that new things get, and the rejected newcomers themselves (PL-2)."""
    return [line for line in lines(scene.engine.state) if not line.startswith(BESIDES)]

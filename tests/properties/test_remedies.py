"""A remedy holds its word: whoever makes the change sees the cycle do what trying showed, in many states and in a large one. E-5.

The changes are made here as a person would make them, and the cycles run here; nothing of what tried them is used.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from command_lists import Confirm, commands, stories
from hypothesis import given
from laws import examples

from workbench.config import load_config
from workbench.config.write.export import to_yaml
from workbench.explain import why_not
from workbench.scheduler.engine import Engine
from workbench.scheduler.preemption.general import CHECK_EVERY_NS
from workbench.scheduler.records.commands import (
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Cycle,
    Release,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.scheduler.records.events import Event, Preempted, Reserved
from workbench.scheduler.records.refusals.preemption import AboveGuarantee, NoGuarantee
from workbench.simulation import Waiting, driver
from workbench.simulation.digest import digest
from workbench.simulation.remedies import EFFECTS, Remedy, remedies
from workbench.simulation.scenario.model import RECORDED
from workbench.simulation.waiting import waiting_asks
from workbench.values.resources import Resource

LONG_ENOUGH = 200
"""Cycles in which what is said to be placed is placed."""


def waiting(engine: Engine) -> tuple[Waiting, ...]:
    """Who waits now, with the reasons of the next cycle."""
    mark = engine.mark
    engine.apply(Cycle(), traced=True)
    decisions = engine.decisions
    engine.unwind(mark)
    return waiting_asks(engine.state, decisions)


def make_the_change(engine: Engine, item: Waiting, remedy: Remedy) -> str:
    """As a person would. Returns the key under which the ask goes afterwards."""
    ask = item.ask
    if remedy.config is not None:
        engine.apply(UpdateConfig(config=to_yaml(remedy.config)))
        if remedy.kind == "guaranteed" and isinstance(item.refusal.preemption, NoGuarantee | AboveGuarantee):
            engine.apply(Advance(ns=CHECK_EVERY_NS))  # P-23
    elif remedy.kind == "node":
        engine.apply(AddNode(node_id=remedy.subject, capacity=remedy.after, attributes=ask.node_selector))
    elif remedy.kind == "resize":
        engine.apply(UpdateNode(node_id=remedy.subject, capacity=remedy.after))
    elif remedy.kind == "undrain":
        engine.apply(UndrainNode(node_id=remedy.subject))
    elif remedy.kind == "wait":
        engine.apply(Advance(ns=remedy.after))
    else:
        assert remedy.kind == "ask-priority"
        again = AskSpec(
            application_id=item.application.id,
            key="anew",
            resource=ask.resource,
            priority=remedy.after,
            task_group=ask.task_group,
            originator=ask.originator,
            allow_preempt_self=ask.allow_preempt_self,
            allow_preempt_other=ask.allow_preempt_other,
            required_node=ask.required_node,
            allowed_nodes=None if ask.allowed_nodes is None else tuple(ask.allowed_nodes),
        )
        engine.apply(AddAsk(ask=again))
        engine.apply(Release(application_id=item.application.id, key=ask.key, type="STOPPED_BY_RM"))
        return "anew"
    return ask.key


def cycles(engine: Engine) -> Iterator[tuple[Event, ...]]:
    """Cycle after cycle, with what the resource manager confirms between them."""
    unconfirmed = ()
    for _ in range(LONG_ENOUGH):
        events = engine.apply(Cycle())
        yield events
        events += engine.apply(Advance(ns=RECORDED.cycle_ns + RECORDED.message_ns))
        unconfirmed = driver.announced(driver.confirm(engine, (*unconfirmed, *driver.announced(events)), RECORDED))


def holds_its_word(engine: Engine, item: Waiting, remedy: Remedy) -> bool:
    """Whether the cycles do what is said of the change; everything is undone."""
    mark, application = engine.mark, item.application
    try:
        ask = application.asks[make_the_change(engine, item, remedy)]
        kinds, at_once = set(), None
        for events in cycles(engine):
            at_once = ask.allocated if at_once is None else at_once
            if ask.allocated:
                break
            kinds |= {
                type(each)
                for each in events
                if isinstance(each, Preempted | Reserved) and (each.application_id, each.key) == (application.id, ask.key)
            }
            if kinds and not remedy.works:
                break
        if remedy.effect == "next":
            return bool(at_once)
        way = {"preempts": Preempted, "reserves": Reserved}.get(remedy.way or remedy.effect)
        return not at_once and (ask.allocated or not remedy.works) and (way is None or way in kinds)
    finally:
        engine.unwind(mark)


def check(engine: Engine, most: int) -> dict[str, int]:
    """Every remedy of the first asks of each reason; how many of each effect there were."""
    seen: dict[str, int] = {}
    counted = dict.fromkeys(EFFECTS, 0)
    before = digest(engine.state)
    for item in waiting(engine):
        code = item.refusal.code if item.refusal is not None else ""
        seen[code] = seen.get(code, 0) + 1
        if not code or seen[code] > most:
            continue
        found = remedies(engine, item)
        assert digest(engine.state) == before
        for remedy in found.found:
            counted[remedy.effect] += 1
            assert holds_its_word(engine, item, remedy), (item.ask.key, item.refusal, remedy)
        assert digest(engine.state) == before
    return counted


@examples(12)
@given(stories(longest=24, reload=False))
def test_every_remedy_holds_its_word_whatever_happened_before(story):  # E-5
    engine = story.engine()
    for _ in commands(engine, [step for step in story.steps if not isinstance(step, Confirm)]):
        pass
    check(engine, 1)


LARGE = """
partitions:
- name: default
  queues:
  - name: root
    submitacl: "*"
    queues:
    - name: batch
      resources: {guaranteed: {vcore: 40}, max: {vcore: 120}}
      queues:
      - {name: night, properties: {priority.offset: "-2", preemption.delay: 1s}}
      - {name: day, maxapplications: 4, properties: {application.sort.policy: fair}}
    - name: serving
      resources: {guaranteed: {vcore: 60}}
      properties: {priority.offset: "3", preemption.delay: 1s}
    - name: fenced
      resources: {max: {vcore: 24}}
      properties: {priority.policy: fence, preemption.policy: fence}
      limits:
      - {limit: each, users: ["*"], maxresources: {vcore: 20}}
"""
LEAVES = ("root.batch.night", "root.batch.day", "root.serving", "root.fenced")


def large_scene(seed: int, cycles_run: int) -> Engine:
    """Forty applications of four queues on twelve nodes that are too few, after so many cycles."""
    chance = random.Random(seed)
    engine = Engine(load_config(LARGE))
    for number in range(12):
        engine.apply(AddNode(node_id=f"n{number:02}", capacity=Resource(vcore=chance.choice([8000, 16000]), memory=64)))
    for number in range(40):
        name = f"app{number:02}"
        engine.apply(AddApplication(application=ApplicationSpec(id=name, queue=chance.choice(LEAVES), user=f"u{number % 3}")))
        for each in range(chance.randint(1, 5)):
            size = Resource(vcore=chance.choice([1000, 2000, 4000, 7000, 12000]), memory=chance.choice([1, 8, 40]))
            ask = AskSpec(application_id=name, key=f"{name}-{each}", resource=size, priority=chance.choice([0, 0, 1, 5]))
            engine.apply(AddAsk(ask=ask))
            engine.apply(Advance(ns=RECORDED.message_ns))
    for _, _events in zip(range(cycles_run), cycles(engine)):
        pass
    return engine


@pytest.mark.parametrize(("seed", "cycles_run"), [(1, 10), (1, 30), (2, 30)])
def test_every_remedy_holds_its_word_in_a_large_scene(seed, cycles_run):  # E-5
    counted = check(large_scene(seed, cycles_run), 3)
    assert counted["next"] and sum(counted.values()) > counted["next"]


def test_a_remedy_that_does_not_place_the_ask_is_never_called_the_next():  # E-5
    engine = large_scene(7, 90)
    for item in waiting(engine):
        found = remedies(engine, item) if item.refusal is not None else None
        if found is not None and not any(each.works for each in found.found):
            assert "the next (tried)" not in " ".join(why_not(item, engine.decisions[0], found))
            return
    raise AssertionError("everybody can be helped")

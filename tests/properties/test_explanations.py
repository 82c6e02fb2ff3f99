"""Laws of explanations over recorded scenarios: reasons hold, explaining changes nothing, every remedy does what is claimed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from workbench.config.write.export import to_yaml
from workbench.explain import (
    attempts,
    log_rows,
    pending_rows,
    reason,
    refusals,
    remedy_texts,
    render,
    rule_rows,
    shortfall_rows,
    victim_node_rows,
    victim_rows,
    what_would_help,
    why,
    why_not,
    why_placed,
    why_preempt,
    words,
)
from workbench.explain.refusals.saying import SENTENCES, SHORT_NAMES
from workbench.scheduler.objects import tree
from workbench.scheduler.objects.limits import queue_headroom
from workbench.scheduler.policies import predicates
from workbench.scheduler.records import refusals as families
from workbench.scheduler.records.commands import AddApplication, AddNode, Command, UndrainNode, UpdateConfig, UpdateNode
from workbench.scheduler.records.refusals.base import Reason, Refusal, Surprise
from workbench.scheduler.records.refusals.room import NoQueueRoom
from workbench.scheduler.records.refusals.taking_part import NotReached
from workbench.scheduler.records.state import Partition
from workbench.simulation import Simulation, Waiting
from workbench.simulation.remedies import KINDS, Remedy
from workbench.simulation.scenario import AdvanceMs, Schedule, load_scenario
from workbench.values.resources import fit_in, fit_in_max_undef

RECORDED = Path(__file__).resolve().parents[1] / "conformance" / "scenarios"
FAMILIES = [
    "churn-",
    "dynamic-",
    "flat-",
    "gang-",
    "limits-",
    "mixed-",
    "placed-",
    "preempt-",
    "preempt_tree-",
    "reload-",
    "restore-",
    "tree-",
    "documented-required-node",
    "documented-max-applications",
    "documented-priorities",
]
SAMPLES = [sorted(RECORDED.glob(f"{family}*.json"))[0].stem for family in FAMILIES]
POSITIONS = (0, 2, 5)
MOST_ASKS = 4


@cache
def inputs_of(name: str):
    """The scenario without what lets time pass by itself: nothing but steps happens after the inputs."""
    scenario = load_scenario(RECORDED / f"{name}.json")
    return replace(
        scenario, events=tuple(event for event in scenario.events if not isinstance(event.command, Schedule | AdvanceMs))
    )


def at(name: str, position: int) -> Simulation:
    """The inputs of a scenario, and so many steps, fewer if there are not that many."""
    sim = Simulation.from_scenario(inputs_of(name))
    sim.run(max_steps=position)
    return sim


def asks_of(sim: Simulation) -> tuple[Waiting, ...]:
    """The first waiting ask of every reason."""
    seen: dict[str, Waiting] = {}
    for item in sim.waiting():
        if item.refusal is not None:
            seen.setdefault(item.refusal.code, item)
    return tuple(seen.values())[:MOST_ASKS]


MOMENTS = [pytest.param(name, position, id=f"{name} after {position} steps") for name in SAMPLES for position in POSITIONS]


# ---- the reason given is the test that fails ----------------------------------------------------------------------


def has_no_queue_room(partition: Partition, item: Waiting, refusal: NoQueueRoom) -> bool:
    queue, kind = tree.find(partition, refusal.subject), refusal.type
    assert queue is not None and queue.maximum is not None
    assert refusal.headroom == queue.maximum[kind] - queue.allocated.get(kind, 0)
    assert refusal.missing == refusal.need - max(0, refusal.headroom) > 0
    return not fit_in_max_undef(queue_headroom(item.application.queue), item.ask.resource)


def fits_no_capacity(partition: Partition, item: Waiting, refusal: Refusal) -> bool:
    return not any(fit_in(node.capacity, item.ask.resource) for node in partition.nodes.values())


def fits_nowhere_now(partition: Partition, item: Waiting, refusal: Refusal) -> bool:
    """Nor does any test before it fail."""
    assert fit_in_max_undef(queue_headroom(item.application.queue), item.ask.resource)
    assert any(fit_in(node.capacity, item.ask.resource) for node in partition.nodes.values())
    return not any(
        node.schedulable
        and not node.reservations
        and fit_in(node.available, item.ask.resource)
        and predicates.refusal_text(node, item.ask) is None
        for node in partition.nodes.values()
    )


def lost(partition: Partition, item: Waiting, refusal: NotReached) -> bool:
    found = refusal.lost
    return found is None or found.field is None or found.winner_value < found.loser_value


FAILS: dict[str, Callable[[Partition, Waiting, Any], bool]] = {
    "W-03": lost,
    "W-05": lambda partition, item, refusal: refusal.running + refusal.allocating + 1 > refusal.limit > 0,
    "W-06": lambda partition, item, refusal: refusal.running + 1 > refusal.limit > 0,
    "W-07": lambda partition, item, refusal: refusal.now_ns < refusal.deadline_ns,
    "W-09": lambda partition, item, refusal: refusal.count > refusal.replaced + refusal.timed_out,
    "W-10": lambda partition, item, refusal: refusal.need > max(0, refusal.headroom),
    "W-11": has_no_queue_room,
    "W-12": lambda partition, item, refusal: item.ask.required_node not in partition.nodes,
    "W-13": lambda partition, item, refusal: not fit_in(partition.nodes[item.ask.required_node].available, item.ask.resource),
    "W-14": has_no_queue_room,
    "W-15": lambda partition, item, refusal: all(
        node.reservations for node in partition.nodes.values() if fit_in(node.capacity, item.ask.resource)
    ),
    "W-16": fits_no_capacity,
    "W-17": fits_nowhere_now,
    "W-18": fits_nowhere_now,
    "W-19": lambda partition, item, refusal: all(not partition.nodes[node].schedulable for node in refusal.nodes),
    "W-20": lambda partition, item, refusal: item.ask.key in item.application.reservations,
}
"""Code of a reason -> whether its test fails, with the state that it speaks of."""


@pytest.mark.parametrize(("name", "position"), MOMENTS)
def test_the_first_reason_given_is_a_test_that_fails(name, position):  # E-3
    sim = at(name, position)
    partition = next(iter(sim.state.partitions.values()))
    for item in sim.waiting():
        if item.refusal is not None:
            assert FAILS[item.refusal.code](partition, item, item.refusal), (item.ask.key, item.refusal)


# ---- explaining changes nothing, and has words for everything -----------------------------------------------------


@pytest.mark.parametrize(("name", "position"), MOMENTS)
def test_explaining_changes_nothing_and_finds_words_for_everything(name, position):  # E-1, E-2
    sim = at(name, position)
    before = sim.digest()
    decision, waiting = sim.preview(), sim.waiting()
    told = [*why(decision).sentences, *why(decision).more]
    for item in asks_of(sim):
        told += why_not(item, decision, sim.remedies(item))
        render(shortfall_rows(next(iter(sim.state.partitions.values())), item.ask))
        render(log_rows(item.ask))
    for number in range(1, sim.position + 1):
        for attempt in attempts(sim.explain(number)):
            told += [str(why_preempt(attempt)), *(row[-1] for row in victim_rows(attempt).rows)]
            render(victim_node_rows(attempt))
    render(pending_rows(sim))
    assert sim.digest() == before
    assert (sim.preview(), sim.waiting()) == (decision, waiting)
    assert all(sentence.endswith(".") for sentence in told)
    raw = [refusals.raw(item.refusal) for item in waiting if item.refusal is not None]
    assert not set(raw) & {reason(item.refusal) for item in waiting if item.refusal is not None}


@pytest.mark.parametrize("name", ["preempt-2", "preempt_tree-2", "documented-preemption-fence", "documented-preemption-normal"])
def test_every_attempt_at_preemption_has_words_for_every_candidate(name):  # E-20, section 4.2
    sim = Simulation.from_scenario(load_scenario(RECORDED / f"{name}.json"))
    looked = 0
    while sim.position < 60:
        before = sim.digest()
        for attempt in attempts(sim.preview()):
            looked += 1
            told = why_preempt(attempt)
            assert attempt.refusal is None or told.sentences[0] == reason(attempt.refusal) != refusals.raw(attempt.refusal)
            assert len(attempt.taken) == len(attempt.victims)
            for verdict, row in zip(attempt.verdicts, victim_rows(attempt).rows, strict=True):
                assert (verdict.refusal is None) == (row[-2] == words.TAKEN)
                assert verdict.refusal is None or reason(verdict.refusal) != refusals.raw(verdict.refusal)
            render(victim_node_rows(attempt))
        assert sim.digest() == before
        if not sim.step().changed_something:
            break
    assert looked


@pytest.mark.parametrize("name", [name for name in SAMPLES if name.startswith(("placed", "dynamic", "documented"))])
def test_every_submission_is_told_with_the_queue_that_it_got(name):  # E-30
    sim = at(name, 0)
    before = sim.digest()
    partition = next(iter(sim.state.partitions.values()))
    for event in inputs_of(name).events:
        if isinstance(event.command, AddApplication):
            id = event.command.application.id
            placing = sim.placement(id)
            application = partition.applications.get(id)
            assert placing.queue == (application.queue_path if application is not None else "")
            assert why_placed(placing).headline.endswith(".") and render(rule_rows(placing))
    assert sim.digest() == before


def every_kind() -> list[type[Reason]]:
    """Every class of refusals and surprises that has a code."""
    modules = [importlib.import_module(f"{families.__name__}.{found.name}") for found in pkgutil.iter_modules(families.__path__)]
    kinds = [each for module in modules for each in vars(module).values() if isinstance(each, type) and issubclass(each, Reason)]
    return sorted({kind for kind in kinds if kind.code}, key=lambda kind: kind.code)


@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: kind.code)
def test_every_refusal_and_surprise_has_its_words(kind):  # U-26
    assert kind in SENTENCES and kind.__dataclass_params__.frozen
    assert issubclass(kind, Surprise) or SHORT_NAMES[kind]


def test_no_code_belongs_to_two_classes():
    codes = [kind.code for kind in every_kind()]
    assert len(codes) == len(set(codes)) and set(SENTENCES) == set(every_kind())


def test_every_kind_of_change_has_words():
    assert set(remedy_texts.KIND_NAMES) == set(remedy_texts._CHANGES) == set(KINDS)


# ---- a remedy does what it claims ---------------------------------------------------------------------------------


def commands_of(remedy: Remedy, item: Waiting) -> list[Command] | None:
    """The change as a person would make it; None for changes of the ask itself and of time."""
    if remedy.config is not None:
        return [UpdateConfig(config=to_yaml(remedy.config))]
    if remedy.kind == "node":
        return [AddNode(node_id=remedy.subject, capacity=remedy.after, attributes=item.ask.node_selector)]
    if remedy.kind == "resize":
        return [UpdateNode(node_id=remedy.subject, capacity=remedy.after)]
    if remedy.kind == "undrain":
        return [UndrainNode(node_id=remedy.subject)]
    return None


@pytest.mark.parametrize(("name", "position"), MOMENTS)
def test_what_is_said_to_help_helps(name, position):  # E-5, U-20
    sim = at(name, position)
    for item in asks_of(sim):
        remedies = sim.remedies(item)
        assert {remedy.kind for remedy in remedies.found} <= set(remedies.tried)
        assert what_would_help(item, remedies)
        for remedy in remedies.found:
            commands = commands_of(remedy, item)
            if commands is None:
                continue
            changed = at(name, position)
            for command in commands:
                changed.apply(command)
            again = next(
                (each for each in changed.waiting() if (each.application.id, each.ask.key) == (item.application.id, item.ask.key)),
                None,
            )
            assert again is not None
            if remedy.effect == "next":
                assert again.refusal is None, (remedy, again.refusal)
            elif item.refusal is not None and again.refusal is not None:
                assert (again.refusal.code, again.refusal.subject) != (item.refusal.code, item.refusal.subject), remedy
            if remedy.effect == "placed":
                changed.run(max_steps=200)
                application = next(iter(changed.state.partitions.values())).applications[item.application.id]
                assert application.asks[item.ask.key].allocated, remedy

"""What holds of the engine whatever is asked of it: sums, room, undo, repeatability, names and units that do not matter."""

from __future__ import annotations

import re
from dataclasses import replace

from command_lists import CONFIGS, MS_NS, Story, commands, stories
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples

from workbench.config import load_config
from workbench.scheduler import invariants
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Command,
    Cycle,
    UpdateNode,
)
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Allocated, Event, Released, Reserved, Unreserved
from workbench.simulation.digest import digest, lines
from workbench.values.resources import Resource, multiply


def concrete(story: Story) -> list[Command]:
    """The commands of a story one by one, with every confirmation written out."""
    return [command for command, _ in commands(story.engine(), story.steps)]


def played(engine: Engine, given: list[Command], *, traced: bool = False) -> tuple[list[tuple[Event, ...]], str]:
    """What each command caused, and the digest at the end."""
    return [engine.apply(command, traced=traced) for command in given], digest(engine.state)


# -- sums and room ----------------------------------------------------------------------------------------------------


@examples(40)
@given(stories())
def test_the_invariants_hold_after_every_command(story):
    engine = story.engine()
    for command, _ in commands(engine, story.steps):
        broken = invariants.check(engine.state)
        assert not broken, (command, broken)


@examples(25)
@given(stories())
def test_a_placement_of_the_scheduler_overcommits_no_node_and_no_maximum(story):  # R-425, section 11 of chapter 05
    engine = story.engine()
    for command, _ in commands(engine, story.steps):
        if isinstance(command, Cycle):
            decision = engine.decisions[0]
            if decision.outcome == "allocated":
                _has_room(engine, decision)


def _has_room(engine: Engine, decision: Decision) -> None:
    partition = engine.state.partitions["default"]
    application, node = partition.applications[decision.application_id], partition.nodes[decision.node_id]
    for name, amount in application.allocations[decision.key].resource.items():
        assert amount == 0 or node.available.get(name, 0) >= 0, (decision, name)
        for queue in ancestry(application.queue):
            if amount and queue.maximum is not None and name in queue.maximum:
                assert queue.allocated[name] <= queue.maximum[name], (decision, queue.path, name)


CANCELLED_IN_VAIN = Story(
    "flat",
    "1.8",
    (
        AddNode(node_id="n1", capacity=Resource(vcore=4000, memory=1)),
        AddNode(node_id="n2", capacity=Resource(vcore=2000, memory=9)),
        AddApplication(application=ApplicationSpec(id="x", queue="root.alpha", user="ann")),
        AddApplication(application=ApplicationSpec(id="y", queue="root.alpha", user="ann")),
        AddAllocation(ask=AskSpec(application_id="x", key="x0", resource=Resource(vcore=2000)), node_id="n1"),
        AddAsk(ask=AskSpec(application_id="y", key="y0", resource=Resource(vcore=3000))),
        Cycle(),
        Advance(ns=2100 * MS_NS),
        Cycle(),
        AddAsk(ask=AskSpec(application_id="x", key="x1", resource=Resource(vcore=1000, memory=5), required_node="n1")),
        Cycle(),
    ),
)
"""The last cycle cancels the reservation of y0 on n1, for x1, which n1 is too small for."""


@examples(55)
@given(stories())
@example(CANCELLED_IN_VAIN)
def test_a_cycle_places_at_most_one_ask_and_changes_nothing_unless_it_decides_to(story):
    engine = story.engine()
    for command, caused in commands(engine, story.steps):
        if isinstance(command, Cycle):
            assert sum(isinstance(event, Allocated) for event in caused) <= 1
            (decision,) = engine.decisions
            if decision.outcome == "nothing":
                assert not [event for event in caused if isinstance(event, Allocated | Reserved)]
                # What is reserved on the node that an ask must run on is cancelled even if that ask gets nothing.
                assert {event.node_id for event in caused if isinstance(event, Unreserved)} <= _required_nodes(engine)


def _required_nodes(engine: Engine) -> set[str]:
    applications = engine.state.partitions["default"].applications.values()
    return {ask.required_node for application in applications for ask in application.asks.values()} - {""}


# -- undo -------------------------------------------------------------------------------------------------------------


@examples(25)
@given(stories(), st.randoms(use_true_random=False))
def test_going_back_to_any_mark_restores_the_state_and_going_forward_again_repeats_it(story, random):
    given, engine = concrete(story), story.engine()
    marks, digests, events = [engine.mark], [digest(engine.state)], []
    for command in given:
        events.append(engine.apply(command))
        marks.append(engine.mark)
        digests.append(digest(engine.state))
    for _ in range(4):
        at = random.randrange(len(marks))
        engine.unwind(marks[at])
        assert digest(engine.state) == digests[at]
        assert not invariants.check(engine.state)
        assert played(engine, given[at:]) == (events[at:], digests[-1])
        assert engine.mark == marks[-1]


@examples(25)
@given(stories())
def test_going_back_one_command_at_a_time_passes_every_state_once_more(story):
    given, engine = concrete(story), story.engine()
    before = []
    for command in given:
        before.append((engine.mark, list(lines(engine.state))))
        engine.apply(command)
    for mark, state in reversed(before):
        engine.unwind(mark)
        assert list(lines(engine.state)) == state


# -- repeatability ----------------------------------------------------------------------------------------------------


@examples(40)
@given(stories())
def test_the_same_commands_have_the_same_effects_with_and_without_history_and_trace(story):
    given = concrete(story)
    plain = played(story.engine(), given)
    assert played(story.engine(), given) == plain
    assert played(story.engine(history=False), given) == plain
    assert played(story.engine(), given, traced=True) == plain


@examples(30)
@given(stories())
def test_a_trace_tells_the_decision_that_is_made_without_it(story):
    bare, traced = story.engine(), story.engine()
    for command in concrete(story):
        bare.apply(command)
        traced.apply(command, traced=True)
        if isinstance(command, Cycle):
            without, with_trace = bare.decisions[0], traced.decisions[0]
            assert _outcome(without) == _outcome(with_trace)
            assert not without.levels and not without.changes
            if with_trace.outcome == "allocated":
                taken = [level.winner.name for level in with_trace.levels if level.winner is not None]
                assert taken[-1] in (with_trace.node_id, with_trace.key)


def _outcome(decision: Decision) -> tuple:
    return (
        decision.cycle,
        decision.now_ns,
        decision.outcome,
        decision.phase,
        decision.key,
        decision.application_id,
        decision.node_id,
        decision.path,
        decision.skipped,
        decision.placeholder,
        decision.victims,
    )


@examples(40)
@given(stories(), st.integers(0, 10**10))
def test_time_may_pass_in_pieces(story, part_ns):
    given = concrete(story)
    pieces: list[Command] = []
    for command in given:
        if isinstance(command, Advance) and 0 < part_ns < command.ns:
            pieces += [Advance(ns=part_ns), Advance(ns=command.ns - part_ns)]
        else:
            pieces.append(command)
    whole, parts = story.engine(), story.engine()
    assert [event for command in given for event in whole.apply(command)] == [
        event for command in pieces for event in parts.apply(command)
    ]
    assert digest(whole.state) == digest(parts.state)


# -- what does not matter ---------------------------------------------------------------------------------------------

NEW_NAMES = {"alpha": "zulu", "bravo": "quebec", "charlie": "able", "papa": "whisky", "delta": "item", "echo": "baker"}
"""Other names in another order; queues are ordered by creation, never by name."""
QUEUE_NAME = re.compile(rf"\b({'|'.join(NEW_NAMES)})\b")


def renamed(text: str) -> str:
    return QUEUE_NAME.sub(lambda found: NEW_NAMES[found.group()], text)


@examples(60)
@given(stories(reload=False))
def test_renaming_queues_and_applications_changes_no_decision(story):
    given = concrete(story)
    other = Engine(load_config(renamed(CONFIGS[story.config])), release=story.release)
    one = story.engine()
    for command in given:
        events = one.apply(command)
        twin = _renamed_command(command)
        assert [_in_new_words(event) for event in events] == [repr(event) for event in other.apply(twin)], (command, twin)


APPLICATION = {"x": "orange", "y": "apple", "z": "melon", "": ""}


def _renamed_command(command: Command) -> Command:
    if isinstance(command, AddApplication):
        spec = command.application
        return replace(command, application=replace(spec, id=APPLICATION[spec.id], queue=renamed(spec.queue)))
    if isinstance(command, AddAsk | AddAllocation):
        return replace(command, ask=replace(command.ask, application_id=APPLICATION[command.ask.application_id]))
    if hasattr(command, "application_id"):
        return replace(command, application_id=APPLICATION[command.application_id])
    return command


def _in_new_words(event: Event) -> str:
    """The event as the renamed engine should print it. Single letters are application ids, words are queues."""
    return re.sub(r"\b[xyz]\b", lambda found: APPLICATION[found.group()], renamed(repr(event)))


@examples(40)
@given(stories(reload=False), st.integers(2, 7))
def test_scaling_every_amount_by_the_same_factor_changes_no_decision(story, factor):
    one, other = story.engine(), Engine(load_config(_scaled_config(CONFIGS[story.config], factor)), release=story.release)
    for command in concrete(story):
        assert _decided(one.apply(command)) == _decided(other.apply(_scaled(command, factor))), command


def _scaled_config(text: str, factor: int) -> str:
    """Amounts of vcore, memory and gpu in resources and limits; weights of nodes are no amounts."""
    rows = [
        row if "resourceweights" in row else re.sub(r"\b(vcore|memory): (\d+)", lambda m: f"{m[1]}: {int(m[2]) * factor}", row)
        for row in text.split("\n")
    ]
    return "\n".join(rows)


def _scaled(command: Command, factor: int) -> Command:
    def larger(resource: Resource | None) -> Resource | None:
        return None if resource is None else multiply(resource, factor)

    if isinstance(command, AddNode | UpdateNode):
        return replace(command, capacity=larger(command.capacity))
    if isinstance(command, AddAsk | AddAllocation):
        return replace(command, ask=replace(command.ask, resource=larger(command.ask.resource)))
    if isinstance(command, AddApplication):
        spec = command.application
        return replace(command, application=replace(spec, placeholder_ask=larger(spec.placeholder_ask)))
    return command


def _decided(events: tuple[Event, ...]) -> list[tuple[str, str, str]]:
    """Who got which node, who lost it, and who waits for one; the amounts aside."""
    return [
        (type(event).__name__, event.key, getattr(event, "node_id", ""))
        for event in events
        if isinstance(event, Allocated | Released | Reserved | Unreserved)
    ]

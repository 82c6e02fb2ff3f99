"""A command, a verb or a look happens as a whole or not at all, wherever and by whatever it is broken off."""

from __future__ import annotations

from functools import partial

import pytest
from breaking import Broken, broken_at_line, broken_at_write, lines_of

from workbench.config import load_config
from workbench.scheduler import invariants
from workbench.scheduler.engine import Engine
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
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.simulation import Simulation
from workbench.simulation.digest import digest
from workbench.simulation.scenario import Scenario
from workbench.values.errors import CommandError
from workbench.values.resources import Resource

CONFIG = """
partitions:
- name: default
  queues:
  - name: root
    submitacl: "*"
    queues:
    - name: a
      resources: {guaranteed: {vcore: 3}, max: {vcore: 6}}
      properties: {preemption.delay: 1s}
    - name: b
      properties: {application.sort.policy: fair}
"""
OTHER = CONFIG.replace("max: {vcore: 6}", "max: {vcore: 5}").replace("    - name: b\n", "    - name: c\n    - name: b\n")
S = 10**9


def ask(app: str, key: str, cores: int = 1, **more) -> AddAsk:
    return AddAsk(ask=AskSpec(application_id=app, key=key, resource=Resource(vcore=cores * 1000), **more))


def app(name: str, queue: str, **more) -> AddApplication:
    return AddApplication(application=ApplicationSpec(id=name, queue=queue, user="ann", groups=("dev",), **more))


NODES: list[Command] = [AddNode(node_id=name, capacity=Resource(vcore=4000)) for name in ("n1", "n2")]
STORY: list[Command] = [
    *NODES,
    app("x", "root.a"),
    app("y", "root.b"),
    app("g", "root.b", placeholder_ask=Resource(vcore=2000), gang_style="Hard", execution_timeout_ns=4 * S),
    *(ask("y", f"y{number}", 2) for number in range(4)),
    *[Cycle()] * 4,
    ask("g", "g1", task_group="tg", placeholder=True),
    ask("x", "x1", 2),
    ask("x", "x2", 1, required_node="n1"),
    Cycle(),
    Advance(ns=3 * S),
    Cycle(),
    Cycle(),
    Release(application_id="y", key="y0", type="PREEMPTED_BY_SCHEDULER"),
    Cycle(),
    Cycle(),
    UpdateNode(node_id="n2", capacity=Resource(vcore=9000)),
    Cycle(),
    ask("g", "g2", task_group="tg"),
    Cycle(),
    DrainNode(node_id="n1"),
    UndrainNode(node_id="n1"),
    AddAllocation(ask=AskSpec(application_id="y", key="y9", resource=Resource(vcore=1000)), node_id="n2"),
    UpdateConfig(config=OTHER),
    Cycle(),
    Advance(ns=30 * S),
    RemoveNode(node_id="n1"),
    RemoveApplication(application_id="y"),
    Advance(ns=30 * S),
]


def test_a_command_that_breaks_off_at_any_of_its_writes_has_changed_nothing(monkeypatch):
    config = load_config(CONFIG)
    engine, other = Engine(config, log=True), Engine(config, log=True)
    broken_off = 0
    for command in STORY:
        before = digest(engine.state), engine.mark, tuple(engine.log), engine.next_due_ns(), engine.decisions
        number = 1
        while True:
            with broken_at_write(monkeypatch, number):
                try:
                    events = engine.apply(command)
                    break
                except Broken as error:
                    assert "as it was" in error.__notes__[0]
            assert (digest(engine.state), engine.mark, tuple(engine.log), engine.next_due_ns(), engine.decisions) == before
            number, broken_off = number + 1, broken_off + 1
        assert (events, digest(engine.state)) == (other.apply(command), digest(other.state))
        assert invariants.check(engine.state) == []
    assert broken_off > 300
    assert tuple(engine.log) == tuple(other.log)


@pytest.mark.parametrize("error", [Broken, MemoryError, KeyError, RecursionError, AssertionError, KeyboardInterrupt, SystemExit])
def test_it_does_not_matter_what_it_was(monkeypatch, error):
    engine = Engine(load_config(CONFIG))
    for command in STORY[:12]:
        engine.apply(command)
    before = digest(engine.state)
    with broken_at_write(monkeypatch, 5, error), pytest.raises(error):
        engine.apply(Cycle())
    assert digest(engine.state) == before
    assert engine.broken is not issubclass(error, Exception)


def test_without_history_a_broken_engine_says_so_and_takes_nothing_more(monkeypatch):
    engine = Engine(load_config(CONFIG), history=False)
    with pytest.raises(CommandError, match="no partition"):
        engine.apply(DrainNode(node_id="n", partition="gone"))
    engine.apply(NODES[0])
    with broken_at_write(monkeypatch, 3), pytest.raises(Broken) as raised:
        engine.apply(NODES[1])
    assert "begin again" in raised.value.__notes__[0]
    with pytest.raises(CommandError, match="begin again with a new engine"):
        engine.apply(Cycle())


# ---- simulations ---------------------------------------------------------------------------------------------------------


def made() -> Simulation:
    """Some steps, one of them ahead, something put in at a step, something planned, something that waits."""
    sim = Simulation.from_scenario(Scenario(config=CONFIG))
    for command in STORY[:9]:
        sim.apply(command)
    sim.run(max_steps=2)
    sim.apply(ask("x", "x1", 3))
    sim.plan(DrainNode(node_id="n2"), 60_000)
    sim.run(max_steps=2)
    sim.cycle()
    sim.back()
    return sim


def everything(sim: Simulation) -> tuple:
    return (
        sim.digest(),
        sim.position,
        sim.recorded,
        [step.decision for step in sim.steps],
        sim.inputs,
        sim.planned,
        sim.played,
        sim.planned_played,
        tuple(sim.said),
        sim.next_due_ns,
        sim.stays,
        sim.reloads,
    )


def far(sim: Simulation) -> tuple:
    """What comes of it later: derived orders that are wrong show here."""
    digests = []
    for step in range(sim.recorded + 1):
        sim.goto(step)
        digests.append(sim.digest())
    sim.run()
    return (*digests, sim.digest())


VERBS = {
    "step": lambda sim: (sim.step(), sim.step()),
    "cycle": lambda sim: sim.cycle(),
    "apply": lambda sim: sim.apply(ask("x", "x9")),
    "advance": lambda sim: sim.advance(62),
    "plan": lambda sim: sim.plan(ask("x", "x9"), 50_000),
    "unplan": lambda sim: sim.unplan(0),
    "back": lambda sim: sim.back(2),
    "reload": lambda sim: sim.reload(load_config(OTHER)),
    "all or nothing": lambda sim: several(sim),
}
LOOKS = {
    "preview": lambda sim: sim.preview(),
    "waiting": lambda sim: sim.waiting(),
    "remedies": lambda sim: sim.remedies(sim.waiting()[0]),
    "explain": lambda sim: sim.explain(1),
    "explain ahead": lambda sim: sim.explain(sim.recorded),
    "ahead": lambda sim: sim.ahead(5),
    "passing": lambda sim: list(sim.passing()),
    "placement": lambda sim: sim.placement(ApplicationSpec(id="z", queue="root.a", user="u")),
}
POINTS = 12
WITHOUT_JOURNAL = ("scheduler/passes", "scheduler/objects", "simulation/waiting", "simulation/driver")


def several(sim: Simulation) -> None:
    with sim.all_or_nothing():
        sim.apply(ask("x", "x7"))
        sim.apply(ask("x", "x8"))


def points(action, within=("",)) -> list[int]:
    """Numbers of lines at which to break off, spread over the whole."""
    lines = lines_of(partial(action, made()), within)
    return sorted({1 + lines * point // POINTS for point in range(POINTS)} | {lines})


@pytest.mark.parametrize("name", VERBS)
def test_an_interrupted_verb_has_happened_or_not(name):
    act = VERBS[name]
    before, later = everything(made()), far(made())
    whole = made()
    act(whole)
    # Two steps are two verbs.
    between = made()
    between.step()
    allowed = [before, everything(whole), *([everything(between)] if name == "step" else [])]
    for number in points(act):
        sim = made()
        broken_at_line(partial(act, sim), number, KeyboardInterrupt)
        found = everything(sim)
        assert found in allowed, number
        if found == before:
            assert far(sim) == later, number


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_that_fails_has_changed_nothing(monkeypatch, name):
    act, later = VERBS[name], far(made())
    number = 1
    while True:
        sim = made()
        before = everything(sim)
        with broken_at_write(monkeypatch, number) as count:
            try:
                act(sim)
            except Broken:
                pass
        if count[0] < number:
            break
        if name != "step" or sim.position == before[1]:
            assert everything(sim) == before, number
            assert far(sim) == later, number
        number += 1 + number // 12
    assert number > 1 or name in ("plan", "unplan", "back")


@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
@pytest.mark.parametrize("name", LOOKS)
def test_a_look_changes_nothing_whatever_happens_in_it(name, error):
    act, sim = LOOKS[name], made()
    before, later = everything(sim), far(made())
    # An error is expected anywhere but between the two halves of a write; an interrupt there as well.
    within = ("",) if error is KeyboardInterrupt else WITHOUT_JOURNAL
    for number in points(act, within):
        broken_at_line(partial(act, sim), number, error, within)
        assert everything(sim) == before, number
    assert far(sim)[: len(later) - 1] == later[:-1]


def test_who_loses_interest_in_what_passed_moves_nothing():
    sim = made()
    before = everything(sim)
    passing = sim.passing()
    for _ in range(3):
        next(passing)
    passing.close()
    assert everything(sim) == before


@pytest.mark.parametrize("way", [(0,), (1,), (0, 3), (3, 1)], ids=str)
def test_all_or_nothing_is_as_before_wherever_one_went_inside(way):
    sim = made()
    before, later = everything(sim), far(made())
    with pytest.raises(Broken), sim.all_or_nothing():
        for step in way:
            sim.goto(step)
        sim.apply(ask("x", "x7"))
        raise Broken
    assert everything(sim) == before
    assert far(sim) == later


def test_an_input_after_an_interrupted_one_is_the_only_one():
    sim, other = made(), made()
    for number in points(lambda sim: sim.apply(ask("x", "x9")))[: POINTS // 2 : 5]:
        broken_at_line(lambda: sim.apply(ask("x", "x9")), number, KeyboardInterrupt)
    for each in (sim, other):
        each.apply(ask("x", "last"))
    assert everything(sim) == everything(other) and far(sim) == far(other)

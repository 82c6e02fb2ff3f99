"""Going back, forward and to any step restores exactly what was there; looking changes nothing; a branch forgets what was ahead."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from command_lists import CONFIRM
from crowds import Crowd, crowds
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from scenes import config_text

from workbench.scheduler import invariants
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddAsk,
    AddNode,
    Advance,
    AskSpec,
    Cycle,
    DrainNode,
    Release,
    UndrainNode,
)
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario, load_scenario
from workbench.values.errors import CommandError
from workbench.values.resources import Resource

SCENARIOS = sorted((Path(__file__).parents[1] / "conformance" / "scenarios").glob("*.json"))
SAMPLE = SCENARIOS[::9]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_every_step_back_and_forth_shows_the_same_state(path):
    simulation = Simulation.from_scenario(load_scenario(path))
    digests = [simulation.digest()]
    while simulation.step().changed_something:
        digests.append(simulation.digest())
    # The step that found nothing more played the rest of the script; that belongs to the last step.
    digests[-1] = simulation.digest()
    decisions = [step.decision for step in simulation.steps]
    for number in (*range(len(digests) - 1, -1, -1), *range(len(digests)), 0, len(digests) - 1):
        simulation.goto(number)
        assert simulation.digest() == digests[number], f"step {number}"
    assert [step.decision for step in simulation.steps] == decisions


@pytest.mark.parametrize("path", SAMPLE[::3], ids=lambda path: path.stem)
def test_a_step_explained_later_is_the_step_that_was_taken(path):
    simulation = Simulation.from_scenario(load_scenario(path))
    simulation.run(max_steps=8)
    here = simulation.digest()
    for step in simulation.steps:
        told, taken = simulation.explain(step.number), step.decision
        assert (told.outcome, told.key, told.node_id) == (taken.outcome, taken.key, taken.node_id)
        assert told.levels or told.skipped
    assert simulation.digest() == here


ACTIONS = st.lists(st.one_of(
    st.just(("step",)), st.just(("cycle",)), st.just(("look",)),
    st.tuples(st.just("back"), st.integers(0, 6)),
    st.tuples(st.just("goto"), st.integers(0, 12)),
    st.tuples(st.just("advance"), st.sampled_from([0.5, 2.5, 31.0])),
    st.tuples(st.just("node"), st.integers(1, 8)),
    st.tuples(st.just("ask"), st.integers(1, 4), st.integers(-2, 5)),
    st.tuples(st.just("drain"), st.sampled_from(["node-a", "node-b", "gone"])),
    st.tuples(st.just("undrain"), st.sampled_from(["node-a", "node-b"])),
    st.tuples(st.just("release"), st.integers(0, 9)),
), max_size=25)  # fmt: skip

CONFIG = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            resources: {max: {vcore: 9}}
          - name: b
            properties: {priority.offset: "3", application.sort.policy: fair}
"""


def start() -> Simulation:
    simulation = Simulation.from_scenario(Scenario(config=CONFIG))
    for name in ("node-a", "node-b"):
        simulation.apply(AddNode(node_id=name, capacity=Resource(vcore=6000)))
    for name, queue in (("x", "root.a"), ("y", "root.b"), ("z", "root.a")):
        simulation.submit(name, queue=queue, user="u")
    return simulation


@given(ACTIONS)
@examples(60)
def test_whatever_is_done_each_recorded_step_stays_what_it_was(actions):
    simulation = start()
    digests = {0: simulation.digest()}
    for number, action in enumerate(actions):
        before = simulation.position
        branched = _take(simulation, action, number)
        assert not invariants.check(simulation.state)
        here = simulation.position
        if branched:
            # What was ahead is gone, and the present step has more to it than before.
            digests = {step: digest for step, digest in digests.items() if step < here}
        if action[0] == "step" and here == before:
            digests.pop(here)  # nothing more to place: the rest of the script, if any, was played
        assert digests.setdefault(here, simulation.digest()) == simulation.digest()
    for step in sorted(digests, reverse=True):
        if step <= simulation.recorded:
            simulation.goto(step)
            assert simulation.digest() == digests[step]


@given(ACTIONS)
@examples(25)
def test_the_same_actions_give_the_same_digest_and_steps(actions):
    def play():
        simulation = start()
        for number, action in enumerate(actions):
            _take(simulation, action, number)
        return simulation.digest(), [(step.number, step.decision, step.events) for step in simulation.steps]

    assert play() == play()


@given(crowds(longest=20), st.randoms(use_true_random=False))
@examples(8)
def test_however_often_one_goes_to_a_step_it_stays_what_it_was(crowd, chance):
    simulation = _played(crowd)
    digests = {}
    for step in range(simulation.recorded, -1, -1):
        simulation.goto(step)
        digests[step] = simulation.digest()
    for _ in range(20):
        step = chance.randrange(len(digests))
        simulation.goto(step)
        assert simulation.digest() == digests[step], step


def _played(crowd: Crowd) -> Simulation:
    """What happened to a crowd, as somebody would have put it in by hand. What is released is confirmed unasked."""
    simulation = Simulation.from_scenario(Scenario(config=crowd.config, engine=crowd.release))
    for step in crowd.steps:
        if isinstance(step, Cycle):
            simulation.cycle()
        elif isinstance(step, Advance):
            simulation.advance(step.ns / 10**9)
        elif step is not CONFIRM:
            simulation.apply(step)
    return simulation


@pytest.mark.parametrize("way", list(permutations((0, 1, 2))), ids=str)
def test_a_request_that_is_looked_at_more_often_the_second_time_leads_nowhere_else(way):
    # Going back makes the search look again at a request that it had left out, which is written down. Found by the law above.
    simulation = Simulation.from_scenario(Scenario(config=config_text("a: {}")))
    for node in ("m", "n"):
        simulation.apply(AddNode(node_id=node, capacity=Resource(vcore=8000)))
    for name in ("x", "y"):
        simulation.submit(name, queue="root.a", user="u")
    for node in ("m", "n"):
        load = AskSpec(application_id="y", key=f"load-{node}", resource=Resource(vcore=4000))
        simulation.apply(AddAllocation(ask=load, node_id=node))
    simulation.apply(AddAsk(ask=AskSpec(application_id="x", key="big", resource=Resource(vcore=6000))))
    simulation.cycle()
    simulation.apply(AddAsk(ask=AskSpec(application_id="y", key="small", resource=Resource(vcore=1000))))
    digests = [simulation.digest()]
    simulation.step()
    simulation.advance(2.5)
    digests.append(simulation.digest())
    simulation.step()
    digests.append(simulation.digest())
    assert [step.decision.outcome for step in simulation.steps] == ["allocated", "reserved"]
    for step in (*way, *way):
        simulation.goto(step)
        assert simulation.digest() == digests[step], step


def _take(simulation: Simulation, action: tuple, number: int) -> bool:
    """Carry out one action; whether it started a new branch."""
    match action:
        case ("step",):
            simulation.step()
        case ("cycle",):
            simulation.cycle()
            return True
        case ("look",):
            before = simulation.digest()
            simulation.preview()
            for waiting in simulation.waiting():
                simulation.remedies(waiting)
            assert simulation.digest() == before
        case ("back", count):
            _go(simulation, simulation.position - count)
        case ("goto", place):
            _go(simulation, place)
        case ("advance", seconds):
            simulation.advance(seconds)
            return True
        case ("node", size):
            simulation.apply(AddNode(node_id=f"node-{number}", capacity=Resource(vcore=size * 1000)))
            return True
        case ("ask", size, priority):
            simulation.apply(
                AddAsk(
                    ask=AskSpec(
                        application_id="xyz"[number % 3], key=f"k{number}", priority=priority, resource=Resource(vcore=size * 700)
                    )
                )
            )
            return True
        case ("drain", name):
            simulation.apply(DrainNode(node_id=name))
            return True
        case ("undrain", name):
            simulation.apply(UndrainNode(node_id=name))
            return True
        case ("release", place):
            simulation.apply(Release(application_id="xyz"[place % 3], key=f"k{place}"))
            return True
    return False


def _go(simulation: Simulation, place: int) -> None:
    try:
        simulation.goto(place)
    except CommandError as error:
        assert "there is no step" in str(error)

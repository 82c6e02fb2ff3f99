"""What runs and what the scheduler said, as tables: text twins of what a live cluster would report (section 3)."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest

from workbench.explain import event_rows, render, running_rows
from workbench.explain.events import _SAID, EVENT_KINDS
from workbench.scheduler.records.commands import AddNode
from workbench.scheduler.records.events import Event
from workbench.simulation import Simulation
from workbench.simulation.scenario import example, load_scenario
from workbench.values.resources import Resource

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"


@pytest.fixture
def multitenancy() -> Simulation:
    return Simulation.from_scenario(example("multitenancy"))


def recorded(name: str) -> Simulation:
    return Simulation.from_scenario(load_scenario(SCENARIOS / f"{name}.json"))


def test_what_runs_is_shown_in_the_order_in_which_it_was_placed(multitenancy):
    multitenancy.goto(3)
    multitenancy.back()
    assert (
        render(running_rows(multitenancy.state))
        == """\
allocation  app            queue                      node    resources            priority    since  kind
P1          system-high    root.system.system-high    node-1  vcore 1, memory 2Gi         1  0.020 s  real
P10         system-normal  root.system.system-normal  node-1  vcore 1, memory 2Gi        10  0.121 s  real"""
    )


def test_rows_know_which_allocation_they_stand_for(multitenancy):
    multitenancy.goto(2)
    assert running_rows(multitenancy.state).keys == (("system-high", "P1"), ("system-normal", "P10"))


def test_nothing_that_runs_is_said(multitenancy):
    assert render(running_rows(multitenancy.state)) == "Nothing is running."


def test_placeholders_are_told_from_real_ones():
    sim = recorded("documented-gang-soft-replaced")
    kinds = set()
    while sim.step().changed_something:
        kinds |= {row[-1] for row in running_rows(sim.state).rows}
    assert {"placeholder", "real"} <= kinds


def test_the_newest_event_comes_first_each_with_its_own_time(multitenancy):
    multitenancy.goto(1)
    assert (
        render(event_rows(multitenancy, 4))
        == """\
   time  kind          subject                text
0.020 s  allocated     P1 of app system-high  on node-1
0.020 s  app state     system-high            is now Running (runApplication)
0.019 s  app state     child-b-2              is now Accepted (runApplication)
0.018 s  app accepted  child-b-2              in root.tenants.tenant-b.child-b-2
and 13 earlier events"""
    )


def test_what_is_undone_is_no_longer_said_and_is_said_again_by_the_same_steps(multitenancy):
    multitenancy.goto(5)
    before = list(multitenancy.said)
    multitenancy.back(3)
    assert list(multitenancy.said) == before[: len(multitenancy.said)] and len(multitenancy.said) < len(before)
    multitenancy.goto(5)
    assert list(multitenancy.said) == before


def test_looking_ahead_says_nothing(multitenancy):  # U-1
    before = list(multitenancy.said)
    multitenancy.preview()
    multitenancy.ahead(20)
    multitenancy.waiting()
    assert list(multitenancy.said) == before


def test_a_timer_is_told_at_its_own_instant_not_at_the_end_of_the_time_that_passed():
    sim = recorded("documented-gang-hard-timeout")
    sim.run()
    while not sim.done:
        sim.cycle()
    instants = [told.now_ns for told in sim.said]
    assert instants == sorted(instants)
    timed_out = [told for told in sim.said if getattr(told.event, "type", "") == "TIMEOUT"]
    due = next(told.now_ns for told in sim.said if getattr(told.event, "state", "") in ("Failing", "Resuming"))
    assert timed_out and {told.now_ns for told in timed_out} == {due}


def test_every_message_of_the_scheduler_has_a_word_and_a_text():
    kinds = typing.get_args(Event)
    assert set(_SAID) == set(kinds)
    assert set(EVENT_KINDS) == {kind.__name__ for kind in kinds}


def test_messages_of_every_recorded_scenario_can_be_shown():
    for path in sorted(SCENARIOS.glob("documented-*.json")):
        sim = Simulation.from_scenario(load_scenario(path))
        sim.run(max_steps=40)
        assert len(event_rows(sim, 10_000).rows) == len(sim.said)


def test_names_from_a_cluster_are_one_line_of_text(multitenancy):
    multitenancy.apply(AddNode(node_id="two\nlines\u202e", capacity=Resource(vcore=1000)))
    assert "two\\nlines\\u202e" in event_rows(multitenancy).rows[0][2]

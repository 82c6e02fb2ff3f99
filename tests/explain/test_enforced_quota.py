"""Quota preemption is a step of its own: on the history, forwards and back, in Why, tables, pictures and the command line."""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.config import load_config
from workbench.explain import title, why
from workbench.plots.pictures import nodes, order, path, slope
from workbench.plots.pictures.preemption import figure, rows
from workbench.simulation import Simulation, asks

CONFIG = """\
partitions:
  - name: default
    preemption: {quotapreemptionenabled: true}
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            properties: {preemption.quota.delay: 10s}
            resources: {max: {vcore: %d}}
"""


@pytest.fixture
def sim() -> Simulation:
    """Four of five wanted run in root.a, whose maximum was lowered from 4 to 2 more than the delay ago."""
    made = Simulation(CONFIG % 4)
    made.add_nodes(1, vcore="16")
    made.submit("app", queue="root.a", asks=asks(5, vcore="1"))
    made.run()
    made.reload(load_config(CONFIG % 2))
    made.advance(11)
    return made


def test_it_comes_next_and_is_a_step(sim):
    assert sim.preview().outcome == "enforced"
    before, position = sim.digest(), sim.position
    decision = sim.step()
    assert (decision.outcome, decision.victims, sim.position) == ("enforced", ("ask-003", "ask-002"), position + 1)
    after = sim.digest()
    assert sim.state.partitions["default"].root.children["a"].allocated["vcore"] == 2000
    sim.back()
    assert sim.digest() == before
    sim.step()
    assert sim.digest() == after


def test_why_names_the_queue_and_what_is_stopped(sim):
    told = why(sim.preview())
    assert told.headline == "root.a is over its maximum: what is too much is stopped."
    assert told.sentences == ("root.a uses vcore 2 more than its maximum; stopped: ask-003 and ask-002.",)
    assert title(sim.preview()) == "root.a is over its maximum: what is too much is stopped"


def test_the_table_of_victims_and_the_steps_tell_it(sim):
    wb = Workbench(sim)
    table = wb.table("victims").splitlines()
    assert [line.split()[0] + " " + line.split()[-1] for line in table[1:]] == [
        "ask-003 taken",
        "ask-002 taken",
        "ask-001 not-needed",
        "ask-000 not-needed",
    ]
    wb.step()
    assert wb.status.text.startswith("Step 5: root.a was over its maximum: what was too much is stopped.")
    assert wb.table("order").splitlines()[-1].split() == [
        "5",
        *wb.table("order").splitlines()[-1].split()[1:3],
        "enforced",
        "root.a",
    ]


def test_pictures_draw_it(sim):
    partition, decision = sim.state.partitions["default"], sim.preview()
    data = rows(partition, decision)
    assert data.sentence.startswith("root.a is over its maximum: 2 allocations are stopped")
    assert figure(data).layout.title.text
    for picture in (nodes, path, slope):
        assert picture.rows(partition, decision).sentence
    sim.step()
    marks = order.rows(sim.state.partitions["default"], sim.steps).marks
    assert {mark.key for mark in marks if mark.what == "stopped"} == {"ask-003", "ask-002"}

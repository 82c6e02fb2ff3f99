"""What an autoscaler would be told, as a question that changes nothing. R-585."""

from __future__ import annotations

import pytest

from workbench import explain
from workbench.bench.workbench import Workbench
from workbench.simulation import Simulation, asks
from workbench.simulation.digest import digest

CONFIG = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - {name: a, resources: {max: {vcore: 6}}}
          - name: b
            limits: [{limit: one each, users: ["*"], maxresources: {vcore: 1}}]
"""


@pytest.fixture
def sim() -> Simulation:
    sim = Simulation(CONFIG)
    sim.add_nodes(1, vcore="2")
    sim.submit("x", queue="root.a", user="sue", asks=asks(4, vcore="3"))
    sim.submit("y", queue="root.b", user="bob", asks=asks(2, vcore="1", prefix="small-"))
    sim.run()
    return sim


def test_requests_within_their_quotas_are_told_with_their_sum(sim):  # two fill the maximum of a; bob's limit holds the other
    table = explain.autoscaling_rows(sim.outstanding())
    assert [row[:4] for row in table.rows] == [("ask-000", "x", "root.a", "vcore 3"), ("ask-001", "x", "root.a", "vcore 3")]
    assert table.caption == "Waits only for a larger cluster, vcore 6 in all"


def test_asking_changes_nothing(sim):
    before = digest(sim.state), sim.preview()
    assert sim.outstanding()
    assert (digest(sim.state), sim.preview()) == before


def test_nobody_is_told_in_a_sentence(sim):
    sim.add_nodes(1, prefix="large-", vcore="20")
    sim.run()
    assert sim.outstanding() == ()
    assert "more nodes would not help" in str(explain.autoscaling_rows(sim.outstanding()))


def test_the_workbench_has_the_table_by_name():
    assert "larger cluster" in str(Workbench.example("quota-headroom").table("autoscaling"))

"""The table of what every queue may still take."""

from __future__ import annotations

import pytest

from workbench import edit, explain
from workbench.simulation import Simulation, asks

CONFIG = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: lab
            resources: {max: {vcore: 6}}
            queues:
              - {name: vision, resources: {max: {vcore: 4, gpu: 1}}}
              - {name: speech}
          - {name: office}
"""


@pytest.fixture
def sim() -> Simulation:
    sim = Simulation(CONFIG)
    sim.add_nodes(1, vcore="12")
    return sim


def test_headroom_is_the_smallest_rest_on_the_way_up_and_says_whose_it_is(sim):
    sim.submit("first", queue="root.lab.vision", asks=asks(1, vcore="3"))
    sim.submit("second", queue="root.lab.speech", asks=asks(2, vcore="1"))
    sim.run()
    assert (
        str(explain.headroom_rows(sim.state))
        == """\
queue            used     max             max - used      headroom        set by
root             vcore 5  vcore 12        vcore 7         vcore 7         root
root.lab         vcore 5  vcore 6         vcore 1         vcore 1         root.lab
root.lab.speech  vcore 2                                  vcore 1         root.lab
root.lab.vision  vcore 3  vcore 4, gpu 1  vcore 1, gpu 1  vcore 1, gpu 1  root.lab, root.lab.vision
root.office                                               vcore 7         root"""
    )


def test_without_nodes_nothing_limits_root(sim):  # C-123: the maximum of root is nil
    table = explain.headroom_rows(Simulation(CONFIG).state)
    assert [row[-2:] for row in table.rows if row[0] in ("root", "root.office")] == [("", ""), ("", "")]


def test_a_queue_over_its_maximum_has_less_than_nothing(sim):  # C-155, R-547: negative counts as 0
    sim.submit("first", queue="root.lab.vision", asks=asks(1, vcore="3"))
    sim.run()
    sim.reload(edit.with_max(sim.config, "root.lab.vision", {"vcore": "2", "gpu": "1"}))
    row = next(row for row in explain.headroom_rows(sim.state).rows if row[0] == "root.lab.vision")
    assert row[-2:] == ("vcore -1, gpu 1", "root.lab.vision")

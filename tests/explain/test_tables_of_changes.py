"""Tables about more than one instant or pod: use after two steps side by side, candidate victims by queue and verdict."""

from __future__ import annotations

import pytest

from workbench import CommandError, Workbench
from workbench.explain import attempts, candidate_rows, render, use_change_rows, victim_rows
from workbench.simulation import Simulation
from workbench.simulation.scenario import example

CONFIG = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: alice
        queues:
          - name: a
            resources: {guaranteed: {vcore: 1}, max: {vcore: 4}}
          - name: b
"""


@pytest.fixture
def normal() -> Workbench:
    return Workbench.example("documented/preemption-normal")


# -- what changed ------------------------------------------------------------------------------------------------------


def test_use_after_two_steps_stands_side_by_side_with_the_difference(normal):  # as `what_changed`, of use only
    normal.run()
    assert (
        str(normal.use_since(12))
        == """\
queue                guaranteed  max  step 12  step 18  change
root                              12       12       12
root.normal                       12       12       12
root.normal.queue-1           5   10       10        7      -3
root.normal.queue-2           5   10        2        5      +3"""
    )


def test_the_steps_may_be_given_in_any_order_and_the_workbench_stays_where_it_is(normal):  # U-4
    normal.run(14)
    digest, calls = normal.simulation.digest(), list(normal.calls)
    assert [row.split()[-1] for row in str(normal.use_since(14, 12)).splitlines()[-2:]] == ["+1", "-1"]
    assert (normal.simulation.position, normal.simulation.digest(), normal.calls) == (14, digest, calls)


@pytest.mark.parametrize("steps", [(-1, 3), (0, 99)])
def test_a_step_that_there_is_not_is_refused_and_nothing_moves(normal, steps):  # U-9
    normal.run(5)
    with pytest.raises(CommandError):
        normal.use_since(*steps)
    assert normal.simulation.position == 5


def test_a_limit_that_changed_in_between_is_shown_before_and_after():  # U-16
    bench = Workbench.from_yaml(CONFIG)
    bench.add_node("n", {"vcore": "8"})
    bench.add_request("x", "x", {"vcore": "1"}, queue="root.a", user="alice", repeat=2)
    bench.run(1)
    bench.edit_mode("reload")
    bench.set("root.a", "resources.max", {"vcore": "2"})
    bench.set("root.a", "resources.guaranteed", None)
    bench.run()
    rows = {row[0]: row[1:] for row in use_change_rows(bench.simulation, 0, 2).rows}
    assert rows["root.a"] == ("1 → none", "4 → 2", "0", "2", "+2")


def test_another_type_can_be_chosen():
    bench = Workbench.example("documented/quota-namespaces")
    bench.run()
    rows = {row[0]: row[1:] for row in use_change_rows(bench.simulation, 0, 10, "nvidia.com/gpu").rows}
    assert rows["root.development"] == ("", "1", "0", "1", "+1")
    assert "vcore" not in str(bench.use_since(0, resource="memory"))


# -- verdicts ----------------------------------------------------------------------------------------------------------


def test_candidates_are_put_together_by_queue_and_verdict_and_none_is_lost():  # E-20
    simulation = Simulation.from_scenario(example("documented/preemption-normal"))
    simulation.run(12)
    (attempt,) = attempts(simulation.preview())
    assert (
        render(candidate_rows(attempt))
        == """\
queue                verdict                    allocations  which
root.normal.queue-1  taken                                1  a1-009
root.normal.queue-1  victim-not-over-guarantee            5  a1-000, a1-001, a1-002 and 2 more
root.normal.queue-1  not-needed                           4  a1-005, a1-006, a1-007 and 1 more
root.normal.queue-2  same-app                             2"""
    )
    named = [row for row in victim_rows(attempt).rows if row[1]]
    assert sum(int(row[2]) for row in candidate_rows(attempt).rows) == len(named) + 2


def test_queues_that_hold_nothing_are_left_out():
    bench = Workbench.example("documented/preemption-law-5")
    bench.run()
    attempt = attempts(bench.simulation.preview())[0]
    assert {row[0] for row in candidate_rows(attempt).rows} == {"root.general.ns-1", "root.general.ns-2"}


def test_the_table_of_preemption_is_of_the_selected_request():  # U-12, U-24
    bench = Workbench.example("documented/preemption-priority-queue")
    bench.run()
    bench.advance(16)
    assert "not-under-guarantee" in bench.table("preemption")
    bench.select(request="low-000")
    assert "higher-priority" in bench.table("preemption")


def test_where_nobody_preempts_the_table_has_use_against_guarantees(normal):  # U-24
    assert str(normal.table("preemption")).split()[:4] == ["queue", "used", "guaranteed", "above"]


@pytest.mark.parametrize(("name", "columns"), [("usage", ["queue", "used"]), ("time", ["step", "time", "used", "normal"])])
def test_pictures_have_a_table_of_their_name(normal, name, columns):  # U-24: every picture has a text twin
    normal.run()
    assert str(normal.table(name)).split()[: len(columns)] == columns

"""Rows of the queue tree: what U-13 lists, read from the engine's own decision and ranking."""

from __future__ import annotations

import pytest

from workbench import Simulation, example
from workbench.bench.queue_rows import queue_rows, sibling_ranks, usage
from workbench.plots.theme import DARK, LIGHT


@pytest.fixture
def sim() -> Simulation:
    return Simulation.from_scenario(example("multitenancy"))


def rows_of(sim: Simulation, theme=LIGHT) -> dict[str, dict]:
    partition = sim.state.partitions["default"]
    return {row["path"]: row for row in queue_rows(partition, sim.preview(), sim.waiting(), theme)}


def test_rows_come_in_the_order_written_with_their_level(sim):
    rows = rows_of(sim)
    assert list(rows)[:4] == ["root", "root.system", "root.system.system-normal", "root.system.system-high"]
    assert [rows[path]["level"] for path in ("root", "root.system", "root.tenants.tenant-a.child-a-1")] == [1, 2, 4]
    assert rows["root.system"]["above"] == "root"
    assert rows["root"]["above"] == ""


def test_priorities_are_the_current_ones_and_none_is_shown_as_not_available(sim):
    assert {path: row["value"] for path, row in rows_of(sim).items()} == {
        "root": "1001", "root.system": "1001", "root.system.system-high": "1001", "root.system.system-low": "-997",
        "root.system.system-normal": "10", "root.tenants": "0", "root.tenants.tenant-a": "10",
        "root.tenants.tenant-a.child-a-1": "8", "root.tenants.tenant-a.child-a-2": "6", "root.tenants.tenant-b": "0",
        "root.tenants.tenant-b.child-b-1": "9", "root.tenants.tenant-b.child-b-2": "8",
    }  # fmt: skip
    sim.step()
    assert rows_of(sim)["root.system.system-high"]["value"] == "n/a"


def test_ranks_count_among_siblings_also_where_the_next_step_does_not_come(sim):
    ranks = {path: row["rank"] for path, row in rows_of(sim).items()}
    assert (ranks["root"], ranks["root.system"], ranks["root.tenants"]) == ("", ">1", ">2")
    assert (ranks["root.tenants.tenant-a"], ranks["root.tenants.tenant-b"]) == (">1", ">2")


def test_a_queue_with_nothing_waiting_has_no_rank(sim):
    sim.step()
    assert rows_of(sim)["root.system.system-high"]["rank"] == ""


def test_the_way_of_the_next_step_is_marked(sim):
    marked = [path for path, row in rows_of(sim).items() if row["next"]]
    assert marked == ["root", "root.system", "root.system.system-high"]
    sim.run()
    assert not any(row["next"] for row in rows_of(sim).values())


def test_fences_carry_a_mark_with_a_name(sim):
    rows = rows_of(sim)
    assert rows["root.tenants"]["marks"] == [{"text": "▣", "label": "priority fence"}]
    assert rows["root.system"]["marks"] == []
    assert "priority fence" in rows["root.tenants"]["label"]


def test_the_bar_is_use_of_the_smallest_maximum_on_the_way_up(sim):
    sim.step()
    high = sim.state.partitions["default"].root.children["system"].children["system-high"]
    use = usage(high)
    assert (use.type, use.used, use.guaranteed) == ("vcore", 1 / 16, None)
    assert use.text == "vcore used 1 of 16"


def test_the_tick_is_the_guarantee_of_the_type_in_the_bar():
    sim = Simulation(
        """
partitions:
  - name: default
    queues:
      - name: root
        queues:
          - name: a
            resources: {guaranteed: {memory: 8Gi}, max: {memory: 32Gi}}
"""
    )
    queue = sim.state.partitions["default"].root.children["a"]
    assert (usage(queue).type, usage(queue).guaranteed) == ("memory", 0.25)


def test_without_any_limit_there_is_no_bar(sim):
    empty = Simulation("partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]")
    assert usage(empty.state.partitions["default"].root.children["a"]) is None


def test_the_top_level_queue_sets_the_hue_in_both_themes(sim):
    for theme in (LIGHT, DARK):
        rows = rows_of(sim, theme)
        assert rows["root.tenants"]["hue"] == rows["root.tenants.tenant-b.child-b-2"]["hue"]
        assert rows["root.tenants"]["hue"] != rows["root.system"]["hue"]


def test_ranks_of_nothing_are_empty():
    assert sibling_ranks(()) == {}

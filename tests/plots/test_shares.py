"""G-6: who competes in a queue, by the value that the sort compares, asserted as data, and its table. R-521 to R-537."""

from __future__ import annotations

from pathlib import Path

import pytest
from picture_scenes import crowd, partition, teams

from workbench.explain import standing_rows
from workbench.explain.standings import SHARE, USAGE, closest, standings
from workbench.plots.pictures import shares as shares_picture
from workbench.plots.pictures.shares import figure, rows
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.policies import order_queues
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import example, load_scenario

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"


def competing() -> Simulation:
    """As `teams`, with asks waiting everywhere: batch has used half of its guarantee, serving more than its own."""
    sim = teams()
    sim.submit("late", queue="root.batch", user="u", asks=asks(2, prefix="late-", vcore="1"))
    sim.submit("odd", queue="root.spare", asks=asks(1, prefix="odd-", priority=-1, vcore="1"))
    return sim


def picture_rows(sim: Simulation, **options) -> shares_picture.ShareRows:
    return rows(partition(sim), sim.preview(), **options)


def test_children_stand_in_scheduling_order_with_the_share_that_is_compared():
    data = picture_rows(competing(), path="root")
    assert [(mark.label.name, mark.note, mark.term) for mark in data.marks] == [
        ("serving (4)", "1.25", "vcore 5 / 4"),
        ("batch (0)", "0.5", "vcore 1 / 2"),
        ("spare (-1)", "0", ""),
    ]


def test_the_value_is_that_of_the_engine():  # U-1
    sim = competing()
    _, ranked, _ = order_queues(partition(sim).root, partition(sim).root.maximum)
    shares = {child.name: key.share for key, child in ranked}
    assert {mark.label.path.rpartition(".")[2]: mark.value for mark in picture_rows(sim, path="root").marks} == shares


def test_the_hover_gives_the_formula_with_units():  # U-26
    mark = picture_rows(competing(), path="root").marks[0]
    assert "vcore 5 of 4 guaranteed = 1.25" in mark.label.hover
    assert "memory 5Gi of 16Gi fair max = 0.312" in mark.label.hover


def test_the_next_one_has_the_ring_though_an_earlier_one_was_tried():
    data = picture_rows(competing(), path="root")
    assert [mark.label.name for mark in data.marks if mark.is_next] == ["batch (0)"]
    assert data.sentence == "batch goes first: at root serving (4) comes earlier but can place nothing"
    assert list(figure(data).data[shares_picture.RING].y) == [1]


def test_a_triangle_has_no_guarantee_and_a_hollow_mark_takes_no_part():  # U-21
    data = picture_rows(teams(), path="root")
    symbols = dict(zip([mark.label.name for mark in data.marks], figure(data).data[shares_picture.MARKS].marker.symbol))
    assert symbols == {"serving (4)": "circle", "batch": "circle-open", "spare": "triangle-up-open"}


def test_applications_of_a_fair_leaf_are_compared_by_usage():
    data = picture_rows(competing(), path="root.batch")
    assert [(mark.label.name, mark.note, mark.term, mark.takes_part) for mark in data.marks] == [
        ("late (0)", "0", "", True),
        ("etl", "524,288,000", "memory 500Mi", False),
    ]


def test_applications_of_a_fifo_leaf_are_compared_by_submission():
    sim = competing()
    sim.advance(3)
    sim.submit("later", queue="root.spare", asks=asks(1, prefix="z-", priority=-1, vcore="1"))
    data = picture_rows(sim, path="root.spare")
    assert [mark.note for mark in data.marks] == ["0.621 s", "3.624 s"]
    assert data.marks[0].value == pytest.approx(0.621) and data.axis.startswith("time of submission")


def test_by_itself_the_picture_shows_the_closest_choice():
    sim = Simulation.from_scenario(example("two-tenants"))
    sim.goto(4)
    assert closest(partition(sim), sim.preview()) == "root.tenants"
    assert picture_rows(sim).path == "root.tenants"


@pytest.mark.parametrize(
    ("sim", "path", "sentence"),
    [
        (competing(), "root.spare", "odd is the only one in spare that waits for something"),
        (teams(), "root.batch", "Nothing in batch waits to be placed"),
        (teams(), "root", "Nothing in root can be placed now; serving (4) comes first"),
    ],
    ids=["one", "none", "in vain"],
)
def test_the_title_says_what_is_seen(sim, path, sentence):
    assert picture_rows(sim, path=path).sentence == sentence


def test_the_title_does_not_say_that_nobody_waits_where_somebody_is_kept_out():  # stateaware lets one start at a time
    sim = Simulation.from_scenario(example("documented/state-aware-run"))
    assert picture_rows(sim, path="root.spark").sentence == "App1 is the only one in spark that takes part now"


def test_an_unknown_queue_is_an_error():
    with pytest.raises(KeyError):
        picture_rows(teams(), path="root.nowhere")


def test_of_many_children_the_first_are_drawn_and_the_next_one_always():
    data = picture_rows(crowd(), path="root", most_lines=6)
    assert len(data.marks) == 5 and data.left_out == 15 and any(mark.is_next for mark in data.marks)


def test_the_order_is_the_same_in_every_way_of_asking():  # U-1
    sim = Simulation.from_scenario(example("two-tenants"))
    for _ in range(6):
        sim.step()
        found = standings(partition(sim), sim.preview(), "root")
        ranked = [each for each in found.contenders if each.key is not None]
        assert sorted(ranked, key=lambda each: each.key) == ranked


def test_the_table_says_the_same():  # U-24
    sim = competing()
    table = standing_rows(sim.state, sim.preview(), "root")
    assert table.columns == ("rank", "queue", "priority", "share", "how it comes about", "note")
    assert table.rows == (
        (
            "1",
            "serving",
            "4",
            "1.25",
            "vcore 5 of 4 guaranteed = 1.25; memory 5Gi of 16Gi fair max = 0.312",
            "root.serving was tried, and nothing in it could be placed.",
        ),
        ("2", "batch", "0", "0.5", "vcore 1 of 2 guaranteed = 0.5; memory 500Mi of 16Gi fair max = 0.0305", "next"),
        ("3", "spare", "-1", "0", "", ""),
    )


@pytest.mark.parametrize("release", ["1.8", "1.4"])
@pytest.mark.parametrize("name", ["preempt_tree-12", "preempt_tree-23", "limits-1", "tree-1"])
def test_the_ratios_spelled_out_give_the_share_of_the_engine(name, release):  # U-1, R-521, R-528
    sim = Simulation.from_scenario(load_scenario(SCENARIOS / f"{name}.json"), release=release)
    compared = 0
    for _ in range(4):
        sim.run(max_steps=8)
        for queue in walk(partition(sim).root):
            found = standings(partition(sim), sim.preview(), queue.path)
            for each in found.contenders:
                if found.field in (SHARE, USAGE):
                    assert each.value == max((term.value for term in each.terms), default=0.0)
                    compared += 1
    assert compared > 10

"""G-3: which leaf got something at which step, asserted as data."""

from __future__ import annotations

from pathlib import Path

import pytest
from picture_scenes import crowd, nameless, partition, preempting

from workbench.plots.pictures import order
from workbench.plots.pictures.order import figure, rows
from workbench.plots.pictures.order_rows import NEXT, PLACED, RESERVED, STOPPED
from workbench.simulation import Simulation
from workbench.simulation.scenario import example, load_scenario

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"


def picture_rows(sim: Simulation, **options) -> order.OrderRows:
    return rows(partition(sim), sim.steps[: sim.position], sim.preview(), **options)


def marks(data) -> list[tuple[int, str, str, str]]:
    return [(mark.step, data.labels[mark.line].name, mark.key, mark.what) for mark in data.marks]


@pytest.fixture
def multitenancy() -> Simulation:
    return Simulation.from_scenario(example("multitenancy"))


def test_every_step_is_a_mark_in_the_line_of_its_leaf_and_the_next_one_is_shown(multitenancy):  # U-2
    multitenancy.goto(3)
    assert marks(picture_rows(multitenancy)) == [
        (1, "system-high", "P1", PLACED),
        (2, "system-normal", "P10", PLACED),
        (3, "system-normal", "P2", PLACED),
        (4, "child-a-1", "P8", NEXT),
    ]


def test_leaves_stand_below_their_parent_as_in_the_tree(multitenancy):
    data = picture_rows(multitenancy)
    assert [label.name for label in data.labels] == [
        "system",
        "system-high",
        "system-low",
        "system-normal",
        "tenants",
        "tenant-a",
        "child-a-1",
        "child-a-2",
        "tenant-b",
        "child-b-1",
        "child-b-2",
    ]
    assert [data.labels[line].name for line in sorted(data.parents)] == ["system", "tenants", "tenant-a", "tenant-b"]


def test_steps_behind_the_present_position_are_not_shown(multitenancy):
    multitenancy.goto(5)
    multitenancy.back(3)
    assert [mark.what for mark in picture_rows(multitenancy).marks] == [PLACED, PLACED, NEXT]


def test_what_was_stopped_is_crossed_out_and_its_place_reserved():
    sim = preempting()
    sim.step()
    at_five = [mark for mark in marks(picture_rows(sim)) if mark[0] == 5]
    assert at_five == [(5, "owner", "mine-000", RESERVED), (5, "guest", "long-002", STOPPED)]
    stopped = next(mark for mark in picture_rows(sim).marks if mark.what == STOPPED)
    assert any("preempting allocations to free up resources to run ask: mine-000" in line for line in stopped.hover)


def test_placeholders_are_known_even_when_they_are_gone():
    sim = Simulation.from_scenario(load_scenario(SCENARIOS / "documented-gang-soft-replaced.json"))
    sim.run(max_steps=6)
    placeholders = [mark.key for mark in picture_rows(sim).marks if mark.is_placeholder]
    assert placeholders == ["ph-0", "ph-1", "ph-2"]


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        (0, "Nothing was decided yet; P1 in system-high comes next"),
        (1, "1 request was placed, the last one P1 in system-high"),
        (11, "11 requests were placed, the last one P3 in system-low"),
    ],
)
def test_the_title_says_how_far_it_is(multitenancy, steps, sentence):
    multitenancy.goto(steps)
    assert picture_rows(multitenancy).sentence == sentence


def test_the_title_counts_what_was_stopped():
    sim = preempting()
    sim.step()
    assert picture_rows(sim).sentence == "4 requests were placed, the last one long-002 in guest; 1 allocation was stopped"
    assert picture_rows(nameless()).sentence == "Nothing was decided yet, and nothing can be placed now"


def test_of_many_steps_the_last_are_shown_and_the_others_counted():
    data = picture_rows(crowd(), most_steps=10)
    assert (data.first, data.last, data.left_out) == (17, 26, 16)


def test_queues_that_got_something_last_keep_a_line_among_many():
    sim = crowd()
    data = picture_rows(sim, most_lines=12)
    assert len(data.labels) <= 14
    assert sim.steps[-1].decision.path[-1] in {label.path for label in data.labels}
    assert {mark.step for mark in data.marks} == set(range(data.first, data.last + 1))


def test_shapes_tell_the_kinds_of_marks_apart():  # U-21
    sim = preempting()
    sim.step()
    picture = figure(picture_rows(sim))
    assert set(picture.data[order.PLACES].marker.symbol) == {"circle", "square"}
    assert picture.data[order.CROSSES].marker.symbol == "x"
    assert "<b>R</b>" in picture.data[order.PLACES].text


def test_keys_are_written_where_the_line_leaves_room(multitenancy):
    multitenancy.goto(11)
    keys = figure(picture_rows(multitenancy)).data[order.KEYS]
    assert sorted(keys.text) == sorted(["P1", "P10", "P2", "P8", "P6", "P5", "P4", "P9", "P8", "P7", "P3"])

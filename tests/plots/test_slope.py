"""G-2: what waiting asks count as, level by level, asserted as data. R-621, R-650, U-2."""

from __future__ import annotations

import pytest
from picture_scenes import crowd, nameless, partition, teams

from workbench.plots.pictures import slope
from workbench.plots.pictures.slope import Scale, figure, rows
from workbench.plots.spread import spread
from workbench.simulation import Simulation, asks
from workbench.simulation.scenario import example


@pytest.fixture
def multitenancy() -> Simulation:
    return Simulation.from_scenario(example("multitenancy"))


def picture_rows(sim: Simulation, **options) -> slope.SlopeRows:
    return rows(partition(sim), sim.preview(), **options)


def test_every_waiting_ask_has_a_line_with_its_value_at_every_queue(multitenancy):
    lines = {(line.label, line.points[0].path): line for line in picture_rows(multitenancy).lines}
    assert len(lines) == 11
    line = lines["P6", "root.tenants.tenant-a.child-a-2"]
    assert [(point.path.rpartition(".")[2], point.before, point.after) for point in line.points] == [
        ("child-a-2", 6, 6),
        ("tenant-a", 6, 10),
        ("tenants", 10, 0),
    ]


def test_all_lines_leave_a_fence_at_one_value(multitenancy):
    lines = picture_rows(multitenancy).lines
    assert {line.value for line in lines if line.points[-1].path == "root.tenants"} == {0}
    assert {line.value for line in lines if line.points[-1].path == "root.system"} == {1001, 10, 2, -997}


def test_offsets_and_fences_are_told_at_their_queue(multitenancy):
    gates = {gate.name: (gate.note, gate.is_fence, gate.lowest, gate.highest) for gate in picture_rows(multitenancy).gates}
    assert gates["system-high"] == ("+1000", False, 1, 1)
    assert gates["tenant-a"] == ("= 10", True, 4, 8)
    assert gates["child-a-1"] == ("", False, 5, 8)


def test_the_line_of_the_next_choice_is_the_only_thick_one(multitenancy):  # U-2
    assert [line.label for line in picture_rows(multitenancy).lines if line.is_next] == ["P1"]
    picture = figure(picture_rows(multitenancy))
    assert picture.data[slope.CHOSEN + 1].line.width > picture.data[slope.FIRST_HUE].line.width


def test_lines_vanish_when_their_asks_are_placed(multitenancy):
    multitenancy.goto(8)
    assert [line.label for line in picture_rows(multitenancy).lines] == ["P8", "P7", "P3"]


def test_alike_asks_of_a_leaf_share_a_line():
    sim = teams()
    sim.submit("more", queue="root.batch", asks=asks(3, prefix="more-", priority=2, vcore="1"))
    line = next(line for line in picture_rows(sim).lines if line.points[0].path == "root.batch")
    assert (line.label, line.asks, line.is_next) == ("more-000 ×3", 3, True)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        (0, "The fence at tenants lets 7 requests count as 0; P1 leads with 1001 at root, before tenants (0)"),
        (5, "The fence at tenants lets 5 requests count as 0; P5 leads with 0 at root, before system (-997)"),
        (11, "Nothing is waiting"),
    ],
)
def test_the_title_names_the_fence_that_levels_most_and_who_leads(multitenancy, steps, sentence):
    multitenancy.goto(steps)
    assert picture_rows(multitenancy).sentence == sentence


def test_the_title_says_when_nothing_can_be_placed():
    assert picture_rows(teams()).sentence == "Nothing can be placed now; try-001 counts most, 4 at root"
    assert picture_rows(nameless()).sentence == "Nothing is waiting"


def test_higher_values_stand_higher_and_small_differences_stay_visible_beside_large_ones(multitenancy):
    data = picture_rows(multitenancy)
    scale = Scale(data, 560, 300)
    heights = [scale.level(value) for value in scale.values]
    assert heights == sorted(heights, reverse=True)
    assert scale.values[0] == -997 and scale.values[-1] == 1001
    assert scale.level(9) - scale.level(10) > 0.04 * (scale.level(-997) - scale.level(1001))


def test_lines_of_different_top_level_queues_run_side_by_side_at_one_value():
    sim = teams()
    for queue in ("root.batch", "root.spare"):
        sim.submit(queue, queue=queue, asks=asks(1, prefix=queue, priority=4, vcore="8"))
    data = picture_rows(sim)
    scale = Scale(data, 560, 300)
    assert len({scale.y(4, line.points[0].path) for line in data.lines}) == 3


def test_of_many_lines_the_highest_are_drawn_and_the_others_counted():
    data = picture_rows(crowd(), most_lines=5)
    assert len(data.lines) == 5 and any(line.is_next for line in data.lines)
    assert sum(line.asks for line in data.lines) + data.left_out == 20 * 4 - 25


def test_texts_are_moved_apart_and_dropped_where_there_is_no_room():
    places = spread([50.0] * 4, 0, 100, 12)
    assert places == [32.0, 44.0, 56.0, 68.0]
    many = spread([float(number % 7) for number in range(40)], 0, 100, 10, [number == 33 for number in range(40)])
    kept = sorted(place for place in many if place is not None)
    assert len(kept) == 11 and many[33] is not None
    assert all(after - before >= 9.99 for before, after in zip(kept, kept[1:])) and kept[0] >= 0 and kept[-1] <= 100


@pytest.mark.parametrize("width", [560, 760])
@pytest.mark.parametrize("steps", [0, 2, 4, 7])
def test_no_line_runs_through_the_note_of_a_queue(multitenancy, steps, width):
    multitenancy.goto(steps)
    data = picture_rows(multitenancy)
    notes = figure(data, width=width, height=238, titled=False).data[slope.NOTES]
    scale = Scale(data, width, 238 - slope.BOTTOM - slope.TOP_UNTITLED)
    beside = [(x, y, shown) for x, y, shown in zip(notes.x, notes.y, notes.text) if "<b>" in shown]
    assert beside
    for x, y, shown in beside:
        depth = min(range(2, data.depth + 1), key=lambda depth: abs(scale.x(depth) + slope.SLANT * scale.step - x))
        level = [scale.y(slope._value_behind(line, depth), line.points[0].path) for line in data.lines]
        assert min(abs(y - height) for height in level) >= 8, shown
        # Nor does the bar of the next fence.
        bars = [
            gate
            for gate in data.gates
            if gate.is_fence
            and gate.depth == depth - 1
            and scale.y(gate.highest, gate.path) - 8 <= y <= scale.y(gate.lowest, gate.path) + 8
        ]
        end = x + 5.6 * len(shown.replace("<b>", "").replace("</b>", ""))
        assert all(end <= scale.x(gate.depth) - slope.SLANT * scale.step for gate in bars), shown

"""Pictures of a sweep: what they show, in which words, with which table."""

from __future__ import annotations

import pytest
from sweep_cells import Script
from sweep_plans import DESIGN

import workbench as wb
from workbench.config import edit, load_config
from workbench.sweeps import Goal
from workbench.sweeps.cells import CellResult, CellSpec, Outcome
from workbench.sweeps.pictures import PICTURES, Picture, register_picture
from workbench.values.errors import CommandError

OFFSET, POLICY, LIMIT = "root.prod:priority.offset", "root.prod:priority.policy", "root.batch:maxapplications"


def numbers(spec: CellSpec) -> CellResult:
    config = load_config(spec.design)
    queue, batch = edit.queue_at(config, "root.prod"), edit.queue_at(config, "root.batch")
    offset, fenced = int(queue.properties["priority.offset"]), queue.properties.get("priority.policy") == "fence"
    if offset == 7:
        return CellResult(spec.digest, {}, Outcome.INVALID, "seven")
    wait = 600.0 - 60 * offset + spec.seed + batch.max_applications
    return CellResult(spec.digest, {"wait.p95": {"root.prod": wait}, "preempted": {"cluster": 3.0 * offset + fenced}})


@pytest.fixture(scope="module")
def found():
    return wb.sweep(
        DESIGN,
        {OFFSET: [0, 5, 3, 7], POLICY: ["default", "fence"], LIMIT: [10, 20]},
        Script(),
        seeds=2,
        goals=[Goal("wait.p95", of="root.prod"), Goal("preempted")],
        executor="serial",
        run=numbers,
    )


def test_lines_go_along_numbers_in_order_with_a_bar_over_the_seeds(found):
    picture = found.lines(OFFSET)
    assert len(picture.traces) == 4
    first = picture.traces[0]
    assert first["x"] == [0, 3, 5]
    assert first["y"] == [pytest.approx(seconds / 60) for seconds in (610.5, 430.5, 310.5)]
    assert first["error_y"]["array"] == [pytest.approx(0.5 / 60)] * 3
    assert picture.layout["yaxis"]["title"]["text"].endswith("minutes")
    assert "goes from 5 min 10 s with priority.offset 5" in picture.sentence.replace("5 min 11 s", "5 min 10 s")


def test_no_two_lines_look_alike_even_without_colours(found):
    traces = found.lines(POLICY).traces
    assert len({(trace["line"]["dash"], trace["marker"]["symbol"]) for trace in traces}) == len(traces)


def test_heat_has_a_field_with_its_number_for_each_pair(found):
    picture = found.heat(OFFSET, POLICY, "preempted")
    (trace,) = picture.traces
    assert (trace["x"], trace["y"]) == (["0", "3", "5", "7"], ["default", "fence"])
    assert trace["z"] == [[0.0, 9.0, 15.0, None], [1.0, 10.0, 16.0, None]]
    assert trace["text"][0][3] == "failed"
    assert f"with {LIMIT} 10" in picture.sentence
    assert picture.table.rows[1][1] == trace["text"][1][0]


def test_parallel_has_a_line_for_each_combination_with_numbers(found):
    picture = found.parallel()
    assert len(picture.traces) == 12
    assert all(0 <= place <= 1 for trace in picture.traces for place in trace["y"])
    assert "4 others are not drawn" in picture.sentence


def test_trade_offs_join_what_no_other_beats(found):
    beaten, front = found.tradeoffs().traces
    assert len(front["x"]) == len(found.front()) == 3
    assert len(beaten["x"]) == 12 - 3
    assert "3 of 12 combinations are beaten by no other" in found.tradeoffs().sentence


@pytest.mark.parametrize("kind", sorted(PICTURES))
def test_every_picture_is_drawn_with_its_sentence_and_has_its_table(found, kind):
    picture = found.picture(kind)
    figure = picture.figure()
    assert figure.layout.meta["sentence"] == picture.sentence
    assert picture.table.rows
    assert picture._repr_mimebundle_()["text/plain"] == picture.sentence
    assert "<table>" in picture.to_html("one")


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda sweep: sweep.picture("pie"), "there is no picture 'pie'; there are lines, heat, parallel, tradeoffs"),
        (lambda sweep: sweep.lines("nodes"), "the sweep does not vary 'nodes'; it varies root.prod:priority.offset"),
        (lambda sweep: sweep.lines(measure="wait.mean"), "the sweep has no wait.mean of cluster; it has wait.p95 of root.prod"),
        (lambda sweep: sweep.tradeoffs(Goal("preempted")), "two or three goals"),
    ],
)
def test_what_a_picture_cannot_show_is_told(found, draw, says):
    with pytest.raises(CommandError) as told:
        draw(found)
    assert says in str(told.value)


def test_a_picture_of_ones_own_is_registered_by_name(found, monkeypatch):
    register_picture("own", lambda sweep: Picture("mine", sweep.table(), (), {}))
    try:
        assert found.picture("own").sentence == "Mine"
        with pytest.raises(CommandError, match="already"):
            register_picture("own", lambda sweep: Picture("mine", sweep.table(), (), {}))
    finally:
        del PICTURES["own"]

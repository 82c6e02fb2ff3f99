"""How a run is told: a sentence, a table, a picture with both, in a notebook and as a page that is small and asks nobody."""

from __future__ import annotations

import pytest
from comparisons import FIRST, PLAIN, behind_nightly_work
from picture_scenes import assert_no_markup

import workbench as wb
from workbench.comparison.pictures.marks import marks_of
from workbench.plots.packed import loader_html
from workbench.plots.theme import LIGHT
from workbench.values.errors import CommandError


def run(design: str = PLAIN) -> wb.Run:
    return wb.simulate(design, behind_nightly_work())


def test_the_picture_has_its_sentence_as_title_and_a_table_that_says_the_same():
    # Eight cores for the 300 s that the last of six jobs of 100 s ends after, and two of 20 s: 6 x 4 x 100 s + 2 x 4 x 20 s.
    told = run()
    picture = told.picture()
    assert picture.layout.title.text
    assert picture.layout.meta["sentence"].startswith(
        "0.711 vcore-hours were used, 100 % of what the nodes had; root.batch had 93.8 %"
    )
    assert [row[:2] for row in told.picture_table().rows] == [("root.prod", "0.0444"), ("root.batch", "0.667")]


def test_another_resource_is_drawn_if_it_is_named_and_told_if_there_is_none_such():
    workload = wb.workloads.with_nodes(behind_nightly_work(), "2 x vcore=4,memory=16Gi,nvidia.com/gpu=1")
    told = wb.simulate(PLAIN, workload)
    assert told.picture("nvidia.com/gpu").layout.meta["sentence"] == "No nvidia.com/gpu was used"
    with pytest.raises(CommandError, match="no node has 'tape' and nobody asks for it; there is vcore, memory, nvidia.com/gpu"):
        told.picture("tape")
    with pytest.raises(CommandError, match="there is no theme 'blue'; there is light and dark"):
        told.picture(theme="blue")


def test_a_queue_is_drawn_as_in_the_pictures_of_a_comparison():
    found = wb.compare(PLAIN, FIRST, workload=behind_nightly_work())
    mark = marks_of(*found.sides)
    bands = {trace.name: trace for trace in found.first.runs[0].picture().data if trace.fill}
    assert set(bands) == {"root.prod", "root.batch"}
    for path, band in bands.items():
        assert (band.fillcolor, band.fillpattern.shape) == (mark(path).colour(LIGHT), mark(path).pattern)


def test_a_notebook_shows_the_sentence_the_table_and_the_picture(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    told = run()
    told._ipython_display_()
    assert told.sentence in shown[0]["text/html"] and "<table>" in shown[0]["text/html"]
    assert shown[0]["text/plain"] == str(told) == repr(told)
    assert shown[1].layout.meta["sentence"] == told.picture().layout.meta["sentence"]


def test_without_plotly_a_notebook_shows_the_rest(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    monkeypatch.setattr("workbench.plots.in_notebook.find_spec", lambda name: None)
    run()._ipython_display_()
    assert len(shown) == 1


def test_the_page_is_written_is_small_and_has_one_drawing_script(tmp_path):
    told = run()
    text = told.to_html(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text("utf-8") == text == told.to_html()
    assert len(text) < 3_000_000
    assert text.count("data-picture role") == text.count(loader_html()) == 1
    assert "<figcaption>0.711 vcore-hours were used" in text and "As a table" in text


def test_names_in_the_picture_are_no_markup():
    assert_no_markup(run().picture())


def test_a_column_of_nothing_is_said_below_and_one_that_repeats_another_is_left_out():
    heads = str(run().measures).splitlines()[0]
    assert "use of vcore" in heads and "use of memory" not in heads and "tasks stopped for others" not in heads
    assert str(run().measures).splitlines()[-1].startswith("There are no requests that never ran, no jobs")
    assert "<p>There are no requests that never ran" in run().measures._repr_html_()


def test_what_held_requests_back_is_a_table_of_any_scopes():
    measures = run().measures
    told = measures.reasons("root.prod", "root.batch")
    assert told.columns == ("held back by", "root.prod", "share of root.prod", "root.batch", "share of root.batch")
    assert sum(float(row[2].removesuffix(" %")) for row in told.rows if row[2]) == pytest.approx(100, abs=0.2)
    assert measures.reasons().columns == ("held back by", "cluster", "share")
    with pytest.raises(CommandError, match="did you mean root.prod"):
        measures.reasons("root.prd")


def test_a_moment_is_a_text_or_nanoseconds():
    told = run()
    assert told.at("1m40s").state.now_ns == told.at(100 * 10**9).state.now_ns
    with pytest.raises(CommandError, match="a moment is a span of time such as 2h30m or 2d"):
        told.at("noon")

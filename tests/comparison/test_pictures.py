"""CP-6, CP-7: pictures with a sentence and a table, and the page that needs no network."""

from __future__ import annotations

import re

import pytest
from comparisons import FIRST, PLAIN, Arrivals, arrivals, behind_nightly_work, production_first
from picture_scenes import assert_no_markup

import workbench as wb
from workbench.comparison.pictures import PICTURES
from workbench.comparison.pictures.marks import marks_of, wait_ticks
from workbench.plots.packed import loader_html, picture_html
from workbench.plots.theme import DARK, LIGHT, contrast
from workbench.values.errors import CommandError

CAUSE = FIRST.replace("name: prod\n", "name: prod\n            resources: {guaranteed: {vcore: 8}}\n")
"""Production may stop others for its guarantee."""
HOSTILE = "<img src=x onerror=alert(1)>"


def preempting():
    return wb.compare(PLAIN, CAUSE, workload=arrivals(40, every=5))


@pytest.mark.parametrize("which", PICTURES)
def test_every_picture_has_a_sentence_and_a_table_that_says_the_same(which):
    found = preempting()
    assert len(found.picture(which).layout.meta["sentence"].split()) > 3
    assert found.picture(which).layout.title.text
    assert found.picture_table(which).rows


@pytest.mark.parametrize("which", PICTURES)
def test_every_picture_can_be_of_designs_without_a_difference_and_of_nothing(which):
    assert wb.compare(PLAIN, PLAIN, workload=behind_nightly_work()).picture(which).layout.meta["sentence"]
    nothing = wb.Workload(pools=behind_nightly_work().pools)
    assert wb.compare(PLAIN, FIRST, workload=nothing, until=10).picture(which).layout.meta["sentence"]


@pytest.mark.parametrize("which", PICTURES)
def test_the_same_runs_give_the_same_picture(which):
    assert production_first().picture(which).to_json() == production_first().picture(which).to_json()


@pytest.mark.parametrize("which", PICTURES)
def test_names_are_no_markup(which):
    found = wb.compare(PLAIN, CAUSE, workload=arrivals(40, every=5), names=[HOSTILE, "B"])
    assert_no_markup(found.picture(which))
    assert HOSTILE not in picture_html(found.picture(which), "p")


@pytest.mark.parametrize("which", PICTURES)
def test_the_dark_theme_can_be_read(which):
    picture = preempting().picture(which, theme="dark", width=700)
    assert picture.layout.width == 700
    inks = [note.font.color for note in picture.layout.annotations if note.font.color]
    assert all(contrast(ink, ground) >= 4.5 for ink in inks for ground in DARK.backgrounds)


def test_a_queue_has_the_same_mark_everywhere_and_no_two_the_same():
    found = production_first()
    mark = marks_of(*found.sides)
    assert mark("root.prod") != mark("root.batch")
    assert mark("root.prod").pattern != mark("root.batch").pattern
    drawn = {trace.name: trace.marker.color for trace in found.picture("jobs").data[1:]}
    assert drawn == {path: mark(path).colour(LIGHT) for path in ("root.batch", "root.prod")}
    bands = {trace.name: trace.fillcolor for trace in found.picture("use").data if trace.stackgroup}
    assert bands == drawn


def test_use_says_who_uses_more_and_has_one_scale():
    found = wb.compare(PLAIN, FIRST, workload=behind_nightly_work(), until=150)
    picture = found.picture("use")
    assert picture.layout.meta["sentence"].startswith("Use of vcore: with B instead of A")
    assert picture.layout.yaxis.range == picture.layout.yaxis2.range
    rows = {row[0]: row[1:] for row in found.picture_table("use").rows}
    assert rows["root.prod"] == ("0", "0.0444", "+0.0444")  # two jobs of 4 cores for 20 s, in core-hours


def test_waits_are_told_for_so_many_of_a_hundred_requests():
    rows = production_first().picture_table("waits").rows
    assert rows[0] == ("50 of 100", "1 min 40 s", "1 min 30 s")
    assert rows[-1] == ("100 of 100", "4 min 50 s", "3 min 40 s")


def test_dumbbells_say_better_and_worse_in_words():
    found = production_first()
    assert [note.text for note in found.picture("queues").layout.annotations] == ["worse", "better"]
    assert found.picture("queues").layout.meta["sentence"] == "With B 1 queue waits less, 1 waits longer (95 of 100 requests)"


def test_a_picture_is_of_the_resource_and_of_the_seed_that_are_named():
    found = wb.compare(PLAIN, FIRST, workload=Arrivals(30), seeds=[3, 4])
    assert found.picture("use").layout.meta["sentence"].endswith("(seed 3, one of 2)")
    assert found.picture("use", seed=4).to_json() == found.of_seed(4).picture("use").to_json()
    assert found.picture("use", seed=4).to_json() != found.picture("use").to_json()
    assert found.picture("use", resource="memory").layout.meta["sentence"].startswith("Each queue uses as much memory")
    with pytest.raises(CommandError, match="seed 9 was not played; there is 3, 4"):
        found.picture("jobs", seed=9)
    with pytest.raises(CommandError, match="no node has 'tape'"):
        found.picture_table("debt", resource="tape")


def test_debt_has_a_panel_for_each_queue_with_a_guarantee_and_none_for_those_above_it():
    nested = CAUSE.replace(
        "name: batch",
        "name: night\n            queues: [{name: batch, resources: {guaranteed: {vcore: 8}}}]\n          - name: batch",
    )
    found = wb.compare(PLAIN, nested, workload=arrivals(40, every=5))
    assert [row[0] for row in found.picture_table("debt").rows] == ["root.prod"]


def test_there_are_more_ticks_where_the_axis_is_short():
    assert wait_ticks(40, 130)[1] == ["1 min", "2 min"]
    assert wait_ticks(1, 90_000)[1] == ["1 s or less", "10 s", "1 min", "10 min", "1 h", "6 h", "1 d"]


def test_a_notebook_shows_the_sentence_the_table_and_a_picture(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    found = production_first()
    found._ipython_display_()
    assert found.sentence in shown[0]["text/html"]
    assert shown[0]["text/plain"] == str(found)
    assert shown[1].layout.meta["sentence"].startswith("With B 1 queue waits less")


def test_there_is_no_other_picture_or_theme():
    with pytest.raises(CommandError, match="there is no picture 'pie'; there are use, queues"):
        production_first().picture("pie")
    with pytest.raises(CommandError, match="there is no theme 'blue'"):
        production_first().picture("use", theme="blue")


def test_the_page_is_one_file_that_asks_for_nothing(tmp_path):
    found = wb.compare(PLAIN, CAUSE, workload=behind_nightly_work(), names=["today", HOSTILE])
    found.to_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "default-src &#x27;none&#x27;" in text
    assert text.count('id="drawing-script"') == 1
    assert HOSTILE not in text
    unpacked = text.replace(loader_html(), "")
    assert re.findall(r"(?:src|href)=\"(?!#)", unpacked) == []
    for each in ("What changes", "Where today and", "Which edit does what", "Who gains and who loses", "What differs"):
        assert each in text
    drawn = [which for which in PICTURES if found.picture_table(which).rows]
    assert set(PICTURES) - set(drawn) <= {"debt", "stopped"}
    assert text.count("data-picture role") == len(drawn)
    assert text == found.to_html()


def test_a_late_moment_is_not_played_again_for_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.comparison.report.MOST_PLAYED", 1)
    found = production_first()
    assert found.partings.costliest.played == 2
    found.to_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "It is late in the run" in text
    assert text.count("<strong>Why ") == 2  # of the first parting


def test_a_page_of_ten_thousand_jobs_is_below_three_megabytes():
    # The runs are made up of one that was played, many times over, since only the page is of interest.
    found = wb.compare(PLAIN, FIRST, workload=arrivals(200, every=5))
    few = len(picture_html(found.picture("jobs"), "p"))
    moved = found.moved
    many = [each._replace(job=f"{each.job}-{copy}") for copy in range(50) for each in moved.jobs]
    moved.__dict__["jobs"] = type(moved.jobs)(moved.jobs.columns, many)
    assert len(many) == 10_000
    crowd = len(picture_html(found.picture("jobs"), "p"))
    assert few < crowd < 300_000
    others = sum(len(picture_html(found.picture(which), "p")) for which in PICTURES if which != "jobs")
    assert len(loader_html()) + crowd + others < 2_600_000

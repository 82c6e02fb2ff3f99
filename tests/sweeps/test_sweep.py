"""A sweep from the design to its table, on real runs. SW-1, SW-4."""

from __future__ import annotations

import pytest
from sweep_cells import Script, cell
from sweep_plans import DESIGN

import workbench as wb
from workbench.measures import measure
from workbench.runs import simulate
from workbench.sweeps import Goal, Listed, Sample, display, sweeping
from workbench.sweeps.cells import CellSpec, run_with
from workbench.sweeps.driving import Stand
from workbench.sweeps.executors import Serial
from workbench.sweeps.progress import Meter
from workbench.values.errors import CommandError, ConfigError
from workbench.values.resources import Resource
from workbench.workloads import Job, Tasks, Workload

OFFSET, LIMIT = "root.prod:priority.offset", "root.batch:resources.max.vcore"
GOALS = (Goal("wait.p95", of="root.prod", at_most=150), Goal("wait.p95", of="root.batch"))


def jobs(count: int) -> Workload:
    tasks = (Tasks(resource=Resource(vcore=1000), count=4, duration_ms=20_000),)
    queues = ("root.batch", "root.prod")
    return Workload(
        jobs=tuple(Job(id=f"job {at}", user="sue", submit_ms=at * 1000, queue=queues[at % 2], tasks=tasks) for at in range(count))
    )


WORKLOAD = jobs(30)


def swept(settings, **more):
    given = {"nodes": "3 x vcore=4", "executor": "serial", "goals": GOALS} | more
    return wb.sweep(DESIGN, settings, WORKLOAD, **given)


@pytest.fixture(scope="module")
def found():
    return swept({OFFSET: [0, 100, "much"], LIMIT: [4, 8]})


def test_each_combination_is_a_run_of_the_edited_design(found):
    for variant in found:
        if variant.done:
            table = measure(simulate(found.config(variant), WORKLOAD, nodes="3 x vcore=4"))
            assert variant.number_of("wait.p95", "root.prod") == table["wait.p95", "root.prod"]
    config = found.config(1)
    assert wb.edit.queue_at(config, "root.prod").properties == {"priority.offset": "0"}
    assert dict(wb.edit.queue_at(config, "root.batch").resources.max or {}) == {"vcore": "8"}


def test_a_combination_that_makes_no_sense_is_told_and_stops_no_other(found):
    assert [each.done for each in found] == [1, 1, 1, 1, 0, 0]
    assert found.is_complete
    assert set(found.errors.values()) == {"root.prod:priority.offset: 'much' is no whole number; the default holds: 0"}
    assert "2 combinations failed, the first root.prod:priority.offset much" in found.sentence


def test_a_design_that_the_scheduler_would_refuse_is_told_in_its_combination():
    result = swept({"root.prod:resources.guaranteed": [{"vcore": 4}, {"vcore": 99}]})
    assert [each.done for each in result] == [1, 0]
    assert result[1].error


def test_the_best_keeps_the_bounds_and_then_does_best(found):
    done = [each for each in found if each.done]
    keeping = [each for each in done if each.number_of("wait.p95", "root.prod") <= 150]
    assert keeping and len(keeping) < len(done)
    assert found.best() is min(keeping, key=lambda each: each.number_of("wait.p95", "root.batch"))
    assert f"Best is {found.best()}" in found.sentence


def test_the_front_has_the_trade_offs(found):
    prod, batch = Goal("wait.p95", of="root.prod"), Goal("wait.p95", of="root.batch")
    front = found.front(prod, batch)
    assert len(front) > 1
    waits = [(each.number_of(*prod.wanted), each.number_of(*batch.wanted)) for each in front]
    assert waits == sorted(waits) and all(one[1] >= other[1] for one, other in zip(waits, waits[1:]))
    with pytest.raises(CommandError, match="two or three goals"):
        found.front(prod)


def test_rows_and_cells_have_settings_and_numbers(found):
    row = dict(zip(found.rows().columns, found.rows()[0]))
    assert (row[OFFSET], row[LIMIT], row["seeds"], row["error"]) == (0, 4, 1, None)
    assert row["wait.p95 root.prod"] == found[0].number_of("wait.p95", "root.prod")
    assert [dict(zip(found.cells().columns, cell))["outcome"] for cell in found.cells()] == ["done"] * 4 + ["invalid"] * 2
    assert list(found.to_pandas()[OFFSET]) == [0, 0, 100, 100, "much", "much"]


def test_it_shows_itself_as_text_and_in_a_notebook(found):
    assert str(found).splitlines()[2].startswith("root.prod:priority.offset")
    assert "<table>" in found._repr_html_() and found.sentence.split(".")[0] in found._repr_html_()


def test_names_in_a_sweep_are_escaped():
    result = wb.sweep(
        DESIGN, {"root.prod:submitacl": ["<script>alert(1)</script>"]}, WORKLOAD, nodes="1 x vcore=4", executor="serial"
    )
    assert "<script>alert" not in result._repr_html_()


def test_nodes_load_and_release_are_settings_too():
    result = swept({"nodes": ["3 x vcore=4", "9 x vcore=4"], "load": [1, 4], "release": ["1.8", "1.4"]}, goals=[Goal("wait.mean")])
    waits = {tuple(each.point.values()): each.number_of("wait.mean") for each in result}
    assert len(waits) == 8 and not result.errors
    assert waits["9 x vcore=4", 1, "1.8"] < waits["3 x vcore=4", 1, "1.8"] < waits["3 x vcore=4", 4, "1.8"]


@pytest.mark.parametrize(
    ("point", "says"),
    [
        ({"nodes": "many"}, "write nodes as"),
        ({"load": -1}, "must be a number above 0"),
        ({"release": "9"}, "9"),
        ({"nodes": 5}, "found 5"),
    ],
)
def test_nodes_and_loads_that_cannot_be_are_told_in_their_combination(point, says):
    assert says in swept([point], goals=None)[0].error


def test_a_setting_that_is_nowhere_in_the_design_stops_it_before_anything_runs():
    with pytest.raises(ConfigError, match="nearest known: root.prod"):
        swept({"root.prd:priority.offset": [1]})


def test_a_list_and_a_sample_are_as_good_as_a_grid():
    listed = swept(Listed([{OFFSET: 0, LIMIT: 8}]))
    sampled = swept(Sample({OFFSET: [0], LIMIT: [8]}, 5))
    assert listed.rows() == sampled.rows()


def test_every_seed_is_a_run_and_a_number_is_their_mean():
    result = wb.sweep(DESIGN, {OFFSET: [0]}, Script(), seeds=3, executor="serial", run=cell)
    spread = result[0].spreads["wait.p95", "cluster"]
    values = [each.values["wait.p95"]["cluster"] for each in result[0].results.values()]
    assert spread.count == len(values) == 3
    assert (spread.mean, spread.low, spread.high) == (pytest.approx(sum(values) / 3), min(values), max(values))
    assert "3 seeds each" in result.sentence


def test_a_study_goes_on_with_more_seeds_and_more_values(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    for offsets, seeds in (([0], 2), ([0, 100], 3)):
        result = wb.sweep(
            DESIGN, {OFFSET: offsets}, Script(str(notes)), seeds=seeds, file=tmp_path / "s.db", executor="serial", run=cell
        )
        assert result.is_complete
    assert [len(each.read_text().splitlines()) for each in notes.iterdir()] == [1] * 6


def test_stop_keeps_what_is_done():
    stands: list[Stand] = []
    result = wb.sweep(
        DESIGN, {OFFSET: [0, 1, 2]}, Script(), executor="serial", run=cell, progress=stands.append, stop=lambda: len(stands) > 2
    )
    assert [each.done for each in result] == [1, 1, 0]
    assert not result.is_complete
    assert "2 of 3 runs are done." in result.sentence


def test_a_comment_in_the_design_makes_no_other_cell(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    for design in (DESIGN, f"# ours\n{DESIGN}"):
        wb.sweep(design, {OFFSET: [0]}, Script(str(notes)), file=tmp_path / "s.db", executor="serial", run=cell)
    assert [len(each.read_text().splitlines()) for each in notes.iterdir()] == [1]


@pytest.mark.parametrize("change", [{"seed": 1}, {"nodes": "1 x vcore=1"}, {"until": "1h"}, {"release": "1.4"}, {"version": "0"}])
def test_whatever_decides_the_numbers_is_in_the_digest(change):
    common = {"design": DESIGN, "workload": None, "workload_digest": "w"}
    assert CellSpec(**common).digest != CellSpec(**common | change).digest


def test_a_fault_of_the_workload_is_told_in_its_cell():
    def simulate(*_, **__):
        raise ConfigError("the design is not valid")

    spec = CellSpec(design=DESIGN, workload=None, workload_digest="w")
    assert run_with(spec, simulate, measure).error == "the design is not valid"


# -- progress ----------------------------------------------------------------------------------------------------------


def test_progress_tells_runs_rate_and_time_left():
    now = [0.0]
    meter = Meter(lambda: now[0])
    assert meter.text(Stand(10, 40, 10)) == "10 of 40 runs, 10 kept from before"
    now[0] = 5.0
    assert meter.text(Stand(20, 40, 10, 1)) == "20 of 40 runs, 10 kept from before, 1 failed, 2.0 a second, 10 s left"
    now[0] = 100.0
    assert meter.text(Stand(20, 40, 10)) == "20 of 40 runs, 10 kept from before, one in 10 s, 3 min 20 s left"
    assert meter.text(Stand(40, 40, 10)) == "40 of 40 runs, 10 kept from before"
    assert meter.fraction(Stand(20, 40, 10)) == 0.5


def test_a_notebook_shows_a_bar_and_its_button_ends_the_sweep():
    shown, now = [], iter(range(1000))
    with display.watched(None, None, clock=lambda: float(next(now)), show=shown.append) as watch:
        bar, button, text = shown[0].children
        watch.tell(Stand(1, 4, 0))
        assert bar.value == 0.25 and text.value.startswith("1 of 4 runs")
        assert not watch.stopped()
        button.click()
        assert watch.stopped() and button.disabled and "what is done is kept" in text.value


def test_an_interrupt_in_a_notebook_keeps_what_is_done(monkeypatch):
    def interrupted(spec):
        if spec.seed == 1:
            raise KeyboardInterrupt
        return cell(spec)

    with display.watched(None, None, clock=lambda: 0.0, show=lambda widget: None) as watch:
        plan = sweeping.planned(DESIGN, Script(), seeds=3)
        from workbench.sweeps.store import Memory

        result = sweeping.swept(plan, [{OFFSET: 0}], (), store=Memory(), executor=Serial(), watch=watch, run=interrupted)
    assert result[0].done == 1


def test_elsewhere_an_interrupt_goes_on_to_whoever_called():
    def interrupted(spec):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wb.sweep(DESIGN, {OFFSET: [0]}, Script(), executor="serial", run=interrupted)


def test_what_was_not_run_is_counted_and_bounds_are_told_kept_or_not():
    stands: list[Stand] = []
    asked = swept({OFFSET: [0, 100]}, goals=[Goal("wait.p95", of="root.prod", at_most=1), Goal("wait.mean", of="root.batch")])
    assert asked.table().columns[-1] == "bounds kept"
    assert {row[-1] for row in asked.table().rows} <= {"yes", "no"}
    begun = swept({OFFSET: [0, 100]}, goals=[Goal("wait.mean")], progress=stands.append, stop=lambda: len(stands) > 1)
    assert len(begun.table().rows) == 1
    assert begun.table().note == "1 not run yet"
    assert "Best so far is" in begun.sentence


def test_a_notebook_shows_the_sentence_the_table_and_the_picture_that_says_most(found, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    found._ipython_display_()
    assert found.sentence.split(".")[0] in shown[0]["text/html"]
    assert shown[0]["text/plain"] == str(found)
    assert shown[1].sentence == found.main_picture().sentence


def test_the_page_is_written_and_small(found, tmp_path):
    text = found.to_html(tmp_path / "sweep.html", title="a study")
    assert (tmp_path / "sweep.html").read_text("utf-8") == text
    assert len(text) < 3_000_000 and text.count('id="drawing-script"') == 1
    assert "<h1>Sweep: a study</h1>" in text

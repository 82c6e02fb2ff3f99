"""CP-1, CP-2: the same arrivals under several designs, in a sentence and in a table."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from comparisons import FIRST, NODES, PLAIN, Arrivals, arrivals, behind_nightly_work, production_first

import workbench as wb
from workbench.comparison.changes import BETTER, NO_DIFFERENCE, SAME, WORSE, Change
from workbench.comparison.table import ChangeTable
from workbench.values.errors import CommandError, ConfigError
from workbench.workloads import Workload


def test_the_sentence_says_who_wins_and_what_it_costs_with_numbers():
    # Two of six nightly jobs run at a time, for 100 s. Production waits for 290 s, or for 90 s if it comes first; of the nightly
    # jobs behind it the last then waits 20 s longer.
    assert production_first().sentence == (
        "With B, root.prod waits at most 1 min 30 s instead of 4 min 50 s (95 of 100 requests); "
        "it costs root.batch 10 % longer waits (3 min 40 s instead of 3 min 20 s)."
    )


def test_the_table_has_the_largest_difference_first_and_says_better_or_worse_in_words():
    found = production_first()
    waits = found.table["wait.p95", "root.prod"]
    assert (waits.a, waits.b, waits.change, waits.verdict) == (290, 90, -200, BETTER)
    assert found.table["wait.p95", "root.batch"].verdict == WORSE
    sizes = [each.size for each in found.table if each.verdict in (BETTER, WORSE)]
    assert sizes == sorted(sizes, reverse=True)
    row = next(row for row in found.table.as_text().rows if row[:2] == ("root.prod", "wait that 95 of 100 do not exceed"))
    assert row[2:] == ("4 min 50 s", "1 min 30 s", "−3 min 20 s (−69 %)", "better", "0 → 0", "2")


def test_beside_every_percentile_of_waits_stands_who_never_ran():
    found = wb.compare(PLAIN, FIRST, workload=behind_nightly_work(), until=150)
    row = found.table["wait.p50", "cluster"]
    assert (row.never_a, row.never_b) == (4, 2)
    assert found.table["utilization.vcore", "cluster"].never_a is None
    assert "2 requests never run instead of 4." in found.sentence


def test_designs_that_decide_the_same_make_no_difference():
    found = wb.compare(PLAIN, PLAIN.replace("name: batch", "name: Batch"), workload=behind_nightly_work())
    assert found.sentence == "B makes no difference: in these runs A and B decide the same, request by request."
    assert {each.verdict for each in found.table} == {SAME}
    assert "Nothing changes that these runs can show." in str(found)


def test_differences_are_paired_over_seeds():
    found = wb.compare(PLAIN, FIRST, workload=Arrivals(25), seeds=4)
    row = found.table["wait.mean", "root.prod"]
    by_seed = [
        side.tables[at]["wait.mean", "root.prod"] for at in range(4) for side in found.sides
    ]  # a and b of each seed, one after the other
    assert row.seeds == 4
    assert row.change == pytest.approx(sum(by_seed[1::2]) / 4 - sum(by_seed[::2]) / 4)
    assert row.low < row.change < row.high


def test_a_difference_within_its_interval_is_none_that_the_runs_can_show():
    values = dict.fromkeys(Change._fields) | {"measure": "wait.mean", "scope": "root.a", "title": "average wait", "unit": "seconds"}
    values |= {
        "a": 100.0,
        "b": 90.0,
        "change": -10.0,
        "low": -30.0,
        "high": 10.0,
        "verdict": NO_DIFFERENCE,
        "jobs": 9,
        "design": "B",
    }
    table = ChangeTable("A", [Change(**values)])
    assert table.changed == []
    assert table.as_text().note == "1 without a difference that these runs can show"


def test_of_one_run_the_paired_jobs_say_how_sure_a_difference_is():
    found = wb.compare(PLAIN, FIRST, workload=arrivals(80, every=8))
    row = found.table["wait.mean", "root.prod"]
    assert row.low < row.change < row.high < 0
    assert "±" in found.sentence


def test_where_nothing_happens_at_random_one_seed_is_enough():
    found = wb.compare(PLAIN, FIRST, workload=behind_nightly_work(), seeds=9)
    assert len(found.first.runs) == 1
    assert found.notes == ("Nothing in this workload happens at random, so one seed tells as much as many.",)


def test_up_to_four_designs_are_compared_with_the_first():
    found = wb.compare(PLAIN, FIRST, PLAIN, workload=behind_nightly_work(), names=["today", "offset", "copy"])
    assert "With offset, root.prod waits" in found.sentence
    assert "copy makes no difference" in found.sentence
    assert {each.design for each in found.table} == {"offset", "copy"}
    assert found.against("copy").table.changed == []
    with pytest.raises(CommandError, match="there is no design 'B' to compare today with; there is offset or copy"):
        found.against("B")


@pytest.mark.parametrize(
    ("designs", "options", "told"),
    [
        ([PLAIN], {}, "two to 4 designs are compared, not 1"),
        ([PLAIN] * 5, {}, "not 5; more of them are a sweep"),
        ([PLAIN, FIRST], {"names": ["x", "x"]}, "2 designs need as many different names, found 'x', 'x'"),
        ([PLAIN, FIRST], {"seeds": 0}, "seeds are how many from 1 to 10,000"),
        ([PLAIN, FIRST], {"seeds": "3"}, "seeds are how many from 1 to 10,000, or a list of whole numbers, not '3'"),
        ([PLAIN, FIRST], {"until": "soon"}, "a moment is a span of time"),
    ],
)
def test_what_makes_no_sense_is_told(designs, options, told):
    with pytest.raises(CommandError, match=told):
        wb.compare(*designs, workload=behind_nightly_work(), **options)


def test_a_design_that_is_not_valid_is_told():
    with pytest.raises(ConfigError):
        wb.compare(PLAIN, PLAIN.replace("prod", "a b"), workload=behind_nightly_work())


def test_stopped_early_the_seeds_that_were_finished_are_compared():
    heard: list[str] = []
    plan = wb.comparison.Plan([PLAIN, FIRST], Arrivals(10), seeds=3)
    plan.play(stop=lambda: len(plan.finished) == 2)
    found = plan.comparison()
    assert len(found.first.runs) == 2
    assert found.notes == ("It was stopped: 2 of 3 seeds were played.",)
    plan.play(progress=lambda done, text: heard.append(text))
    assert len(plan.comparison().first.runs) == 3
    empty = wb.comparison.Plan([PLAIN, FIRST], Arrivals(10))
    empty.play(stop=lambda: True)
    with pytest.raises(CommandError, match="nothing to compare yet"):
        empty.comparison()


def test_nodes_take_the_place_of_those_of_the_workload():
    bare = Workload(jobs=behind_nightly_work().jobs)
    assert wb.compare(PLAIN, FIRST, workload=bare, nodes=NODES).sentence == production_first().sentence


def test_names_are_escaped_and_kept_on_one_line():
    named = PLAIN.replace("name: batch", "name: batch")
    found = wb.compare(named, FIRST, workload=behind_nightly_work(), names=["<b>&", "x\ny"])
    assert "<b>&" not in found._repr_html_()
    assert "&lt;b&gt;&amp;" in found._repr_html_()
    assert "x\\ny" in found.sentence


def test_rows_are_written_as_csv_and_json(tmp_path):
    found = production_first()
    found.to_csv(tmp_path / "rows.csv")
    found.to_json(tmp_path / "rows.json")
    lines = (tmp_path / "rows.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("measure,title,scope,unit,better,design,a,b,change,low,high,verdict,jobs,seeds")
    assert len(lines) == len(found.table) + 1
    data = json.loads((tmp_path / "rows.json").read_text("utf-8"))
    assert data["sentence"] == found.sentence
    assert data["designs"][1] == {"name": "B", "source": "", "seeds": [0]}
    assert data["measures"][0]["measure"] == found.table[0].measure


def test_what_is_shown_does_not_repeat_itself():
    rows = production_first().table.as_text(None).rows
    titles = [row[1] for row in rows if row[0] == "root.prod"]
    assert "wait that 95 of 100 do not exceed" in titles
    assert "wait that 99 of 100 do not exceed" not in titles  # of two requests it is the same one
    assert [row for row in rows if row[0] == "root"] == []


def test_the_sentence_says_who_is_stopped_and_who_is_turned_away():
    guaranteed = FIRST.replace("name: prod\n", "name: prod\n            resources: {guaranteed: {vcore: 8}}\n")
    found = wb.compare(PLAIN, guaranteed, workload=behind_nightly_work())
    assert found.table["preempted", "cluster"].b == 2
    assert "2 requests are stopped in mid-work instead of none." in found.sentence
    closed = PLAIN.replace('submitacl: "*"', "submitacl: ben")
    assert "2 jobs are turned away instead of none." in wb.compare(PLAIN, closed, workload=behind_nightly_work()).sentence
    assert "No jobs are turned away instead of 2." in wb.compare(closed, PLAIN, workload=behind_nightly_work()).sentence


def test_several_designs_have_a_column_each_and_a_measure_one_line():
    found = wb.compare(PLAIN, FIRST, PLAIN, workload=behind_nightly_work(), names=["today", "first", "same"])
    table = found.table.as_text()
    assert table.columns == ("of", "measure", "today", "first", "same", "jobs")
    lines = {(row[0], row[1]): row[2:] for row in table.rows}
    assert len(lines) == len(table.rows)
    assert lines["root.prod", "average wait"] == ("4 min 50 s", "1 min 30 s, better", "4 min 50 s", "2")


def test_of_resources_that_change_alike_only_vcore_is_told():
    def asks(design):
        return design.replace("name: prod\n", "name: prod\n            resources: {guaranteed: {vcore: 8, memory: 8Gi}}\n", 1)

    workload = wb.Workload(
        jobs=tuple(
            replace(each, tasks=(replace(each.tasks[0], resource=wb.Resource(vcore=4000, memory=4 * 2**30)),))
            for each in behind_nightly_work().jobs
        ),
        pools=behind_nightly_work().pools,
    )
    told = [row[1] for row in wb.compare(asks(PLAIN), asks(PLAIN).replace("'10'", "'-10'"), workload=workload).table.as_text().rows]
    assert "short of the guarantee of vcore" in told
    assert "short of the guarantee of memory" not in told


def test_an_interval_is_told_with_the_difference_that_it_is_of():
    found = wb.compare(PLAIN, FIRST, workload=Arrivals(60), seeds=12)
    assert re.search(r"\(95 of 100 requests\), [\w. ]+ less ±", found.sentence)


def test_few_seeds_that_all_go_one_way_are_told_as_a_hint():
    found = wb.compare(PLAIN, FIRST, workload=Arrivals(60), seeds=2)
    assert found.sentence.startswith(
        "No difference that these runs can show between A and B. Yet root.prod waits less in each of the 2"
    )
    assert found.sentence.endswith("(95 of 100 requests): more seeds may tell.")

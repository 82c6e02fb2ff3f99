"""The table of measures, its rows, and own measures beside those that there are."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from happened import Happened

import workbench as wb
from workbench.measures import MEASURES, Measure, MeasureTable, catalogue, measure_named, register_measure
from workbench.values.errors import CommandError


def run() -> Happened:
    made = Happened("a: {}\nb: {}", until=100).node("n1", vcore=4, memory=8)
    made.job("x", "root.a", user="<anna>").job("y", "root.b")
    made.attempt("x", arrives=0, starts=10, ends=20)
    made.attempt("y", arrives=20, starts=20, ends=50)
    return made


@pytest.fixture
def measures_as_before() -> Iterator[None]:
    kept = dict(MEASURES)
    yield
    MEASURES.clear()
    MEASURES.update(kept)


def test_a_name_alone_is_that_of_the_cluster():
    table = wb.measures.measure(run())
    assert table["wait.mean"] == table["wait.mean", "cluster"] == table.get("wait.mean") == 5
    assert table.show("wait.mean") == "5 seconds"


def test_only_what_is_asked_for_is_computed(measures_as_before):
    asked = []
    register_measure("expensive", Measure("expensive", "jobs", "lower", lambda reading, scope: asked.append(str(scope)) or 1.0))
    table = run().table()
    assert table["wait.mean"] == 5
    assert asked == []
    assert [table["expensive", "root.a"], table["expensive", "root.a"]] == [1, 1]
    assert asked == ["root.a"]


def test_rows_are_of_every_measure_and_scope_but_jobs():
    rows = run().table().rows()
    assert {row.scope for row in rows} >= {"cluster", "root", "root.a", "root.b", "user:<anna>", "class:"}
    assert not any(row.scope.startswith("job:") for row in rows)
    row = next(row for row in rows if row[:3] == ("wait.p95", "wait that 95 of 100 do not exceed", "root.a"))
    assert row[3:] == (10, "seconds", "lower", "10 seconds")


def test_every_measure_says_what_it_is_in_words():
    table = run().table()
    for name in table.names():
        measure = table.measure(name)
        assert measure.name == name
        assert measure.title and "{" not in measure.title and "{" not in measure.unit
        assert measure.direction in ("lower", "higher", "neither")
        assert measure.show(None) == measure.empty


def test_the_catalogue_has_every_measure_in_words():
    rows = {row.measure: row for row in catalogue()}
    assert rows["wait.p95"][1:] == (
        "wait that 95 of 100 do not exceed",
        "seconds",
        "lower",
        "cluster, queue, user, group, class, job",
    )
    assert rows["debt.R"][2:] == ("R-hours", "lower", "cluster, queue")
    assert next(iter(rows)).startswith("wait.") and "waited.REASON" in rows


def test_a_table_shows_the_headlines_as_text_and_as_html_with_names_escaped():
    table = run().table()
    assert "average wait" in str(table)
    assert "root.a" in str(table)
    assert "guarantee" not in str(table), "nobody has one"
    assert "<anna>" not in table._repr_html_()
    shown = table.rows(["wait.mean"], ["user:<anna>"])._repr_html_()
    assert "user:&lt;anna&gt;" in shown and "<anna>" not in shown


def test_json_has_every_value_by_scope_and_measure():
    found = json.loads(run().table().to_json())
    assert found["root.a"]["wait.mean"] == 10
    assert found["class:"]["wait.never"] == 0


def test_rows_are_written_as_csv_and_parquet_and_read_back(tmp_path):
    import pandas

    rows = run().table().rows(["wait.mean", "wait.never"])
    rows.write_csv(tmp_path / "m.csv")
    rows.write_parquet(tmp_path / "m.parquet")
    assert (tmp_path / "m.csv").read_text("utf-8").splitlines()[0] == "measure,title,scope,value,unit,better,shown"
    assert pandas.read_parquet(tmp_path / "m.parquet").equals(rows.to_pandas())
    assert len(pandas.read_csv(tmp_path / "m.csv")) == len(rows)


@pytest.mark.parametrize("package", ["pandas", "pyarrow"])
def test_without_a_package_the_error_says_which_extra(package, monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    rows = run().table().rows(["wait.mean"])
    with pytest.raises(CommandError, match=f"{package} is not installed; install the extra `tables`"):
        rows.to_pandas() if package == "pandas" else rows.write_parquet(tmp_path / "m.parquet")


def test_an_own_measure_is_in_every_table(measures_as_before):
    def slow(reading, scope):
        return sum(wait > 5 for wait in wb.measures.wait.waits_of(reading, scope))

    register_measure("wait.over_five", Measure("waits over five seconds", "requests", "lower", slow))
    table = run().table()
    assert table["wait.over_five", "root.a"] == 1
    assert table.show("wait.over_five", "root.a") == "1 request"
    assert "wait.over_five" in table.names()


def test_a_measure_for_each_resource_has_one_for_each(measures_as_before):
    register_measure("first", Measure("{of} first", "{hours}", "neither", lambda reading, scope, resource: 1.5, each="resource"))
    table = run().table()
    assert {"first.vcore", "first.memory"} <= set(table.names())
    assert table.show("first.cpu") == "1.5 vcore-hours"
    assert table.show("first.nvidia.com/gpu") == "1.5 nvidia.com/gpu-hours"
    with pytest.raises(CommandError, match="there is no measure 'first'"):
        table["first"]


def test_a_measure_that_is_not_for_a_scope_says_for_which_it_is(measures_as_before):
    register_measure("only", Measure("only", "jobs", "lower", lambda reading, scope: 1.0, scopes=frozenset(("cluster", "queue"))))
    with pytest.raises(CommandError, match="only is not measured for user:<anna>: it is one for cluster, queues"):
        run().table()["only", "user:<anna>"]


def test_a_name_is_given_once():
    with pytest.raises(CommandError, match="there is a measure 'wait.mean' already"):
        register_measure("wait.mean", Measure("again", "jobs", "lower", lambda reading, scope: 1.0))


def test_better_follows_the_direction():
    wait = measure_named("wait.mean")
    assert [wait.is_better(1, 2), wait.is_better(2, 1), wait.is_better(1, 1), wait.is_better(None, 1)] == [True, False, None, None]


def test_measure_makes_a_table_of_anything_with_a_record_and_a_design():
    assert isinstance(wb.measures.measure(run()), MeasureTable)

"""Tables of recorded facts hold here, and what is not checked is not counted."""

from __future__ import annotations

import gzip
import shutil
from functools import cache
from pathlib import Path

import pytest

from workbench.conformance.tables import CHECKERS, check_table, check_tables
from workbench.values.errors import ScenarioError

RECORDED = Path(__file__).parent
FACTS = {
    "quantities": 175,
    "resources": 443,
    "acls": 89,
    "configs": 267,
    "queue_sort": 168,
    "app_sort": 96 + 118 + 28,
    "node_sort": 89,
    "placement": 175,
    "user_limits": 48,
    "preemption": 202,
    "priorities": 68,
    "app_states": 60 + 66 + 9 + 40 + 40 + 15 + 15,
}
"""Table -> facts that are checked and must hold."""

report_of = cache(lambda name: check_table(RECORDED / f"{name}.yaml"))


@pytest.mark.parametrize("name", sorted(CHECKERS))
def test_every_checked_fact_of_the_table_holds_and_none_is_dropped_silently(name):
    report = report_of(name)
    assert report.differences == ()
    assert report.agrees
    assert report.matched == report.total == FACTS[name]


def test_every_fact_about_objects_of_kubernetes_holds():  # K-1 to K-33
    report = check_table(RECORDED / "kubernetes.json.gz")
    assert report.differences == ()
    assert (report.name, report.matched, report.total, report.unchecked) == ("kubernetes.json", 226, 226, 0)


def test_a_fact_about_an_object_that_does_not_hold_is_told(tmp_path):
    text = gzip.decompress((RECORDED / "kubernetes.json.gz").read_bytes()).decode()
    assert '"vcore":1500' in text
    (tmp_path / "kubernetes.json").write_text(text.replace('"vcore":1500', '"vcore":1501', 1))
    (report,) = check_tables(tmp_path)
    assert (report.matched, report.agrees, len(report.differences)) == (225, False, 1)
    assert report.differences[0].startswith("cpu 1.5: expected {")


@pytest.mark.parametrize("text", ["{", "{}", "[1]", "[{}]", '[{"name": "x", "pod": 1, "expect": {}}]', "[" * 100_000])
def test_a_list_of_facts_of_another_form_is_refused(tmp_path, text):
    (tmp_path / "kubernetes.json").write_text(text)
    with pytest.raises(ScenarioError, match="kubernetes.json"):
        check_tables(tmp_path)


def test_a_folder_is_reported_table_by_table(tmp_path):
    for name in ("quantities", "acls"):
        shutil.copy(RECORDED / f"{name}.yaml", tmp_path)
    (tmp_path / "notes.txt").write_text("no table")
    assert [str(report) for report in check_tables(tmp_path)] == [
        "acls.yaml: 89 of 89 facts hold",
        "quantities.yaml: 175 of 175 facts hold",
    ]


def test_every_recorded_table_is_known():
    assert sorted(path.stem for path in RECORDED.glob("*.yaml")) == sorted(CHECKERS)


def test_a_table_that_nothing_checks_is_reported_as_such_and_does_not_count(tmp_path):
    (tmp_path / "weather.yaml").write_text("version: 1\ncases:\n  - {sun: true}\n  - {sun: false}\n")
    (report,) = check_tables(tmp_path)
    assert str(report) == "weather.yaml: not checked yet (2 facts)"
    assert (report.matched, report.total, report.agrees) == (0, 0, False)


def test_sections_and_single_facts_that_nothing_answers_are_named(tmp_path):
    (tmp_path / "app_sort.yaml").write_text((RECORDED / "app_sort.yaml").read_text() + "v1_2:\n- {name: older}\n")
    report = check_table(tmp_path / "app_sort.yaml")
    assert (report.unchecked, report.open_parts) == (1, ("v1_2",))
    report = report_of("placement")
    assert (report.unchecked, report.open_parts) == (1, ("inputs on which the reference crashes",))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("quantities", 'text: "10", value: 10}', 'text: "10", value: 11}'),
        ("quantities", 'text: "1K", error: "invalid suffix"', 'text: "1K", value: 1000'),
        ("resources", "args: [{a: 5}, {a: 5}], result: {a: 10}", "args: [{a: 5}, {a: 5}], result: {a: 10, b: 0}"),
        ("acls", 'acl: "*", user: "", groups: [], allowed: true', 'acl: "*", user: "", groups: [], allowed: false'),
        ("configs", 'sort_policy: "fifo"', 'sort_policy: "fair"'),
        ("configs", 'error: "undefined policy: ', 'error: "unknown policy: '),
        ("queue_sort", 'order: ["q2", "q0", "q1"]', 'order: ["q0", "q2", "q1"]'),
        ("app_sort", 'order: ["app-2", "app-3", "app-1"]', 'order: ["app-2", "app-1"]'),
        ("app_sort", 'order: ["b", "c", "a"]', 'order: ["c", "b", "a"]'),
        ("node_sort", "scores: {n1: 0.7, n2: 0.6, n3: 0.8}", "scores: {n1: 0.70001, n2: 0.6, n3: 0.8}"),
        ("priorities", "root: 1001,", "root: 1002,"),
        ("app_sort", 'order: ["app-3", "app-1", "app-4"]', 'order: ["app-1", "app-4", "app-3"]'),
        ("app_states", "running_apps_delta: 1", "running_apps_delta: 0"),
        ("app_states", 'ms: 299000, state: "Starting"', 'ms: 299000, state: "Running"'),
        ("app_states", 'ms: 900001, state: "Resuming"', 'ms: 900001, state: "Accepted"'),
    ],
)
def test_a_fact_that_does_not_hold_is_told(tmp_path, name, old, new):
    text = (RECORDED / f"{name}.yaml").read_text()
    assert old in text
    (tmp_path / f"{name}.yaml").write_text(text.replace(old, new, 1))
    report = check_table(tmp_path / f"{name}.yaml")
    assert report.matched == report.total - 1
    assert not report.agrees
    assert len(report.differences) == 1
    assert "expected" in report.differences[0] and "got" in report.differences[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "named sections"),
        ("", "named sections"),
        ("cases: [", "cannot be read"),
        ("other: []", "there is no section cases"),
        ("cases: [1]", "entry of another form"),
        ("cases: [{}]", "entry of another form"),
    ],
)
def test_a_table_of_another_form_is_refused(tmp_path, text, said):
    (tmp_path / "acls.yaml").write_text(text)
    with pytest.raises(ScenarioError, match=said):
        check_table(tmp_path / "acls.yaml")


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="no such folder"):
        check_tables(tmp_path / "nothing")

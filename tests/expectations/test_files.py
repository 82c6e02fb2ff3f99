"""EX-4: an error in a file of expectations names the line, what was found, and what is allowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from expected import QUEUES, judged, monday, put

import workbench as wb
from workbench.expectations import Outcome, load_suite
from workbench.simulation.scenario import example
from workbench.values.errors import ScenarioError, WorkbenchError

FILE = """\
design: queues.yaml
workloads:
  monday: monday.yaml
expect:
  - {name: one, measure: wait.p95, of: root.system, at_most: 40s}
  - {name: two, never: {placed: root.tenants.b, while_waiting: root.system}}
  - {name: three, order: [backup, night]}
  - {name: four, no_findings: [L-10]}
  - {name: five, measure: utilization.cpu, compared_to: production.yaml, at_least: -2%}
"""


@pytest.mark.parametrize(
    ("before", "after", "line", "says"),
    [
        ("design:", "desing:", 1, "unknown key 'desing' (did you mean design?"),
        ("queues.yaml", "no.yaml", 1, "design: .*no.yaml: cannot be read: No such file"),
        ("monday.yaml", "[1]", 3, "workloads.monday: must be the name of a file or a mapping, found a list"),
        ("monday: monday.yaml", "monday: {load: 2}", 3, "unknown key|says of no jobs"),
        ("monday: monday.yaml", "monday: {preset: no-such}", 3, "there is no preset 'no-such'"),
        ("monday: monday.yaml", "monday: {file: monday.yaml, seds: 3}", 3, "unknown key 'seds' (did you mean seeds?"),
        (
            "monday: monday.yaml",
            "monday: {file: monday.yaml, seeds: 0}",
            3,
            "monday.seeds: 0 is out of range (allowed are 1 to 1000)",
        ),
        ("monday: monday.yaml", "monday: {file: monday.yaml, until: soon}", 3, "until: no span of time: 'soon' (write 90s"),
        ("monday: monday.yaml", "monday: {file: monday.yaml, nodes: many}", 3, "workloads.monday.nodes: "),
        ("measure: wait.p95, of", "measure: wait.p59, of", 5, "there is no measure 'wait.p59'; did you mean wait.p99 or wait.p95"),
        ("of: root.system, at", "of: system, at", 5, "'system' is no scope; write cluster, the full path of a queue"),
        (
            "measure: wait.p95",
            "measure: stranded.cpu",
            5,
            "stranded.vcore is not measured for root.system (it is measured for cluster)",
        ),
        ("at_most: 40s", "at_most: often", 5, "at_most: must be a span of time .* found the text 'often' (such as at_most: 5m)"),
        (", at_most: 40s", "", 5, "there is no bound (say one of at_most, at_least, equals, below, above"),
        ("at_most: 40s", "at_mots: 40s", 5, "unknown key 'at_mots' (did you mean at_most?"),
        ("at_most: 40s", "at_least: 0s", 5, "is always so, so that this can never fail: it is never below 0 seconds"),
        ("at_most: 40s", "below: 0s", 5, "is never so: it is never below 0 seconds"),
        ("at_most: 40s", "at_most: 40s, at_least: 50s", 5, "nothing is at least 50 seconds and at most 40 seconds"),
        ("placed: root.tenants.b", "plaecd: root.tenants.b", 6, "unknown key 'plaecd' (did you mean placed?"),
        ("placed: root.tenants.b, ", "", 6, "does not say what must not be (say one of placed, preempted"),
        ("while_waiting: root", "for: 5s, while_waiting: root", 6, "'placed' happens at a moment"),
        ("while_waiting: root", "running: root.system, while_waiting: root", 6, "says of two things"),
        (
            "while_waiting: root",
            "unless_held_by: [boredom], while_waiting: root",
            6,
            "there is no reason boredom (there are queue maximum",
        ),
        ("order: [backup, night]", "order: [backup]", 7, "an order has at least two entries"),
        ("order: [backup, night]", "order: [backup, backup]", 7, "backup occurs twice in it"),
        ("order: [backup, night]", "order: backup", 7, "must be a list, found the text 'backup'"),
        ("no_findings: [L-10]", "no_findings: [L-1O]", 8, "there is no check L-1O (there are error, warning, hint, C-103"),
        ("order: [backup, night]", "backup: night", 7, "does not say what is expected (one of the keys"),
        ("no_findings: [L-10]", "no_findings: []", 8, "is empty, so that this can never fail"),
        ("no_findings: [L-10]", "no_findings: [L-04]", 8, "L-04 looks at nodes and applications, so that it can never be found"),
        ("no_findings: [L-10]", "no_findings: [L-10], workload: monday", 8, "no_findings is not judged with a workload"),
        ("production.yaml", "queues.yaml", 9, "is the design that is tested, so that this can never fail"),
        ("production.yaml", "gone.yaml", 9, "compared_to: .*gone.yaml: cannot be read"),
        ("at_least: -2%", "at_least: -2 tasks", 9, "must be a percentage of the other design's number, or a number of points"),
        ("name: two", "name: one", 6, "two expectations are called one, the first on line 5"),
        ("name: two", "name: 2", 6, "name: must be a text, found 2 (put it in quotes)"),
        ("name: one, ", "name: one, workload: tuesday, ", 5, "there is no workload tuesday (there are monday)"),
        ("name: one, ", "name: one, scenario: fence.yaml, ", 5, "measure is not judged with a scenario"),
        ("name: three, ", "name: three, scenario: gone.yaml, ", 7, "gone.yaml: cannot be read"),
        ("name: three, ", "name: three, measure: wait.p95, at_most: 5s, ", 7, "says of what kind it is twice: measure and order"),
        ("order: [backup, night]", "odrer: [backup, night]", 7, "does not say what is expected (did you mean order?)"),
        ("expect:", "nodes: 5\nexpect:", 4, "nodes: must be a text, found 5"),
        ("expect:", "release: '9'\nexpect:", 4, "there is no release 9 (there are"),
        ("expect:", "rate: fast\nexpect:", 4, "must be a number of placements a second"),
    ],
)
def test_an_error_names_line_and_what_is_allowed(tmp_path, before, after, line, says):
    assert before in FILE
    path = put(tmp_path, FILE.replace(before, after, 1))
    with pytest.raises(ScenarioError) as told:
        load_suite(path)
    assert str(told.value).startswith(f"{path}:line {line}: "), told.value
    assert any(matches(str(told.value), each) for each in says.split("|")), told.value


def matches(text: str, pattern: str) -> bool:
    """Whether the parts of a pattern, with `.*` between, follow each other in a text."""
    at = 0
    for part in pattern.split(".*"):
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the text is empty"),
        ("design: queues.yaml", "the key expect is missing (a file of expectations has design, workloads and expect)"),
        ("design: queues.yaml\nexpect: []", "expect: is empty, so that nothing is expected"),
        ("design: queues.yaml\nexpect: [{measure: wait.p95, at_most: 5s}]", "there is nothing to judge it with (add workloads)"),
        ("design: queues.yaml\nexpect: [{order: [a, b]}]", "(add workloads, or a scenario to it)"),
        ("workload: monday.yaml\nexpect: [{measure: wait.p95, at_most: 5s}]", "there is no design (say design: queues.yaml"),
        ("design: queues.yaml\nworkload: a\nworkloads: {b: b}\nexpect: [{no_findings: true}]", "workload: stands beside workloads"),
        ("expect: [", "not valid|expected"),
        ("[1]", "must be a mapping"),
    ],
)
def test_what_is_missing_is_told(tmp_path, text, says):
    with pytest.raises(ScenarioError) as told:
        load_suite(put(tmp_path, text))
    assert any(each in str(told.value) for each in says.split("|")), told.value


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ScenarioError, match="none.expect.yaml: cannot be read: No such file"):
        wb.expect(tmp_path / "none.expect.yaml")


def test_a_workload_that_cannot_be_read_is_an_error_of_the_expectations_that_need_it(tmp_path):
    path = put(tmp_path, FILE, **{"monday.yaml": "workload: {jobs: [{submit: 1x}]}"})
    found = wb.expect(path)
    assert [each.outcome.value for each in found] == ["error", "error", "error", "passed", "error"]
    assert f"{path}:line 3: workloads.monday: " in found["one"].sentence
    assert "monday.yaml:line 1: workload.jobs[0]" in found["one"].sentence
    assert found.exit_code == 2


def test_names_of_files_are_relative_to_the_file(tmp_path, monkeypatch):
    path = put(tmp_path, FILE)
    monkeypatch.chdir("/")
    assert wb.expect(path, only=["one"]).passed


def test_a_text_and_a_mapping_say_the_same_as_a_file(tmp_path):
    path = put(tmp_path, FILE)
    same = {
        "design": QUEUES,
        "workload": monday(),
        "expect": [{"name": "one", "measure": "wait.p95", "of": "root.system", "at_most": 40}],
    }
    assert wb.expect(same)["one"].worst.verdict == wb.expect(path)["one"].worst.verdict
    assert wb.expect(path.read_text(), folder=tmp_path)["one"].sentence == wb.expect(path)["one"].sentence


def test_an_example_of_the_package_is_a_scenario_by_its_name():
    expectations = [
        {"order": ["P10", "P2"], "scenario": "multitenancy"},
        {"order": ["P1", "P10"], "scenario": example("multitenancy")},
    ]
    assert wb.expect({"expect": expectations}).passed


@pytest.mark.parametrize("value", [None, 5, "", [], {"jobs": 3}])
def test_a_design_in_a_mapping_that_is_none_is_told(value):
    with pytest.raises(WorkbenchError):
        wb.expect({"design": value, "workload": monday(), "expect": [{"measure": "wait.p95", "at_most": "5s"}]})


# ---- expectations that cannot fail ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expectation", "says"),
    [
        (
            {"measure": "wait.p95", "of": "root.sytem", "at_most": "5m"},
            "there is no queue 'root.sytem' in this run; did you mean root.system?",
        ),
        ({"measure": "wait.p95", "of": "user:zed", "at_most": "5m"}, "there is no user 'zed' in this run"),
        ({"measure": "preempted", "of": "root.idle", "equals": 0}, "no job of root.idle ever arrived, so this could not fail"),
        (
            {"measure": "time_to_guarantee.max", "of": "root.system", "at_most": "5m"},
            "no guarantee, or nobody asked for it, so this could",
        ),
        (
            {"never": {"placed": "root.idle", "while_waiting": "root.system"}},
            "nobody ever asked in root.idle, so this could not fail",
        ),
        (
            {"never": {"placed": "root.system", "while_waiting": "root.idle"}},
            "nobody ever asked in root.idle, so this could not fail",
        ),
        ({"never": {"preempted": "root.idle"}}, "nothing of root.idle ever ran, so this could not fail"),
        ({"never": {"rejected": "root.idle"}}, "no job of root.idle ever arrived, so this could not fail"),
        ({"never": {"placed": "root.nowhere"}}, "there is no queue 'root.nowhere' in this run"),
        ({"never": {"above_guarantee": "root.system"}}, "root.system has no guarantee"),
        ({"never": {"above_guarantee": "user:ann"}}, "a queue has a guarantee, user:ann is none"),
        ({"order": ["night", "morning"]}, "there is no job or request 'morning'; there are night, urgent, backup"),
    ],
)
def test_what_cannot_fail_is_an_error_and_no_pass(expectation, says):
    idle = QUEUES.replace("          - name: system\n", "          - name: idle\n          - name: system\n")
    result = judged(expectation, design=idle).results[0]
    assert result.outcome is Outcome.ERROR
    assert says in result.sentence


LATER = """\
workload:
  pools: 1 x vcore=4
  jobs:
    - {id: first, submit: 0s, duration: 1s, queue: root.system, resources: {vcore: "1"}}
    - {id: second, submit: 5s, duration: 1s, queue: root.tenants.b, resources: {vcore: "1"}}
"""


@pytest.mark.parametrize(
    ("expectation", "says"),
    [
        (
            {"never": {"placed": "root.tenants.b", "while_waiting": "root.system"}},
            "there is no moment at which a request of root.tenants.b is placed could have met that a request of root.system waits",
        ),
        (
            {"order": ["first", "second"]},
            "of first, second no two that follow each other ever waited together, so this could not fail",
        ),
    ],
)
def test_queues_that_never_compete_test_nothing(expectation, says):
    result = judged(expectation, workloads={"later": wb.workloads.parse_workload(LATER)}).results[0]
    assert result.outcome is Outcome.ERROR
    assert says in result.sentence


def test_what_could_fail_with_one_workload_is_judged_by_it_and_says_of_the_others_that_it_says_nothing():
    both = {"later": wb.workloads.parse_workload(LATER), "monday": monday()}
    result = judged({"never": {"placed": "root.tenants.b", "while_waiting": "root.system"}}, workloads=both).results[0]
    assert result.passed
    assert result.remarks[0].startswith("it says nothing of later: there is no moment at which")


def test_a_workload_that_is_named_has_to_be_one_with_which_it_can_fail():
    both = {"later": wb.workloads.parse_workload(LATER), "monday": monday()}
    expectation = {"never": {"placed": "root.tenants.b", "while_waiting": "root.system"}, "workload": ["later", "monday"]}
    assert judged(expectation, workloads=both).results[0].outcome is Outcome.ERROR


def test_the_page_on_required_checks_shows_files_that_can_be_read(tmp_path):
    page = (Path(__file__).resolve().parents[2] / "tutorials" / "expectations.md").read_text("utf-8")
    first, *others = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    suite = load_suite(put(tmp_path, first))
    assert len(suite.expectations) == 7 and list(suite.arrivals) == ["monday", "burst"]
    github, gitlab, hooks = map(yaml.safe_load, others)
    assert "workbench test . --html expectations.html" in [step.get("run") for step in github["jobs"]["expectations"]["steps"]]
    assert "workbench test . --junit expectations.xml --html expectations.html" in gitlab["expectations"]["script"]
    assert hooks["repos"][0]["hooks"][0]["entry"] == "workbench test ."

"""EX-1: a file of expectations beside a design; every kind of expectation passes, and fails when it should."""

from __future__ import annotations

import pytest
from expected import FENCE, NO_GUARANTEE, QUEUES, UNFENCED, put

import workbench as wb
from workbench.expectations import Outcome
from workbench.values.errors import CommandError

EXAMPLE = """\
design: queues.yaml
workloads: {monday: monday.yaml, burst: {preset: training-and-inference, load: 1.2, nodes: 2, length: 1h, seeds: 2}}
until: 3h
expect:
  - {name: the system starts quickly, measure: wait.p95, of: root.system, at_most: 40s, workload: monday}
  - {name: nobody is stopped in a, measure: preempted, of: root.tenants.a, equals: 0}
  - {name: guarantee of team a, measure: time_to_guarantee.max, of: root.tenants.a, at_most: 16s, workload: monday}
  - {name: the fence holds, never: {placed: root.tenants.b, while_waiting: root.system}}
  - {name: urgent before nightly, order: [urgent, nightly], scenario: fence.yaml}
  - {name: not worse than today, measure: utilization.cpu, compared_to: production.yaml, at_least: -2%, workload: monday}
  - {name: nothing is odd, no_findings: [L-10, L-31]}
"""
SLOW = QUEUES.replace("preemption.delay: 15s", "preemption.delay: 60s")
CAPPED = QUEUES.replace("              - name: b\n", "              - name: b\n                resources: {max: {vcore: 1}}\n")
STOPS_A = QUEUES.replace("                resources: {guaranteed: {vcore: 2}}\n", "").replace(
    "              - name: b\n", "              - name: b\n                resources: {guaranteed: {vcore: 4}}\n"
)
NO_OFFSET = QUEUES.replace(', priority.offset: "0"', "")

MUTATIONS = {
    "the system starts quickly": UNFENCED,
    "guarantee of team a": SLOW,
    "the fence holds": UNFENCED,
    "urgent before nightly": UNFENCED,
    "not worse than today": CAPPED,
    "nothing is odd": NO_OFFSET,
}
"""Expectation -> a change of the design that breaks it."""


def test_the_example_passes_with_a_line_for_each(tmp_path):  # EX-1, EX-2
    found = wb.expect(put(tmp_path, EXAMPLE))
    assert found.passed, found
    assert [each.outcome for each in found] == [Outcome.PASSED] * 7
    assert str(found).splitlines()[0] == (
        "passed      the system starts quickly: wait that 95 of 100 do not exceed, root.system: 34 seconds, "
        "expected at most 40 seconds (monday)"
    )
    assert found.sentence == "queues.expect.yaml: 7 passed"
    assert found.exit_code == 0


@pytest.mark.parametrize(("name", "design"), MUTATIONS.items(), ids=MUTATIONS)
def test_a_change_of_the_design_that_breaks_an_expectation_is_caught(tmp_path, name, design):  # every kind
    found = wb.expect(put(tmp_path, EXAMPLE), design=design, only=[name])
    result = found[name]
    assert result.outcome is Outcome.FAILED, found
    assert result.why
    assert found.exit_code == 1


def test_a_stop_that_nobody_expected_is_caught(tmp_path):
    workload = """\
workload:
  pools: 1 x vcore=4
  jobs:
    - {id: early, submit: 0s, duration: 100s, count: 4, queue: root.tenants.a, resources: {vcore: "1"}}
    - {id: late, submit: 5s, duration: 20s, count: 2, queue: root.tenants.b, resources: {vcore: "1"}}
"""
    path = put(tmp_path, EXAMPLE, **{"monday.yaml": workload})
    assert wb.expect(path, only=["nobody is stopped in a"]).passed
    broken = wb.expect(path, only=["nobody is stopped in a"], design=STOPS_A)["nobody is stopped in a"]
    assert broken.outcome is Outcome.FAILED
    assert broken.why[0] == (
        "task 3 of 4 of early in root.tenants.a was stopped at 20 s for task 2 of 2 of late in root.tenants.b, "
        "after it had run 20 s."
    )


def test_what_failed_says_the_number_the_offender_and_why(tmp_path):  # EX-2
    result = wb.expect(put(tmp_path, EXAMPLE), design=UNFENCED)["the system starts quickly"]
    assert (
        result.sentence
        == "wait that 95 of 100 do not exceed, root.system: 1 minute 34 seconds, expected at most 40 seconds (monday)"
    )
    assert result.why[0] == "backup in root.system waited 1 min 34 s from 6 s on: no node with room (1 min 34 s)."
    assert any("vcore" in each for each in result.why[1:]), result.why


def test_the_moment_of_a_wait_is_when_it_broke_the_bound(tmp_path):  # EX-3
    found = wb.expect(put(tmp_path, EXAMPLE), design=UNFENCED)
    simulation = found.open("the system starts quickly")
    assert simulation.now_ns == (6 + 40) * 10**9
    assert "backup:0" in [each.ask.key for each in simulation.waiting()]


def test_the_next_step_of_a_forbidden_placement_is_that_placement(tmp_path):  # EX-3
    simulation = wb.expect(put(tmp_path, EXAMPLE), design=UNFENCED).open("the fence holds")
    following = simulation.preview()
    assert following.path[-1] == "root.tenants.b"
    assert "backup:0" in [each.ask.key for each in simulation.waiting()]
    assert simulation.step().key == following.key


def test_the_next_step_of_a_wrong_order_is_the_one_that_came_too_early(tmp_path):
    simulation = wb.expect(put(tmp_path, EXAMPLE), design=UNFENCED).open("urgent before nightly")
    assert (simulation.preview().key, simulation.position) == ("n", 0)


def test_a_queue_short_of_its_guarantee_is_looked_at_when_its_time_was_over(tmp_path):
    found = wb.expect(put(tmp_path, EXAMPLE), design=SLOW)
    result = found["guarantee of team a"]
    assert result.why[0].startswith("root.tenants.a was short of its guarantee for 1 min from 5 s on; task 1 of 3 of urgent")
    assert found.open("guarantee of team a").now_ns == (5 + 16) * 10**9


def test_a_scenario_is_played_under_the_design_of_the_file(tmp_path):
    assert "name: other" in FENCE  # not under its own
    assert wb.expect(put(tmp_path, EXAMPLE), only=["urgent before nightly"]).passed


def test_without_a_design_a_scenario_brings_its_own(tmp_path):
    own = FENCE.replace("queues: [{name: other}]", "queues: [{name: system}, {name: tenants, queues: [{name: b}]}], submitacl: '*'")
    own = own.replace("release: {app: urgent, key: u}", "release: {app: nightly, key: n}")
    text = "expect: [{name: first come, order: [nightly, urgent], scenario: fence.yaml}]"
    assert wb.expect(put(tmp_path, text, **{"fence.yaml": own})).passed


def test_another_design_may_be_judged_in_place_of_the_one_of_the_file(tmp_path):
    path = put(tmp_path, EXAMPLE)
    (tmp_path / "draft.yaml").write_text(NO_GUARANTEE)
    for design in (tmp_path / "draft.yaml", NO_GUARANTEE, wb.load_config(NO_GUARANTEE)):
        found = wb.expect(path, design=design, only=["guarantee of team a"])
        assert found["guarantee of team a"].sentence == (
            "longest wait for the guarantee, root.tenants.a: no guarantee, or nobody asked for it, so this could not fail (monday)"
        )


def test_only_some_are_judged_and_unknown_names_are_told(tmp_path):
    path = put(tmp_path, EXAMPLE)
    assert [each.name for each in wb.expect(path, only=["the fence holds"])] == ["the fence holds"]
    with pytest.raises(CommandError, match="there is no expectation the fence hold; did you mean the fence holds"):
        wb.expect(path, only=["the fence hold"])


def test_what_has_not_failed_cannot_be_opened(tmp_path):
    found = wb.expect(put(tmp_path, EXAMPLE), design=UNFENCED)
    with pytest.raises(CommandError, match="guarantee of team a has not failed, it is: passed; those that failed are the system"):
        found.open("guarantee of team a")
    with pytest.raises(CommandError, match="3 expectations failed: .*; name one"):
        found.open()
    with pytest.raises(CommandError, match="there is no expectation nobody"):
        found.open("nobody")


def test_a_finding_is_at_no_moment(tmp_path):
    found = wb.expect(put(tmp_path, EXAMPLE), design=NO_OFFSET, only=["nothing is odd"])
    assert "L-10" in found["nothing is odd"].why[0]
    with pytest.raises(CommandError, match="it failed at no single moment; .*L-10"):
        found.open("nothing is odd")

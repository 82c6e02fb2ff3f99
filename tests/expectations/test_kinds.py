"""Never-rules, orders, findings, and kinds of one's own."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import pytest
from expected import FENCE, NO_GUARANTEE, QUEUES, UNFENCED, judged, monday
from hypothesis import example, given
from hypothesis import strategies as some
from laws import examples
from workload_families import FAMILIES, case

import workbench as wb
from workbench.expectations import KINDS, CannotFail, Kind, Outcome, Verdict, register_kind
from workbench.expectations.terms import TERMS, Point, Span, Term, merged, register_term
from workbench.simulation.scenario import parse_scenario

SLOW = QUEUES.replace("preemption.delay: 15s", "preemption.delay: 60s")
LIMITED = QUEUES.replace("          - name: system\n", "          - name: system\n            resources: {max: {vcore: 500m}}\n")


@pytest.mark.parametrize(
    ("rule", "keeps", "breaks"),
    [
        ({"placed": "root.tenants.b", "while_waiting": "root.system"}, QUEUES, UNFENCED),
        ({"placed": "class:", "while_waiting": "root.system"}, None, QUEUES),
        ({"preempted": "root.tenants.b"}, NO_GUARANTEE, QUEUES),
        ({"preempts": "root.tenants.a"}, NO_GUARANTEE, QUEUES),
        ({"waiting": "root.tenants.a", "for": "40s"}, QUEUES, NO_GUARANTEE),
        ({"waiting": "root.tenants.a", "while_running": "root.tenants.b", "for": "40s"}, QUEUES, NO_GUARANTEE),
        ({"running": "root.tenants.b", "while_waiting": "root.system", "for": "40s"}, QUEUES, UNFENCED),
        ({"below_guarantee": "root.tenants.a", "for": "20s"}, QUEUES, SLOW),
        ({"waiting": "root.system", "while_below_guarantee": "root.tenants.a", "for": "20s"}, QUEUES, SLOW),
        ({"above_guarantee": "root.tenants.a", "while_waiting": "root.system"}, QUEUES, None),
        ({"rejected": "root.tenants"}, QUEUES, QUEUES.replace("              - name: b\n", "              - name: c\n")),
        ({"rejected": "cluster"}, QUEUES, QUEUES.replace("          - name: system\n", "          - name: sys\n")),
    ],
    ids=str,
)
def test_a_rule_passes_with_one_design_and_fails_with_another(rule, keeps, breaks):
    for design, outcome in ((keeps, Outcome.PASSED), (breaks, Outcome.FAILED)):
        if design is not None:
            found = judged({"name": "it", "never": rule}, design=design)
            assert found["it"].outcome is outcome, found
    if breaks is not None:
        assert found["it"].why[0].startswith("At ")
        assert found.open("it").digest()


def test_a_job_that_fails_is_never_wanted():
    workload = {
        "nodes": "1 x vcore=1",
        "jobs": [{"id": "gang", "submit": "0s", "duration": "5s", "queue": "root.system", "count": 2,
                  "resources": {"vcore": "1"}, "gang": {"style": "Hard", "timeout": "30s"}}],
    }  # fmt: skip
    found = judged({"name": "it", "never": {"failed": "root.system"}}, workloads={"w": workload})["it"]
    assert found.why[0] == "At 30 s gang of root.system failed: its gang was not complete when the time for it was over."
    assert judged({"name": "it", "never": {"failed": "root.system"}}, workloads={"w": workload | {"nodes": "2 x vcore=1"}})[
        "it"
    ].passed


def test_who_waits_for_a_reason_of_its_own_can_be_left_out():
    rule = {"placed": "root.tenants", "while_waiting": "root.system"}
    assert judged({"name": "it", "never": rule}, design=LIMITED)["it"].outcome is Outcome.FAILED
    left = judged({"name": "it", "never": rule | {"unless_held_by": ["queue maximum"]}}, design=LIMITED)["it"]
    assert left.outcome is Outcome.ERROR  # it only ever waited for its own maximum, so that nothing is left that could fail
    other = judged({"name": "it", "never": rule | {"unless_held_by": ["user_limit"]}}, design=LIMITED)["it"]
    assert other.outcome is Outcome.FAILED


def test_a_rule_in_a_scenario_is_judged_by_what_happens_in_it():
    rule = {"name": "it", "never": {"placed": "root.tenants", "while_waiting": "root.system"}, "scenario": parse_scenario(FENCE)}
    assert judged(rule)["it"].passed
    broken = judged(rule, design=UNFENCED)
    assert broken["it"].why[
        0
    ] == "At 4 ms nightly of root.tenants.b was placed while urgent of root.system had waited since 5 ms." or (
        "nightly of root.tenants.b was placed while urgent of root.system had waited" in broken["it"].why[0]
    )
    assert broken.open("it").preview().key == "n"


def test_guarantees_and_reasons_are_not_known_of_scenarios():
    for rule in ({"above_guarantee": "root.tenants.a"}, {"waiting": "root.system", "unless_held_by": ["no node"]}):
        result = judged({"name": "it", "never": rule, "scenario": parse_scenario(FENCE)})["it"]
        assert result.outcome is Outcome.ERROR
        assert "not in a scenario" in result.sentence or "not of a scenario" in result.sentence


@examples(12)
@given(some.sampled_from(FAMILIES), some.integers(0, 10**6))
@example("mixed", 10**6)  # whose nodes fail at other times with another seed of the run
@example("failing", 150)
def test_a_rule_is_broken_as_often_as_counting_by_hand_says(family, seed):
    each = case(family, seed, jobs=12)
    run = wb.simulate(each.design, each.workload, seed=0, until="30m")  # the seed of the run that is judged
    record = run.record
    queues = record.queues[:2]
    if len(queues) < 2 or any(job.gang for job in each.workload.jobs) or each.rate is not None:
        return
    rule = {"placed": queues[0], "while_waiting": queues[1]}
    found = judged({"name": "it", "never": rule}, design=each.design, workload=each.workload, workloads=None, until="30m")["it"]
    rows = list(record.attempts())
    count = sum(
        record.queue_of(index) == queues[0]
        and row.order >= 0
        and any(
            record.queue_of(other) == queues[1]
            and waits.arrived_ns <= row.placed_ns
            and (waits.order > row.order if waits.order >= 0 else waits.ended_ns < 0 or waits.ended_ns > row.placed_ns)
            for other, waits in enumerate(rows)
        )
        for index, row in enumerate(rows)
    )
    assert found.outcome in ((Outcome.FAILED,) if count else (Outcome.PASSED, Outcome.ERROR)), found
    if count:
        assert found.worst.verdict.value == count


@examples(60)
@given(some.lists(some.tuples(some.integers(0, 20), some.integers(0, 5)), max_size=8))
def test_merged_spans_are_the_same_times_without_overlaps(drawn):
    spans = [Span(Point(since, 0), Point(since + lasts, 0)) for since, lasts in drawn]
    whole = merged(spans)
    assert all(one.until < two.since for one, two in zip(whole, whole[1:]))
    begins = [each.since for each in whole]
    for each in spans:
        held = whole[bisect_right(begins, each.since) - 1]
        assert held.since <= each.since and each.until <= held.until


# ---- order ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (["night", "urgent", "backup"], ""),
        (["root.tenants.b", "root.tenants.a"], ""),
        (["user:ben", "user:ann", "user:sys"], ""),
        (["urgent:1", "night:4"], ""),
        (["backup", "urgent"], "urgent was placed at 20 s, before backup at 40 s"),
        (["urgent", "night"], "night was placed at 0 s, before urgent at 20 s, which arrived only at 5 s"),
        (["night", "backup", "urgent"], "urgent was placed at 20 s, before backup at 40 s"),
    ],
)
def test_an_order_is_that_of_the_first_placements(order, says):
    result = judged({"name": "it", "order": order})["it"]
    assert result.outcome is (Outcome.FAILED if says else Outcome.PASSED)
    assert says in result.sentence


def test_what_is_never_placed_breaks_the_order_and_is_asked_why():
    huge = "          - name: system\n            resources: {max: {vcore: 500m}}\n"
    result = judged({"name": "it", "order": ["night", "backup"]}, design=QUEUES.replace("          - name: system\n", huge))["it"]
    assert "backup was never placed" in result.sentence
    assert any("500m" in each for each in result.why), result.why


# ---- findings ---------------------------------------------------------------------------------------------------------

FOUND = QUEUES.replace(', priority.offset: "0"', "")


@pytest.mark.parametrize(
    ("wanted", "passes"),
    [(["L-10"], False), (["L-31"], True), ("warning", False), (["error"], True), (True, False), (["error", "L-31"], True)],
)
def test_no_findings_of_these_codes_or_severities(wanted, passes):
    result = judged({"name": "it", "no_findings": wanted}, design=FOUND)["it"]
    assert result.passed == passes
    assert passes or "root.tenants" in result.why[0]


def test_with_a_scenario_its_nodes_are_looked_at_too():
    scenario = parse_scenario(FENCE)
    much = QUEUES.replace("guaranteed: {vcore: 2}", "guaranteed: {vcore: 200}")
    expectation = {"name": "it", "no_findings": ["L-04"], "scenario": scenario}
    assert judged(expectation, design=much)["it"].outcome is Outcome.FAILED
    assert judged(expectation, design=NO_GUARANTEE)["it"].passed


# ---- one's own --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Few:
    """At most so many jobs."""

    most: int

    def judge(self, case):
        jobs = len(case.run.jobs)
        if not jobs:
            raise CannotFail("no job ever arrived, so this could not fail")
        return Verdict(Outcome.PASSED if jobs <= self.most else Outcome.FAILED, f"{jobs} jobs", float(jobs), self.most - jobs)


def test_a_kind_can_be_added_from_outside():
    register_kind("few_jobs", Kind("few jobs", lambda at, given, place: Few(at.integer(0, 100))))
    try:
        found = judged({"name": "quiet", "few_jobs": 3}, {"name": "quieter", "few_jobs": 2})
        assert [each.outcome for each in found] == [Outcome.PASSED, Outcome.FAILED]
        assert found["quieter"].sentence == "3 jobs (monday)"
        with pytest.raises(wb.CommandError, match="there is a kind of expectation 'few_jobs' already"):
            register_kind("few_jobs", KINDS["few_jobs"])
    finally:
        del KINDS["few_jobs"]


def test_a_term_can_be_added_from_outside():
    def large(story, scope):
        return (Span(each.placed, each.placed, each) for each in story.requests(scope) if each.placed and each.job == "night")

    register_term("nightly_placed", Term("nightly work of {} is placed", large, TERMS["placed"].could))
    try:
        assert judged({"name": "it", "never": {"nightly_placed": "root.tenants"}})["it"].outcome is Outcome.FAILED
    finally:
        del TERMS["nightly_placed"]


def test_the_workload_of_the_tests_is_as_they_say():
    run = wb.simulate(QUEUES, monday())
    assert {row.job: row.start_s for row in run.jobs} == {"night": 0, "urgent": 20, "backup": 40}

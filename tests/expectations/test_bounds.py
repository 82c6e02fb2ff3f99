"""Bounds: what people write, in which unit, and that a verdict is what comparing the number by hand gives."""

from __future__ import annotations

import pytest
from expected import BY_CHANCE, NO_GUARANTEE, QUEUES, judged, monday
from hypothesis import given
from hypothesis import strategies as some
from laws import examples

import workbench as wb
from workbench.expectations import Outcome
from workbench.expectations.bounds import RELATIONS, read_bounds
from workbench.measures import measure_named
from workbench.runs import simulate
from workbench.simulation.scenario.document import Cursor
from workbench.values.errors import ScenarioError

RUN = simulate(QUEUES, monday())
SCOPES = ("cluster", "root.system", "root.tenants", "root.tenants.a", "user:ben", "job:urgent")
NAMES = ("wait.p95", "wait.mean", "preempted", "utilization.cpu", "slowdown.max", "lost.vcore", "jobs.finished", "makespan")
COMPARE = {
    "at_most": lambda value, limit: value <= limit,
    "at_least": lambda value, limit: value >= limit,
    "equals": lambda value, limit: value == limit,
    "below": lambda value, limit: value < limit,
    "above": lambda value, limit: value > limit,
}


def bound(measure: str, key: str, value: object, *, compared: bool = False):
    """The one bound of an expectation."""
    at = Cursor({key: value})
    return read_bounds({key: at.at(key)}, measure_named(measure), at, compared=compared)[0]


@pytest.mark.parametrize(
    ("measure", "written", "limit"),
    [
        ("wait.p95", "5m", 300.0),
        ("wait.p95", "1h30m", 5400.0),
        ("wait.p95", "2d", 172_800.0),
        ("wait.p95", 90, 90.0),
        ("utilization.cpu", "80%", 0.8),
        ("utilization.cpu", 0.8, 0.8),
        ("lost.vcore", "10 vcore-hours", 10.0),
        ("lost.memory", "1.5 GiB-hours", 1.5),
        ("lost.nvidia.com/gpu", "3 nvidia.com/gpu-hours", 3.0),
        ("preempted", "3 tasks", 3.0),
        ("preempted", "1 task", 1.0),
        ("preempted", 3, 3.0),
        ("throughput", "12 jobs per hour", 12.0),
        ("slowdown.max", "2.5 times", 2.5),
        ("fairness.jain", 0.9, 0.9),
    ],
)
def test_a_bound_is_in_the_unit_of_its_measure(measure, written, limit):
    assert bound(measure, "at_most", written).limit == limit


@pytest.mark.parametrize(
    ("measure", "written"),
    [
        ("wait.p95", "5 tasks"),
        ("wait.p95", "-5m"),
        ("utilization.cpu", "80"),
        ("utilization.cpu", 80),
        ("utilization.cpu", "-2 points"),
        ("preempted", "5m"),
        ("preempted", "3%"),
        ("preempted", True),
        ("preempted", float("nan")),
        ("preempted", [3]),
        ("lost.vcore", "10 GiB-hours"),
        ("fairness.jain", 2),
    ],
)
def test_a_bound_in_another_unit_is_refused(measure, written):
    with pytest.raises(ScenarioError):
        bound(measure, "at_least", written)


@pytest.mark.parametrize(
    ("measure", "written", "limit", "relative"),
    [
        ("utilization.cpu", "-2%", -0.02, True),
        ("utilization.cpu", "-2 points", -2.0, False),
        ("utilization.cpu", -0.02, -0.02, False),
        ("wait.p95", "+10%", 0.1, True),
        ("wait.p95", "30s", 30.0, False),
        ("wait.p95", "-30s", -30.0, False),
        ("preempted", "+2 tasks", 2.0, False),
    ],
)
def test_a_change_is_relative_with_a_percent_sign_and_otherwise_in_the_unit(measure, written, limit, relative):
    found = bound(measure, "at_least", written, compared=True)
    assert (found.limit, found.relative) == (limit / 100 if "points" in str(written) else limit, relative)


@examples(30)
@given(some.sampled_from(NAMES), some.sampled_from(SCOPES), some.sampled_from(sorted(RELATIONS)), some.data())
def test_the_verdict_is_that_of_comparing_the_number_by_hand(name, scope, key, data):
    value = wb.measures.measure(RUN)[name, scope]
    # With few digits, as people write them: what differs by less than rounding does counts as equal.
    written = some.floats(0, 1 if "utilization" in name else 500).map(lambda number: round(number, 6))
    limit = data.draw(some.one_of(some.just(value), written), "limit")
    try:
        result = judged({"name": "it", "measure": name, "of": scope, key: limit})["it"]
    except ScenarioError as error:
        assert "always so" in str(error) or "never so" in str(error)
        return
    assert result.passed == COMPARE[key](value, limit)
    assert result.outcome is (Outcome.PASSED if result.passed else Outcome.FAILED)
    assert (result.worst.verdict.margin < 0) == (not result.passed)


@examples(10)
@given(some.floats(-1, 1).filter(lambda part: abs(part + 50 / 762.5) > 1e-6))
def test_a_change_is_held_against_the_number_of_the_other_design(part):
    # The guarantee costs nothing of 76.25 %; without it nobody is stopped, and 71.25 % is used.
    found = judged(
        {"name": "it", "measure": "utilization.cpu", "compared_to": QUEUES, "at_least": f"{100 * part:.6f}%"}, design=NO_GUARANTEE
    )["it"]
    assert found.passed == ((0.7125 - 0.7625) / 0.7625 >= round(part, 8))
    assert "71.2 % instead of 76.2 % with the other design, -6.56 %, expected a change of at least " in found.sentence


def test_where_the_other_has_nothing_any_change_is_more_than_any_percentage():
    expectation = {"name": "it", "measure": "preempted", "of": "root.tenants.b", "compared_to": NO_GUARANTEE}
    assert judged(expectation | {"at_most": "+500%"})["it"].outcome is Outcome.FAILED
    assert judged(expectation | {"at_most": "+2 tasks"})["it"].passed


def test_a_design_that_means_the_same_changes_nothing_and_passes():
    expectation = {"name": "it", "measure": "wait.p95", "compared_to": f"# today\n{QUEUES}", "at_most": "0%"}
    assert "which means the same" in judged(expectation)["it"].sentence
    assert judged(expectation)["it"].passed


def test_every_seed_is_judged_and_those_that_fail_are_named():  # EX-1
    chance = {"chance": BY_CHANCE | {"seeds": 4}}
    waits = [
        wb.simulate(QUEUES, wb.workloads.synthetic(BY_CHANCE["synthetic"]), seed=seed).measures["wait.p95", "root.tenants.b"]
        for seed in range(4)
    ]
    middle = sorted(waits)[1] + 1
    result = judged({"measure": "wait.p95", "of": "root.tenants.b", "at_most": middle}, workloads=chance).results[0]
    assert result.failed_seeds == tuple(seed for seed in range(4) if waits[seed] > middle)
    assert result.worst.seed == max(range(4), key=waits.__getitem__)
    said = " and ".join(map(str, result.failed_seeds))
    assert result.sentence.endswith(f"(chance, seed {result.worst.seed}); failed in 2 of 4 runs: chance with seeds {said}")


def test_seeds_can_be_named_and_where_chance_plays_no_part_one_is_enough():
    named = judged({"measure": "wait.p95", "at_most": "5h"}, workloads={"chance": BY_CHANCE | {"seeds": [7, 3]}}).results[0]
    assert [each.seed for each in named.judgements] == [7, 3]
    plain = {
        "plain": {
            "seeds": 3,
            "nodes": "1 x vcore=4",
            "jobs": [{"submit": 0, "duration": 5, "queue": "root.system", "resources": {"vcore": 1}}],
        }
    }
    result = judged({"measure": "wait.p95", "at_most": "5h"}, workloads=plain).results[0]
    assert [each.seed for each in result.judgements] == [None]
    assert result.remarks == ("nothing in plain happens at random, so that one seed tells as much as many",)


def test_the_runs_are_shared_by_all_expectations(monkeypatch):
    played = []

    def counted(design, workload, **options):
        played.append(options["seed"])
        return simulate(design, workload, **options)

    monkeypatch.setattr("workbench.expectations.judging.simulate", counted)
    waits = [{"measure": f"wait.{each}", "at_most": "9h"} for each in ("p50", "p95", "max")]
    judged(
        *waits,
        {"measure": "wait.mean", "compared_to": NO_GUARANTEE, "at_most": "50%"},
        {"measure": "preempted", "compared_to": NO_GUARANTEE, "at_most": "+50 tasks"},
        workloads={"chance": BY_CHANCE | {"seeds": 2}},
    )
    assert sorted(played) == [0, 0, 1, 1]  # each seed under both designs


def test_a_measure_of_ones_own_can_be_bounded():
    def long_waits(reading, scope):
        return sum(wait > 30 for wait in wb.measures.wait.waits_of(reading, scope))

    wb.measures.register_measure("wait.over_half_a_minute", wb.measures.Measure("waits over 30 s", "requests", "lower", long_waits))
    try:
        result = judged({"name": "it", "measure": "wait.over_half_a_minute", "of": "root.system", "at_most": "0 requests"})["it"]
    finally:
        del wb.measures.MEASURES["wait.over_half_a_minute"]
    assert result.outcome is Outcome.FAILED
    assert "1 request, expected at most 0 requests" in result.sentence


@pytest.mark.parametrize(
    ("own", "seconds"),
    [
        ({"until": "30s"}, 30.0),
        ({"scale_time": 2}, 400.0),
        ({"cut": {"until": "3s"}}, 200.0),
        ({"nodes": "8 x vcore=4"}, 100.0),
    ],
)
def test_a_workload_can_be_cut_scaled_and_given_other_nodes(tmp_path, own, seconds):
    (tmp_path / "monday.yaml").write_text(wb.workloads.workload_to_yaml(monday()))
    more = {"workloads": {"it": {"file": str(tmp_path / "monday.yaml")} | own}}
    run = judged({"measure": "wait.p95", "at_most": "5h"}, **more).results[0].worst.run
    assert run.record.ended_ns == seconds * 1e9

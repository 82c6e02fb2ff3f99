"""`fit`: a drawn workload gives back what it was drawn from, what is asked for stays, and what is lost is said."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from laws import examples
from synthetic_specs import specs

import workbench as wb
from workbench.simulation.scenario import document
from workbench.values.errors import CommandError
from workbench.values.resources import Resource
from workbench.workloads import Gang, Job, Tasks, Workload
from workbench.workloads.generators import distributions as d
from workbench.workloads.generators import read
from workbench.workloads.generators.arrivals import Bursts, Poisson, Regular
from workbench.workloads.generators.likelihood import best, compressed, ks_distance, zipf_exponent
from workbench.workloads.generators.rates import best_arrivals
from workbench.workloads.generators.writing import to_yaml

HOUR_MS = 3_600_000
WEEK_MS = 168 * HOUR_MS


def made(*classes: dict, length: str = "7d", **keys: object) -> wb.workloads.Synthetic:
    base = {"arrivals": "poisson(every=5m)", "duration": "exponential(5m)", "size": {"vcore": "1"}, "queue": "root.a"}
    return wb.workloads.synthetic(length=length, classes=[{**base, **each} for each in classes], **keys)


def work(workload: Workload) -> dict[str, int]:
    total: dict[str, int] = {}
    for job in workload.jobs:
        for tasks in job.tasks:
            ms = sum(tasks.duration_of(number) for number in range(tasks.count))
            for name, amount in tasks.resource.items():
                total[name] = total.get(name, 0) + amount * ms
    return total


# -- One distribution --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "distribution",
    [
        d.Exponential(300_000.0),
        d.Lognormal(600_000.0, 1.1),
        d.Weibull(600_000.0, 0.6),
        d.Weibull(600_000.0, 3.0),
        d.Pareto(60_000.0, 3.0),
        d.Uniform(60_000.0, 600_000.0),
    ],
    ids=lambda each: f"{each.name} {each.parameters()}",
)
def test_the_law_that_values_were_drawn_from_is_found_again(distribution):
    source = random.Random(8)
    found = best([distribution.sample(source) for _ in range(3000)])
    assert type(found.distribution) is type(distribution)
    for key, value in distribution.parameters().items():
        assert found.distribution.parameters()[key] == pytest.approx(value, rel=0.08)
    assert found.distance < 0.03


def test_values_of_no_law_are_kept_as_they_are():
    source = random.Random(1)
    values = [1000.0] * 500 + [100_000.0 + source.random() * 10 for _ in range(500)]
    found = best(values)
    assert isinstance(found.distribution, d.Empirical)
    assert found.distribution.mean() == pytest.approx(math.fsum(values) / 1000, rel=1e-3)
    assert found.distance < 0.04


def test_few_values_and_equal_ones_are_not_given_a_law():
    assert best([5.0, 70.0, 900.0]).distribution == d.Empirical((5.0, 70.0, 900.0))
    assert best([60_000.0] * 50).distribution == d.Constant(60_000.0)


@given(st.lists(st.integers(1, 10**9).map(float), min_size=1, max_size=400))
def test_compressed_values_keep_their_mean(values):
    assert compressed(sorted(values), 10).mean() == pytest.approx(math.fsum(values) / len(values), rel=1e-6, abs=0.5)


@given(st.lists(st.integers(1, 1000).map(float), min_size=1, max_size=60))
def test_the_distance_of_values_from_themselves_is_none(values):
    assert ks_distance(d.Empirical(tuple(values)), sorted(values)) < 1e-9


def test_the_distance_is_the_largest_difference():
    assert ks_distance(d.Uniform(0.0, 4.0), [1.0, 2.0, 3.0, 4.0]) == pytest.approx(0.25)
    assert ks_distance(d.Constant(5.0), [1.0, 5.0]) == pytest.approx(0.5)


@pytest.mark.parametrize("exponent", [0.0, 0.7, 1.0, 1.5])
def test_the_exponent_of_zipfs_law_is_found_again(exponent):
    users = wb.workloads.generators.spec.Users(count=20, zipf=exponent)
    choose, source, counts = users.chooser(), random.Random(2), [0] * 20
    for _ in range(20_000):
        counts[choose(source)] += 1
    assert zipf_exponent(counts) == pytest.approx(exponent, abs=0.06)


# -- Arrivals ----------------------------------------------------------------------------------------------------------


def test_arrivals_by_the_clock_are_found_again():
    assert best_arrivals(list(range(500, WEEK_MS, 600_000)), WEEK_MS).arrivals == Regular(600_000.0, 500.0)
    assert best_arrivals(sorted([*range(500, WEEK_MS, 600_000)] * 3), WEEK_MS).arrivals == Regular(
        600_000.0, 500.0, d.Constant(3.0)
    )


def test_random_arrivals_are_not_given_a_profile():
    found = best_arrivals(Poisson(120_000.0).times(WEEK_MS, random.Random(3)), WEEK_MS)
    assert isinstance(found.arrivals, Poisson) and found.arrivals.profile.flat
    assert found.arrivals.every_ms == pytest.approx(120_000, rel=0.05)
    assert found.distance < 0.03


@pytest.mark.parametrize("every_ms", [40_000.0, 300_000.0], ids=["enough for each hour", "enough for hours and days"])
def test_the_profile_of_a_week_is_found_again(every_ms):
    profile = wb.workloads.synthetic(
        classes=[{"name": "a", "arrivals": "poisson(1m, day=office, week=workdays)", "duration": "1m", "size": {"vcore": "1"}}]
    ).classes[0].arrivals.profile  # fmt: skip
    times = Poisson(every_ms, profile).times(4 * WEEK_MS, random.Random(3))
    found = best_arrivals(times, 4 * WEEK_MS).arrivals
    assert found.expected(4 * WEEK_MS) == pytest.approx(len(times), rel=1e-3)
    busy = [hour for hour in range(168) if profile.at(hour * HOUR_MS) > 1.5]
    assert [found.profile.at(hour * HOUR_MS) for hour in busy] == pytest.approx(
        [profile.at(hour * HOUR_MS) for hour in busy], rel=0.4
    )


def test_bursts_are_found_again():
    process = Bursts(HOUR_MS, d.Constant(50.0))
    found = best_arrivals(process.times(4 * WEEK_MS, random.Random(3)), 4 * WEEK_MS).arrivals
    assert isinstance(found, Bursts) and found.jobs == d.Constant(50.0)
    assert found.every_ms == pytest.approx(HOUR_MS, rel=0.1)


# -- Whole workloads ---------------------------------------------------------------------------------------------------


def test_what_was_drawn_gives_back_what_it_was_drawn_from():
    spec = made(
        {"name": "etl", "duration": "lognormal(median=10m, sigma=0.8)", "tasks": "empirical([1, 1, 1, 4])", "priority": 3},
        {
            "name": "train",
            "arrivals": "poisson(every=20m)",
            "duration": "weibull(scale=2h, shape=1.5)",
            "size": None,
            "sizes": [{"vcore": "4", "nvidia.com/gpu": 1}, {"vcore": "8", "nvidia.com/gpu": 2, "weight": 2}],
            "gang": {"style": "Hard", "timeout": "10m", "share": 0.5},
            "tasks": 2,
            "same_duration": True,
            "preemptible": False,
        },
        length="14d",
        pools="8 x vcore=64,nvidia.com/gpu=8",
        users={"count": 15, "zipf": 1.1, "groups": ["x", "y"]},
    )
    workload = spec.workload(4)
    found = wb.workloads.fit(workload)
    etl, train = found.classes
    assert (etl.name, train.name) == ("etl", "train")
    assert etl.duration.parameters() == pytest.approx({"median": 600_000, "sigma": 0.8}, rel=0.06)
    assert train.duration.parameters() == pytest.approx({"scale": 7_200_000, "shape": 1.5}, rel=0.08)
    assert etl.arrivals.every_ms == pytest.approx(300_000, rel=0.05)
    assert train.arrivals.every_ms == pytest.approx(1_200_000, rel=0.08)
    assert etl.tasks.mean() == pytest.approx(1.75, rel=0.05)
    assert (etl.priority, etl.gang, etl.same_duration) == (3, None, False)
    assert (train.tasks, train.same_duration, train.preemptible) == (d.Constant(2.0), True, False)
    assert (train.gang, train.gang_share) == (Gang(style="Hard", timeout_ms=600_000), pytest.approx(0.5, abs=0.06))
    assert [size.fixed["nvidia.com/gpu"] for size in train.sizes] == [1, 2]
    assert train.sizes[1].weight / train.sizes[0].weight == pytest.approx(2, rel=0.25)
    assert found.users.count == 15 and found.users.zipf == pytest.approx(1.1, abs=0.1)
    assert found.users.groups == ("group-1", "group-2")
    assert found.pools == spec.pools and found.length_ms == spec.length_ms
    assert max(each.distance for each in found.report.classes) < 0.04


@pytest.mark.parametrize("name", wb.workloads.PRESETS)
def test_a_preset_that_is_fitted_keeps_its_load(name):
    workload = wb.workloads.preset(name, nodes=4, length="4d").workload(2)
    found = wb.workloads.fit(workload)
    main = found.offered()[0]
    asked = sum(each.work(found.length_ms)[main] for each in found.classes)
    assert asked == pytest.approx(work(workload)[main], rel=0.03)
    assert found.expected_jobs() == pytest.approx(len(workload.jobs), rel=0.03)


def test_a_few_jobs_as_far_apart_as_by_a_clock_do_not_go_on_for_the_rest_of_the_time():
    workload = made({"name": "job", "duration": "1m", "arrivals": "regular(every=1m)"}).workload(1)
    early = replace(workload, jobs=workload.jobs[:4])
    found = wb.workloads.fit(early)
    assert found.length_ms >= 10 * early.jobs[-1].submit_ms
    assert found.classes[0].arrivals.expected(found.length_ms) == pytest.approx(4)


@given(specs())
@examples(15, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_was_drawn_can_be_fitted_written_and_drawn_again(spec):
    workload = spec.workload(1)
    if not workload.jobs:
        return
    found = wb.workloads.fit(workload)
    assert found == wb.workloads.fit(workload)
    assert read(document.read(to_yaml({"synthetic": found.written()}))) == found
    for each, jobs in ((each, [job for job in workload.jobs if job.kind == each.name]) for each in found.classes):
        if jobs and len(found.classes) == len({job.kind for job in workload.jobs}):
            assert each.arrivals.expected(found.length_ms) == pytest.approx(len(jobs), rel=0.05, abs=2)
    assert str(found.report) and "<script" not in found.report._repr_html_()


def test_sizes_that_run_differently_long_become_classes_of_their_own():
    small = {"name": "job", "duration": "exponential(1m)"}
    large = {"name": "other", "duration": "exponential(1h)", "size": {"vcore": "8"}}
    workload = made(small, large).workload(1)
    jobs = tuple(replace(job, kind="job") for job in workload.jobs)
    found = wb.workloads.fit(replace(workload, jobs=jobs))
    assert [(each.name, each.sizes[0].fixed["vcore"]) for each in found.classes] == [("job", 1000), ("job-2", 8000)]
    assert [each.duration.mean() for each in found.classes] == pytest.approx([60_000, 3_600_000], rel=0.1)


def test_larger_jobs_that_run_longer_do_not_lose_their_work():
    def job(number: int) -> Job:
        cores = 1 + number % 40
        return Job(
            id=f"j{number}",
            submit_ms=number * 7000,
            tasks=(Tasks(resource=Resource(vcore=cores * 1000), duration_ms=cores * 60_000),),
            kind="scaling",
        )

    workload = Workload(jobs=tuple(job(number) for number in range(800)), ends_ms=800 * 7000)
    found = wb.workloads.fit(workload)
    (each,) = found.classes
    assert len(each.sizes) <= 20
    assert each.work(found.length_ms)["vcore"] == pytest.approx(work(workload)["vcore"], rel=0.01)
    assert found.report.classes[0].scaled == pytest.approx(1.31, abs=0.05)


def test_no_name_of_a_person_is_in_what_is_shared():
    workload = made({"name": "a", "tags": {"owner": "ann"}}, users={"names": ["ann", "bob"], "groups": ["ann-team"]}).workload()
    found = wb.workloads.fit(workload)
    text = to_yaml(found.written())
    assert "ann" not in text and "bob" not in text
    assert {job.user for job in found.workload().jobs} == {"user-1", "user-2"}


def test_what_is_lost_is_said():
    jobs = (
        Job(id="a", submit_ms=0, tasks=(Tasks(resource=Resource(vcore=1), required_node="n"),), tags={"x": "y"}),
        Job(id="b", submit_ms=9, tasks=(Tasks(resource=Resource(vcore=1)), Tasks(resource=Resource(vcore=2))), after=("a",)),
    )
    said = " ".join(wb.workloads.fit(Workload(jobs=jobs, ends_ms=1000)).report.lost)
    for part in ("numbered", "wait for others", "several kinds", "Tags are gone", "bound to nodes", "without an end"):
        assert part in said


def test_a_workload_without_jobs_cannot_be_described():
    with pytest.raises(CommandError, match="nothing to learn from"):
        wb.workloads.fit(Workload())


def test_the_report_escapes_names():
    report = wb.workloads.fit(made({"name": "<b>x"}).workload()).report
    assert "&lt;b&gt;x" in report._repr_html_() and "<b>x" not in report._repr_html_()

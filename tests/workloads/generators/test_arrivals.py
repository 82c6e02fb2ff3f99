"""Arrival processes: as many jobs as they say, when they say, and the same for the same source of chance."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.workloads.generators.arrivals import (
    ARRIVALS,
    Bursts,
    Poisson,
    Regular,
    Storms,
    parse_arrivals,
    written_arrivals,
)
from workbench.workloads.generators.distributions import Constant, Empirical, Exponential
from workbench.workloads.generators.profiles import HOUR_MS, Profile
from workbench.workloads.generators.streams import stream

DAY_MS = 24 * HOUR_MS
WEEK_MS = 7 * DAY_MS

profiles = st.sampled_from(
    [
        Profile(),
        Profile.of("office", "workdays"),
        Profile.of("night"),
        Profile.of([1] * 12 + [5] * 12),
        Profile(tuple(float(hour % 5) for hour in range(168))),
    ]
)
apart = st.floats(10_000, 1e7)
jobs = st.sampled_from([Constant(1.0), Constant(7.0), Empirical((1.0, 20.0), (3.0, 1.0)), Exponential(4.0)])
processes = st.one_of(
    st.builds(Poisson, apart, profiles),
    st.builds(Regular, apart, st.floats(0, 1e6), jobs),
    st.builds(Bursts, apart, jobs, st.floats(0, 1e6), profiles),
    st.builds(Storms, apart, apart, apart, apart),
)


@given(processes, st.integers(1, DAY_MS), st.integers(0, 99))
@examples(60)
def test_arrivals_are_in_order_and_within_the_length(process, length_ms, seed):
    times = process.times(length_ms, random.Random(seed))
    assert times == sorted(times)
    assert all(0 <= time < length_ms for time in times)
    assert times == process.times(length_ms, random.Random(seed))


@given(processes)
def test_what_is_written_is_read_as_an_equal_one(process):
    assert parse_arrivals(written_arrivals(process)) == process


@given(processes, st.floats(0.1, 10))
def test_a_scaled_process_expects_so_many_times_the_jobs(process, factor):
    # Regular ones come in whole steps: one more or less of what arrives at once.
    slack = 2 * 20 * (1 + factor) if isinstance(process, Regular) else 0
    near = 0.1 if isinstance(process, Regular) else 1e-9
    assert process.scaled(factor).expected(WEEK_MS) == pytest.approx(process.expected(WEEK_MS) * factor, rel=near, abs=slack)


@given(st.integers(1, 50), st.floats(0.5, 20))
def test_jobs_by_the_clock_become_more_and_keep_their_time(count, factor):
    nightly = Regular(DAY_MS, HOUR_MS, Constant(float(count + 1)))
    scaled = nightly.scaled(factor)
    assert (scaled.every_ms, scaled.first_ms) == (DAY_MS, HOUR_MS)
    assert scaled.expected(WEEK_MS) == pytest.approx(7 * (count + 1) * factor)


@pytest.mark.parametrize(
    "process",
    [
        Poisson(600_000.0),
        Poisson(600_000.0, Profile.of("office", "workdays")),
        Regular(600_000.0, 5.0, Empirical((1.0, 3.0))),
        Bursts(3_600_000.0, Exponential(20.0)),
        Storms(600_000.0, 20_000.0, 3_600_000.0, 600_000.0),
    ],
    ids=lambda each: each.name,
)
@pytest.mark.parametrize("length_ms", [WEEK_MS, 30 * HOUR_MS], ids=["a week", "thirty hours"])
def test_the_number_of_jobs_over_many_seeds_is_near_the_expected(process, length_ms):
    counts = [len(process.times(length_ms, stream(seed, process.name))) for seed in range(30)]
    mean = math.fsum(counts) / len(counts)
    deviation = math.sqrt(math.fsum((count - mean) ** 2 for count in counts) / (len(counts) - 1))
    assert abs(mean - process.expected(length_ms)) <= 4 * deviation / math.sqrt(len(counts)) + 1e-9


def test_gaps_of_a_poisson_process_are_exponential():
    times = [*Poisson(1000.0).instants(20_000_000, random.Random(3))]
    gaps = sorted(later - earlier for earlier, later in zip(times, times[1:]))
    distribution = Exponential(1000.0)
    distance = max(abs(distribution.cdf(gap) - (place + 0.5) / len(gaps)) for place, gap in enumerate(gaps))
    # The bound of Kolmogorov and Smirnov for one seed in a thousand.
    assert distance < 1.95 / math.sqrt(len(gaps))


def test_thinned_arrivals_follow_the_hours_of_the_week():
    profile = Profile.of("office", "workdays")
    times = Poisson(20_000.0, profile).times(WEEK_MS, random.Random(5))
    by_hour = Counter(time // HOUR_MS for time in times)
    expected = [len(times) * profile.at(hour * HOUR_MS) / 168 for hour in range(168)]
    statistic = math.fsum((by_hour[hour] - expected[hour]) ** 2 / expected[hour] for hour in range(168))
    # Chi squared with 167 degrees of freedom: beyond 227 for one seed in a thousand.
    assert statistic < 227


def test_hours_of_weight_zero_have_no_arrivals():
    times = Poisson(1000.0, Profile.of([0] * 12 + [1] * 12)).times(DAY_MS, random.Random(1))
    assert times and min(times) >= 12 * HOUR_MS


def test_regular_arrivals_are_at_their_times():
    assert Regular(1000.0, 500.0).times(3500, random.Random(0)) == [500, 1500, 2500]
    assert Regular(1000.0, 500.0, Constant(2.0)).times(2500, random.Random(0)) == [500, 500, 1500, 1500]
    assert Regular(1000.0, 5000.0).times(3000, random.Random(0)) == []


def test_a_burst_brings_its_jobs_at_one_instant():
    counts = Counter(Bursts(HOUR_MS, Constant(50.0)).times(DAY_MS, random.Random(0)))
    assert counts and set(counts.values()) == {50}


def test_storms_are_more_uneven_than_chance():
    def dispersion(process):
        times = process.times(WEEK_MS, random.Random(4))
        counts = Counter(time // HOUR_MS for time in times)
        mean = len(times) / 168
        return math.fsum((counts[hour] - mean) ** 2 for hour in range(168)) / 167 / mean

    assert dispersion(Poisson(60_000.0)) < 1.5
    assert dispersion(Storms(600_000.0, 5_000.0, 10 * HOUR_MS, HOUR_MS)) > 10


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ("poisson()", "poisson: how often is needed, once: every=30s, or per_hour=120"),
        ("poisson(every=1m, per_hour=60)", "how often is needed, once"),
        ("poisson(every=0s)", "must be above 0"),
        ("poisson(per_hour=0)", "per_hour must be above 0"),
        (
            "poisson(every=1m, day=weekend)",
            "there is no day called 'weekend'; there are flat, office, night, evening, or 24 weights",
        ),
        ("poisson(every=1m, day=[1, 2])", "a day has 24 weights, found 2"),
        ("poisson(every=1m, week=[0,0,0,0,0,0,0])", "one of them is above 0"),
        ("poisson(every=1m, speed=2)", "poisson has no 'speed'; it takes every"),
        ("bursts(every=1h)", "bursts: jobs is needed"),
        ("storms(every=1m)", "storms: in_storm is needed"),
        ("hourly(5)", "there are no arrivals called 'hourly'; there are poisson, regular, bursts, storms"),
        ("5m", "arrivals are written like poisson(every=30s)"),
        (5, "found 5"),
    ],
    ids=str,
)
def test_what_are_no_arrivals_is_told_with_what_is_allowed(given, part):
    with pytest.raises(ValueError) as told:
        parse_arrivals(given)
    assert part in str(told.value)


def test_rates_can_be_given_as_numbers_per_time():
    assert parse_arrivals("poisson(per_hour=60)") == parse_arrivals("poisson(1m)") == parse_arrivals({"poisson": {"every": "60s"}})
    assert list(ARRIVALS) == ["poisson", "regular", "bursts", "storms"]


@given(profiles, st.integers(1, 3 * WEEK_MS))
def test_the_mean_of_a_profile_over_a_time_is_that_of_its_hours(profile, length_ms):
    whole, rest = divmod(length_ms, HOUR_MS)
    slow = math.fsum(profile.at(hour * HOUR_MS) for hour in range(whole)) + profile.at(whole * HOUR_MS) * rest / HOUR_MS
    assert profile.over(length_ms) == pytest.approx(slow / (length_ms / HOUR_MS))

"""Distributions: means, quantiles and draws agree with theory, one draw takes one number, what is written is read again."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workbench.workloads.generators import distributions as d
from workbench.workloads.generators import portable
from workbench.workloads.generators.distributions import parse_distribution, written_distribution
from workbench.workloads.generators.notation import NUMBER, SPAN, amount_of

ALL = (
    d.Constant(60_000.0),
    d.Uniform(1000.0, 5000.0),
    d.Exponential(300_000.0),
    d.Lognormal(600_000.0, 1.2),
    d.Weibull(1000.0, 0.7),
    d.Weibull(1000.0, 3.0),
    d.Pareto(1000.0, 3.5),
    d.Pareto(1000.0, 0.9, 1_000_000.0),
    d.Pareto(1000.0, 1.0, 1_000_000.0),
    d.Empirical((1.0, 5.0, 9.0), (3.0, 1.0, 1.0)),
)
named = pytest.mark.parametrize("distribution", ALL, ids=lambda each: f"{each.name} {each.parameters()}")

positive = st.floats(1e-3, 1e12)
shapes = st.floats(0.1, 20)
distributions = st.one_of(
    st.builds(d.Constant, positive),
    st.builds(lambda low, more: d.Uniform(low, low + more), positive, positive),
    st.builds(d.Exponential, positive),
    st.builds(d.Lognormal, positive, st.floats(0, 5)),
    st.builds(d.Weibull, positive, shapes),
    st.builds(d.Pareto, positive, shapes),
    st.builds(lambda least, shape, times: d.Pareto(least, shape, least * times), positive, shapes, st.floats(1.01, 1e6)),
    st.lists(st.tuples(positive, st.floats(0.1, 9)), min_size=1, max_size=6).map(lambda pairs: d.Empirical(*zip(*pairs))),
)


def variance(distribution: d.Distribution) -> float:
    """By 20,000 evenly spaced quantiles."""
    mean, points = distribution.mean(), 20_000
    return math.fsum((distribution.quantile((point + 0.5) / points) - mean) ** 2 for point in range(points)) / points


@named
def test_the_mean_of_many_draws_is_near_the_mean(distribution):
    source, draws = random.Random(7), 20_000
    found = math.fsum(distribution.sample(source) for _ in range(draws)) / draws
    # Four standard errors: one seed in 16,000 would be beyond them.
    assert abs(found - distribution.mean()) <= 4 * math.sqrt(variance(distribution) / draws) + 1e-9 * distribution.mean()


@named
def test_the_mean_is_the_integral_of_the_quantiles(distribution):
    points = 20_000
    integral = math.fsum(distribution.quantile((point + 0.5) / points) for point in range(points)) / points
    assert integral == pytest.approx(distribution.mean(), rel=0.01)


@given(distributions, st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True))
@example(d.Weibull(1.0, 1.0), 0.0, 2e-274)
def test_quantiles_rise_and_are_not_negative(distribution, one, other):
    low, high = sorted((one, other))
    assert 0 <= distribution.quantile(low) <= distribution.quantile(high) * (1 + 1e-12)


@given(distributions, st.floats(0.001, 0.999))
def test_the_probability_of_at_most_a_quantile_is_that_of_the_quantile(distribution, p):
    x = distribution.quantile(p)
    if isinstance(distribution, d.Constant | d.Empirical):
        assert distribution.cdf(x) >= p - 1e-12
    else:
        # A distribution that is all but a single value steps within one bit of it.
        assert distribution.cdf(x * (1 - 1e-9)) - 1e-6 <= p <= distribution.cdf(x * (1 + 1e-9)) + 1e-6


@given(distributions, st.integers(0, 2**32))
def test_one_draw_takes_one_number(distribution, seed):
    drawn, counted = random.Random(seed), random.Random(seed)
    distribution.sample(drawn)
    counted.random()
    assert drawn.random() == counted.random()


@given(distributions, st.floats(0.01, 100), st.floats(0, 1, exclude_max=True))
@example(d.Weibull(1.0, 1.0), 1.0, 1e-271)
def test_scaled_draws_are_the_draws_times_the_factor(distribution, factor, p):
    assert distribution.scaled(factor).quantile(p) == pytest.approx(distribution.quantile(p) * factor, rel=1e-9)


@given(distributions)
@pytest.mark.parametrize("unit", [NUMBER, SPAN, amount_of("vcore"), amount_of("memory")], ids=lambda unit: unit.name)
def test_what_is_written_is_read_as_an_equal_one(unit, distribution):
    assert parse_distribution(written_distribution(distribution, unit), unit) == distribution


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10m", d.Constant(600_000.0)),
        (90, d.Constant(90_000.0)),
        ("exponential(5m)", d.Exponential(300_000.0)),
        ("exponential(mean=5m)", d.Exponential(300_000.0)),
        ("uniform(1m, high=5m)", d.Uniform(60_000.0, 300_000.0)),
        ("weibull(scale=1h, shape=0.7)", d.Weibull(3_600_000.0, 0.7)),
        ("pareto(1m, shape=1.5)", d.Pareto(60_000.0, 1.5)),
        ("pareto(least=1m, most=1d, shape=1.5)", d.Pareto(60_000.0, 1.5, 86_400_000.0)),
        ("empirical([1m, 5m, 5m])", d.Empirical((60_000.0, 300_000.0), (1.0, 2.0))),
        ("empirical(1m, 5m)", d.Empirical((60_000.0, 300_000.0))),
        ({"empirical": {"values": ["1m", "5m"], "weights": [1, 3]}}, d.Empirical((60_000.0, 300_000.0), (1.0, 3.0))),
        ({"exponential": "5m"}, d.Exponential(300_000.0)),
        ({"exponential": {"mean": "5m"}}, d.Exponential(300_000.0)),
    ],
    ids=str,
)
def test_a_distribution_is_read_from_text_and_from_a_mapping(text, expected):
    assert parse_distribution(text, SPAN) == expected


@pytest.mark.parametrize(
    ("text", "mean", "median", "p95"),
    [
        ("lognormal(mean=20m, p95=1h)", 20, None, 60),
        ("lognormal(median=10m, p95=1h)", None, 10, 60),
        ("lognormal(mean=20m, median=10m)", 20, 10, None),
        ("lognormal(mean=20m, sigma=1)", 20, None, None),
        ("lognormal(p95=1h, sigma=1)", None, None, 60),
    ],
)
def test_a_lognormal_is_given_by_two_of_its_figures(text, mean, median, p95):
    made = parse_distribution(text, SPAN)
    if mean:
        assert made.mean() == pytest.approx(mean * 60_000)
    if median:
        assert made.quantile(0.5) == pytest.approx(median * 60_000)
    if p95:
        assert made.quantile(0.95) == pytest.approx(p95 * 60_000)


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ("lognormal(mean=10m, p95=1h)", "from 1 to 3.87 times is possible; for a longer tail give median and p95"),
        ("lognormal(mean=10m)", "exactly two of median, mean, p95 and sigma"),
        ("exponential()", "exponential: mean is needed"),
        ("exponential(0s)", "exponential: the mean must be above 0, found 0.0"),
        ("exponential(1m, 2m)", "at most 1 values (mean), found 2"),
        ("exponential(rate=5)", "exponential has no 'rate'; it takes mean"),
        ("exponential(mean=1m, mean=2m)", "mean is given twice"),
        ("gauss(5m)", "there is no distribution 'gauss'; there are constant, uniform, exponential"),
        ("uniform(5m, 1m)", "high must be at least low"),
        ("pareto(1m, shape=0)", "from 0.05 to 1000, found 0"),
        ("weibull(mean=1m, scale=1m, shape=1)", "either scale or mean is needed"),
        ("empirical([])", "at least one value is needed"),
        ("empirical([1m], [1, 2])", "there are 1 values and 2 weights"),
        ("empirical([1m], [0])", "all weights are 0"),
        ("exponential(5 parsecs)", "no span of time: '5 parsecs'; write 90s, 5m"),
        ("exponential((5m)", "a bracket is not closed"),
        ("uniform(1m,,5m)", "a value is missing between two commas"),
        ({"exponential": {"mean": "1m"}, "constant": "1m"}, "one name with its parameters"),
        (None, "must be a span of time, found nothing"),
        (True, "must be a span of time, found true"),
    ],
    ids=str,
)
def test_what_is_no_distribution_is_told_with_what_is_allowed(given, part):
    with pytest.raises(ValueError) as told:
        parse_distribution(given, SPAN)
    assert part in str(told.value)


def test_a_whole_number_of_an_amount_is_read_as_in_a_configuration():
    assert parse_distribution(4, amount_of("vcore")) == parse_distribution("4", amount_of("vcore")) == d.Constant(4000.0)
    assert parse_distribution(4, amount_of("nvidia.com/gpu")) == d.Constant(4.0)
    assert parse_distribution({"exponential": 2}, amount_of("vcore")) == d.Exponential(2000.0)


def test_a_number_with_a_fraction_of_an_amount_is_in_base_units_as_a_fitted_description_has_it():
    assert parse_distribution(1234.5, amount_of("vcore")) == d.Constant(1234.5)


def test_an_amount_below_zero_is_refused():
    with pytest.raises(ValueError, match="cannot be below 0, found -1"):
        parse_distribution(-1, amount_of("vcore"))


def test_a_pareto_without_bound_may_have_no_mean():
    assert d.Pareto(1.0, 1.0).mean() == math.inf
    assert d.Pareto(1.0, 1.0, 10.0).mean() < 10


def test_an_own_distribution_can_be_registered_and_read():
    try:

        @d.register_distribution("twice")
        class Twice(d.Constant):
            __slots__ = ()

        assert parse_distribution("twice(5)").mean() == 5
    finally:
        d.DISTRIBUTIONS.pop("twice", None)


# -- The same on every machine -----------------------------------------------------------------------------------------


@given(st.floats(1e-300, 1e300))
def test_the_logarithm_is_right_to_the_last_places(x):
    assert portable.log(x) == pytest.approx(math.log(x), rel=1e-14, abs=3e-16)


@given(st.floats(-700, 700))
def test_the_exponential_is_right_to_the_last_places(x):
    assert portable.exp(x) == pytest.approx(math.exp(x), rel=1e-15)


@given(st.floats(1, 30))
def test_gamma_is_right_to_thirteen_places(x):
    assert portable.gamma(x) == pytest.approx(math.gamma(x), rel=1e-13)


def test_draws_are_these_bit_by_bit():
    # What this machine and every other one gives; IEEE 754 prescribes each operation on the way.
    source = random.Random(2024)
    drawn = [distribution.sample(source).hex() for distribution in ALL]
    assert drawn == DRAWN


DRAWN = [
    "0x1.d4c0000000000p+15",
    "0x1.e921d44d25a52p+11",
    "0x1.a8468818a4ef7p+16",
    "0x1.39b94d35fcfacp+21",
    "0x1.9155e4aa3ffb2p+8",
    "0x1.0e16936fde2e7p+10",
    "0x1.1102f2a1d014bp+10",
    "0x1.55777c94dd9f4p+10",
    "0x1.4c09f59bf14cap+12",
    "0x1.0000000000000p+0",
]

"""Distributions of durations, sizes and counts: what a made-up workload draws from.

Each is a frozen value with a quantile function, and a draw is the quantile of one number of `random.Random.random()`: one draw
takes one number whatever the distribution, and the same number gives a longer duration where the distribution is longer. The
arithmetic is that of `portable`, so draws are the same on every machine. What the numbers are, milliseconds, millicores or a
count, is known to whoever draws.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import ClassVar, Self, TypeVar

from workbench.values.found import found, shown
from workbench.values.registry import Registry
from workbench.workloads.generators.notation import NUMBER, Given, Unit, Written, bound, parse_call
from workbench.workloads.generators.portable import SMALLEST, exp, gamma, log, normal_quantile, power

Z95 = 1.6448536269514722
"""The 95th percentile of the standard normal distribution."""


class Distribution(ABC):
    """What numbers are drawn from. Subclasses are frozen dataclasses whose fields are floats.

    Attributes:
        name: how it is written.
        VALUES: names of the parameters that have the unit of what is drawn, as people write them.
        NUMBERS: names of the parameters without a unit.
    """

    name: ClassVar[str]
    VALUES: ClassVar[tuple[str, ...]] = ()
    NUMBERS: ClassVar[tuple[str, ...]] = ()

    __slots__ = ()

    @classmethod
    @abstractmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        """The one with these parameters. ValueError, with a sentence, if there is none."""

    @abstractmethod
    def parameters(self) -> dict[str, float]:
        """Parameters that `of` makes an equal one from."""

    @abstractmethod
    def mean(self) -> float:
        """The mean; infinite where there is none."""

    @abstractmethod
    def quantile(self, p: float) -> float:
        """The value below which a draw stays with probability p, 0 <= p < 1."""

    @abstractmethod
    def cdf(self, x: float) -> float:
        """The probability of at most x. For reports: as exact as the platform's `math`."""

    @abstractmethod
    def scaled(self, factor: float) -> Self:
        """The distribution of its draws times a factor above 0."""

    def sample(self, source: random.Random) -> float:
        """One draw, for one number of the source."""
        return self.quantile(source.random())


T = TypeVar("T", bound=type[Distribution])

DISTRIBUTIONS: Registry[type[Distribution]] = Registry("distribution")
"""Name -> class."""


def register_distribution(name: str) -> Callable[[T], T]:
    """Register a subclass of `Distribution` under a name, by which files can then use it.

    Raises:
        CommandError: the name is empty or taken.
    """

    def registered(cls: T) -> T:
        DISTRIBUTIONS.register(name, cls)
        cls.name = name
        return cls

    return registered


@register_distribution("constant")
@dataclass(frozen=True, slots=True)
class Constant(Distribution):
    """Always the same value."""

    value: float
    VALUES: ClassVar = ("value",)

    def __post_init__(self) -> None:
        _not_negative("the value", self.value)

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        return cls(_needed(given, "value"))

    def parameters(self) -> dict[str, float]:
        return {"value": self.value}

    def mean(self) -> float:
        return self.value

    def quantile(self, p: float) -> float:
        return self.value

    def cdf(self, x: float) -> float:
        return float(x >= self.value)

    def scaled(self, factor: float) -> Self:
        return type(self)(self.value * factor)


@register_distribution("uniform")
@dataclass(frozen=True, slots=True)
class Uniform(Distribution):
    """Everything from `low` to `high` is equally probable."""

    low: float
    high: float
    VALUES: ClassVar = ("low", "high")

    def __post_init__(self) -> None:
        _not_negative("low", self.low)
        if not self.low <= self.high < math.inf:
            raise ValueError("high must be at least low")

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        return cls(_needed(given, "low"), _needed(given, "high"))

    def parameters(self) -> dict[str, float]:
        return {"low": self.low, "high": self.high}

    def mean(self) -> float:
        return (self.low + self.high) / 2

    def quantile(self, p: float) -> float:
        return self.low + p * (self.high - self.low)

    def cdf(self, x: float) -> float:
        width = self.high - self.low
        return min(max((x - self.low) / width, 0.0), 1.0) if width else float(x >= self.low)

    def scaled(self, factor: float) -> Self:
        return type(self)(self.low * factor, self.high * factor)


@register_distribution("exponential")
@dataclass(frozen=True, slots=True)
class Exponential(Distribution):
    """Ends at any moment with the same probability; `scale` is the mean."""

    scale: float
    VALUES: ClassVar = ("mean",)

    def __post_init__(self) -> None:
        _above_zero("the mean", self.scale)

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        return cls(_needed(given, "mean"))

    def parameters(self) -> dict[str, float]:
        return {"mean": self.scale}

    def mean(self) -> float:
        return self.scale

    def quantile(self, p: float) -> float:
        return -self.scale * log(1.0 - p)

    def cdf(self, x: float) -> float:
        return -math.expm1(-x / self.scale) if x > 0 else 0.0

    def scaled(self, factor: float) -> Self:
        return type(self)(self.scale * factor)


@register_distribution("lognormal")
@dataclass(frozen=True, slots=True)
class Lognormal(Distribution):
    """Its logarithm is normal with standard deviation `sigma`; half of the draws are below `median`.

    Given by two of mean, median, sigma and p95.
    """

    median: float
    sigma: float
    VALUES: ClassVar = ("median", "mean", "p95")
    NUMBERS: ClassVar = ("sigma",)

    def __post_init__(self) -> None:
        _above_zero("the median", self.median)
        _not_negative("sigma", self.sigma)

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        for key in ("median", "mean", "p95"):
            if key in given:
                _above_zero(key, given[key])
        match sorted(given):
            case ["median", "sigma"]:
                return cls(given["median"], given["sigma"])
            case ["mean", "sigma"]:
                _not_negative("sigma", given["sigma"])
                return cls(given["mean"] * exp(-given["sigma"] * given["sigma"] / 2), given["sigma"])
            case ["mean", "median"]:
                if given["mean"] < given["median"]:
                    raise ValueError("the mean of a lognormal distribution is at least its median")
                return cls(given["median"], math.sqrt(2 * log(given["mean"] / given["median"])))
            case ["median", "p95"]:
                if given["p95"] < given["median"]:
                    raise ValueError("the p95 must be at least the median")
                return cls(given["median"], log(given["p95"] / given["median"]) / Z95)
            case ["p95", "sigma"]:
                _not_negative("sigma", given["sigma"])
                return cls(given["p95"] * exp(-Z95 * given["sigma"]), given["sigma"])
            case ["mean", "p95"]:
                ratio = log(given["p95"] / given["mean"])
                most = Z95 * Z95 / 2
                if not 0 <= ratio <= most:
                    raise ValueError(
                        f"no lognormal distribution has a p95 of {exp(ratio):.3g} times its mean: from 1 to {exp(most):.3g} times "
                        "is possible; for a longer tail give median and p95"
                    )
                # Of the two that there are, the one with the shorter tail.
                sigma = Z95 - math.sqrt(Z95 * Z95 - 2 * ratio)
                return cls(given["mean"] * exp(-sigma * sigma / 2), sigma)
        raise ValueError("exactly two of median, mean, p95 and sigma are needed, such as median and p95")

    def parameters(self) -> dict[str, float]:
        return {"median": self.median, "sigma": self.sigma}

    def mean(self) -> float:
        return self.median * exp(self.sigma * self.sigma / 2)

    def quantile(self, p: float) -> float:
        return self.median * exp(self.sigma * normal_quantile(max(p, SMALLEST)))

    def cdf(self, x: float) -> float:
        if x <= 0:
            return 0.0
        if not self.sigma:
            return float(x >= self.median)
        return 0.5 * math.erfc(-math.log(x / self.median) / (self.sigma * math.sqrt(2)))

    def scaled(self, factor: float) -> Self:
        return type(self)(self.median * factor, self.sigma)


@register_distribution("weibull")
@dataclass(frozen=True, slots=True)
class Weibull(Distribution):
    """63 % of the draws are below `scale`; a `shape` below 1 has a longer tail than the exponential, one above 1 a shorter.

    Given by shape and either scale or mean.
    """

    scale: float
    shape: float
    VALUES: ClassVar = ("scale", "mean")
    NUMBERS: ClassVar = ("shape",)

    def __post_init__(self) -> None:
        _above_zero("the scale", self.scale)
        if not 0.05 <= self.shape <= 1000:
            raise ValueError(f"the shape of a Weibull distribution is from 0.05 to 1000, found {self.shape:g}")

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        shape = _needed(given, "shape")
        if ("scale" in given) == ("mean" in given):
            raise ValueError("either scale or mean is needed, besides shape")
        whole = cls(1.0, shape)
        return cls(given["scale"] if "scale" in given else given["mean"] / whole.mean(), shape)

    def parameters(self) -> dict[str, float]:
        return {"scale": self.scale, "shape": self.shape}

    def mean(self) -> float:
        return self.scale * gamma(1.0 + 1.0 / self.shape)

    def quantile(self, p: float) -> float:
        beyond = 1.0 - p  # a probability below 2**-53 is lost here, as it is in every draw
        return self.scale * power(-log(beyond), 1.0 / self.shape) if beyond < 1.0 else 0.0

    def cdf(self, x: float) -> float:
        return -math.expm1(-math.pow(x / self.scale, self.shape)) if x > 0 else 0.0

    def scaled(self, factor: float) -> Self:
        return type(self)(self.scale * factor, self.shape)


@register_distribution("pareto")
@dataclass(frozen=True, slots=True)
class Pareto(Distribution):
    """At least `least`; the probability of more than x falls as x to the power of -`shape`; nothing is above `most`.

    Without `most`, a shape of 1 or less has no finite mean, and no load can be told from it.
    """

    least: float
    shape: float
    most: float = math.inf
    VALUES: ClassVar = ("least", "most")
    NUMBERS: ClassVar = ("shape",)

    def __post_init__(self) -> None:
        _above_zero("least", self.least)
        if not 0.05 <= self.shape <= 1000:
            raise ValueError(f"the shape of a Pareto distribution is from 0.05 to 1000, found {self.shape:g}")
        if self.most <= self.least:
            raise ValueError("most must be above least")

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        return cls(_needed(given, "least"), _needed(given, "shape"), given.get("most", math.inf))

    def parameters(self) -> dict[str, float]:
        bounds = {"least": self.least, "shape": self.shape}
        return bounds if self.most == math.inf else {**bounds, "most": self.most}

    @property
    def _beyond(self) -> float:
        """The probability of the unbounded one that lies beyond `most`."""
        return 0.0 if self.most == math.inf else power(self.least / self.most, self.shape)

    def mean(self) -> float:
        if self.most == math.inf:
            return self.least * self.shape / (self.shape - 1) if self.shape > 1 else math.inf
        part = self.shape - 1
        # The integral of x times the density; for a shape near 1 the quotient is its limit, a logarithm.
        ratio = self.most / self.least
        integral = log(ratio) if abs(part) < 1e-9 else (1.0 - power(ratio, -part)) / part
        return self.least * self.shape * integral / (1.0 - self._beyond)

    def quantile(self, p: float) -> float:
        kept = 1.0 - p * (1.0 - self._beyond)
        return min(self.least * power(kept, -1.0 / self.shape), self.most)

    def cdf(self, x: float) -> float:
        if x <= self.least:
            return 0.0
        return min((1.0 - math.pow(self.least / x, self.shape)) / (1.0 - self._beyond), 1.0)

    def scaled(self, factor: float) -> Self:
        return type(self)(self.least * factor, self.shape, self.most * factor)


@register_distribution("empirical")
@dataclass(frozen=True, slots=True)
class Empirical(Distribution):
    """One of some values, kept in order; each with its weight, or all alike. Weights of 0 leave a value out."""

    values: tuple[float, ...]
    weights: tuple[float, ...] = ()
    _steps: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values, weights = tuple(self.values), tuple(self.weights)
        if not values:
            raise ValueError("at least one value is needed")
        if weights and len(weights) != len(values):
            raise ValueError(f"there are {len(values)} values and {len(weights)} weights; each value needs one")
        for value in values:
            _not_negative("a value", value)
        for weight in weights:
            _not_negative("a weight", weight)
        alike = [1.0] * len(values)
        merged: dict[float, float] = {}
        for value, weight in sorted(zip(values, weights or alike)):
            if weight:
                merged[float(value)] = merged.get(float(value), 0.0) + weight
        if not merged:
            raise ValueError("all weights are 0; one value needs a weight above it")
        total = math.fsum(merged.values())
        set_field = object.__setattr__
        set_field(self, "values", tuple(merged))
        set_field(self, "weights", () if len(set(merged.values())) == 1 else tuple(merged.values()))
        set_field(self, "_steps", tuple(each / total for each in accumulate(merged.values())))

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Self:
        raise ValueError("values are needed, such as empirical([1m, 5m, 1h])")

    def parameters(self) -> dict[str, float]:
        return {}

    def _weights(self) -> Sequence[float]:
        return self.weights or [1.0] * len(self.values)

    def mean(self) -> float:
        return math.fsum(value * weight for value, weight in zip(self.values, self._weights())) / math.fsum(self._weights())

    def quantile(self, p: float) -> float:
        return self.values[min(bisect_right(self._steps, p), len(self.values) - 1)]

    def cdf(self, x: float) -> float:
        below = bisect_right(self.values, x)
        return self._steps[below - 1] if below else 0.0

    def cdf_below(self, x: float) -> float:
        """The probability of less than x."""
        below = bisect_left(self.values, x)
        return self._steps[below - 1] if below else 0.0

    def scaled(self, factor: float) -> Self:
        return type(self)(tuple(value * factor for value in self.values), self.weights)


# -- Text and mappings --------------------------------------------------------------------------------------------------


def parse_distribution(given: object, unit: Unit = NUMBER) -> Distribution:
    """The distribution written as `lognormal(median=10m, p95=1h)`, as `{lognormal: {median: 10m, p95: 1h}}`, or as one value.

    Raises:
        ValueError: with a sentence that says what is allowed.

    >>> parse_distribution("exponential(0.5)"), parse_distribution(3)
    (Exponential(scale=0.5), Constant(value=3.0))
    >>> parse_distribution("empirical([1, 1, 2])").mean() == 4 / 3
    True
    """
    if isinstance(given, Distribution):
        return given
    if isinstance(given, Mapping):
        if len(given) != 1:
            raise ValueError("a distribution is one name with its parameters, such as {exponential: {mean: 5m}}")
        ((name, inner),) = given.items()
        cls = _class(str(name))
        if isinstance(inner, Mapping):
            return _made(cls, [], dict(inner), unit)
        return _made(cls, [inner], {}, unit)
    call = parse_call(given) if isinstance(given, str) else None
    if call is None:
        return Constant(unit.read(given))
    name, placed, named = call
    return _made(_class(name), placed, named, unit)


def written_distribution(distribution: Distribution, unit: Unit = NUMBER) -> Written:
    """What `parse_distribution` reads as an equal one: a value, a line of text, or a mapping where a line would lose something.

    >>> written_distribution(Lognormal(2.5, 1.0)), written_distribution(Constant(2.0))
    ('lognormal(median=2.5, sigma=1)', 2)
    """
    if isinstance(distribution, Constant):
        return unit.write(distribution.value)
    if isinstance(distribution, Empirical):
        values: dict[str, object] = {"values": [unit.write(value) for value in distribution.values]}
        if distribution.weights:
            values["weights"] = [NUMBER.write(weight) for weight in distribution.weights]
        return {distribution.name: values}
    parts = {key: (unit if key in distribution.VALUES else NUMBER).write(value) for key, value in distribution.parameters().items()}
    if unit is not NUMBER and any(key in distribution.VALUES and not isinstance(value, str) for key, value in parts.items()):
        return {distribution.name: dict(parts)}
    return f"{distribution.name}({', '.join(f'{key}={value}' for key, value in parts.items())})"


def _class(name: str) -> type[Distribution]:
    if name not in DISTRIBUTIONS:
        raise ValueError(f"there is no distribution {shown(name)}; there are {', '.join(DISTRIBUTIONS)}")
    return DISTRIBUTIONS[name]


def _made(cls: type[Distribution], placed: list[Given], named: dict[str, Given], unit: Unit) -> Distribution:
    if issubclass(cls, Empirical):
        return _empirical(cls, placed, named, unit)
    keys = (*cls.VALUES, *cls.NUMBERS)
    given = bound(placed, named, keys, cls.name)
    try:
        return cls.of({key: (unit if key in cls.VALUES else NUMBER).read(value) for key, value in given.items()})
    except ValueError as error:
        raise ValueError(f"{cls.name}: {error}") from None


def _empirical(cls: type[Empirical], placed: list[Given], named: dict[str, Given], unit: Unit) -> Distribution:
    if len(placed) > 1 and not any(isinstance(value, list) for value in placed):
        placed = [list(placed)]
    given = bound(placed, named, ("values", "weights"), cls.name)
    if "values" not in given:
        raise ValueError(f"{cls.name}: values are needed, such as empirical([1m, 5m, 1h])")
    lists: dict[str, list[Given]] = {}
    for key, value in given.items():
        lists[key] = value if isinstance(value, list) else [value]
    try:
        return cls(tuple(unit.read(value) for value in lists["values"]), tuple(NUMBER.read(w) for w in lists.get("weights", [])))
    except ValueError as error:
        raise ValueError(f"{cls.name}: {error}") from None


def _needed(given: Mapping[str, float], key: str) -> float:
    if key not in given:
        raise ValueError(f"{key} is needed")
    return given[key]


def _above_zero(what: str, value: float) -> None:
    if not 0 < value < math.inf:
        raise ValueError(f"{what} must be above 0, found {found(value)}")


def _not_negative(what: str, value: float) -> None:
    if not 0 <= value < math.inf:
        raise ValueError(f"{what} must be at least 0, found {found(value)}")

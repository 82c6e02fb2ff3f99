"""When jobs of a class arrive: at random, by the hour of the day, in bursts, by the clock.

An arrival process is a frozen value. It gives the instants of its jobs, in order, for a length of time and a source of random
numbers, and knows how many jobs it gives on average, so that a class can be scaled to a load.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeVar

from workbench.values.found import found, shown
from workbench.values.registry import Registry
from workbench.workloads.generators.counts import count_of, mean_count, scaled_count
from workbench.workloads.generators.distributions import Constant, Distribution, parse_distribution, written_distribution
from workbench.workloads.generators.notation import NUMBER, SPAN, Given, Written, bound, parse_call
from workbench.workloads.generators.portable import log
from workbench.workloads.generators.profiles import FLAT, HOUR_MS, Profile, read_profile

RATES = {"per_second": 1000, "per_minute": 60_000, "per_hour": HOUR_MS, "per_day": 24 * HOUR_MS}
"""Keys that give how many, instead of `every`: how far apart they are on average; in milliseconds."""
PROFILE_KEYS = ("day", "week", "hours")
ONE: Distribution = Constant(1.0)


class Arrivals(ABC):
    """An arrival process. Subclasses are frozen dataclasses.

    Attributes:
        name: how it is written.
        KEYS: what may be written of it, the first ones also without their names.
    """

    name: ClassVar[str]
    KEYS: ClassVar[tuple[str, ...]]

    __slots__ = ()

    @classmethod
    @abstractmethod
    def of(cls, given: Mapping[str, Given]) -> Self:
        """The process that these written values, all in `KEYS`, describe. ValueError with a sentence."""

    @abstractmethod
    def written(self) -> dict[str, object]:
        """What `of` makes an equal one from."""

    @abstractmethod
    def expected(self, length_ms: int) -> float:
        """How many jobs it gives on average before a time."""

    @abstractmethod
    def scaled(self, factor: float) -> Self:
        """The same with so many times the jobs, factor above 0."""

    @abstractmethod
    def instants(self, length_ms: int, source: random.Random) -> Iterator[float]:
        """When jobs arrive, in milliseconds from 0 to before `length_ms`; those of one instant one after the other."""

    def times(self, length_ms: int, source: random.Random) -> list[int]:
        """The same in whole milliseconds, in order."""
        return sorted(int(instant) for instant in self.instants(length_ms, source))

    def words(self) -> str:
        """What it is, in a few words for people."""
        return self.name


T = TypeVar("T", bound=type[Arrivals])

ARRIVALS: Registry[type[Arrivals]] = Registry("arrival process")
"""Name -> class."""


def register_arrivals(name: str) -> Callable[[T], T]:
    """Register a subclass of `Arrivals` under a name, by which files can then use it.

    Raises:
        CommandError: the name is empty or taken.
    """

    def registered(cls: T) -> T:
        ARRIVALS.register(name, cls)
        cls.name = name
        return cls

    return registered


@register_arrivals("poisson")
@dataclass(frozen=True, slots=True)
class Poisson(Arrivals):
    """Independent of each other, `every_ms` apart on average; busier and calmer by the hour of the week with a profile.

    With a profile by thinning (Lewis and Shedler 1979): instants at the rate of the busiest hour, each kept with the probability
    that its hour is busy in proportion.
    """

    every_ms: float
    profile: Profile = FLAT
    KEYS: ClassVar = ("every", *RATES, *PROFILE_KEYS)

    def __post_init__(self) -> None:
        _apart(self.every_ms)

    @classmethod
    def of(cls, given: Mapping[str, Given]) -> Self:
        return cls(_every(given), _profile(given))

    def written(self) -> dict[str, object]:
        return {"every": SPAN.write(self.every_ms), **self.profile.written()}

    def expected(self, length_ms: int) -> float:
        return length_ms / self.every_ms * self.profile.over(length_ms)

    def scaled(self, factor: float) -> Self:
        return replace(self, every_ms=self.every_ms / factor)

    def instants(self, length_ms: int, source: random.Random) -> Iterator[float]:
        draw, profile = source.random, self.profile
        peak = profile.peak
        apart = self.every_ms / peak
        now = -apart * log(1.0 - draw())
        while now < length_ms:
            if peak == 1.0 or draw() * peak < profile.at(now):
                yield now
            now -= apart * log(1.0 - draw())

    def words(self) -> str:
        return "at random" if self.profile.flat else "at random, by the hour"


@register_arrivals("regular")
@dataclass(frozen=True, slots=True)
class Regular(Arrivals):
    """By the clock: `jobs` at once every so often, for the first time at `first_ms`.

    Scaled, one job at a time comes more often; several at once become more, at the same times.
    """

    every_ms: float
    first_ms: float = 0.0
    jobs: Distribution = ONE
    KEYS: ClassVar = ("every", "first", "jobs", *RATES)

    def __post_init__(self) -> None:
        _apart(self.every_ms)
        if not 0 <= self.first_ms < math.inf:
            raise ValueError("first must be at least 0s")

    @classmethod
    def of(cls, given: Mapping[str, Given]) -> Self:
        first = SPAN.read(given["first"]) if "first" in given else 0.0
        return cls(_every(given), first, _jobs(given))

    def written(self) -> dict[str, object]:
        first = {"first": SPAN.write(self.first_ms)} if self.first_ms else {}
        return {"every": SPAN.write(self.every_ms), **first, **_written_jobs(self.jobs)}

    def expected(self, length_ms: int) -> float:
        return self._instants(length_ms) * mean_count(self.jobs)

    def scaled(self, factor: float) -> Self:
        if self.jobs == ONE:
            return replace(self, every_ms=self.every_ms / factor)
        # What comes at one in the morning goes on to come then.
        scaled = scaled_count(self.jobs, factor)
        missing = mean_count(self.jobs) * factor / mean_count(scaled)
        return replace(self, jobs=scaled, every_ms=self.every_ms / (missing if missing < 0.95 else 1.0))

    def instants(self, length_ms: int, source: random.Random) -> Iterator[float]:
        for number in range(self._instants(length_ms)):
            for _ in range(count_of(self.jobs, source)):
                yield self.first_ms + number * self.every_ms

    def _instants(self, length_ms: int) -> int:
        number = max(math.ceil((length_ms - self.first_ms) / self.every_ms), 0)
        # The quotient may be off by one in its last bit.
        while number and self.first_ms + (number - 1) * self.every_ms >= length_ms:
            number -= 1
        return number

    def words(self) -> str:
        return "by the clock"


@register_arrivals("bursts")
@dataclass(frozen=True, slots=True)
class Bursts(Arrivals):
    """Many jobs at once: at random instants, `every_ms` apart on average, `jobs` of them, spread evenly over `over_ms`."""

    every_ms: float
    jobs: Distribution = ONE
    over_ms: float = 0.0
    profile: Profile = FLAT
    KEYS: ClassVar = ("every", "jobs", "over", *RATES, *PROFILE_KEYS)

    def __post_init__(self) -> None:
        _apart(self.every_ms)
        if not 0 <= self.over_ms < math.inf:
            raise ValueError("over must be at least 0s")

    @classmethod
    def of(cls, given: Mapping[str, Given]) -> Self:
        if "jobs" not in given:
            raise ValueError("jobs is needed: how many arrive at once, such as jobs=50")
        over = SPAN.read(given["over"]) if "over" in given else 0.0
        return cls(_every(given), _jobs(given), over, _profile(given))

    def written(self) -> dict[str, object]:
        over = {"over": SPAN.write(self.over_ms)} if self.over_ms else {}
        jobs = {"jobs": written_distribution(self.jobs)}
        return {"every": SPAN.write(self.every_ms), **jobs, **over, **self.profile.written()}

    def expected(self, length_ms: int) -> float:
        # What of the last burst lies beyond the end is left out of the run and not of this.
        return Poisson(self.every_ms, self.profile).expected(length_ms) * mean_count(self.jobs)

    def scaled(self, factor: float) -> Self:
        return replace(self, every_ms=self.every_ms / factor)

    def instants(self, length_ms: int, source: random.Random) -> Iterator[float]:
        for start in Poisson(self.every_ms, self.profile).instants(length_ms, source):
            count = count_of(self.jobs, source)
            for number in range(count):
                instant = start + number * self.over_ms / count
                if instant < length_ms:
                    yield instant

    def words(self) -> str:
        return "in bursts"


@register_arrivals("storms")
@dataclass(frozen=True, slots=True)
class Storms(Arrivals):
    """Calm and storm take turns, each for an exponential time: jobs at random, `every_ms` apart in calm, `in_storm_ms` in a storm.

    A Markov-modulated Poisson process of two states, begun in the long run's mixture of both.
    """

    every_ms: float
    in_storm_ms: float
    calm_ms: float
    storm_ms: float
    KEYS: ClassVar = ("every", "in_storm", "calm", "storm")

    def __post_init__(self) -> None:
        for length in (self.every_ms, self.in_storm_ms, self.calm_ms, self.storm_ms):
            _apart(length)

    @classmethod
    def of(cls, given: Mapping[str, Given]) -> Self:
        for key in cls.KEYS:
            if key not in given:
                raise ValueError(f"{key} is needed; all of {', '.join(cls.KEYS)} are spans of time")
        return cls(*(SPAN.read(given[key]) for key in cls.KEYS))

    def written(self) -> dict[str, object]:
        lengths = (self.every_ms, self.in_storm_ms, self.calm_ms, self.storm_ms)
        return {key: SPAN.write(length) for key, length in zip(self.KEYS, lengths)}

    def expected(self, length_ms: int) -> float:
        cycle = self.calm_ms + self.storm_ms
        return length_ms * (self.calm_ms / self.every_ms + self.storm_ms / self.in_storm_ms) / cycle

    def scaled(self, factor: float) -> Self:
        return replace(self, every_ms=self.every_ms / factor, in_storm_ms=self.in_storm_ms / factor)

    def instants(self, length_ms: int, source: random.Random) -> Iterator[float]:
        draw = source.random
        stormy = draw() * (self.calm_ms + self.storm_ms) < self.storm_ms
        now = 0.0
        while now < length_ms:
            until = now - (self.storm_ms if stormy else self.calm_ms) * log(1.0 - draw())
            apart = self.in_storm_ms if stormy else self.every_ms
            now -= apart * log(1.0 - draw())
            while now < min(until, length_ms):
                yield now
                now -= apart * log(1.0 - draw())
            # What is left of a gap does not matter: exponential gaps have no memory.
            now, stormy = until, not stormy

    def words(self) -> str:
        return "in storms"


# -- Text and mappings --------------------------------------------------------------------------------------------------


def parse_arrivals(given: object) -> Arrivals:
    """The process written as `poisson(every=30s, day=office)`, or as `{poisson: {every: 30s, day: office}}`.

    Raises:
        ValueError: with a sentence that says what is allowed.

    >>> parse_arrivals("regular(every=10m)"), parse_arrivals("poisson(per_hour=120)").expected(3_600_000)
    (Regular(every_ms=600000.0, first_ms=0.0, jobs=Constant(value=1.0)), 120.0)
    """
    if isinstance(given, Arrivals):
        return given
    if isinstance(given, Mapping):
        if len(given) != 1:
            raise ValueError("arrivals are one name with its parameters, such as {poisson: {every: 30s}}")
        ((name, inner),) = given.items()
        placed, named = ([], dict(inner)) if isinstance(inner, Mapping) else ([inner], {})
    else:
        call = parse_call(given) if isinstance(given, str) else None
        if call is None:
            raise ValueError(
                f"arrivals are written like poisson(every=30s), with one of {', '.join(ARRIVALS)}; found {found(given)}"
            )
        name, placed, named = call
    if name not in ARRIVALS:
        raise ValueError(f"there are no arrivals called {shown(str(name))}; there are {', '.join(ARRIVALS)}")
    cls = ARRIVALS[name]
    try:
        return cls.of(bound(placed, named, cls.KEYS, name))
    except ValueError as error:
        text = str(error)
        raise ValueError(text if text.startswith(name) else f"{name}: {text}") from None


def written_arrivals(arrivals: Arrivals) -> Written:
    """What `parse_arrivals` reads as an equal one: a line of text, or a mapping where there are lists in it."""
    parts = arrivals.written()
    if any(isinstance(value, dict | list) or isinstance(value, str) and "(" in value for value in parts.values()):
        return {arrivals.name: parts}
    return f"{arrivals.name}({', '.join(f'{key}={value}' for key, value in parts.items())})"


def _every(given: Mapping[str, Given]) -> float:
    keys = [key for key in ("every", *RATES) if key in given]
    if len(keys) != 1:
        raise ValueError("how often is needed, once: every=30s, or per_hour=120 (or per_second, per_minute, per_day)")
    if keys[0] == "every":
        return SPAN.read(given["every"])
    rate = NUMBER.read(given[keys[0]])
    if not rate > 0:
        raise ValueError(f"{keys[0]} must be above 0, found {found(given[keys[0]])}")
    return RATES[keys[0]] / rate


def _profile(given: Mapping[str, Given]) -> Profile:
    return read_profile(given.get("day"), given.get("week"), given.get("hours"))


def _jobs(given: Mapping[str, Given]) -> Distribution:
    return parse_distribution(given["jobs"]) if "jobs" in given else ONE


def _written_jobs(jobs: Distribution) -> dict[str, object]:
    return {} if jobs == ONE else {"jobs": written_distribution(jobs)}


def _apart(every_ms: float) -> None:
    if not 0 < every_ms < math.inf:
        raise ValueError("the time between two arrivals, or the length of a state, must be above 0")

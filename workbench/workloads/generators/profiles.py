"""How busy each part of a day and each day of a week is, relative to each other. A week begins on Monday at midnight.

A workload's zero is such a Monday, so that hour 9 is nine in the morning of the first day.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.values.found import found, shown
from workbench.workloads.generators.notation import NUMBER

HOUR_MS = 3_600_000
HOURS_OF_WEEK = 168

DAYS: dict[str, tuple[float, ...]] = {
    "flat": (1.0,) * 24,
    "office": (0.2,) * 6 + (0.4, 0.8, 1.5, 2.2, 2.5, 2.4, 1.8, 2.1, 2.4, 2.3, 2.0, 1.5, 1.0, 0.7, 0.5, 0.4, 0.3, 0.2),
    "night": (2.5, 2.8, 2.6, 2.2, 1.8, 1.2) + (0.5,) * 14 + (0.8, 1.2, 1.8, 2.2),
    "evening": (0.9, 0.6, 0.4, 0.3, 0.3, 0.4, 0.6, 0.8, 0.9, 1.0, 1.0, 1.1)
    + (1.1, 1.0, 1.0, 1.1, 1.2, 1.4, 1.6, 1.8, 1.9, 1.8, 1.5, 1.2),
}
"""Name -> 24 weights: equal; working hours; jobs left for the night; people at home in front of a screen."""

WEEKS: dict[str, tuple[float, ...]] = {
    "flat": (1.0,) * 7,
    "workdays": (1.2, 1.3, 1.3, 1.3, 1.1, 0.4, 0.4),
}
"""Name -> 7 weights, Monday first."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights of the 168 hours of a week, or of the hours of a day and of the days; only their proportions count.

    Attributes:
        hours: 168 weights, Monday midnight first; empty where `day` and `week` say it.
        day: 24 weights.
        week: 7 weights, Monday first; an hour has the product of both.

    Raises:
        ValueError: another number of weights, one below 0, or all of them 0.
    """

    hours: tuple[float, ...] = ()
    day: tuple[float, ...] = DAYS["flat"]
    week: tuple[float, ...] = WEEKS["flat"]
    weights: tuple[float, ...] = field(init=False, repr=False, compare=False)
    """Of the 168 hours, however they were given."""

    def __post_init__(self) -> None:
        for key, count in (("hours", HOURS_OF_WEEK), ("day", 24), ("week", 7)):
            given = tuple(float(weight) for weight in getattr(self, key))
            object.__setattr__(self, key, given)
            if len(given) != count and (given or key != "hours"):
                raise ValueError(f"{key} has {count} weights, found {len(given)}")
        if self.hours and (self.day, self.week) != (DAYS["flat"], WEEKS["flat"]):
            raise ValueError("hours are those of a whole week; give them, or day and week")
        weights = self.hours or tuple(weight * hour for weight in self.week for hour in self.day)
        if not all(0 <= hour < math.inf for hour in weights) or not any(weights):
            raise ValueError("weights are numbers of at least 0, and one of them is above 0")
        object.__setattr__(self, "weights", weights)

    @classmethod
    def of(cls, day: object = "flat", week: object = "flat") -> Profile:
        """The one of a day (24 weights, or a name in `DAYS`) that repeats, by days of the week (7, or a name in `WEEKS`)."""
        return cls(day=_weights(day, DAYS, 24, "day"), week=_weights(week, WEEKS, 7, "week"))

    @property
    def flat(self) -> bool:
        """Whether all hours are alike."""
        return len(set(self.weights)) == 1

    @property
    def mean(self) -> float:
        """The mean weight."""
        return math.fsum(self.weights) / HOURS_OF_WEEK

    def at(self, ms: float) -> float:
        """How busy an instant is: 1.0 is the mean of the week."""
        return self.weights[int(ms // HOUR_MS) % HOURS_OF_WEEK] / self.mean

    @property
    def peak(self) -> float:
        """How busy the busiest hour is."""
        return max(self.weights) / self.mean

    def over(self, length_ms: int) -> float:
        """The mean of `at` from zero to a time; 1.0 for whole weeks."""
        whole, rest = divmod(length_ms, HOUR_MS)
        weeks, hours = divmod(whole, HOURS_OF_WEEK)
        total = weeks * math.fsum(self.weights) + math.fsum(self.weights[:hours]) + self.weights[hours] * (rest / HOUR_MS)
        return total / self.mean / (length_ms / HOUR_MS)

    def written(self) -> dict[str, object]:
        """The keys `day`, `week` and `hours` that give this one: names where it has them, else weights; nothing if it is flat."""
        made: dict[str, object] = {}
        for key, given, names in (("day", self.day, DAYS), ("week", self.week, WEEKS)):
            if given != names["flat"]:
                named = [name for name, weights in names.items() if weights == given]
                made[key] = named[0] if named else [NUMBER.write(weight) for weight in given]
        return {"hours": [NUMBER.write(weight) for weight in self.hours]} if self.hours else made


FLAT = Profile()


def read_profile(day: object = None, week: object = None, hours: object = None) -> Profile:
    """The profile that the keys `day` and `week`, or `hours`, of a file give. ValueError with a sentence."""
    if hours is None:
        return Profile.of("flat" if day is None else day, "flat" if week is None else week)
    if day is not None or week is not None:
        raise ValueError("hours are those of a whole week; give them, or day and week")
    return Profile(_weights(hours, {}, HOURS_OF_WEEK, "week of hours"))


def _weights(given: object, names: dict[str, tuple[float, ...]], count: int, what: str) -> tuple[float, ...]:
    if isinstance(given, str):
        if given not in names:
            there_are = f"there are {', '.join(names)}, or " if names else "give "
            raise ValueError(f"there is no {what} called {shown(given)}; {there_are}{count} weights")
        return names[given]
    if not isinstance(given, Sequence):
        one_of = f"one of {', '.join(names)}, or " if names else ""
        raise ValueError(f"{what} is {one_of}a list of {count} weights, found {found(given)}")
    if len(given) != count:
        raise ValueError(f"a {what} has {count} weights, found {len(given)}")
    return tuple(NUMBER.read(weight) for weight in given)

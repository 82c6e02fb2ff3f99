"""Which combinations of settings a sweep tries: every one, those listed, or a random sample. SW-1.

A combination is a mapping from the address of a setting (`workbench.sweeps.settings`) to its value. Each class gives its
combinations in an order of its own, always the same, and each of them once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, TypeAlias

from workbench.values.errors import CommandError
from workbench.values.found import found, shown

Point: TypeAlias = Mapping[str, Any]
"""Address of a setting -> its value."""
MOST = 1_000_000
"""More combinations than this are a slip of the pen."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`, both included, for a sample or a search.

    Attributes:
        step: only low, low + step, low + 2 steps ...; 0 for any number. Whole numbers unless one of the three is not.
        log: as many small as large ones; both ends above 0, and no step other than 1.

    Raises:
        CommandError: the ends make no sense.
    """

    low: float
    high: float
    step: float = 1
    log: bool = False

    def __post_init__(self) -> None:
        numbers = (self.low, self.high, self.step)
        if any(isinstance(each, bool) or not isinstance(each, int | float) or not math.isfinite(each) for each in numbers):
            raise CommandError(f"a range is made of numbers, found {found(self.low)}, {found(self.high)}, {found(self.step)}")
        if not self.low <= self.high or self.step < 0:
            raise CommandError(f"a range goes from the lower to the higher number, found {self.low} to {self.high} by {self.step}")
        if self.log and (self.low <= 0 or self.step not in (0, 1)):
            raise CommandError("a logarithmic range lies above 0 and has no step other than 1")

    @property
    def whole(self) -> bool:
        """All its numbers are whole."""
        return self.step != 0 and all(isinstance(each, int) for each in (self.low, self.high, self.step))

    @property
    def count(self) -> float:
        """How many numbers there are."""
        return math.floor((self.high - self.low) / self.step + 1e-9) + 1 if self.step else math.inf

    def drawn(self, chance: Random) -> float:
        """One of them, by chance."""
        if self.log:
            found = math.exp(chance.uniform(math.log(self.low), math.log(self.high)))
            return min(max(round(found), self.low), self.high) if self.whole else found
        if not self.step:
            return chance.uniform(self.low, self.high)
        found = self.low + self.step * chance.randrange(int(self.count))
        return found if self.whole else round(found, 12)


Choices: TypeAlias = Sequence[Any] | Between


class Grid:
    """Every combination of the values of each setting; the last setting changes first.

    >>> [*Grid({"load": [1, 2], "nodes": [8]})]
    [{'load': 1, 'nodes': 8}, {'load': 2, 'nodes': 8}]

    Raises:
        CommandError: a setting without values, with a range, or more than a million combinations.
    """

    def __init__(self, settings: Mapping[str, Choices]):
        self.settings = {key: _values(key, values) for key, values in _mapping(settings).items()}
        if len(self) > MOST:
            raise CommandError(f"these are {len(self):,} combinations; take fewer values, or a Sample of them")

    def __len__(self) -> int:
        return math.prod(len(values) for values in self.settings.values())

    def __iter__(self) -> Iterator[Point]:
        return (dict(zip(self.settings, values)) for values in product(*self.settings.values()))


class Listed:
    """The combinations that are given; each may set other settings. Equal ones count once.

    Raises:
        CommandError: something that is no mapping of settings to values.
    """

    def __init__(self, points: Sequence[Point]):
        if isinstance(points, str | Mapping) or not isinstance(points, Sequence):
            raise CommandError(f"combinations are a list of mappings from settings to values, found {found(points)}")
        self.points = list({key_of(each): dict(_mapping(each)) for each in points}.values())

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Point]:
        return (dict(each) for each in self.points)


class Sample:
    """So many combinations, drawn by chance from lists of values and from ranges, no two alike.

    Where there are not more than so many, it is all that there are. The same seed draws the same ones, and a larger count only
    adds to them.

    >>> [*Sample({"load": Between(1, 3)}, 2, seed=7)] == [*Sample({"load": Between(1, 3)}, 3, seed=7)][:2]
    True

    Raises:
        CommandError: a setting without values, or a count below 1.
    """

    def __init__(self, settings: Mapping[str, Choices], count: int, *, seed: int = 0):
        self.settings = {
            key: values if isinstance(values, Between) else _values(key, values) for key, values in _mapping(settings).items()
        }
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST:
            raise CommandError(f"a sample has 1 to {MOST:,} combinations, found {found(count)}")
        self.count, self.seed = count, seed
        sizes = [values.count if isinstance(values, Between) else len(values) for values in self.settings.values()]
        self._all = math.prod(sizes)
        self._points = self._drawn()

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[Point]:
        return (dict(each) for each in self._points)

    def _drawn(self) -> list[Point]:
        chance = Random(self.seed)
        drawn: dict[str, Point] = {}
        # Draws that were there already are made again; where nearly all are wanted, the last few would take very long.
        for _ in range(100 * self.count):
            if len(drawn) >= min(self.count, self._all):
                break
            point = {
                key: values.drawn(chance) if isinstance(values, Between) else values[chance.randrange(len(values))]
                for key, values in self.settings.items()
            }
            drawn.setdefault(key_of(point), point)
        return list(drawn.values())


def choices_of(settings: Any) -> Grid | Listed | Sample:
    """What somebody gave as settings: a mapping of lists is a `Grid`, a list of mappings is `Listed`. CommandError for else."""
    if isinstance(settings, Grid | Listed | Sample):
        return settings
    return Grid(settings) if isinstance(settings, Mapping) else Listed(settings)


def key_of(point: Point) -> str:
    """A text that is equal for equal combinations, whatever the order of their settings. CommandError for a value of no text."""
    try:
        return json.dumps(_mapping(point), sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError):
        raise CommandError("values of settings are texts, numbers, true, false, lists and mappings of these") from None


def _mapping(settings: Any) -> Mapping[str, Any]:
    if not isinstance(settings, Mapping):
        raise CommandError(f"settings are a mapping from an address to values, found {found(settings)}")
    return settings


def _values(key: str, values: Any) -> list[Any]:
    if isinstance(values, Between):
        raise CommandError(f"{key}: every combination of a range cannot be tried; list the values, or take a Sample")
    if isinstance(values, str | Mapping) or not isinstance(values, Sequence | range):
        raise CommandError(f"{key}: give a list of values, found {found(values)}")
    distinct = list({key_of({key: value}): value for value in values}.values())
    if not distinct:
        raise CommandError(f"{shown(key)} has no values")
    return distinct

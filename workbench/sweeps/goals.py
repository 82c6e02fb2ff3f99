"""What a sweep or a search is after: numbers to be kept within bounds, and numbers to be as good as they can.

    Goal("wait.p95", of="root.prod", at_most="5m")      a bound
    Goal("preempted")                                    as few as possible, as its measure says that fewer is better
    Goal("utilization.vcore", aim="most")

Bounds come first: of what keeps them all, the best is the one that does best by the first goal without a bound, then the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from workbench.measures import Measure, measure_named, scope_of
from workbench.measures.units import SECONDS, SHARE
from workbench.values.durations import parse_duration
from workbench.values.errors import CommandError
from workbench.values.found import found, shown

Aim = Literal["least", "most"]
Number = Callable[[str, str], "float | None"]
"""(measure, scope) -> its number, None where there is none."""


@dataclass(frozen=True, slots=True, init=False)
class Goal:
    """A number that matters.

    Attributes:
        measure, of: which number; a scope such as `root.prod`, `user:anna` or, by itself, `cluster`.
        at_most, at_least: bounds in the measure's unit; None for none. They may be given as texts such as "5m" or "80%".
        aim: without a bound, whether the least or the most is best.

    Raises:
        CommandError: no such measure or scope, a bound that is no number of its unit, or a measure of which neither less nor more
            is better, without an aim.
    """

    measure: str
    of: str
    at_most: float | None
    at_least: float | None
    aim: Aim | None

    def __init__(
        self,
        measure: str,
        of: str = "cluster",
        *,
        at_most: str | float | None = None,
        at_least: str | float | None = None,
        aim: Aim | None = None,
    ):
        known = measure_named(measure)
        scope = scope_of(of)
        if scope.kind not in known.scopes:
            raise CommandError(f"{known.name} is not measured for {scope}")
        low, high = _bound("at_least", at_least, known), _bound("at_most", at_most, known)
        if aim not in (None, "least", "most"):
            raise CommandError(f"the aim of a goal is least or most, found {found(aim)}")
        if low is not None and high is not None and low > high:
            raise CommandError(f"{known.name}: nothing is at least {known.show(low)} and at most {known.show(high)}")
        if low is None and high is None and aim is None:
            if known.direction == "neither":
                raise CommandError(
                    f"{known.name}: neither less nor more is better; say at_most, at_least, or the aim: least or most"
                )
            aim = "least" if known.direction == "lower" else "most"
        for name, value in (("measure", known.name), ("of", str(scope)), ("at_most", high), ("at_least", low), ("aim", aim)):
            object.__setattr__(self, name, value)

    @property
    def wanted(self) -> tuple[str, str]:
        """(measure, scope)."""
        return self.measure, self.of

    @property
    def is_bound(self) -> bool:
        """It is met or missed, and has a number to be kept within."""
        return self.at_most is not None or self.at_least is not None

    def excess(self, number: float | None) -> float | None:
        """How far a number is out of bounds, 0 or less within them; None for no number, which meets nothing."""
        if number is None:
            return None
        over = [] if self.at_most is None else [number - self.at_most]
        under = [] if self.at_least is None else [self.at_least - number]
        return max([*over, *under], default=0.0)

    def is_met(self, number: float | None) -> bool:
        """Whether a number keeps the bounds; no number keeps none."""
        excess = self.excess(number)
        return excess is not None and excess <= 0

    def cost(self, number: float | None) -> float:
        """A number that is smaller where the goal is met better; infinite for no number."""
        if number is None:
            return float("inf")
        return -number if self.aim == "most" else number if self.aim == "least" else max(0.0, self.excess(number) or 0.0)

    def __str__(self) -> str:
        measure = measure_named(self.measure)
        bounds = [f"at most {measure.show(self.at_most)}"] if self.at_most is not None else []
        bounds += [f"at least {measure.show(self.at_least)}"] if self.at_least is not None else []
        return f"{title(self.measure, self.of)}: {' and '.join(bounds) or f'the {self.aim} possible'}"


def title(measure: str, of: str) -> str:
    """A number in plain words, such as "wait, 95 % at most, root.prod"."""
    return f"{measure_named(measure).title}, {of}"


def parted(goals: Iterable[Goal]) -> tuple[list[Goal], list[Goal]]:
    """(those with bounds, those to be as good as they can). A goal with a bound and an aim is both."""
    goals = list(goals)
    return [each for each in goals if each.is_bound], [each for each in goals if each.aim is not None]


def rank(goals: Iterable[Goal], number: Number) -> tuple[float, ...]:
    """A key by which the better one comes first: bounds missed, by how much in all, then goal by goal."""
    bounds, aims = parted(goals)
    missed = [each for each in bounds if not each.is_met(number(*each.wanted))]
    excess = 0.0
    for each in missed:
        over = each.excess(number(*each.wanted))
        scale = abs(each.at_most or each.at_least or 1.0)
        excess += float("inf") if over is None else over / scale
    return (len(missed), excess, *(each.cost(number(*each.wanted)) for each in aims))


def goals_of(given: Any) -> tuple[Goal, ...]:
    """What somebody gave as goals: one, several, mappings with the arguments of `Goal`. CommandError for anything else."""
    if given is None:
        return ()
    if isinstance(given, Goal | str | dict):
        given = [given]
    if not isinstance(given, Iterable):
        raise CommandError(f"goals are a list of Goal, found {found(given)}")
    goals: list[Goal] = []
    for each in given:
        if isinstance(each, Goal):
            goals.append(each)
        elif isinstance(each, str):
            goals.append(Goal(each))
        elif isinstance(each, dict):
            unknown = [key for key in each if key not in ("measure", "of", "at_most", "at_least", "aim")]
            if unknown or "measure" not in each:
                what = f"there is no {shown(str(unknown[0]))} in a goal" if unknown else "a goal has a measure"
                raise CommandError(f"{what}; it has measure, of, at_most, at_least and aim")
            goals.append(Goal(**each))
        else:
            raise CommandError(f"a goal is a Goal, or a mapping with its measure, found {found(each)}")
    return tuple(goals)


def _bound(name: str, value: object, measure: Measure) -> float | None:
    """The number that is meant, in the measure's unit."""
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            if measure.unit == SECONDS:
                return parse_duration(value.replace(" ", "")) / 1e9
            if measure.unit == SHARE and value.strip().endswith("%"):
                return float(value.strip().removesuffix("%")) / 100
            return float(value)
        except ValueError:
            pass
    example = {SECONDS: "a duration such as 5m or a number of seconds", SHARE: "a share such as 80% or 0.8"}
    raise CommandError(
        f"{measure.name}: {name} is {example.get(measure.unit, f'a number of {measure.unit}')}, found {found(value)}"
    )

"""Bounds on a number, as people write them: `at_most: 5m`, `at_least: 80%`, `equals: 0`, `below: 10 vcore-hours`.

In the measure's own unit, or, where a design is held against another one, as what may have changed: `-2%` of the other's number,
or so much in the measure's unit; for a share, `-2 points` are two in a hundred of the whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbench.measures import MEASURES, Measure
from workbench.measures.units import INDEX, SECONDS, SHARE, number
from workbench.simulation.scenario.document import Cursor
from workbench.values.found import found
from workbench.workloads.spans import FORM, parse_span

CLOSE = 1e-9
"""Relative difference below which two numbers are equal: sums of shares are not exact."""
OURS = "workbench.measures"
_NUMBER = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*", re.DOTALL)


def equal(one: float, other: float) -> bool:
    """Whether two numbers are the same but for the last digits."""
    return math.isclose(one, other, rel_tol=CLOSE, abs_tol=1e-12)


@dataclass(frozen=True, slots=True)
class Relation:
    """A way to bound a number.

    Attributes:
        words: `at most {}`.
        keeps: (number, limit) -> whether it is kept.
        over, under: numbers above and below the limit may break it.
    """

    words: str
    keeps: Callable[[float, float], bool]
    over: bool = False
    under: bool = False


RELATIONS: Mapping[str, Relation] = {
    "at_most": Relation("at most {}", lambda value, limit: value < limit or equal(value, limit), over=True),
    "at_least": Relation("at least {}", lambda value, limit: value > limit or equal(value, limit), under=True),
    "equals": Relation("exactly {}", equal, over=True, under=True),
    "below": Relation("below {}", lambda value, limit: value < limit and not equal(value, limit), over=True),
    "above": Relation("above {}", lambda value, limit: value > limit and not equal(value, limit), under=True),
}
"""Key in a file -> what it means."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One bound: its key in `RELATIONS`, the limit, and whether that is a part of another number (0.02 for 2%)."""

    key: str
    limit: float
    relative: bool = False

    def keeps(self, value: float) -> bool:
        """Whether a number keeps it."""
        return RELATIONS[self.key].keeps(value, self.limit)

    def excess(self, value: float) -> float:
        """How far a number is beyond it, 0 within."""
        return 0.0 if self.keeps(value) else abs(value - self.limit)

    def words(self, measure: Measure, *, signed: bool = False) -> str:
        """It in plain words, with its unit."""
        said = percent(self.limit) if self.relative else difference(self.limit, measure) if signed else measure.show(self.limit)
        return RELATIONS[self.key].words.format(said)


def percent(part: float) -> str:
    """A change as part of another number.

    >>> percent(-0.02), percent(0.5), percent(0.0)
    ('-2 %', '+50 %', '0 %')
    """
    if math.isinf(part):
        return "more than any number of %" if part > 0 else "less than any number of %"
    said = number(round(100 * part, 2))
    return f"+{said} %" if part > 0 else f"{said} %"


def difference(value: float, measure: Measure) -> str:
    """A change in the measure's own unit; of a share, in points."""
    if measure.unit == SHARE:
        said = f"{number(round(100 * value, 2))} points"
    else:
        said = measure.show(value)
    return f"+{said}" if value > 0 else said


def read_bounds(given: Mapping[str, Cursor], measure: Measure, at: Cursor, *, compared: bool = False) -> tuple[Bound, ...]:
    """The bounds among the keys of an expectation.

    Raises:
        ScenarioError: there is none, one is no number of the measure's unit, nothing keeps them all, or nothing breaks them.
    """
    bounds = tuple(_bound(key, given[key], measure, compared) for key in RELATIONS if key in given)
    if not bounds:
        raise at.fault("there is no bound", f"say one of {', '.join(RELATIONS)}, such as {_example(measure, compared)}")
    if len({bound.relative for bound in bounds}) > 1:
        raise at.fault("has a bound in % and one in a unit", "say both in the same way")
    for low in (bound for bound in bounds if RELATIONS[bound.key].under):
        for high in (bound for bound in bounds if RELATIONS[bound.key].over and bound is not low):
            if low.limit > high.limit or low.limit == high.limit and not (low.keeps(low.limit) and high.keeps(low.limit)):
                said = f"{low.words(measure, signed=compared)} and {high.words(measure, signed=compared)}"
                raise given[high.key].fault(f"nothing is {said}")
    if not compared:
        for bound in bounds:
            if _always_kept(bound, measure):
                raise given[bound.key].fault(
                    f"is always so, so that this can never fail: {_range(measure)}", f"such as {_example(measure, compared)}"
                )
            if _never_kept(bound, measure):
                raise given[bound.key].fault(f"is never so: {_range(measure)}", f"such as {_example(measure, compared)}")
    return bounds


def _bound(key: str, at: Cursor, measure: Measure, compared: bool) -> Bound:
    value = at.value
    if isinstance(value, str):
        matched = _NUMBER.fullmatch(value)
        unit = matched[2] if matched else ""
        if compared and matched and unit == "%":
            return Bound(key, float(matched[1]) / 100, relative=True)
        if compared and matched and measure.unit == SHARE and unit in ("points", "point"):
            return Bound(key, float(matched[1]) / 100)
        limit = _of_text(value, measure, compared)
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        limit = float(value)
    else:
        limit = None
    if limit is None:
        raise at.fault(f"must be {_wanted(measure, compared)}, found {found(value)}", f"such as {_example(measure, compared)}")
    if measure.unit in (SHARE, INDEX) and abs(limit) > 1:
        hint = f"write {number(limit)}%" if measure.unit == SHARE else ""
        raise at.fault(f"{number(limit)} is no {'share' if measure.unit == SHARE else 'index'}: it goes from 0 to 1", hint)
    return Bound(key, limit)


def _of_text(text: str, measure: Measure, signed: bool) -> float | None:
    """The number that a text means in the measure's unit; None if it means none."""
    if measure.unit == SECONDS:
        span = text.strip()
        sign = -1 if signed and span.startswith("-") else 1
        if signed:
            span = span.lstrip("+-")
        try:
            return sign * parse_span(span) / 1000
        except ValueError:
            pass
    matched = _NUMBER.fullmatch(text)
    if matched is None:
        return None
    value, unit = float(matched[1]), matched[2]
    if measure.unit == SHARE and unit == "%":
        return None if signed else value / 100
    first, _, rest = measure.unit.partition(" ")
    one = f"{first.removesuffix('s')} {rest}".strip()
    return value if math.isfinite(value) and unit in ("", measure.unit, one) else None


def _wanted(measure: Measure, compared: bool) -> str:
    """What a bound on this measure is."""
    if measure.unit == SECONDS:
        said = f"a span of time ({FORM})"
    elif measure.unit == SHARE:
        said = "a number of points" if compared else "a share"
    else:
        said = f"a number of {measure.unit}"
    return f"a percentage of the other design's number, or {said}" if compared else said


def _example(measure: Measure, compared: bool) -> str:
    if compared:
        return "at_least: -2%" if measure.direction == "higher" else "at_most: +10%"
    key = "at_least" if measure.direction == "higher" else "at_most"
    said = {SECONDS: "5m", SHARE: "80%", INDEX: "0.9"}.get(measure.unit, f"10 {measure.unit}")
    return f"{key}: {said}"


def _is_ours(measure: Measure) -> bool:
    """It comes with the package, whose measures count or time something and are never below 0."""
    base = next((each for name, each in MEASURES.items() if measure.name == name or measure.name.startswith(f"{name}.")), measure)
    return str(getattr(base.of, "__module__", "")).startswith(OURS)


def _ends(measure: Measure) -> tuple[float, float]:
    """The least and the most that it can be."""
    if measure.unit in (SHARE, INDEX):
        return 0.0, 1.0
    return (0.0 if _is_ours(measure) else -math.inf), math.inf


def _range(measure: Measure) -> str:
    low, high = _ends(measure)
    return f"it is never below {measure.show(low)}" + ("" if math.isinf(high) else f" or above {measure.show(high)}")


def _always_kept(bound: Bound, measure: Measure) -> bool:
    low, high = _ends(measure)
    return not (bound.key == "equals" or math.isinf(low) and math.isinf(high)) and all(
        bound.keeps(end) for end in (low, high) if not (math.isinf(end) and _is_open(bound, end))
    )


def _is_open(bound: Bound, end: float) -> bool:
    """Whether a number without limit on that side keeps the bound anyway."""
    return end < 0 and not RELATIONS[bound.key].under or end > 0 and not RELATIONS[bound.key].over


def _never_kept(bound: Bound, measure: Measure) -> bool:
    low, high = _ends(measure)
    if bound.key == "equals":
        return not low <= bound.limit <= high
    return not bound.keeps(low) and not bound.keeps(high)

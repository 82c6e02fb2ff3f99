"""What a comparison says: values, differences and verdicts in words."""

from __future__ import annotations

from workbench.comparison.changes import BETTER, DIFFERENT, NO_DIFFERENCE, SAME, WORSE, Change
from workbench.explain.wording import name
from workbench.measures import measure_named, units
from workbench.measures.scopes import Scope, scope_of

MINUS = "−"
VERDICT_WORDS = {
    BETTER: "better",
    WORSE: "worse",
    DIFFERENT: "different",
    NO_DIFFERENCE: "no difference that these runs can show",
    SAME: "the same",
}


def value(change: Change, which: float | None) -> str:
    """A value with its unit, short."""
    return measure_named(change.measure).show_short(which)


def amount(size: float, unit: str) -> str:
    """How large a difference is, without a sign; that of two shares is in percentage points.

    >>> amount(-0.032, "share"), amount(1620, "seconds"), amount(1, "jobs")
    ('3.2 points', '27 min', '1 job')
    """
    if unit == units.SHARE:
        return f"{units.number(round(100 * abs(size), 1))} points"
    return units.short(abs(size), unit)


def difference(change: Change) -> str:
    """A difference with its sign, its share of the first value and its interval: `−27 min (−87 %), ±1 min`."""
    if change.change is None:
        return ""
    if change.change == 0:
        return "0"
    sign = MINUS if change.change < 0 else "+"
    said = f"{sign}{amount(change.change, change.unit)}"
    if change.a and change.unit != units.SHARE and abs(change.change / change.a) < 10:
        said = f"{said} ({sign}{units.number(round(100 * abs(change.change / change.a), 1))} %)"
    return f"{said}, {plus_or_minus(change)}" if plus_or_minus(change) else said


def plus_or_minus(change: Change) -> str:
    """How far off a difference may be; empty where that is not known or it is exact."""
    if change.low is None or change.high is None or change.low == change.high:
        return ""
    return f"±{amount((change.high - change.low) / 2, change.unit)}"


def verdict(change: Change) -> str:
    """Better or worse, in words; a value that only one design has is told so."""
    if change.a is None:
        return f"only with {name(change.design)}"
    return "no longer measured" if change.b is None else VERDICT_WORDS[change.verdict]


def never(change: Change) -> str:
    """Requests that never ran, beside a percentile of waits: `12 → 0`; empty where it does not apply."""
    if change.never_a is None and change.never_b is None:
        return ""
    return f"{change.never_a or 0:g} → {change.never_b or 0:g}"


def place(scope: str | Scope) -> str:
    """Whom a measure is about, in words."""
    found = scope_of(scope)
    if found.kind == "cluster":
        return "the cluster"
    if found.kind == "queue":
        return name(found.name)
    return f"{found.kind} {name(found.name)}" if found.name else f"no {found.kind}"

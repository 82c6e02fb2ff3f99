"""Spans of time as people write them in workloads, and the whole milliseconds behind them, both ways without loss."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from workbench.values.found import found, shown
from workbench.workloads.model import LAST_MS

UNITS_MS = {"w": 604_800_000, "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}
"""Unit of a text -> its milliseconds, the longest first."""
FORM = "write 90s, 5m, 1h30m, 2d, 250ms, or a number of seconds"

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(ms|[wdhms])\s*")


def parse_span(value: object) -> int:
    """Whole milliseconds of a span: a text with units from weeks to milliseconds, or a number of seconds. Less is rounded.

    Raises:
        ValueError: it is no span, is negative, or is longer than the simulated clock goes, a hundred years.

    >>> parse_span("1h30m"), parse_span("2d"), parse_span(2.5), parse_span("90")
    (5400000, 172800000, 2500, 90000)
    """
    ms = exact_ms(value)
    if ms > LAST_MS:
        raise ValueError(f"longer than {span_text(LAST_MS)}: {found(value)}")
    return round(ms)


def exact_ms(value: object, *, longest: int = 40) -> Fraction:
    """Milliseconds of a span as `parse_span` reads it, to the last digit and without an end.

    A text has `longest` characters at most.

    Raises:
        ValueError: it is no span, or is negative.
    """
    if isinstance(value, str):
        return _of_text(value, longest)
    if isinstance(value, bool) or not isinstance(value, int | float) or isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"must be a span of time, found {found(value)}")
    if value < 0:
        raise ValueError(f"is negative: {found(value)}")
    return Fraction(repr(value) if isinstance(value, float) else value) * 1000


def span_text(ms: int) -> str:
    """The shortest text of one unit that `parse_span` reads as exactly this.

    >>> span_text(5_400_000), span_text(86_400_000), span_text(1500), span_text(0)
    ('90m', '1d', '1500ms', '0s')
    """
    if not ms:
        return "0s"
    unit = next(name for name, length in UNITS_MS.items() if ms % length == 0 and name != "w")
    return f"{ms // UNITS_MS[unit]}{unit}"


def _of_text(text: str, longest: int) -> Fraction:
    given = text.strip()
    if given.startswith("-") and (_NUMBER.fullmatch(given[1:]) or _PART.match(given, 1)):
        raise ValueError(f"is negative: {shown(text)}")
    if len(given) > longest:
        raise ValueError(f"no span of time: {shown(text)}")
    if _NUMBER.fullmatch(given):
        return _number(given) * 1000
    total, at = Fraction(0), 0
    while at < len(given) or not given:
        part = _PART.match(given, at)
        if part is None:
            raise ValueError(f"no span of time: {shown(text)}")
        total += _number(part[1]) * UNITS_MS[part[2]]
        at = part.end()
    return total


def _number(text: str) -> Fraction:
    """Before Python 3.12 a fraction is not read from a text that begins or ends with its point."""
    return Fraction(f"0{text}0" if "." in text else text)

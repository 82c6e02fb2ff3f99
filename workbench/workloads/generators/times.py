"""Spans of time, whole or not, as numbers of milliseconds and as text, both ways without loss: parameters of distributions.

Texts are those of `workbench.workloads.spans`, which rounds to whole milliseconds.
"""

from __future__ import annotations

from fractions import Fraction

from workbench.values.found import found
from workbench.workloads.spans import FORM, UNITS_MS, exact_ms

_LONGEST_TEXT = 500
"""A length of half a femtosecond, written out."""
_LONGEST_MS = 10**18


def parse_span(text: object) -> float:
    """Milliseconds of a text such as `1h30m` or `2.5d`, or of a number of seconds; never negative.

    Raises:
        ValueError: it is no such text; the message says what is allowed.

    >>> parse_span("1m30s"), parse_span("1d") == parse_span("24h"), parse_span(90)
    (90000.0, True, 90000.0)
    """
    try:
        ms = exact_ms(text, longest=_LONGEST_TEXT)
    except ValueError as error:
        raise ValueError(f"{error}; {FORM}") from None
    if ms > _LONGEST_MS:
        raise ValueError(f"longer than any time: {found(text)}; {FORM}")
    return float(ms)


def write_span(ms: float) -> str:
    """The text that `parse_span` reads as exactly these milliseconds, largest units first.

    >>> write_span(90_000), write_span(7 * 24 * 3_600_000), write_span(1500), write_span(0.25), write_span(0)
    ('1m30s', '7d', '1.5s', '0.25ms', '0s')
    """
    rest = Fraction(repr(ms))
    if not rest:
        return "0s"
    if rest < 1:
        return f"{_decimal(rest)}ms"
    parts = []
    for unit in ("d", "h", "m"):
        whole, rest = divmod(rest, UNITS_MS[unit])
        if whole:
            parts.append(f"{whole}{unit}")
    if rest:
        parts.append(f"{_decimal(rest / 1000)}s")
    return "".join(parts)


def in_words(ms: float) -> str:
    """For people, with two units at most: `7 days`, `1 hour 30 minutes`, `12.5 seconds`.

    >>> in_words(7 * 24 * 3_600_000), in_words(5_400_000), in_words(12_500), in_words(60_000)
    ('7 days', '1 hour 30 minutes', '12.5 seconds', '1 minute')
    """
    if ms < 59_950:
        return _counted(round(ms / 1000, 1 if ms >= 1000 else 3), "second")
    names = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1000))
    ms = round(ms, -3)
    first = next(place for place, (_, size) in enumerate(names) if ms >= size)
    large, small = names[first], names[min(first + 1, 3)]
    whole, rest = divmod(round(ms / small[1]), large[1] // small[1])
    return _counted(whole, large[0]) + (f" {_counted(rest, small[0])}" if rest else "")


def _counted(number: float, noun: str) -> str:
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def _decimal(value: Fraction) -> str:
    """A fraction whose denominator has no factors but 2 and 5, as the decimal number that it is."""
    whole, rest = divmod(value, 1)
    digits = ""
    while rest:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
    return f"{whole}.{digits}" if digits else str(whole)

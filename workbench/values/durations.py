"""Duration text such as `1h2m3.5s` and the integer nanoseconds behind it, both ways. Rule C-132.

Only digits, a point, a sign and the units below exist: no blanks, no days, lower case. `0` alone needs no unit.
"""

from __future__ import annotations

import re

MICROSECOND, MILLISECOND, SECOND = 10**3, 10**6, 10**9
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
LONGEST = 2**63 - 1
"""Nanoseconds of the longest duration, a little over 292 years."""

# The micro sign and the Greek letter mu look alike and both count.
UNITS = {
    "ns": 1, "us": MICROSECOND, "\u00b5s": MICROSECOND, "\u03bcs": MICROSECOND, "ms": MILLISECOND, "s": SECOND,
    "m": MINUTE, "h": HOUR,
}  # fmt: skip

_NUMBER_AND_UNIT = re.compile(r"(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(ns|us|\u00b5s|\u03bcs|ms|s|m|h)")
_MOST_DIGITS = len(str(LONGEST))


def parse_duration(text: str) -> int:
    """Nanoseconds of a duration text, negative with a minus sign. C-132.

    Raises:
        ValueError: no duration, or one that does not fit in 64 bits.

    >>> parse_duration("1m1m") == parse_duration("2m"), parse_duration(".5s")
    (True, 500000000)
    """
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if unsigned == "0":
        return 0
    total, at = 0, 0
    while at < len(unsigned) or not unsigned:
        match = _NUMBER_AND_UNIT.match(unsigned, at)
        if match is None:
            raise ValueError(f"no duration: {text!r}; write numbers with units, such as 30s, 250ms or 1h30m")
        total += _nanoseconds(match[1] or "", match[2] or match[3] or "", UNITS[match[4]])
        if total > LONGEST:
            raise ValueError(f"duration too long: {text!r}; the longest is {format_duration(LONGEST)}")
        at = match.end()
    return -total if text[0] == "-" else total


def format_duration(ns: int) -> str:
    """Nanoseconds as the core prints them: hours, minutes and seconds from one second on, else one small unit. C-132.

    >>> format_duration(90 * SECOND), format_duration(250 * MILLISECOND), format_duration(0)
    ('1m30s', '250ms', '0s')
    """
    if ns < 0:
        return "-" + format_duration(-ns)
    if ns == 0:
        return "0s"
    for unit, name in ((MILLISECOND, "ms"), (MICROSECOND, "\u00b5s"), (1, "ns")):
        if unit <= ns < SECOND:
            return _decimal(ns, unit) + name
    hours, rest = divmod(ns, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    front = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{front}{_decimal(rest, SECOND)}s"


def _nanoseconds(whole: str, fraction: str, unit: int) -> int:
    """One number and its unit. The fraction goes through doubles as in the core, further than 18 digits it is noise."""
    whole, fraction = whole.lstrip("0"), fraction[:18]
    if len(whole) > _MOST_DIGITS:
        return LONGEST + 1
    part = int(float(int(fraction)) * (float(unit) / 10.0 ** len(fraction))) if fraction else 0
    return int(whole or "0") * unit + part


def _decimal(ns: int, unit: int) -> str:
    """ns / unit with the decimals that are needed and no more."""
    whole, rest = divmod(ns, unit)
    return f"{whole}.{rest:0{len(str(unit)) - 1}d}".rstrip("0") if rest else str(whole)

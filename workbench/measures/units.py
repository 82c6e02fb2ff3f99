"""Units of measures, and their values as people read them: with the unit written out, or short for a cell of a table.

Values are kept in the unit's own size: seconds, shares from 0 to 1, hours of whole cores, counts.
"""

from __future__ import annotations

SECONDS = "seconds"
SHARE = "share"
TIMES = "times"
INDEX = "index"
"""A number from 0 to 1 that is no share of anything."""

NS = 10**9
HOUR_NS = 3600 * NS

_GIB = 2**30
_SCALES = {"vcore": (1000, "vcore"), "memory": (_GIB, "GiB"), "ephemeral-storage": (_GIB, "GiB")}
_LONG = {"d": "day", "h": "hour", "min": "minute", "s": "second", "ms": "millisecond"}
_PARTS = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))


def scale_of(resource: str) -> int:
    """What the amounts of a resource are divided by for people: 1000 for vcore, 2**30 for memory."""
    return _SCALES.get(resource, (1, resource))[0]


def hours_of(resource: str) -> str:
    """The unit of an amount held over time: `vcore-hours`, `GiB-hours`, `nvidia.com/gpu-hours`."""
    return f"{_SCALES.get(resource, (1, resource))[1]}-hours"


def amount_of(resource: str) -> str:
    """The unit of an amount: `vcore`, `GiB`, `nvidia.com/gpu`."""
    return _SCALES.get(resource, (1, resource))[1]


def resource_hours(amount_ns: int, resource: str) -> float:
    """Amount times nanoseconds, as the configuration counts amounts, in `hours_of` this resource."""
    return amount_ns / (HOUR_NS * scale_of(resource))


def shown(value: float, unit: str) -> str:
    """A value with its unit written out.

    >>> shown(252.4, "seconds"), shown(0.842, "share"), shown(1, "jobs"), shown(14.26, "vcore-hours"), shown(3.2, "times")
    ('4 minutes 12 seconds', '84.2 %', '1 job', '14.3 vcore-hours', '3.2 times')
    """
    if unit == SECONDS:
        return " ".join(f"{number} {_LONG[part]}{'' if number == '1' else 's'}" for number, part in _duration(value))
    return _with_unit(value, unit)


def short(value: float, unit: str) -> str:
    """A value with its unit, short.

    >>> short(252.4, "seconds"), short(7_500, "seconds"), short(0.25, "seconds"), short(-90, "seconds")
    ('4 min 12 s', '2 h 5 min', '250 ms', '-1 min 30 s')
    """
    if unit == SECONDS:
        return " ".join(f"{number} {part}" for number, part in _duration(value))
    return _with_unit(value, unit)


def number(value: float) -> str:
    """Three figures that count, thousands set apart.

    >>> number(3.14159), number(31.0), number(12_345.6), number(0.00012)
    ('3.14', '31', '12,346', '0.00012')
    """
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _with_unit(value: float, unit: str) -> str:
    if unit == INDEX:
        return f"{value:.3f}"
    if unit == SHARE:
        return f"{number(round(100 * value, 1))} %"
    one = value == 1 and unit != TIMES
    first, _, rest = unit.partition(" ")
    unit = f"{first.removesuffix('s')} {rest}".strip() if one else unit
    return f"{number(value)} {unit}"


def _duration(seconds: float) -> list[tuple[str, str]]:
    """(number, part) of the largest part and the one below it."""
    sign = "-" if seconds < 0 else ""
    seconds = abs(seconds)
    if seconds == 0:
        return [("0", "s")]
    if seconds < 0.9995:
        return [(f"{sign}{seconds * 1000:.3g}", "ms")]
    if seconds < 59.95:
        return [(f"{sign}{seconds:.3g}", "s")]
    for place, (part, size) in enumerate(_PARTS):
        below, unit = _PARTS[min(place + 1, len(_PARTS) - 1)]
        whole = int(seconds / unit + 0.5) * unit
        if whole >= size:
            found = [(f"{sign}{whole // size}", part)]
            if whole % size:
                found.append((str(whole % size // unit), below))
            return found
    raise AssertionError(seconds)

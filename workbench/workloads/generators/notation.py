"""`name(value, key=value)`: how distributions and arrivals are written on one line, and the same as a mapping.

What a value means is up to whoever reads it, with a `Unit`: a span of time, an amount of a resource, a plain number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from workbench.values.found import found, shown
from workbench.values.quantities import QuantityError, format_quantity, parse_quantity
from workbench.workloads.generators.times import parse_span, write_span

Given: TypeAlias = "str | int | float | bool | list[Given] | None"
Written: TypeAlias = "str | int | float | dict[str, object]"

_CALL = re.compile(r"\s*([A-Za-z][\w-]*)\s*\((.*)\)\s*", re.DOTALL)
_BEGUN = re.compile(r"\s*[A-Za-z][\w-]*\s*\([^)]*$")
_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unit:
    """What the numbers of a distribution are.

    Attributes:
        name: for messages and for equality.
        read: a value as a number, ValueError with a sentence if it is none.
        write: a number as a value that `read` takes for exactly this number.
    """

    name: str
    read: Callable[[object], float]
    write: Callable[[float], str | int | float]


def _number(value: object) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise ValueError(f"a number is needed, found the text {shown(str(value))}") from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"a number is needed, found {found(value)}")
    if isinstance(value, int) and abs(value) > 10**300 or not math.isfinite(value):
        raise ValueError(f"a number is needed that is not infinite, found {found(value)}")
    return float(value)


def _plain(value: float) -> int | float:
    return int(value) if value == int(value) and abs(value) < 2**53 else value


NUMBER = Unit("number", _number, _plain)
SPAN = Unit("span of time", parse_span, write_span)


def amount_of(type_name: str) -> Unit:
    """The unit of a resource: texts and whole numbers are quantities as in a configuration, so that `vcore: 4` is four cores.

    Numbers with a fraction, as a fitted description has them, are base units (millicores, bytes)."""

    def read(value: object) -> float:
        if isinstance(value, str) or type(value) is int and value >= 0:
            try:
                return float(parse_quantity(str(value), type_name))
            except QuantityError as error:
                raise ValueError(f"{error}: {shown(str(value))}; allowed are texts such as 2, 500m for vcore, 8Gi") from None
        number = _number(value)
        if number < 0:
            raise ValueError(f"an amount of {type_name} cannot be below 0, found {found(value)}")
        return number

    def write(value: float) -> str | float:
        whole = value == int(value) and abs(value) < 2**53
        return format_quantity(int(value), type_name) if whole else value

    return Unit(f"amount of {type_name}", read, write)


def parse_call(text: str) -> tuple[str, list[Given], dict[str, Given]] | None:
    """Name, values by place and values by key of `name(value, key=value)`; None if the text is not written like that.

    A value in brackets is a list.

    >>> parse_call("lognormal(median=10m, p95=1h)")
    ('lognormal', [], {'median': '10m', 'p95': '1h'})
    >>> parse_call("empirical([1m, 5m])"), parse_call("10m")
    (('empirical', [['1m', '5m']], {}), None)
    """
    match = _CALL.fullmatch(text)
    if match is None:
        if _BEGUN.match(text):
            raise ValueError(f"a bracket is not closed: {shown(text)}; in braces a value with a comma needs quotes")
        return None
    placed: list[Given] = []
    named: dict[str, Given] = {}
    for part in _split(match[2]):
        key = _NAMED.fullmatch(part)
        if key is None:
            if named:
                raise ValueError(f"{shown(part.strip())} stands behind values with a name; write key=value")
            placed.append(_value(part))
        elif key[1] in named:
            raise ValueError(f"{key[1]} is given twice")
        else:
            named[key[1]] = _value(key[2])
    return match[1], placed, named


def bound(placed: list[Given], named: Mapping[str, Given], keys: tuple[str, ...], what: str) -> dict[str, Given]:
    """All values by key, where those by place are for the first of `keys`. ValueError for too many or unknown ones."""
    if len(placed) > len(keys):
        raise ValueError(f"{what} takes at most {len(keys)} values ({', '.join(keys)}), found {len(placed)}")
    given = dict(zip(keys, placed))
    for key, value in named.items():
        if key not in keys:
            raise ValueError(f"{what} has no {shown(key)}; it takes {', '.join(keys)}")
        if key in given:
            raise ValueError(f"{what}: {key} is given twice")
        given[key] = value
    return {key: value for key, value in given.items() if value is not None}


def _split(text: str) -> list[str]:
    """At commas outside of brackets; nothing for a blank text."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth < 0:
            raise ValueError(f"a bracket is closed that was not opened: {shown(text)}")
        if character == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    if depth:
        raise ValueError(f"a bracket is not closed: {shown(text)}")
    if parts or text.strip():
        parts.append(text[start:])
    for part in parts:
        if not part.strip():
            raise ValueError(f"a value is missing between two commas: {shown(text)}")
    return parts


def _value(text: str) -> Given:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_plain_text(part) for part in _split(text[1:-1])]
    return _plain_text(text)


def _plain_text(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text

"""Values as text: names, priorities, amounts, times. Names come from users and clusters and may be any text.

A name is shown on one line, its control and direction characters made visible, long ones cut in the middle where two
long names differ least. Escaping for HTML or for plots is the business of whoever makes HTML or plots.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from workbench.scheduler.records.state import NO_PRIORITY
from workbench.values.durations import HOUR, SECOND
from workbench.values.quantities import MULTIPLIERS, VCORE, format_quantity
from workbench.values.resources import Resource

NOT_AVAILABLE = "n/a"
"""What stands for a priority when nothing is pending (R-602)."""

NAME_LENGTH = 48
SHORT_AMOUNT = 6
"""Letters of an amount that can be read at a glance, whatever its unit."""
ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = ("R", "AL")
# Control, format (the characters that turn the direction of text among them), surrogate, private use, line, paragraph.
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def name(text: str, most: int | None = NAME_LENGTH) -> str:
    """A name as one line of at most `most` characters; None for the whole name.

    A name with right-to-left letters is isolated, so that it cannot turn round the sentence it stands in.

    >>> name("P1"), name("two\\nlines"), name("a-very-long-name-of-a-queue", 11)
    ('P1', 'two\\\\nlines', 'a-ver…queue')
    """
    if not text:
        return '""'
    if text.isascii() and text.isprintable():  # nearly every name, and a table of requests has thousands
        return shorten(text, most)
    shown = shorten("".join(visible_character(character) for character in text), most)
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in shown):
        return f"{ISOLATE}{shown}{POP_ISOLATE}"
    return shown


def shorten(text: str, most: int | None) -> str:
    """At most `most` characters, the middle replaced by "…"."""
    if most is None or len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def width(text: str) -> int:
    """Columns that the text takes in a terminal: wide characters take two, combining and isolating ones none."""
    return sum(
        0
        if unicodedata.combining(character) or unicodedata.category(character) == "Cf"
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def priority(value: int) -> str:
    """A priority, or "n/a" for the value that stands for none."""
    return NOT_AVAILABLE if value <= NO_PRIORITY else str(value)


def offset(value: int) -> str:
    """An offset with its sign."""
    return f"{value:+d}"


def amounts(resource: Resource | None, none: str = "") -> str:
    """Amounts in configuration units, cores first, then memory, then by name; `none` if there is nothing to say.

    >>> amounts(Resource(memory=8589934592, vcore=500))
    'vcore 500m, memory 8Gi'
    """
    if not resource:
        return none
    return ", ".join(f"{name(type_name)} {format_quantity(resource[type_name], type_name)}" for type_name in in_order(resource))


def alike(type_name: str, *values: int) -> tuple[str, ...]:
    """Amounts of one type in one unit, that of the largest, where they would be hard to compare otherwise.

    >>> alike("vcore", 583252, 125514000), alike("vcore", 500, 4000), alike("memory", 5 * 2**29 + 2**10, 64 * 2**30)
    (('583.252', '125514'), ('500m', '4'), ('2.5Gi', '64Gi'))
    """
    exact = tuple(format_quantity(value, type_name) for value in values)
    if max(map(len, exact)) <= SHORT_AMOUNT:
        return exact
    largest = max(values, key=abs)
    text = format_quantity(largest, type_name)
    unit = "" if type_name == VCORE else text.lstrip("-0123456789")
    size = 1000 if type_name == VCORE else MULTIPLIERS.get(unit, 1)
    found = tuple(f"{value / size:.3f}".rstrip("0").rstrip(".") + unit for value in values)
    # What is there is not to look like nothing.
    none = f"0{unit}"
    return tuple(plain if told == none else told for plain, told in zip(exact, found))


def in_order(types: Iterable[str]) -> list[str]:
    """Resource types in the order people expect: vcore, memory, the others by name."""
    first = {"vcore": 0, "memory": 1}
    return sorted(types, key=lambda type_name: (first.get(type_name, 2), type_name))


def seconds(ns: int) -> str:
    """A time or duration in seconds, to the millisecond; from an hour on in days, hours, minutes and seconds.

    >>> seconds(30_000_000_000), seconds(101_000_000), seconds(5_025 * 10**9), seconds(187_200 * 10**9)
    ('30 s', '0.101 s', '1 h 23 min 45 s', '2 d 4 h')
    """
    if abs(ns) >= HOUR:
        milliseconds = round(abs(ns) / 10**6)
        left, parts = milliseconds // 1000, []
        for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
            number, left = divmod(left, length)
            parts += [f"{number:,} {unit}"] if number else []
        rest = f"{left + milliseconds % 1000 / 1000:.3f}".rstrip("0").rstrip(".")
        parts += [f"{rest} s"] if rest != "0" else []
        return ("-" if ns < 0 else "") + " ".join(parts)
    return f"{ns / 1e9:.3f}".rstrip("0").rstrip(".") + " s"


def exact_seconds(ns: int) -> str:
    """The same to the nanosecond, where milliseconds do not tell two instants apart.

    >>> exact_seconds(1_328_083_004_000)
    '1328.083004 s'
    """
    return f"{ns // 10**9}.{ns % 10**9:09}".rstrip("0").rstrip(".") + " s"


def clock(ns: int) -> str:
    """An instant for a column of instants: always with milliseconds; from an hour on with hours and minutes, and days.

    >>> clock(20_000_000), clock(5_025 * 10**9), clock(187_200 * 10**9)
    ('0.020 s', '1:23:45.000', '2 d 04:00:00.000')
    """
    if ns >= HOUR:
        minutes, left = divmod(ns, 60 * SECOND)
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        rest = f"{minutes:02}:{left / 1e9:06.3f}"
        return f"{days:,} d {hours:02}:{rest}" if days else f"{hours}:{rest}"
    return f"{ns / 1e9:.3f} s"


def contrasted(one: float, other: float) -> tuple[str, str]:
    """Two numbers with as few digits as tell them apart, at least three.

    >>> contrasted(0.25, 0.5), contrasted(0.1234567, 0.1234568), contrasted(357000.0, 8.1e6)
    (('0.25', '0.5'), ('0.1234567', '0.1234568'), ('357,000', '8,100,000'))
    """
    for digits in range(3, 18):
        texts = _number(one, digits), _number(other, digits)
        if texts[0] != texts[1]:
            return texts
    return _number(one, 3), _number(other, 3)


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}g}"
    # Absolute usage may be as large as bytes are; powers of ten are not for everyone.
    return f"{value:,.0f}" if "e+" in text else text


def listing(items: Sequence[str], most: int = 3, more: int = 0) -> str:
    """Items joined for a sentence, at most `most` of them; `more` is the number of further ones that have no name.

    >>> listing(["a", "b"]), listing(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    shown, rest = list(items[:most]), len(items[most:]) + more
    last = f"{rest} more" if rest else shown.pop() if shown else ""
    return f"{', '.join(shown)} and {last}" if shown else last


def counted(number: int, noun: str) -> str:
    """A number with its noun, thousands separated.

    >>> counted(1, "node"), counted(1463, "node")
    ('1 node', '1,463 nodes')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def visible_character(character: str) -> str:
    """The character, or its escape if it would be obeyed, or not be seen, where it is shown."""
    if unicodedata.category(character) in INVISIBLE:
        return character.encode("unicode_escape").decode("ascii")
    return character

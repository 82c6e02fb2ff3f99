"""What was found instead of what is allowed, as a phrase for an error message: short, and printable whatever it is."""

from __future__ import annotations

import json
from collections.abc import Mapping

LONGEST_SHOWN = 40
"""Characters of a text, and digits of a number, that a message repeats."""


def found(value: object) -> str:
    """A phrase for any value, such as "the text '5'", "2.5", "a list"; never the `repr` of somebody's own class.

    >>> found("5"), found(2.5), found(None), found(True), found(10**50)
    ("the text '5'", '2.5', 'nothing', 'true', 'an integer of more than 40 digits')
    """
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return f"the text {shown(value)}"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, tuple):
        return "a tuple"
    if type(value) is int:
        return number(value)
    if type(value) in (bool, float):
        return json.dumps(value)
    return f"a value of type {type(value).__name__}"


def shown(text: str) -> str:
    """A text in quotes, cut when it is long; what is not printable in it is escaped.

    >>> shown("a\\ud800"), shown("x" * 50)[-6:]
    ("'a\\\\ud800'", "xx...'")
    """
    return repr(str(text) if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "...")


def number(value: int) -> str:
    """An integer as digits, or that it is too long to be read: Python refuses to write thousands of digits."""
    return str(value) if abs(value) < 10**LONGEST_SHOWN else f"an integer of more than {LONGEST_SHOWN} digits"

"""What one YAML scalar is read as when a key wants text, a switch, a count or a number (C-12).

The reference decodes by the type that the key wants, so the same `5` is the text "5" in `properties` and a count in
`maxapplications`. Each reader returns None for null, meaning "as if the key were absent", and raises `WrongType` with
what was wanted and found; the place is added by `parse`, which knows the key.
"""

from __future__ import annotations

import re

from workbench.config.read.yaml_nodes import ScalarNode

_TAG_PREFIX = "tag:yaml.org,2002:"
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE, _FALSE = frozenset(("true", "True", "TRUE")), frozenset(("false", "False", "FALSE"))
# Words of YAML 1.1 are text to YAML, but a key that wants a switch takes them, quoted or not.
_TRUE_WORDS = frozenset(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"))
_FALSE_WORDS = frozenset(("n", "N", "no", "No", "NO", "off", "Off", "OFF"))
_SPECIAL_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_INTEGER = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INT64_MIN, _UINT64_MAX = -(2**63), 2**64 - 1


class WrongType(ValueError):
    """A value of another type than the key wants. `wanted` and `found` are phrases, `hint` may say what to write."""

    def __init__(self, wanted: str, found: str, hint: str = ""):
        self.wanted, self.found, self.hint = wanted, found, hint
        super().__init__(f"must be {wanted}, found {found}")


def text(scalar: ScalarNode) -> str | None:
    """The scalar as written: an unquoted `12` or `true` is the text "12" or "true"."""
    return None if meaning(scalar) is None else scalar.text


def switch(scalar: ScalarNode) -> bool | None:
    """True or False from `true`, `false` and the words yes, no, on, off, y, n in lower, upper or title case."""
    value = meaning(scalar)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if value in _TRUE_WORDS:
            return True
        if value in _FALSE_WORDS:
            return False
    quoted_hint = "remove the quotes" if scalar.text in _TRUE | _FALSE else "write true or false"
    raise WrongType("true or false", found(scalar), quoted_hint)


def count(scalar: ScalarNode) -> int | None:
    """An unsigned 64-bit integer.

    Quirk kept from the reference (C-12): a float is truncated, and a negative one wraps around to a huge count.
    """
    value = meaning(scalar)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        if value >= 0:
            return value
        raise WrongType("a whole number from 0 up", found(scalar), "0 means no limit")
    if isinstance(value, float) and value <= _UINT64_MAX:
        # Beyond the 64-bit range the reference's processor yields its "no such integer" pattern, 2^63.
        return int(value) % 2**64 if _INT64_MIN <= value < 2**64 else 2**63
    hint = "remove the quotes" if scalar.quoted and _INTEGER.fullmatch(scalar.text) else ""
    raise WrongType("a whole number from 0 up", found(scalar), hint)


def number(scalar: ScalarNode) -> float | None:
    """A double, from an integer or a decimal number."""
    value = meaning(scalar)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    hint = "remove the quotes" if scalar.quoted and _FLOAT.fullmatch(scalar.text) else ""
    raise WrongType("a number", found(scalar), hint)


def meaning(scalar: ScalarNode) -> None | bool | int | float | str:
    """The value a scalar has by itself: null, a boolean, a 64-bit integer, a double or else text."""
    tag = scalar.tag if scalar.tag != "!" else None
    if tag is None:
        return scalar.text if scalar.quoted else _plain(scalar.text)
    kind = tag.removeprefix(_TAG_PREFIX) if tag.startswith(_TAG_PREFIX) else None
    if kind == "binary":
        raise WrongType("text", "a !!binary value")
    if kind not in ("null", "bool", "int", "float"):
        return scalar.text
    value = _plain(scalar.text)
    if kind == "float" and type(value) is int:
        return float(value)
    if kind != _kind(value):
        raise WrongType(f"a value of its tag !!{kind}", f"{scalar.text[:40]!r}")
    return value


def found(scalar: ScalarNode) -> str:
    """A phrase for a message: the kind of value and the value, shortened."""
    shown = scalar.text if len(scalar.text) <= 40 else scalar.text[:37] + "..."
    try:
        kind = _kind(meaning(scalar))
    except WrongType:
        kind = "str"
    return {"null": "nothing", "str": f"the text {shown!r}"}.get(kind, shown)


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__


def _plain(text: str) -> None | bool | int | float | str:
    if text in _NULL:
        return None
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if text[0] not in "+-.0123456789":
        return text
    if _SPECIAL_NUMBER.fullmatch(text):
        return float(text.replace(".", "", 1))
    digits = text.replace("_", "") if text[0] != "." else text
    integer = _integer(digits)
    if integer is not None:
        return integer
    if _FLOAT.fullmatch(digits):
        value = float(digits)
        if abs(value) != float("inf"):  # a number too large for a double stays text
            return value
    return text


def _integer(digits: str) -> int | None:
    """A Go literal (0x, 0b, 0o and the old leading zero) within 64 bits, else None."""
    match = _INTEGER.fullmatch(digits)
    if not match or len(digits) > 70:
        return None
    sign, hexadecimal, binary, octal, decimal = match.groups()
    for part, base in ((hexadecimal, 16), (binary, 2), (octal, 8), (decimal, 10)):
        if part is not None:
            value = -int(part, base) if sign == "-" else int(part, base)
            return value if _INT64_MIN <= value <= _UINT64_MAX else None
    return None

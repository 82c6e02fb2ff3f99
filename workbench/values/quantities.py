"""Quantity text of the configuration and the 64-bit integers behind it.

`parse_quantity` accepts exactly what the scheduler core accepts and refuses in its words; `format_quantity` goes the
other way. Unit of the integers: thousandths of a core for type `vcore`, bytes or plain counts for every other type.
Rules R-4 and R-10 to R-16.
"""

from __future__ import annotations

import re

MAX_INT64 = 2**63 - 1
MIN_INT64 = -(2**63)

VCORE = "vcore"
"""The only type with thousandths. Names are case sensitive: `VCORE` and `cpu` are plain counts. R-4."""

MULTIPLIERS = {
    "": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18,
    "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60,
}  # fmt: skip

# White space by the Unicode property; str.strip() would also take the four ASCII separators 0x1c to 0x1f.
_UNICODE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_QUANTITY = re.compile(r"([0-9]+)[ \t\n\f\r]*([mkKMGTPE]i?)?")
# Longer digits overflow whatever the suffix; this bound keeps int() away from megabytes of digits.
_MOST_DIGITS = len(str(MAX_INT64))


class QuantityError(ValueError):
    """A quantity that the scheduler refuses; `str()` is the core's text.

    Attributes:
        quantity: the text that was refused.
        type_name: the resource type it was written for; the core's text does not name it (R-17).
    """

    def __init__(self, text: str, quantity: str, type_name: str):
        self.quantity, self.type_name = quantity, type_name
        super().__init__(text)


def parse_quantity(text: str, type_name: str) -> int:
    """The integer that `text` stands for: thousandths of a core for `vcore`, else bytes or a count. R-10 to R-16.

    Raises:
        QuantityError: `invalid quantity`, `invalid suffix` or `invalid quantity: overflow`.

    >>> parse_quantity("500m", "vcore"), parse_quantity("2", "vcore"), parse_quantity("8Gi", "memory")
    (500, 2000, 8589934592)
    """
    match = _QUANTITY.fullmatch(text.strip(_UNICODE_SPACE))
    if match is None:
        raise QuantityError("invalid quantity", text, type_name)
    digits, suffix = match[1].lstrip("0"), match[2] or ""
    number = int(digits or "0") if len(digits) <= _MOST_DIGITS else MAX_INT64 + 1
    if number > MAX_INT64:
        raise QuantityError("invalid quantity: overflow", text, type_name)
    if suffix == "m" and type_name == VCORE:
        return number
    if suffix not in MULTIPLIERS:
        raise QuantityError("invalid suffix", text, type_name)
    value = number * MULTIPLIERS[suffix] * (1000 if type_name == VCORE else 1)
    if value > MAX_INT64:
        raise QuantityError("invalid quantity: overflow", text, type_name)
    return value


def format_quantity(value: int, type_name: str) -> str:
    """The shortest configuration text that means exactly `value`; of equally short ones the one with the smaller unit.

    Negative values occur in computed vectors only (R-5); their text has a minus sign and is for reading, not for
    configurations.

    >>> format_quantity(500, "vcore"), format_quantity(2000, "vcore"), format_quantity(8589934592, "memory")
    ('500m', '2', '8Gi')
    """
    if value < 0:
        return "-" + format_quantity(-value, type_name)
    if type_name == VCORE:
        whole, milli = divmod(value, 1000)
        if milli:
            return f"{value}m"
        value = whole
    if value == 0:
        return "0"
    texts = [f"{value // unit}{suffix}" for suffix, unit in MULTIPLIERS.items() if value % unit == 0]
    return min(texts, key=len)

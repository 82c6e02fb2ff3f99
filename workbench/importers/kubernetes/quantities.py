"""Quantities of Kubernetes, and lists of them as amounts of the scheduler: cpu in thousandths as vcore, all else whole. K-21.

Not those of a queues.yaml, which `workbench.values.quantities` reads: here are fractions, exponents and small units.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from workbench.importers.kubernetes.fields import Object, WrongField, mapping
from workbench.importers.kubernetes.words import OWN
from workbench.values.found import shown
from workbench.values.quantities import MAX_INT64, MIN_INT64, VCORE

CPU, PODS = "cpu", "pods"

Amounts = dict[str, int]

_QUANTITY = re.compile(r"([+-]?)([0-9]{0,40})(?:\.([0-9]{0,40}))?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]{1,3})?")
_UNITS: dict[str, Fraction] = {
    "n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000), "": Fraction(1),
    **{unit: Fraction(1000**power) for power, unit in enumerate(("k", "M", "G", "T", "P", "E"), 1)},
    **{unit: Fraction(1024**power) for power, unit in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)},
}  # fmt: skip
_MOST_EXPONENT = 60
"""More overflows, whatever stands before it."""
REFUSED = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
"""What Kubernetes says to a text that is no quantity."""


def quantity(text: str | int | float) -> Fraction:
    """The number behind a quantity. ValueError in Kubernetes' words if it is none.

    >>> quantity("1.5"), quantity("100m"), quantity("1e3"), quantity("2Ki")
    (Fraction(3, 2), Fraction(1, 10), Fraction(1000, 1), Fraction(2048, 1))
    """
    said = str(text)
    match = None if isinstance(text, bool) else _QUANTITY.fullmatch(said)
    if match is None or not (match[2] or match[3]):
        raise ValueError(REFUSED)
    unit = match[4] or ""
    if unit[:1] in ("e", "E") and len(unit) > 1 and unit not in _UNITS:
        power = int(unit[1:])
        factor = Fraction(10) ** max(-_MOST_EXPONENT, min(power, _MOST_EXPONENT))
    else:
        factor = _UNITS[unit]
    digits = (match[2] or "") + (match[3] or "")
    number = Fraction(int(digits), 10 ** len(match[3] or "")) * factor
    return -number if match[1] == "-" else number


def amount(name: str, text: str | int | float) -> tuple[str, int]:
    """The type and the amount of one resource: cpu as vcore in thousandths, all else whole, both rounded up. K-21.

    A type that an export had to give a prefix loses it again.

    >>> amount("cpu", "0.0005"), amount("memory", "1500m")
    (('vcore', 1), ('memory', 2))
    """
    number = quantity(text)
    name, number = (VCORE, number * 1000) if name == CPU else (name.removeprefix(OWN), number)
    whole = -(-number.numerator // number.denominator)
    return name, max(MIN_INT64, min(whole, MAX_INT64))


_KNOWN: dict[tuple[str, object, type], tuple[str, int]] = {}
_MOST_KNOWN = 50_000
"""Quantities repeat: a cluster writes few different ones."""


def amounts(of: Object, *path: str) -> Amounts:
    """The list of resources at the path as amounts by type. WrongField for what is no quantity."""
    found: Amounts = {}
    for name, said in mapping(of, *path).items():
        known = _KNOWN.get((name, said, type(said))) if isinstance(said, str | int) else None
        if known is None:
            known = _amount(name, said, path)
            if len(_KNOWN) < _MOST_KNOWN and isinstance(said, str | int):
                _KNOWN[name, said, type(said)] = known
        found[known[0]] = known[1]
    return found


def _amount(name: object, said: object, path: tuple[str, ...]) -> tuple[str, int]:
    key = ".".join((*path, str(name)))
    if not isinstance(name, str) or not name:
        raise WrongField(key, "a resource needs a name")
    if not isinstance(said, str | int | float):
        raise WrongField(key, "found no quantity, allowed are texts such as 500m or 8Gi")
    try:
        return amount(name, said)
    except ValueError as error:
        raise WrongField(key, f"found {shown(str(said))}: {error}") from None


def added(first: Mapping[str, int], second: Mapping[str, int]) -> Amounts:
    """The sum, type by type, at most what 64 bits hold."""
    found = dict(first)
    for name, number in second.items():
        found[name] = max(MIN_INT64, min(found.get(name, 0) + number, MAX_INT64))
    return found


def largest(first: Mapping[str, int], second: Mapping[str, int]) -> Amounts:
    """The larger amount, type by type."""
    found = dict(first)
    for name, number in second.items():
        found[name] = max(found.get(name, number), number)
    return found

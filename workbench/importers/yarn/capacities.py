"""The ways to write how much of the cluster a queue has: 50, 3w, [memory=1024,vcores=4], and as shares of each resource."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workbench.importers.yarn.document import Property
from workbench.values.found import shown
from workbench.values.quantities import QuantityError, parse_quantity

Kind = Literal["percent", "weight", "amount"]
MIB = 2**20
NAMES = {"memory": "memory", "memory-mb": "memory", "vcores": "vcore", "vcore": "vcore"}
"""YARN's name of a resource -> the one here; others keep theirs."""
FORM = "such as 40, 2.5, 3w or [memory=10240,vcores=12]"

_NUMBER = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)\s*(%|w)?")
_AMOUNT = re.compile(r"([0-9]{1,18})\s*([kKMGTPE]i?)?")


@dataclass(frozen=True, slots=True)
class Part:
    """Percent of the parent, a weight among the siblings, or an amount in base units: thousandths of a core, bytes."""

    kind: Kind
    number: Fraction


@dataclass(frozen=True, slots=True)
class Capacity:
    """Attributes:
    everything: the same for all resources; None if each has its own.
    each: resource -> its part.
    """

    everything: Part | None
    each: Mapping[str, Part]

    def of(self, resource: str) -> Part | None:
        """The part of a resource; None if nothing is said about it."""
        return self.each.get(resource, self.everything)

    @property
    def kinds(self) -> set[Kind]:
        parts = [*self.each.values(), *((self.everything,) if self.everything else ())]
        return {part.kind for part in parts}


def parse_capacity(given: Property) -> Capacity:
    """What a property says. ConfigError with the line, what was found and what is allowed."""
    text = given.value
    if text.startswith("[") and text.endswith("]"):
        return Capacity(None, dict(_entry(given, each) for each in text[1:-1].split(",") if each.strip()))
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise given.fault(f"{shown(text)} is no capacity", FORM)
    part = _share(given, match)
    return Capacity(part, {})


def _share(given: Property, match: re.Match[str]) -> Part:
    number = Fraction(match[1])
    if match[2] == "w":
        return Part("weight", number)
    if number > 100:
        raise given.fault(f"{shown(given.value)} is more than 100 percent", FORM)
    return Part("percent", number)


def _entry(given: Property, text: str) -> tuple[str, Part]:
    """One resource of a list."""
    yarns, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not re.fullmatch(r"[A-Za-z][\w./-]{0,200}", yarns):
        raise given.fault(f"{shown(text)} is no resource", FORM)
    resource = NAMES.get(yarns, yarns)
    shares = _NUMBER.fullmatch(value)
    if shares is not None and shares[2]:
        return resource, _share(given, shares)
    match = _AMOUNT.fullmatch(value)
    if match is None:
        raise given.fault(f"{shown(value)} is no amount of {yarns}", FORM)
    # Without a unit memory is in MiB, everything else in whole ones.
    unit = match[2] or ("Mi" if resource == "memory" else "")
    try:
        return resource, Part("amount", Fraction(parse_quantity(match[1] + ("k" if unit == "K" else unit), resource)))
    except QuantityError as error:
        raise given.fault(f"{shown(value)} is no amount of {yarns}: {error}", FORM) from None

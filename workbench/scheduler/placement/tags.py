"""Tags of an application that the scheduler itself understands. PL-3, PL-10, PL-86, R-441."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.values.resources import Resource, from_protocol, strictly_greater_than_zero

# Names in lower case, as they are compared.
FORCE = "application.create.force"
QUOTA = "namespace.resourcequota"
GUARANTEED = "namespace.resourceguaranteed"
MAX_APPLICATIONS = "namespace.resourcemaxapps"
CREATION_TIME = "yunikorn.apache.org/creationtime"

_TRUE = frozenset(("1", "t", "T", "TRUE", "true", "True"))
# The digits are counted before they are read: int() refuses texts that are too long.
_UNSIGNED = re.compile(r"0*([0-9]{1,20})")
_POSITIVE = re.compile(r"\+?0*([0-9]{1,19})")


@dataclass(frozen=True, slots=True)
class Quota:
    """What the tags say about a dynamic leaf. None, or 0 applications: nothing usable is said."""

    maximum: Resource | None = None
    guaranteed: Resource | None = None
    max_applications: int = 0


def value(tags: Mapping[str, str], name: str) -> str:
    """The value of the tag of that name in any case; "" if there is none. PL-3.

    Of several tags whose names differ in case only, the exact spelling wins, then the first by name.
    """
    if name in tags:
        return tags[name]
    wanted = name.lower()
    return next((tags[key] for key in sorted(tags) if key.lower() == wanted), "")


def is_forced(tags: Mapping[str, str]) -> bool:
    """Whether the application may go to the recovery queue. `yes` is not a boolean. PL-10."""
    return value(tags, FORCE) in _TRUE


def quota(tags: Mapping[str, str]) -> Quota:
    """The limits that the tags ask for; what cannot be read or limits nothing is left out. PL-86."""
    return Quota(_usable(value(tags, QUOTA)), _usable(value(tags, GUARANTEED)), _count(value(tags, MAX_APPLICATIONS)))


def creation_seconds(tags: Mapping[str, str]) -> int | None:
    """The creation time in unix seconds; None if there is none that is positive. R-721."""
    digits = _POSITIVE.fullmatch(value(tags, CREATION_TIME))
    seconds = int(digits[1]) if digits else 0
    return seconds if 0 < seconds < 2**63 else None


def _usable(text: str) -> Resource | None:
    resource = from_protocol(text) if text else None
    return resource if strictly_greater_than_zero(resource) else None


def _count(text: str) -> int:
    digits = _UNSIGNED.fullmatch(text)
    count = int(digits[1]) if digits else 0
    return count if count < 2**64 else 0

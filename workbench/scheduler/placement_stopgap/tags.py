"""What the tags of an application say. Names are compared in any case, values as they are. R-441, PL-3, PL-10, PL-86."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.quantities import MAX_INT64
from workbench.resources import Resource, strictly_greater_than_zero

FORCE = "application.create.force"
QUOTA = "namespace.resourcequota"
GUARANTEED = "namespace.resourceguaranteed"
MAX_APPLICATIONS = "namespace.resourcemaxapps"
CREATION_TIME = "yunikorn.apache.org/creationtime"
TRUE = frozenset(("1", "t", "T", "TRUE", "true", "True"))


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits that an application brings for its dynamic queue; None and 0 where it brings none, or nothing usable."""

    maximum: Resource | None = None
    guaranteed: Resource | None = None
    max_applications: int = 0


def value(tags: Mapping[str, str], name: str) -> str:
    """The value of a tag, "" if it is missing."""
    wanted = name.lower()
    return next((text for key, text in sorted(tags.items()) if key.lower() == wanted), "")


def is_forced(tags: Mapping[str, str]) -> bool:
    """Whether the application may go to the recovery queue. PL-10."""
    return value(tags, FORCE) in TRUE


def creation_seconds(tags: Mapping[str, str]) -> int | None:
    """Unix seconds of the creation tag; None if it is missing, unreadable or not positive. R-721."""
    text = value(tags, CREATION_TIME)
    seconds = int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else 0
    return seconds if seconds > 0 else None


def quota(tags: Mapping[str, str]) -> Quota:
    """The quota tags; unreadable ones count as missing. PL-86."""
    text = value(tags, MAX_APPLICATIONS)
    applications = int(text) if re.fullmatch(r"[0-9]{1,20}", text) else 0
    return Quota(_resource(value(tags, QUOTA)), _resource(value(tags, GUARANTEED)),
                 applications if applications < 2**64 else 0)


def _resource(text: str) -> Resource | None:
    """A resource from its protocol form in JSON, if it has something positive and nothing negative. R-97."""
    try:
        amounts = json.loads(text)["resources"]
        resource = Resource({name: amount.get("value", 0) for name, amount in amounts.items()})
        numbers = all(isinstance(each, int) and not isinstance(each, bool) and abs(each) <= MAX_INT64
                      for each in resource.values())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return resource if numbers and strictly_greater_than_zero(resource) else None

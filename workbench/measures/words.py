"""Plain words for resources and for what held somebody back."""

from __future__ import annotations

from workbench.runs.reasons import TITLES

UNKNOWN = "unknown"
"""The reason of time whose reason was not kept."""


def reason_words(name: str) -> str:
    """What held somebody back; a reason of somebody's own is its own words."""
    return "no reason was kept" if name == UNKNOWN else TITLES.get(name, name)


def resource_words(name: str) -> str:
    """A resource, as in `use of vcore`."""
    return name

"""Presets of the screen (U-11): which of its regions are shown. The others keep their state and come back as they were."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.bench import texts
from workbench.values.errors import CommandError

REGIONS = ("bar", "queues", "picture", "editor", "why", "tables", "status")

VIEWS: Mapping[str, tuple[str, ...]] = {
    "full": REGIONS,
    "teach": ("bar", "queues", "picture", "why", "status"),
    "inspect": ("bar", "why", "tables", "status"),
    "edit": ("bar", "queues", "editor", "tables", "status"),
}
"""Name of a preset -> its regions."""


def known_view(view: str) -> str:
    """The name of a preset; CommandError if there is none of that name."""
    if view not in VIEWS:
        raise CommandError(texts.no_such("view", view, VIEWS))
    return view

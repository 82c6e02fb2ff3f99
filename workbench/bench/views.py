"""Presets of the screen (U-11): which of its regions are shown. The others keep their state and come back as they were."""

from __future__ import annotations

from collections.abc import Mapping

REGIONS = ("bar", "queues", "picture", "editor", "why", "tables", "status")

VIEWS: Mapping[str, tuple[str, ...]] = {
    "full": REGIONS,
    "teach": ("bar", "queues", "picture", "why", "status"),
    "inspect": ("bar", "why", "tables", "status"),
    "edit": ("bar", "queues", "editor", "tables", "status"),
}
"""Name of a preset -> its regions."""

"""Quantities and lists as documents say them: what is empty, zero or false is left out nearly everywhere. RE-3."""

from __future__ import annotations

from typing import Any

from workbench.values.resources import Resource


def amounts(vector: Resource | None) -> dict[str, int]:
    """Resource name -> whole number in base units, zeros included; empty for None."""
    return {} if vector is None else dict(sorted(vector.items()))


def said(**fields: Any) -> dict[str, Any]:
    """The fields without those that are None, empty, zero or false."""
    return {name: value for name, value in fields.items() if value}

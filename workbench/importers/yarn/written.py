"""Amounts as a configuration has them, and as a sentence tells them."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.explain.wording import amounts as phrase
from workbench.explain.wording import in_order
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource


def written(amounts: Mapping[str, int]) -> dict[str, str]:
    """The texts of a configuration, by resource in the order that people expect; nothing if all are zero."""
    if not any(amounts.values()):
        return {}
    return {kind: format_quantity(amounts[kind], kind) for kind in in_order(amounts)}


def told(amounts: Mapping[str, int], nothing: str = "nothing") -> str:
    """The amounts for a sentence."""
    return phrase(Resource({kind: amount for kind, amount in amounts.items() if amount}), nothing)

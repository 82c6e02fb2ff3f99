"""Protections that are added to those of the core: who may not be a victim of any preemption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.scheduler.records.refusals.victims import ByRule
from workbench.scheduler.records.state import Allocation
from workbench.values.registry import Registry

Protects = Callable[[Allocation, Allocation | None], bool]
"""(allocation, the ask that wants room; None when a quota is enforced) -> whether the allocation stays."""


@dataclass(frozen=True, slots=True)
class Protection:
    """Attributes:
    protects: whether an allocation is protected.
    words: one sentence saying why, for explanations.
    """

    protects: Protects
    words: str


PROTECTIONS: Registry[Protection] = Registry("protection")
"""Name -> protection, asked in this order after those of the core."""


def register_protection(name: str, protects: Protects, *, words: str) -> Protection:
    """Protect allocations from general preemption, from that on a required node, and from that for a quota.

    Raises:
        CommandError: the name is taken.
    """
    return PROTECTIONS.register(name, Protection(protects, words))


def protection_of(allocation: Allocation, ask: Allocation | None) -> ByRule | None:
    """The first added protection that holds, or None."""
    for name, each in PROTECTIONS.items():
        if each.protects(allocation, ask):
            return ByRule(allocation.key, allocation.application_id, name, each.words)
    return None

"""Applications by usage: the sort policy `fair`. R-533, R-534, R-537."""

from __future__ import annotations

from typing import NamedTuple

from workbench.scheduler.policies.orders import APPLICATION_ORDERS, ApplicationOrder
from workbench.scheduler.policies.shares import share_list
from workbench.scheduler.records.state import Application
from workbench.values.resources import Resource

NAME = "fair"


class PriorityUsageKey(NamedTuple):
    """Higher priority, then smaller usage. R-533. `usage` holds the shares, largest first."""

    priority: int
    usage: tuple[float, ...]
    seq: int


class UsagePriorityKey(NamedTuple):
    """With priority disabled: smaller usage, then higher priority. R-534."""

    usage: tuple[float, ...]
    priority: int
    seq: int


def key(application: Application, guaranteed: Resource | None, by_priority: bool) -> PriorityUsageKey | UsagePriorityKey:
    """Smallest usage first, against the guaranteed resource of the leaf. R-533, R-534, R-537."""
    priority, usage, seq = -application.priority, share_list(application.allocated, guaranteed), application.seq
    return PriorityUsageKey(priority, usage, seq) if by_priority else UsagePriorityKey(usage, priority, seq)


ORDER = APPLICATION_ORDERS.register(NAME, ApplicationOrder(NAME, key))

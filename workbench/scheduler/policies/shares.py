"""Shares of use, as orders compare them. Sections 4 and 5 of chapter 05."""

from __future__ import annotations

from workbench.scheduler.policies.orders import Share
from workbench.scheduler.records.state import Queue
from workbench.values.resources import Resource, get_shares


def share_list(allocated: Resource, guaranteed: Resource | None) -> tuple[float, ...]:
    """All shares, largest first, without zeros at the end: the core takes what a shorter list lacks as 0. R-537."""
    shares = list(reversed(get_shares(allocated, guaranteed)))
    while shares and shares[-1] == 0:
        shares.pop()
    return tuple(shares)


def largest(share: Share) -> float:
    """The share of a queue as one number, also where lists of shares are compared."""
    return max(share, default=0.0) if isinstance(share, tuple) else share


def fair_maximum(parent_fair_maximum: Resource | None, queue: Queue) -> Resource | None:
    """What a queue's use is measured against for types without a guarantee. R-522, R-75.

    The parent's, with every type that the queue's own maximum names overriding it; empty stays empty. For the root its
    own maximum.
    """
    if queue.parent is None:
        return queue.maximum
    if not parent_fair_maximum or queue.maximum is None:
        return parent_fair_maximum
    return Resource({**parent_fair_maximum.amounts, **queue.maximum.amounts})

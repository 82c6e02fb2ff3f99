"""Queues by their largest share of guarantee or fair maximum: the order of releases from 1.5 on. R-521."""

from __future__ import annotations

from workbench.scheduler.policies.orders import QUEUE_ORDERS, QueueOrder
from workbench.scheduler.records.state import Queue
from workbench.values.resources import Resource, fair_share

NAME = "largest"


def share(queue: Queue, fair_maximum: Resource | None) -> float:
    """The largest ratio of use to guarantee, or to fair maximum where nothing is guaranteed. R-521."""
    return fair_share(queue.allocated, queue.guaranteed, fair_maximum)


ORDER = QUEUE_ORDERS.register(NAME, QueueOrder(NAME, share, has_ratios=True, to_fair_maximum=True))

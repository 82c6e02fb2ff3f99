"""Queues by all their shares of the guarantee, the largest first: the order of release 1.4. R-528."""

from __future__ import annotations

from workbench.scheduler.policies import shares
from workbench.scheduler.policies.orders import QUEUE_ORDERS, QueueOrder
from workbench.scheduler.records.state import Queue
from workbench.values.resources import Resource

NAME = "list"


def share(queue: Queue, fair_maximum: Resource | None) -> tuple[float, ...]:
    """Every ratio of use to guarantee; what is not guaranteed counts as its plain amount. R-528, R-83."""
    return shares.share_list(queue.allocated, queue.guaranteed)


ORDER = QUEUE_ORDERS.register(NAME, QueueOrder(NAME, share, has_ratios=True, unlimited=True))

"""Orders: queues below a parent, applications in a leaf, nodes. Each order is a key; smaller goes first. Chapter 05.

Every order has a file here and registers itself (`orders`): its name, its key, its words. `applications_in_order` and
`queues_in_order` apply them as `passes.descent` needs it; the kept orders of `search` use the same keys.
"""

from workbench.scheduler.policies import binpacking, fair, fifo, largest_share, share_list, spreading, stateaware
from workbench.scheduler.policies.applications_in_order import order_applications
from workbench.scheduler.policies.orders import (
    APPLICATION_ORDERS,
    NODE_ORDERS,
    QUEUE_ORDERS,
    ApplicationOrder,
    NodeOrder,
    QueueOrder,
    Share,
    register_application_order,
    register_node_order,
    register_queue_order,
)
from workbench.scheduler.policies.queues_in_order import (
    PriorityShareKey,
    SharePriorityKey,
    dominates,
    order_queues,
    queue_head,
    settled_by_dominance,
)
from workbench.scheduler.policies.shares import fair_maximum, largest

BUILT_IN = (fifo, fair, stateaware, largest_share, share_list, spreading, binpacking)
"""The modules of the orders of the core, in the order in which a choice shows them."""

__all__ = [
    "APPLICATION_ORDERS",
    "BUILT_IN",
    "NODE_ORDERS",
    "QUEUE_ORDERS",
    "ApplicationOrder",
    "NodeOrder",
    "PriorityShareKey",
    "QueueOrder",
    "Share",
    "SharePriorityKey",
    "dominates",
    "fair_maximum",
    "largest",
    "order_applications",
    "order_queues",
    "queue_head",
    "register_application_order",
    "register_node_order",
    "register_queue_order",
    "settled_by_dominance",
]

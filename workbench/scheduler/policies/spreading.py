"""Nodes by usage, the least used first: the sort policy `fair`. R-556."""

from __future__ import annotations

from workbench.scheduler.policies.node_usage import usage
from workbench.scheduler.policies.orders import NODE_ORDERS, NodeOrder

NAME = "fair"
ORDER = NODE_ORDERS.register(NAME, NodeOrder(NAME, usage))

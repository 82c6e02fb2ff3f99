"""Nodes by usage, the most used first: the sort policy `binpacking`. R-561."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.scheduler.policies.node_usage import usage
from workbench.scheduler.policies.orders import NODE_ORDERS, NodeOrder
from workbench.scheduler.records.state import Node

NAME = "binpacking"


def score(node: Node, weights: Mapping[str, float]) -> float:
    """What is left of the node."""
    return 1.0 - usage(node, weights)


ORDER = NODE_ORDERS.register(NAME, NodeOrder(NAME, score))

"""How much of a node is used, as the sort policies of nodes measure it. Section 10 of chapter 05."""

from __future__ import annotations

import math
from collections.abc import Mapping

from workbench.scheduler.records.state import Node

DEFAULT_WEIGHTS: Mapping[str, float] = {"memory": 1.0, "vcore": 1.0}
_DEFAULT_BY_NAME = sorted(DEFAULT_WEIGHTS.items())


def usage(node: Node, weights: Mapping[str, float]) -> float:
    """Weighted mean of the used fractions of the node's types; 0.0 if no weighted type counts. R-556.

    IEEE doubles in the core's order of operations; more than two weighted types are summed by name.
    """
    total = weight_sum = 0.0
    capacities, availables = node.capacity.amounts, node.available.amounts
    for name, weight in _DEFAULT_BY_NAME if weights is DEFAULT_WEIGHTS else sorted(weights.items()):
        capacity = capacities.get(name)
        if capacity is None or weight == 0:
            continue
        available = availables.get(name, 0)
        if capacity == 0:
            if available == 0:
                continue
            share = -math.copysign(math.inf, available)
        else:
            share = 1.0 - float(available) / float(capacity)
        total += weight * share
        weight_sum += weight
    # A sum of weights of infinitely used types is still a number; inf / number stays inf.
    return total / weight_sum if weight_sum else 0.0

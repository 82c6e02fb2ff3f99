"""A job of so many processors as tasks that fit on nodes: one, or one for each node that it fills.

Shared by formats of batch systems, whose jobs ask for a number and not for containers.
"""

from __future__ import annotations

from typing import Final

GANG: Final = "gang"
INDEPENDENT: Final = "independent"
SINGLE: Final = "single"
SPREADS: Final = (GANG, INDEPENDENT, SINGLE)
"""What becomes of a job that is larger than a node: tasks that run together or not at all (a gang), tasks each for itself, or one
task all the same."""

MOST_TASKS: Final = 1_000_000
"""Tasks of one job."""


def over_nodes(processors: int, node_size: int | None) -> tuple[tuple[int, int], ...]:
    """(how many tasks, processors of each): full nodes, then one task with the rest; a single one where it fits, or the size of a
    node is not known.

    >>> over_nodes(3, 8), over_nodes(16, 8), over_nodes(20, 8), over_nodes(20, None)
    (((1, 3),), ((2, 8),), ((2, 8), (1, 4)), ((1, 20),))
    """
    if node_size is None or processors <= node_size:
        return ((1, processors),)
    full, rest = divmod(processors, node_size)
    return ((full, node_size), (1, rest)) if rest else ((full, node_size),)


def evenly(amounts: dict[str, int], nodes: int, units: dict[str, int]) -> tuple[tuple[int, dict[str, int]], ...]:
    """(how many nodes, what is on each of them) for amounts that are spread over so many nodes as evenly as they can be.

    Amounts are divided in units: of what does not go up in `nodes` the first nodes have one unit more, so that the sum stays. Types
    that have no unit are rounded up on every node.

    >>> evenly({"vcore": 5000, "memory": 7}, 2, {"vcore": 1000})
    ((1, {'vcore': 3000, 'memory': 4}), (1, {'vcore': 2000, 'memory': 4}))
    """
    cuts = sorted({0, nodes, *((amounts[name] // unit) % nodes for name, unit in units.items() if name in amounts)})
    found = []
    for start, end in zip(cuts, cuts[1:]):
        each = {}
        for name, amount in amounts.items():
            if name in units:
                each[name] = (amount // units[name] // nodes + (start < amount // units[name] % nodes)) * units[name]
            else:
                each[name] = -(-amount // nodes)
        found.append((end - start, {name: amount for name, amount in each.items() if amount}))
    return tuple(found)

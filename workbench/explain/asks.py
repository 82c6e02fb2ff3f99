"""One ask up close: what the real scheduler notes on it (E-7), and what it needs against what every node has (E-11)."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.explain import words
from workbench.explain.tables import Table, node_state
from workbench.explain.wording import clock, in_order, name
from workbench.scheduler.objects import holdings, nodes
from workbench.scheduler.policies import predicates
from workbench.scheduler.records.state import Allocation, Node, Partition
from workbench.values.quantities import format_quantity

LOG_CAPTION = "What the real scheduler notes on the request; counted are the looks that could have found another answer"
LOG_COLUMNS = ("text", "count", "last time")
EMPTY_LOG = "The real scheduler notes nothing on this request."
SHORTFALL_CAPTION = "What the request needs and what each node has"
SHORTFALL_COLUMNS = ("node", "type", "needed", "available", "missing", "capacity", "state")


def log_rows(ask: Allocation) -> Table:
    """The core's own texts on the ask, in the order of their first time, each with how often and when last it was written.

    Not every reason has a text, and one attempt may write several (R-580, R-581).
    """
    rows = tuple((name(message, 200), str(count), clock(last_ns)) for message, (count, last_ns) in ask.log.items())
    return Table(LOG_CAPTION, LOG_COLUMNS, rows, frozenset(("count", "last time")), tuple(ask.log), EMPTY_LOG)


def shortfall_rows(partition: Partition, ask: Allocation) -> Table:
    """Every node and type that the ask needs: needed, available, missing (negative: to spare), capacity, and what else speaks
    against the node. In the order of the node policy; of the present instant.
    """
    rows, keys, reserved = [], [], holdings.reserved_by_node(partition)
    for node in nodes.in_order(partition):
        against = _against(node, reserved.get(node.id, ()), ask)
        for kind in in_order(ask.resource):
            need, have = ask.resource[kind], node.available.get(kind, 0)
            amounts = (need, have, need - have, node.capacity.get(kind, 0))
            rows.append((name(node.id), name(kind), *(format_quantity(amount, kind) for amount in amounts), against))
            keys.append((node.id, kind))
    return Table(
        SHORTFALL_CAPTION,
        SHORTFALL_COLUMNS,
        tuple(rows),
        frozenset(("needed", "available", "missing", "capacity")),
        tuple(keys),
        words.NO_NODES,
    )


def _against(node: Node, reserved: Sequence[tuple[str, str]], ask: Allocation) -> str:
    against = [*node_state(node, reserved)]
    text = predicates.refusal_text(node, ask)
    return ", ".join([*against, name(text, 120)] if text else against)

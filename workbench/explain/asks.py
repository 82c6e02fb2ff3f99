"""One ask up close: what the real scheduler notes on it (E-7), and what it needs against what every node has (E-11)."""

from __future__ import annotations

from workbench.explain import catalogue
from workbench.explain.tables import Table
from workbench.explain.wording import clock, in_order, name
from workbench.scheduler.objects import nodes
from workbench.scheduler.policies import predicates
from workbench.scheduler.records.state import Allocation, Node, Partition
from workbench.values.quantities import format_quantity


def log_rows(ask: Allocation) -> Table:
    """The core's own texts on the ask, in the order of their first time, each with how often and when last it was written.

    Not every reason has a text, and one attempt may write several (R-580, R-581).
    """
    rows = tuple((name(message, 200), str(count), clock(last_ns)) for message, (count, last_ns) in ask.log.items())
    return Table(
        catalogue.LOG_CAPTION, catalogue.LOG_COLUMNS, rows, frozenset(("count", "last time")), tuple(ask.log), catalogue.EMPTY_LOG
    )


def shortfall_rows(partition: Partition, ask: Allocation) -> Table:
    """Every node and type that the ask needs: needed, available, missing (negative: to spare), capacity, and what else speaks
    against the node. In the order of the node policy; of the present instant.
    """
    rows, keys = [], []
    for node in nodes.in_order(partition):
        for kind in in_order(ask.resource):
            need, have = ask.resource[kind], node.available.get(kind, 0)
            amounts = (need, have, need - have, node.capacity.get(kind, 0))
            rows.append((name(node.id), name(kind), *(format_quantity(amount, kind) for amount in amounts), _state(node, ask)))
            keys.append((node.id, kind))
    return Table(
        catalogue.SHORTFALL_CAPTION,
        catalogue.SHORTFALL_COLUMNS,
        tuple(rows),
        frozenset(("needed", "available", "missing", "capacity")),
        tuple(keys),
        catalogue.NO_NODES,
    )


def _state(node: Node, ask: Allocation) -> str:
    against = [] if node.schedulable else [catalogue.DRAINING]
    against += [f"{catalogue.RESERVED} {name(key)}" for key in sorted(node.reservations)]
    text = predicates.refusal_text(node, ask)
    return ", ".join([*against, name(text, 120)] if text else against)

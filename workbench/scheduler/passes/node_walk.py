"""Nodes for an ask, found plainly: all of them in node order, one after the other. Chapter 05 sections 10 and 11.

The reference for `search.fit_table`, which finds the same node without looking at the others, and what traced cycles use.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.scheduler.objects import nodes
from workbench.scheduler.passes import fitting, surprises
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Candidate, Trace
from workbench.scheduler.records.state import Allocation, Node, Partition, Queue
from workbench.values.resources import fit_in

Visited = Sequence[tuple[Node, str]]
"""Nodes that were looked at, each with the code of what kept the ask off."""


class NodeWalk:
    """The nodes of one partition, walked in order for every ask."""

    __slots__ = ("_partition",)

    def __init__(self, partition: Partition):
        self._partition = partition

    def first(
        self, ctx: Context, ask: Allocation, leaf: Queue, *, skip: str = "", trace: Trace | None = None
    ) -> tuple[Node | None, Visited]:
        """The first unreserved node in node order that takes the ask, and the others visited before. R-552.

        `skip` is a node that is not looked at: the one that the ask holds (R-555).
        """
        partition = self._partition
        order = nodes.unreserved(partition)
        level = trace and trace.open(
            "node",
            ask.key,
            partition.node_policy,
            [Candidate(node.id, nodes.key(node)) for node in order],
            [fitting.describe("node-reserved", node, ask, leaf) for node in nodes.in_order(partition) if node.reservations],
        )
        visited: list[tuple[Node, str]] = []
        for position, node in enumerate(order):
            if node.id == skip:
                code: str | None = "node-reserved"
            elif not node.schedulable:
                code = "node-unschedulable"
            elif not fit_in(node.capacity, ask.resource):
                code = "node-capacity"
            else:
                code = fitting.try_node(ctx, node, ask, leaf)
            if code is None:
                if level and trace:
                    level.take(position)
                    trace.notice(surprises.stale_score(partition, ask, node, order, leaf, skip))
                return node, visited
            visited.append((node, code))
            if level:
                level.refuse(position, fitting.describe(code, node, ask, leaf))
        return None, visited

    def tried(self, ask: Allocation, visited: Visited) -> list[Node]:
        """Those of the visited that could ever hold the ask: what a reservation chooses from. R-553."""
        return [node for node, code in visited if code not in ("node-unschedulable", "node-capacity")]

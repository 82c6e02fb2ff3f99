"""How much of each node was used at the last full second: the core's gauge of nodes by use is set once a second."""

from __future__ import annotations

from typing import Any

from workbench.rest.past.keeper import Keeper, Moment
from workbench.scheduler.records.commands import AddNode
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Node, Partition
from workbench.values.resources import EMPTY, Resource

SECOND_NS = 1_000_000_000


class NodeUse(Keeper):
    """Node -> bucket of its use of each resource, at that second. Empty before the first."""

    fields = frozenset({"nodes", "capacity", "allocated", "occupied"})

    def __init__(self) -> None:
        self.buckets: dict[Node, dict[str, int]] = {}
        self.occupied: dict[Node, set[str]] = {}
        """Node -> names of what others ever occupied there."""
        self._capacity: dict[Node, Resource] = {}
        self._allocated: dict[Node, Resource] = {}
        self._changed: dict[Node, None] = {}

    def wrote(self, moment: Moment, write: Write) -> None:
        record: Any = write.record
        if isinstance(record, Partition) and write.field == "nodes":
            node: Node = write.after if write.kind == "put" else write.before
            self._changed[node] = None
            if write.kind == "put":
                self._capacity[node], self._allocated[node] = _capacity(moment, node), EMPTY
            else:
                self._capacity.pop(node, None)
        elif isinstance(record, Node) and write.field == "occupied":
            named = self.occupied.setdefault(record, set())
            for value in (write.key, write.before, write.after):
                named.update(value or ())
        elif isinstance(record, Node):
            self._changed[record] = None
            if write.field == "capacity":
                self._capacity[record] = write.after
            else:
                self._allocated[record] = write.after

    def passes(self, moment: Moment, until_ns: int) -> None:
        if moment.now_ns // SECOND_NS == until_ns // SECOND_NS:
            return
        for node in self._changed:
            if node in self._capacity:
                self.buckets[node] = _buckets(self._capacity[node], self._allocated.get(node, EMPTY))
            else:
                self.buckets.pop(node, None)
        self._changed.clear()


def _buckets(capacity: Resource, allocated: Resource) -> dict[str, int]:
    """Tenths, each with its upper end, of what the node has; here nothing is rounded before."""
    return {name: min(9, max(0, -(-10 * allocated.get(name, 0) // amount) - 1)) for name, amount in capacity.items() if amount > 0}


def _capacity(moment: Moment, node: Node) -> Resource:
    """With which the node came; it may have another by now."""
    return moment.command.capacity if isinstance(moment.command, AddNode) else node.capacity

"""How much of each node was used when the scheduler last placed something: its gauge of nodes by use knows no later time."""

from __future__ import annotations

from typing import Any

from workbench.rest.past.keeper import Keeper, Moment
from workbench.scheduler.records.commands import AddNode, Cycle
from workbench.scheduler.records.events import Allocated, Event
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Node, Partition
from workbench.values.resources import EMPTY, Resource, abs_used_capacity, add, prune, sub


class NodeUse(Keeper):
    """Node -> use of each resource in whole percent, at that time. Empty before."""

    fields = frozenset({"nodes", "capacity", "allocated"})

    def __init__(self) -> None:
        self.percent: dict[Node, Resource] = {}
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
        elif isinstance(record, Node):
            self._changed[record] = None
            if write.field == "capacity":
                self._capacity[record] = write.after
            else:
                self._allocated[record] = _sum(self._allocated.get(record, EMPTY), write)

    def said(self, moment: Moment, event: Event) -> None:
        if not (isinstance(event, Allocated) and isinstance(moment.command, Cycle)):
            return
        for node in self._changed:
            if node in self._capacity:
                self.percent[node] = _percent(self._capacity[node], self._allocated.get(node, EMPTY))
            else:
                self.percent.pop(node, None)
        self._changed.clear()


def _percent(capacity: Resource, allocated: Resource) -> Resource:
    used = abs_used_capacity(capacity, allocated)
    return Resource({name: used.get(name, 0) for name, amount in capacity.items() if amount})


def _sum(before: Resource, write: Write) -> Resource:
    if write.kind == "raised":
        return prune(add(before, write.after))
    if write.kind == "lowered":
        return prune(sub(before, write.after))
    found: Resource = write.after
    return found


def _capacity(moment: Moment, node: Node) -> Resource:
    """With which the node came; it may have another by now."""
    return moment.command.capacity if isinstance(moment.command, AddNode) else node.capacity

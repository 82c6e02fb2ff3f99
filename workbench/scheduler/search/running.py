"""What runs and could be stopped, by node in the order in which it would go, and which nodes are reserved for whom.

The part of a search for victims that depends on no ask (P-53, P-66, P-72), kept and repaired by touch. Which queues and
priorities an ask may look at is said by `claims`, what a node yields by `offers`.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from typing import Any, NamedTuple

from workbench.scheduler.objects.reservations import counts_from_ns
from workbench.scheduler.preemption.on_node import victim_key
from workbench.scheduler.records.state import NO_PRIORITY, Allocation, Application, Node, Partition, Queue

Standing = tuple[Any, ...]
"""`victim_key` of an allocation, the allocation, and its leaf. No two keys are equal."""
LONGEST_LOG = 100_000


class Waits(NamedTuple):
    """For whom a node waits: the keys of the asks, since when for each, their lowest priority, and from when the oldest counts."""

    keys: tuple[str, ...]
    since: tuple[int, ...]
    lowest: int
    oldest_ns: int


class Running:
    """Of one partition.

    Attributes:
        on: node id -> what could be stopped there, first victim first.
        hosts: leaf -> node id -> how many of its allocations stand there.
        changed: ids of the nodes on which something changed, in order; begun anew with another `epoch`.
        reserved: nodes that wait for somebody, by id.
        reserved_for: ask key -> ids of the nodes that wait for an ask of that key.
    """

    __slots__ = (
        "_everybody",
        "_oldest_ns",
        "_partition",
        "_where",
        "changed",
        "epoch",
        "hosts",
        "on",
        "reserved",
        "reserved_for",
    )

    def __init__(self, partition: Partition):
        self._partition = partition
        self.on: dict[str, list[Standing]] = {}
        self.hosts: dict[Queue, dict[str, int]] = {}
        self._where: dict[Allocation, tuple[str, Standing]] = {}
        self._everybody: list[Standing] | None = None
        self.changed: list[str] = []
        self.epoch = 0
        self.reserved: dict[str, Waits] = {}
        self.reserved_for: dict[str, dict[str, None]] = {}
        self._oldest_ns: int | None = None
        for application in partition.applications.values():
            for allocation in application.allocations.values():
                self._allocation(allocation)
        for node_id in partition.nodes:
            self._reservations(node_id)
        self.changed.clear()

    def everybody(self) -> list[Standing]:
        """All of all nodes, first victim first. P-90"""
        if self._everybody is None:
            self._everybody = sorted(standing for _, standing in self._where.values())
        return self._everybody

    def maybe_stale(self, priority: int, now_ns: int) -> list[str]:
        """Nodes of which some reservation may be old enough to be given up for an ask of that priority. P-67"""
        stale_ns = self._partition.profile.stale_reservation_ns
        if self._oldest_ns is None or now_ns - self._oldest_ns <= stale_ns:
            return []
        # The oldest one may be gone.
        self._oldest_ns = min((waits.oldest_ns for waits in self.reserved.values()), default=None)
        return [
            node_id for node_id, waits in self.reserved.items() if waits.lowest < priority and now_ns - waits.oldest_ns > stale_ns
        ]

    def hear(self, touched: Iterable[object]) -> None:
        """These records were written, put in or taken out."""
        if len(self.changed) > LONGEST_LOG:
            self.changed.clear()
            self.epoch += 1
        for record in touched:
            kind = type(record)
            if kind is Allocation:
                assert isinstance(record, Allocation)
                if record.node_id or record in self._where:
                    self._allocation(record)
            elif kind is Node:
                assert isinstance(record, Node)
                self.changed.append(record.id)
                self._reservations(record.id)
            elif kind is Application:
                assert isinstance(record, Application)
                if record.allocations and not self._takes_part(record):
                    for allocation in record.allocations.values():
                        self._allocation(allocation)

    def _takes_part(self, application: Application) -> bool:
        queue = application.queue
        return (
            queue is not None
            and queue.applications.get(application.id) is application
            and self._partition.applications.get(application.id) is application
        )

    def _allocation(self, allocation: Allocation) -> None:
        """Where, and as what, it stands now."""
        before = self._where.get(allocation)
        application = self._partition.applications.get(allocation.application_id)
        if (
            application is None
            or application.allocations.get(allocation.key) is not allocation
            or allocation.required_node
            or allocation.released
            or allocation.preempted
            or not self._takes_part(application)
        ):
            if before is not None:
                self._leave(allocation, *before)
            return
        standing: Standing = (*victim_key(allocation), allocation, application.leaf)
        if before is not None:
            if before == (allocation.node_id, standing):
                self.changed.append(allocation.node_id)
                return
            self._leave(allocation, *before)
        node_id = allocation.node_id
        self._where[allocation] = node_id, standing
        insort(self.on.setdefault(node_id, []), standing)
        if self._everybody is not None:
            insort(self._everybody, standing)
        hosts = self.hosts.setdefault(standing[5], {})
        hosts[node_id] = hosts.get(node_id, 0) + 1
        self.changed.append(node_id)

    def _leave(self, allocation: Allocation, node_id: str, standing: Standing) -> None:
        del self._where[allocation]
        there = self.on[node_id]
        del there[bisect_left(there, standing)]
        if not there:
            del self.on[node_id]
        if self._everybody is not None:
            del self._everybody[bisect_left(self._everybody, standing)]
        hosts = self.hosts[standing[5]]
        hosts[node_id] -= 1
        if not hosts[node_id]:
            del hosts[node_id]
            if not hosts:
                del self.hosts[standing[5]]
        self.changed.append(node_id)

    def _reservations(self, node_id: str) -> None:
        node = self._partition.nodes.get(node_id)
        keys, since = ((), ()) if node is None else (tuple(node.reservations), tuple(node.reserved_ns.values()))
        before = self.reserved.get(node_id)
        if before is None and not keys or before is not None and keys == before.keys and since == before.since:
            return
        for key in before.keys if before is not None else ():
            nodes = self.reserved_for[key]
            del nodes[node_id]
            if not nodes:
                del self.reserved_for[key]
        self.reserved.pop(node_id, None)
        if node is None or not keys:
            return
        applications = self._partition.applications
        asks = [applications[owner].asks.get(key) for key, owner in node.reservations.items() if owner in applications]
        known = [ask for ask in asks if ask is not None]
        if len(known) == len(keys):
            profile = self._partition.profile
            lowest, oldest_ns = min(ask.priority for ask in known), min(counts_from_ns(profile, node, ask) for ask in known)
        else:
            # Of an ask that is gone nothing can be said here: such a node is always asked.
            lowest, oldest_ns = NO_PRIORITY - 1, -self._partition.profile.stale_reservation_ns
        self.reserved[node_id] = Waits(keys, since, lowest, oldest_ns)
        for key in keys:
            self.reserved_for.setdefault(key, {})[node_id] = None
        self._oldest_ns = oldest_ns if self._oldest_ns is None else min(self._oldest_ns, oldest_ns)

"""Pools that grow and shrink on demand, as an autoscaler would make them: seen together with quotas. WL-4, R-585."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.runs.agenda import Due, Kind
from workbench.runs.submissions import MS_NS
from workbench.values.resources import Resource, fit_in, sub
from workbench.workloads.model import Pool

if TYPE_CHECKING:
    from workbench.runs.player import Player


class Elastic:
    """The elastic pools of a run.

    What waits only for a larger cluster (the scheduler tells who: quotas allow it, no node has room) is packed, in its order, first
    onto nodes that are on their way, then onto new ones of the first pool that has room for it and may still grow. A node that was
    empty for the pool's idle time goes, as long as the pool keeps its minimum.
    """

    def __init__(self, player: Player):
        self._player = player
        self._pools = [pool for pool in player.workload.pools if pool.elastic]
        self._made = {pool.name: pool.count for pool in self._pools}
        """How many nodes of a pool were ever named."""
        self._coming: dict[int, tuple[Pool, str]] = {}
        """Nodes on their way, by number."""
        self._nodes: list[tuple[Pool, str]] = []
        self._started = 0
        self._pool_of: dict[str, Pool] = {pool.node_id(number): pool for pool in self._pools for number in range(pool.count)}
        self._idle_since: dict[str, int] = {}
        self._touched: dict[str, None] = dict.fromkeys(self._pool_of)

    def touched(self, attempt: int) -> None:
        """Something was placed on a node, or left it."""
        record = self._player.ledger.record
        node_id = record.nodes[record.node[attempt]] if record.node[attempt] >= 0 else ""
        if node_id in self._pool_of:
            self._touched[node_id] = None

    def rested(self) -> None:
        """Nothing changes any more at this instant: who has to wait for a larger cluster, and which nodes are empty?"""
        self._watch_idle()
        if not self._player.ledger.waiting:
            return
        outstanding = self._player.engine.outstanding(self._player.partition)
        if not outstanding:
            return
        room: list[tuple[Pool, Resource]] = [(pool, pool.capacity) for pool, _ in self._coming.values()]
        for _, ask in outstanding:
            for place, (pool, left) in enumerate(room):
                if _accepts(pool, ask.node_selector, ask.tolerations) and fit_in(left, ask.resource):
                    room[place] = (pool, sub(left, ask.resource))
                    break
            else:
                wanted = next(
                    (
                        each
                        for each in self._pools
                        if self._size(each) < (each.maximum or 0)
                        and fit_in(each.capacity, ask.resource)
                        and _accepts(each, ask.node_selector, ask.tolerations)
                        and not ask.required_node
                    ),
                    None,
                )
                if wanted is not None:
                    self._start(wanted)
                    room.append((wanted, sub(wanted.capacity, ask.resource)))

    def happens(self, due: Due) -> None:
        """A node is there, or may have been empty for long enough."""
        player = self._player
        if due.kind is Kind.STARTED:
            pool, node_id = self._coming.pop(due.what)
            self._pool_of[node_id] = pool
            self._touched[node_id] = None
            player.add_node(pool, node_id)
            return
        pool, node_id = self._nodes[due.what]
        since_ns = self._idle_since.get(node_id)
        if since_ns is None or player.now_ns - since_ns < pool.idle_ms * MS_NS or self._size(pool) <= (pool.minimum or 0):
            return
        del self._idle_since[node_id], self._pool_of[node_id]
        player.remove_node(node_id)

    def _size(self, pool: Pool) -> int:
        coming = sum(each is pool for each, _ in self._coming.values())
        return coming + sum(each is pool for each in self._pool_of.values())

    def _start(self, pool: Pool) -> None:
        node_id = pool.node_id(self._made[pool.name])
        self._made[pool.name] += 1
        self._started += 1
        self._coming[self._started] = (pool, node_id)
        self._player.agenda.plan(self._player.now_ns + pool.start_delay_ms * MS_NS, Kind.STARTED, self._started)

    def _watch_idle(self) -> None:
        player = self._player
        for node_id in self._touched:
            node = player.partition.nodes.get(node_id)
            if node is None or node.allocations:
                self._idle_since.pop(node_id, None)
            elif node_id in self._pool_of and node_id not in self._idle_since:
                pool = self._pool_of[node_id]
                self._idle_since[node_id] = player.now_ns
                self._nodes.append((pool, node_id))
                player.agenda.plan(player.now_ns + pool.idle_ms * MS_NS, Kind.IDLE, len(self._nodes) - 1)
        self._touched.clear()


def _accepts(pool: Pool, selector: object, tolerations: tuple[str, ...]) -> bool:
    """Whether nodes of the pool have the attributes that are asked for, and only tolerated taints."""
    assert isinstance(selector, dict) or hasattr(selector, "items")
    wanted = all(pool.attributes.get(key) == value for key, value in selector.items())
    return wanted and all(taint in tolerations for taint in pool.taints)

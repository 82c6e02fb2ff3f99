"""How far to look ahead: as long as the delays after which quota preemption and preemption set in, and a little longer."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Cluster

USUAL, MOST = 10, 24 * 60
"""Minutes."""
_MINUTE_NS = 60 * 10**9


def long_enough(cluster: Cluster) -> int:
    """Minutes in which everything can happen that the settings in force put off, and at least `USUAL`."""
    longest = max(_delays_ns(cluster), default=0)
    return min(MOST, max(USUAL, longest // _MINUTE_NS + 2))


def _delays_ns(cluster: Cluster) -> Iterator[int]:
    for partition in cluster.partitions.values():
        for queue in walk(partition.root):
            if partition.preemption_enabled and queue.is_leaf:
                yield queue.settings.preemption_delay_ns
            if partition.quota_preemption_enabled and queue.maximum is not None:
                yield queue.settings.quota_preemption_delay_ns

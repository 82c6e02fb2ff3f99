"""The comparison of what is in force with the new file, for the arrivals of a workload. CP-1 to CP-7."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from workbench.comparison import Comparison, compare
from workbench.config.model import SchedulerConfig
from workbench.scheduler.records.state import Cluster
from workbench.values.resources import Resource
from workbench.workloads import AnyWorkload, Pool, of_seed, workload_given

TODAY, NEW = "today", "new"


def compared(
    old: SchedulerConfig,
    new: SchedulerConfig,
    workload: AnyWorkload | str | os.PathLike[str],
    cluster: Cluster,
    *,
    seeds: int = 1,
    progress: Callable[[float, str], None] | None = None,
) -> Comparison:
    """What becomes of the arrivals under both. A workload without nodes arrives at those of the cluster, empty as they are then.

    Raises:
        WorkloadError, CommandError: as `compare`.
    """
    given = workload_given(workload)
    options: dict[str, Any] = {"seeds": seeds, "names": [TODAY, NEW], "release": cluster.profile.version, "progress": progress}
    first = of_seed(given, 0)
    if not first.pools and not any(event.happens == "added" for event in first.node_events):
        options["nodes"] = pools(cluster)
    return compare(old, new, workload=given, **options)


def pools(cluster: Cluster) -> tuple[Pool, ...]:
    """The nodes of a cluster that take work, equal ones together, with what is left on them beside what others occupy."""
    found: dict[tuple[object, ...], tuple[int, Pool]] = {}
    for partition in cluster.partitions.values():
        for node in sorted(partition.nodes.values(), key=lambda each: each.seq):
            if not node.schedulable:
                continue
            left = Resource({kind: max(0, amount - node.occupied.get(kind, 0)) for kind, amount in node.capacity.items()})
            key = (str(left), tuple(sorted(node.attributes.items())), node.taints)
            count, pool = found.get(
                key, (0, Pool(name=f"nodes-{len(found) + 1}", capacity=left, attributes=dict(node.attributes), taints=node.taints))
            )
            found[key] = count + 1, pool
    return tuple(Pool(name=each.name, capacity=each.capacity, count=count, attributes=each.attributes, taints=each.taints)
                 for count, each in found.values())  # fmt: skip

"""The completions that turn a configuration as written into one tree per partition (C-20 to C-23, C-85).

They never fail, and completing a complete configuration changes nothing: what cannot be completed stays as it is for
validation to refuse.
"""

from __future__ import annotations

from dataclasses import replace

from workbench.config.model import PartitionConfig, QueueConfig, SchedulerConfig

ROOT = "root"
DEFAULT_PARTITION = "default"


def completed(config: SchedulerConfig) -> SchedulerConfig:
    """`config` with partition names, one root queue per partition, and partition limits on root."""
    partitions = tuple(_completed_partition(partition) for partition in config.partitions)
    return config if partitions == config.partitions else replace(config, partitions=partitions)


def _completed_partition(partition: PartitionConfig) -> PartitionConfig:
    if partition.name.lower() in ("", DEFAULT_PARTITION):
        partition = replace(partition, name=DEFAULT_PARTITION)
    if partition.queues is None:  # C-22
        return partition
    root = _root(partition.queues)
    if partition.limits and not root.limits:
        root = replace(root, limits=partition.limits)
    return replace(partition, queues=(root,))


def _root(queues: tuple[QueueConfig, ...]) -> QueueConfig:
    """The single top queue called root in any case, or a root without settings above all that is given.

    Quirk kept from the reference: root next to a sibling is not recognised and becomes root.root (C-20), and a root
    with capitals is taken here but no partition can be built from it (C-21).
    """
    if len(queues) == 1 and queues[0].name.lower() == ROOT:
        return replace(queues[0], parent=True)
    return QueueConfig(name=ROOT, parent=True, queues=queues)

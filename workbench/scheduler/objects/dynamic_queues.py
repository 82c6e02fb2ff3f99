"""Queues that placement creates: the missing levels of a path, below the nearest existing queue. PL-80 to PL-84."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.config.validation.names import INVALID_QUEUE_NAME, is_queue_name
from workbench.scheduler.objects import access, tree
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import RECOVERY_QUEUE, Partition, Queue
from workbench.values.errors import ConfigError


def create(ctx: Context, partition: Partition, path: str, user: str, groups: Sequence[str]) -> Queue:
    """Create the missing levels of `path` and return its leaf. All but the last become parents.

    Raises:
        ConfigError: the core's reason: no access, parent is a leaf or drains, bad name (PL-81, PL-82, C-38).
    """
    ancestor, missing = nearest_existing(partition, path)
    if path.lower() != RECOVERY_QUEUE:
        if not access.may_submit(ancestor, user, groups):
            raise ConfigError(f"submit access to queue {ancestor.path} denied during create of: {path}")
        if any(name.lower() == "@recovery@" for name in missing):
            raise ConfigError(f"dynamic queue cannot be {RECOVERY_QUEUE}")
    if ancestor.is_leaf:
        raise ConfigError(f"creation of queue {path} failed parent is already a leaf: {ancestor.path}")
    for name in missing:
        if not is_queue_name(name):
            raise ConfigError(INVALID_QUEUE_NAME)
    if ancestor.status == "Draining":
        raise ConfigError(
            f"dynamic queue creation failed: \ncannot add a child queue when queue is marked for deletion: {ancestor.path}"
        )
    queue = ancestor
    for depth, name in enumerate(missing, start=1):
        queue = tree.add_dynamic(ctx, queue, name, is_leaf=depth == len(missing))
    return queue


def nearest_existing(partition: Partition, path: str) -> tuple[Queue, list[str]]:
    """The deepest queue of the path that exists, and the names of the levels below it that do not."""
    names = path.lower().split(".")
    for depth in range(len(names), 0, -1):
        queue = tree.find(partition, ".".join(names[:depth]))
        if queue is not None:
            return queue, names[depth:]
    return partition.root, names

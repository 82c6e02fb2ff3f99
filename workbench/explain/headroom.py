"""What every queue may still take: what its own maximum leaves, and the smallest such rest on the way up to root. R-545.

Everything is read from the state; nothing here decides.
"""

from __future__ import annotations

from workbench.explain.tables import Table
from workbench.explain.wording import amounts, in_order, name
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.limits import queue_headroom
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Cluster, Queue
from workbench.values.resources import EMPTY, sub_only_existing

HEADROOM_CAPTION = "What every queue may still take, and the queue on the way to root that sets it"
HEADROOM_COLUMNS = ("queue", "used", "max", "max - used", "headroom", "set by")


def headroom_rows(state: Cluster, partition: str = "default") -> Table:
    """Every queue in tree order with its use, its own maximum, its headroom, and the queues whose maximum sets it.

    The maximum of root is the cluster. Where two queues leave equally little, both set it. KeyError if there is no such
    partition.
    """
    queues = list(walk(state.partitions[partition.lower()].root))
    return Table(
        HEADROOM_CAPTION,
        HEADROOM_COLUMNS,
        tuple(_row(queue) for queue in queues),
        keys=tuple(queue.path for queue in queues),
    )


def _row(queue: Queue) -> tuple[str, ...]:
    own = None if queue.maximum is None else sub_only_existing(queue.maximum, queue.allocated)
    return (
        name(queue.path),
        amounts(queue.allocated),
        amounts(queue.maximum),
        amounts(own),
        amounts(queue_headroom(queue)),
        ", ".join(name(path) for path in setters(queue)),
    )


def setters(queue: Queue) -> list[str]:
    """Paths of the queues on the way up whose maximum leaves the least of some type, from root down."""
    room = queue_headroom(queue) or EMPTY
    found = {
        at.path
        for kind in in_order(room)
        for at in ancestry(queue)
        if at.maximum is not None
        and at.maximum.get(kind) is not None
        and at.maximum[kind] - at.allocated.get(kind, 0) == room[kind]
    }
    return [at.path for at in reversed(list(ancestry(queue))) if at.path in found]

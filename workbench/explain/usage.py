"""What every queue uses of one resource type: within its guarantee, above it, and what it still asks for. G-4 and its table.

Everything is read from the state; nothing here decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.explain.tables import Table
from workbench.explain.wording import in_order, name
from workbench.scheduler.objects.limits import path_maximum
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Cluster, Partition, Queue
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY

AT_MAXIMUM = "at max"
USAGE_COLUMNS = ("queue", "used", "guaranteed", "above", "max", "pending", "share of max", "note")


@dataclass(frozen=True, slots=True)
class Use:
    """Amounts of one type in base units.

    Attributes:
        guaranteed, maximum: the queue's own settings; None where it has none. The maximum of root is the cluster.
        limit: the smallest maximum on the path, the cluster included; None if nothing limits the type.
    """

    used: int
    pending: int
    guaranteed: int | None
    maximum: int | None
    limit: int | None

    @property
    def within(self) -> int:
        """What is used within the guarantee."""
        return max(0, min(self.used, self.guaranteed or 0))

    @property
    def above(self) -> int:
        """What is used above the guarantee, all of it where there is none."""
        return max(0, self.used - (self.guaranteed or 0))

    @property
    def is_full(self) -> bool:
        return self.maximum is not None and self.used >= self.maximum

    @property
    def share(self) -> float | None:
        """Used part of the limit; None without a limit."""
        return self.used / self.limit if self.limit else None


def use_of(queue: Queue, kind: str) -> Use:
    """What one queue, with everything below it, uses of a type."""
    guaranteed, maximum = queue.guaranteed or EMPTY, queue.maximum or EMPTY
    limit = path_maximum(queue, with_root=True) or EMPTY
    return Use(queue.allocated.get(kind, 0), queue.pending.get(kind, 0), guaranteed.get(kind), maximum.get(kind), limit.get(kind))


def used_types(partition: Partition) -> list[str]:
    """The types that are there, used, asked for or configured, vcore and memory first."""
    resources = [
        partition.total,
        *(
            each
            for queue in walk(partition.root)
            for each in (queue.allocated, queue.pending, queue.guaranteed, queue.maximum)
            if each
        ),
    ]
    return in_order({kind for resource in resources for kind in resource})


def usage_rows(state: Cluster, resource: str | None = None, partition: str = "default") -> Table:
    """Every queue in tree order with what it uses of one type, by default the first of `used_types`. Text twin of G-4.

    KeyError if there is no such partition.
    """
    at = state.partitions[partition.lower()]
    kind = resource or next(iter(used_types(at)), "vcore")
    queues = list(walk(at.root))
    return Table(
        usage_caption(kind),
        USAGE_COLUMNS,
        tuple(_row(queue, kind) for queue in queues),
        frozenset(USAGE_COLUMNS[1:-1]),
        tuple(queue.path for queue in queues),
    )


def _row(queue: Queue, kind: str) -> tuple[str, ...]:
    use = use_of(queue, kind)
    above = None if use.guaranteed is None else use.above
    amounts = (
        "" if amount is None else format_quantity(amount, kind)
        for amount in (use.used, use.guaranteed, above, use.maximum, use.pending)
    )
    share = "" if use.share is None else f"{100 * use.share:.0f} %"
    return (name(queue.path), *amounts, share, AT_MAXIMUM if use.is_full and use.used else "")


def fullest(queues: Sequence[Queue], kind: str) -> list[Queue]:
    """The queues that have reached a maximum of their own, most used first."""
    full = [queue for queue in queues if use_of(queue, kind).is_full and queue.allocated.get(kind, 0)]
    return sorted(full, key=lambda queue: (-queue.allocated.get(kind, 0), queue.path))


# ---- in words ---------------------------------------------------------------------------------------------------------


def usage_caption(kind: str) -> str:
    return f"Use of {name(kind)} by queue"

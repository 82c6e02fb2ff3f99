"""What every queue uses against its guarantee: who may ask for preemption, and who may have to give. G-7 and its table."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.config.may_preempt import is_disabled, is_fence
from workbench.explain import words
from workbench.explain.tables import Table
from workbench.explain.usage import used_types
from workbench.explain.wording import name
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Cluster, Partition, Queue
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY

PREEMPTION_DISABLED = "preemption disabled"
BEHIND_ITS_FENCE = "behind its own fence"
BALANCE_COLUMNS = ("queue", "used", "guaranteed", "above", "pending", "what it may do")
NO_QUEUES = "There is no queue below root."


@dataclass(frozen=True, slots=True)
class Balance:
    """Use of one type in base units, without what is being stopped already. `guaranteed` None: nothing is guaranteed.

    `asks` and `gives`: what settings let the queue do, whatever it uses.
    """

    used: int
    guaranteed: int | None
    pending: int
    asks: bool
    gives: bool

    @property
    def above(self) -> int:
        """Use above the guarantee; negative below it, all use where there is none."""
        return self.used - (self.guaranteed or 0)

    @property
    def may(self) -> str:
        """What its own guarantee lets the queue do; queues above it, priorities and the fences of others may still say no."""
        if self.guaranteed and self.above < 0 and self.pending:
            return words.MAY_ASK if self.asks else BEHIND_ITS_FENCE
        if self.above > 0:
            return words.MAY_GIVE if self.gives else PREEMPTION_DISABLED
        return ""


def balance(queue: Queue, kind: str) -> Balance:
    """What a queue uses of a type against its own guarantee."""
    guaranteed = (queue.guaranteed or EMPTY).get(kind)
    return Balance(
        queue.allocated.get(kind, 0) - queue.preempting.get(kind, 0),
        guaranteed,
        queue.pending.get(kind, 0),
        not (queue.is_leaf and is_fence(queue)),
        not is_disabled(queue),
    )


def guaranteed_type(partition: Partition) -> str:
    """The first type that some queue guarantees, else the first there is."""
    kinds = used_types(partition)
    guaranteed = {kind for queue in walk(partition.root) for kind in queue.guaranteed or ()}
    return next((kind for kind in kinds if kind in guaranteed), next(iter(kinds), "vcore"))


def balance_rows(state: Cluster, resource: str | None = None, partition: str = "default") -> Table:
    """Every queue in tree order with its use against its guarantee. Text twin of G-7 where nobody preempts."""
    at = state.partitions[partition.lower()]
    kind = resource or guaranteed_type(at)
    queues = [queue for queue in walk(at.root) if queue.parent is not None]
    return Table(
        balance_caption(kind),
        BALANCE_COLUMNS,
        tuple(_row(queue, kind) for queue in queues),
        frozenset(BALANCE_COLUMNS[1:-1]),
        tuple(queue.path for queue in queues),
        NO_QUEUES,
    )


def _row(queue: Queue, kind: str) -> tuple[str, ...]:
    found = balance(queue, kind)
    amounts = (found.used, found.guaranteed, found.above, found.pending)
    # A parent gives and asks through its leaves; without a guarantee of its own there is nothing to hold it to.
    may = found.may if found.guaranteed is not None or not queue.children else ""
    return (name(queue.path), *("" if amount is None else format_quantity(amount, kind) for amount in amounts), may)


# ---- in words ---------------------------------------------------------------------------------------------------------


def balance_caption(kind: str) -> str:
    return f"Use of {name(kind)} above the guarantee"

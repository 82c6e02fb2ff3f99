"""Sums that the core keeps otherwise than their parts, for ever or for a while: booked where it happens, and told.

The engine counts as the core does. `astray` of a queue, an application or a node says, for each sum that went astray, by how
much it is more than its parts hold, so that whoever checks the sums knows what belongs to the surprise; nothing decides by it.
"""

from __future__ import annotations

from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Surprised
from workbench.scheduler.records.state import Application, Node, Queue
from workbench.values.resources import EMPTY, Resource, add, fit_in, has_negative_value, is_zero, prune, sub

Counting = Queue | Application | Node


def book(ctx: Context, record: Counting, field: str, amount: Resource, rule: str, why: str) -> None:
    """From now on `record.field` is that much more, or less, than its parts hold, by a known surprise; it says so already."""
    if is_zero(amount):
        return
    mark(ctx, record, field, amount)
    negative = has_negative_value(getattr(record, field))
    ctx.emit(Surprised(rule, _named(record), f"{why}{NEGATIVE if negative else ''}", field, amount))


def mark(ctx: Context, record: Counting, field: str, amount: Resource) -> None:
    """Note how much `field` is off, and say nothing."""
    off = dict(record.astray)
    off[field] = prune(add(off.get(field, EMPTY), amount))
    ctx.journal.set(record, "astray", tuple(sorted(off.items())))


def lower_queue(ctx: Context, queue: Queue, amount: Resource, rule: str = "R-424") -> None:
    """Lower what the queues of the path hold. Quirk: refused as a whole where one of them holds less, and left as it is. R-424."""
    at: Queue | None = queue
    while at is not None:
        if not fit_in(at.allocated, amount):
            book(ctx, queue, "allocated", amount, rule, "it is to give back more than it or one above it holds, and keeps all")
            return
        at = at.parent
    ctx.journal.lower_path(queue, "allocated", amount)


def off_by(record: Counting, field: str) -> Resource:
    """By how much the sum is more than its parts hold."""
    return next((amount for name, amount in record.astray if name == field), EMPTY)


def forget(ctx: Context, record: Counting) -> None:
    """All of the record was set anew: its sums are those of its parts again."""
    if record.astray:
        ctx.journal.set(record, "astray", ())


def less(amount: Resource) -> Resource:
    """The same the other way."""
    return sub(EMPTY, amount)


NEGATIVE = "; the sum is below zero now"


def _named(record: Counting) -> str:
    if isinstance(record, Queue):
        return f"queue {record.path}"
    return f"{'node' if isinstance(record, Node) else 'application'} {record.id}"

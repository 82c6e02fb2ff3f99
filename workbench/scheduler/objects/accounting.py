"""Sums: what queues, applications and nodes hold, wait for and give back. Every change climbs to the root.

R-424 (queues), R-443 (applications), R-410 (nodes). Nothing here decides or checks.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import Application, Node, Queue
from workbench.values.resources import EMPTY, Resource, add, component_wise_max, prune, raised, sub


def ancestry(queue: Queue | None) -> Iterator[Queue]:
    """The queue, its parent, and so on up to the root."""
    while queue is not None:
        yield queue
        queue = queue.parent


def change_application(journal: Journal, application: Application, field: str, amount: Resource, *, lower: bool = False) -> None:
    """Raise or lower `field` ("allocated", "pending" or "placeholder_allocated"); zero quantities are dropped. R-443."""
    if lower:
        journal.lower_sum(application, field, amount)
    else:
        journal.raise_sum(application, field, amount)


def raise_application(journal: Journal, application: Application, field: str, amount: Resource) -> None:
    """An allocation joins: raise "allocated" or "placeholder_allocated", and the highest value that either ever had."""
    before, old = getattr(application, field), application.peak
    held = raised(before, amount)
    if held is not None and old == before and min(held.amounts.values(), default=0) > 0:
        # The usual case, in the form that is cheapest to remember.
        journal.raise_to(application, field, held, amount)
        journal.raise_to(application, "peak", held, amount)
        return
    journal.raise_sum(application, field, amount)
    peak = component_wise_max(old, getattr(application, field))
    if peak != old:
        journal.set(application, "peak", peak)


def fill_node(journal: Journal, node: Node, amount: Resource) -> None:
    """An allocation of this scheduler joins the node. R-410."""
    journal.raise_sum(node, "allocated", amount)
    journal.lower_sum(node, "available", amount)


def change_node(
    journal: Journal, node: Node, *, allocated: Resource = EMPTY, occupied: Resource = EMPTY, lower: bool = False
) -> None:
    """Raise or lower what a node holds, and what is left the other way. R-410.

    Quirk: what is given back stays in `available` with its zero quantities; they mean the same as missing ones.
    """
    change = sub if lower else add
    for field, amount in (("allocated", allocated), ("occupied", occupied)):
        if amount is EMPTY:
            continue
        journal.set(node, field, prune(change(getattr(node, field), amount)))
        if lower:
            journal.set(node, "available", add(node.available, amount))
        else:
            journal.lower_sum(node, "available", amount)


def refresh_available(journal: Journal, node: Node) -> None:
    """available = capacity - allocated - occupied, zero quantities dropped, possibly negative. R-410."""
    journal.set(node, "available", prune(sub(sub(node.capacity, node.allocated), node.occupied)))


def count_running(journal: Journal, queue: Queue | None, change: int) -> list[Queue]:
    """Change the running counter of the queue and its ancestors by +1 or -1; returns those that now count too few. R-426.

    Quirk: a counter is clamped at a set maximum and at 0, so that a later decrement can make it too low. A counter that is above
    its maximum, because a reload lowered that, even falls to it when it is raised.
    """
    clamped = []
    for at in ancestry(queue):
        count = at.running_applications + change
        if change > 0 and at.max_applications and count > at.max_applications:
            count = at.max_applications
            clamped.append(at)
        if count >= 0 and count != at.running_applications:
            journal.set(at, "running_applications", count)
    return clamped

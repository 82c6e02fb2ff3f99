"""The rows of the queue tree: pure data from the state, the next decision and the ranking of what waits.

Nothing is decided here. The rank of a queue among its siblings is the order in which the engine's own ranking of the
waiting requests first reaches them, and the way of the next step is the path of the previewed decision (U-1, U-2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from workbench.bench import texts
from workbench.config import may_preempt
from workbench.config.model import QueueConfig
from workbench.explain import wording
from workbench.plots.theme import Theme, queue_colours
from workbench.scheduler.objects.limits import path_maximum
from workbench.scheduler.objects.tree import children
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition, Queue
from workbench.simulation.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Usage:
    """Use of one resource type by a queue, as shares of its limit: the smallest maximum on its path, cluster included.

    The type is the one used most. `guaranteed` is None when the queue guarantees none of it.
    """

    type: str
    used: float
    guaranteed: float | None
    text: str


def queue_rows(
    partition: Partition,
    decision: Decision,
    waiting: Sequence[Waiting],
    theme: Theme,
    *,
    covered: bool = False,
    blind: bool = False,
) -> list[dict[str, object]]:
    """One row per queue in the order written, as the QueueTree widget takes them.

    Args:
        covered: without what tells who is next.
        blind: without the priorities.
    """
    ranks = {} if covered else sibling_ranks(waiting)
    colours = queue_colours(partition.root, theme)
    on_the_way = set(decision.path) if decision.changed_something and not covered else set()
    return [
        _row(
            queue,
            written,
            ranks.get(queue.path),
            queue.path in on_the_way,
            colours[queue.path],
            texts.COVERED_NEXT if blind else wording.priority(queue.priority),
        )
        for queue, written in as_written(partition.root, partition.config.root)
    ]


def as_written(queue: Queue, written: QueueConfig | None) -> Iterator[tuple[Queue, QueueConfig | None]]:
    """The queue and everything below it with their configuration: configured ones in the order written, then the others.

    The order counts where nothing else decides, and it is what moving a queue among its siblings changes.
    """
    yield queue, written
    entries = {child.name.lower(): child for child in written.queues} if written is not None else {}
    places = {name: place for place, name in enumerate(entries)}
    for child in sorted(children(queue), key=lambda each: places.get(each.name, len(places))):
        yield from as_written(child, entries.get(child.name))


def sibling_ranks(waiting: Sequence[Waiting]) -> dict[str, int]:
    """Place of every queue with something waiting among its siblings, from 1, in the order the engine would visit them."""
    seen: dict[str, int] = {}
    children: dict[str, int] = {}
    for item in waiting:
        for path, _value in item.priorities:
            above = path.rpartition(".")[0]
            if path not in seen:
                children[above] = children.get(above, 0) + 1
                seen[path] = children[above]
    return seen


def usage(queue: Queue) -> Usage | None:
    """The most used resource type of the queue, or None when nothing limits it."""
    limit = path_maximum(queue, with_root=True)
    if limit is None:
        return None
    shares = [(queue.allocated.get(name, 0) / limit[name], name) for name in wording.in_order(limit) if limit[name] > 0]
    if not shares:
        return None
    # Of equal ones the first, and one that is guaranteed before one that is not.
    share, name = max(shares, key=lambda pair: (pair[0], pair[1] in (queue.guaranteed or ())))
    guaranteed = queue.guaranteed[name] / limit[name] if queue.guaranteed and name in queue.guaranteed else None
    used, most = wording.alike(name, queue.allocated.get(name, 0), limit[name])
    return Usage(name, share, guaranteed, f"{name} used {used} of {most}")


def _row(queue: Queue, written: QueueConfig | None, rank: int | None, is_next: bool, colour: str, value: str) -> dict[str, object]:
    use = usage(queue)
    marks = [asdict(mark) for mark in queue_marks(queue)]
    facts = [
        f"priority {value}",
        f"number {rank} among its siblings" if rank and queue.parent else "",
        *(mark["label"] for mark in marks),
        use.text if use else "",
        "on the way of the next step" if is_next else "",
    ]
    facts = [fact for fact in facts if fact]
    return {
        "path": queue.path,
        "above": queue.parent.path if queue.parent else "",
        "name": wording.name(queue.name),
        "plain": written.name if written is not None else queue.name,
        "configured": written is not None,
        "editable": written is not None and queue.parent is not None,
        "level": queue.path.count(".") + 1,
        "parent": bool(queue.children),
        "value": value,
        "rank": f">{rank}" if rank and queue.parent else "",
        "marks": marks,
        "used": use.used if use else 0.0,
        "guaranteed": use.guaranteed if use else None,
        "hue": colour,
        "next": is_next,
        "label": ", ".join([wording.name(queue.name), *facts]),
        "title": "\n".join([queue.path, *facts]),
    }


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign behind a queue's name and what it stands for."""

    text: str
    label: str


def queue_marks(queue: Queue) -> tuple[Mark, ...]:
    """The signs of U-13 that hold for the queue."""
    marks = (
        (may_preempt.is_priority_fence(queue), Mark("▣", "priority fence")),
        (may_preempt.is_fence(queue), Mark("‖", "preemption fence")),
        (may_preempt.is_disabled(queue), Mark("⊘", "preemption disabled")),
        (not queue.is_managed, Mark("↯", "created by placement")),
        (queue.status != "Active", Mark(queue.status.lower(), f"state {queue.status}")),
    )
    return tuple(mark for holds, mark in marks if holds)

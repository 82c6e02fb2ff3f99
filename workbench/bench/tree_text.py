"""The queue tree as lines of text: what a notebook says of a workbench where no widgets can be shown (U-28)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.bench import texts
from workbench.bench.queue_rows import as_written, queue_marks, sibling_ranks, usage
from workbench.explain import Table, render, wording
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition, Queue
from workbench.simulation.waiting import Waiting

TREE_COLUMNS = ("queue", "priority", "next", "use")
ON_THE_WAY = "▸"


def tree_text(
    partition: Partition, decision: Decision, waiting: Sequence[Waiting], *, covered: bool = False, blind: bool = False
) -> str:
    """A line for each queue in the order written; `covered`: without what tells who is next, `blind`: without the priorities."""
    ranks = {} if covered else sibling_ranks(waiting)
    way = set(decision.path) if decision.changed_something and not covered else set()
    queues = [queue for queue, _ in as_written(partition.root, partition.config.root)]
    rows = [
        _row(queue, branch, ranks.get(queue.path), queue.path in way, blind) for queue, branch in zip(queues, _branches(queues))
    ]
    return render(Table("", TREE_COLUMNS, tuple(rows), frozenset(("priority",))))


def _branches(queues: Sequence[Queue]) -> Iterator[str]:
    """The lines before each name, that show what hangs on what."""
    last = {}
    for queue in queues:
        last[queue.path.rpartition(".")[0]] = queue.path
    for queue in queues:
        above = queue.path.split(".")
        ends = [last[".".join(above[:depth])] == ".".join(above[: depth + 1]) for depth in range(1, len(above))]
        stems = ["   " if end else "│  " for end in ends[:-1]]
        yield "".join([*stems, *(["└─ " if ends[-1] else "├─ "] if ends else [])])


def _row(queue: Queue, branch: str, rank: int | None, is_next: bool, blind: bool) -> tuple[str, ...]:
    marks = " ".join([wording.name(queue.name), *(mark.text for mark in queue_marks(queue))])
    number = f">{rank}" if rank and queue.parent else ""
    use = usage(queue)
    return (
        branch + marks,
        texts.COVERED_NEXT if blind else wording.priority(queue.priority),
        " ".join(part for part in (ON_THE_WAY if is_next else "", number) if part),
        use.text if use else "",
    )

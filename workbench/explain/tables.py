"""Tables of the state as text: what waits, what was decided, queues and nodes. Stable, so that tests and nbval can compare them.

A `Table` holds every cell as text already, in an order that carries the meaning. `render` makes columns of it for a
terminal or a notebook; `explain.html` makes markup; a widget takes the cells.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.explain import refusals, words
from workbench.explain.levels import values
from workbench.explain.wording import amounts, clock, name, priority, width
from workbench.scheduler.objects import holdings, nodes
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.state import Cluster, Node, Queue
from workbench.simulation import Simulation, Waiting

NOTHING_WAITS = "Nothing is waiting."
DRAINING = "draining"
RESERVED = "reserved for"
PENDING_CAPTION = "Waiting requests, in the order in which the scheduler comes to them"
PENDING_COLUMNS = ("rank", "request", "app", "queue", "priority", "seen at leaf → … → root child", "why not yet")
ORDER_CAPTION = "Decisions so far"
ORDER_COLUMNS = ("step", "time", "outcome", "request", "app", "queue", "node")
STEP_CAPTION = "Decisions so far, and the queue priorities that each of them changed"
STEP_COLUMNS = ("step", "queue", "request", "priorities that changed")
QUEUE_CAPTION = "Queues"
QUEUE_COLUMNS = ("queue", "priority", "marks", "allocated", "pending", "guaranteed", "max", "running")
NODE_CAPTION = "Nodes, in the order that the node policy gives now"
NODE_COLUMNS = ("rank", "node", "score", "capacity", "allocated", "others", "available", "state")

ARROW = " → "


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """Cells of text under column heads.

    Attributes:
        caption: what the table shows.
        columns: heads of the columns.
        rows: the cells, one tuple per row.
        numeric: heads of the columns that hold numbers, to be aligned to the right.
        keys: what each row stands for: a queue path, a node id, a step number, or (application id, ask key).
        empty: what to say while there is no row.
        note: what to say below the rows, "" for nothing.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[str] = frozenset()
    keys: tuple[Any, ...] = ()
    empty: str = ""
    note: str = ""

    def __str__(self) -> str:
        return render(self)

    # The last line of a notebook cell shows the table, not how it is stored.
    __repr__ = __str__


def pending_rows(sim: Simulation) -> Table:
    """Every waiting ask in ranking order, with its priority on the way up and the reason why it is not the next."""
    return waiting_rows(sim.waiting())


def waiting_rows(waiting: Sequence[Waiting]) -> Table:
    """As `pending_rows`, from a ranking that was read before."""
    rows, keys = [], []
    for item in waiting:
        seen = ARROW.join(priority(value) for path, value in item.priorities if "." in path)
        why = words.NEXT if item.refusal is None else refusals.short_name(item.refusal)
        rows.append(
            (
                str(item.rank),
                name(item.ask.key),
                name(item.application.id),
                name(item.application.queue_path),
                priority(item.ask.priority),
                seen,
                why,
            )
        )
        keys.append((item.application.id, item.ask.key))
    return Table(
        PENDING_CAPTION,
        PENDING_COLUMNS,
        tuple(rows),
        frozenset(("rank", "priority")),
        tuple(keys),
        NOTHING_WAITS,
    )


def order_rows(sim: Simulation) -> Table:
    """The steps taken up to the present position, first to last."""
    steps = sim.steps[: sim.position]
    rows = [
        (
            str(step.number),
            clock(step.decision.now_ns),
            step.decision.outcome,
            name(step.decision.key) if step.decision.key else "",
            name(step.decision.application_id) if step.decision.key else "",
            name(step.decision.path[-1]) if step.decision.path else "",
            name(step.decision.node_id) if step.decision.key else "",
        )
        for step in steps
    ]
    return Table(
        ORDER_CAPTION,
        ORDER_COLUMNS,
        tuple(rows),
        frozenset(("step", "time")),
        tuple(step.number for step in steps),
        words.NO_STEPS,
    )


def step_rows(sim: Simulation) -> Table:
    """As `order_rows`, with every queue whose priority the step changed, from the leaf up (R-662)."""
    rows = []
    for step in sim.steps[: sim.position]:
        changes = [
            change
            for change in sim.explain(step.number).changes
            if change.what == "priority" and change.subject in step.decision.path
        ]
        changes.sort(key=lambda change: -change.subject.count("."))
        changed = [
            f"{name(change.subject.rpartition('.')[2])} {priority(change.before)}{ARROW}{priority(change.after)}"
            for change in changes
        ]
        rows.append(
            (
                str(step.number),
                name(step.decision.path[-1]) if step.decision.path else "",
                name(step.decision.key),
                "; ".join(changed),
            )
        )
    return Table(
        STEP_CAPTION,
        STEP_COLUMNS,
        tuple(rows),
        frozenset(("step",)),
        tuple(int(row[0]) for row in rows),
        words.NO_STEPS,
    )


def queue_rows(state: Cluster, partition: str = "default") -> Table:
    """Every queue in tree order with its priority and amounts. KeyError if there is no such partition."""
    queues = list(walk(state.partitions[partition.lower()].root))
    return Table(
        QUEUE_CAPTION,
        QUEUE_COLUMNS,
        tuple(_queue_row(queue) for queue in queues),
        frozenset(("priority", "running")),
        tuple(queue.path for queue in queues),
    )


def node_rows(state: Cluster, partition: str = "default") -> Table:
    """Every node in the order that the node policy gives now. KeyError if there is no such partition."""
    at = state.partitions[partition.lower()]
    order, reserved = nodes.in_order(at), holdings.reserved_by_node(at)
    return Table(
        NODE_CAPTION,
        NODE_COLUMNS,
        tuple(_node_row(rank, node, reserved.get(node.id, ())) for rank, node in enumerate(order, 1)),
        frozenset(("rank", "score")),
        tuple(node.id for node in order),
        words.NO_NODES,
    )


def without_empty_columns(table: Table) -> Table:
    """The table without the columns in which no row has anything; the first stays."""
    kept = [at for at in range(len(table.columns)) if at == 0 or any(row[at] for row in table.rows)]
    return replace(
        table, columns=tuple(table.columns[at] for at in kept), rows=tuple(tuple(row[at] for at in kept) for row in table.rows)
    )


def with_cells_broken(table: Table, column: str, most: int) -> Table:
    """The table with the texts of a column broken between words, `most` letters to a line; further lines have rows of their own."""
    at = table.columns.index(column)
    rows, keys = [], []
    for row, key in zip(table.rows, table.keys):
        first, *further = textwrap.wrap(row[at], most) or [""]
        rows += [(*row[:at], first, *row[at + 1 :]), *(("",) * at + (line,) + ("",) * (len(row) - at - 1) for line in further)]
        keys += [key] * (1 + len(further))
    return replace(table, rows=tuple(rows), keys=tuple(keys))


def render(table: Table) -> str:
    """The table as lines of text with aligned columns; its empty sentence when there is no row.

    >>> print(render(Table("Two", ("name", "n"), (("one", "1"), ("twelve", "12")), frozenset({"n"}))))
    name     n
    one      1
    twelve  12
    """
    if not table.rows:
        return table.empty
    lines = [table.columns, *table.rows]
    widths = [max(width(line[at]) for line in lines) for at in range(len(table.columns))]
    right = [column in table.numeric for column in table.columns]
    text = [
        "  ".join(_padded(cell, wide, to_right) for cell, wide, to_right in zip(line, widths, right)).rstrip() for line in lines
    ]
    return "\n".join([*text, table.note] if table.note else text)


def _padded(cell: str, wide: int, to_right: bool) -> str:
    space = " " * (wide - width(cell))
    return space + cell if to_right else cell + space


def _queue_row(queue: Queue) -> tuple[str, ...]:
    fence = words.FENCE if queue.settings.priority_policy == "fence" else ""
    marks = " ".join(mark for mark in (fence, "" if queue.status == "Active" else queue.status.lower()) if mark)
    return (
        name(queue.path),
        priority(queue.priority),
        marks,
        amounts(queue.allocated),
        amounts(queue.pending),
        amounts(queue.guaranteed),
        amounts(queue.maximum),
        str(queue.running_applications),
    )


def node_state(node: Node, reserved: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What is special about a node; `reserved` as in `holdings.reserved_by_node`. A key that two applications use is told
    with its application."""
    if not node.schedulable:
        yield DRAINING
    keys = [key for key, _ in reserved]
    for key, application_id in reserved:
        yield f"{RESERVED} {words.request(key, application_id) if keys.count(key) > 1 else name(key)}"


def _node_row(rank: int, node: Node, reserved: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    score = values("score", node.score, node.score)[0]
    return (
        str(rank),
        name(node.id),
        score,
        amounts(node.capacity),
        amounts(node.allocated),
        amounts(node.occupied),
        amounts(node.available),
        ", ".join(node_state(node, reserved)),
    )

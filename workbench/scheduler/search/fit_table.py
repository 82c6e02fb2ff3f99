"""The best node for a request shape, without walking the nodes. Chapter 05 sections 10 and 11.

Columns are the nodes in the order of their ids, rows are shapes. A cell holds the stored score of the node while the shape
fits there, else infinity; a score of infinity (R-556) counts as the largest number instead. The best node is the first
smallest cell, for equal scores go by id (R-557). A row keeps the smallest cell of each block of columns and looks again at
the blocks in which a node was touched since it was last asked.

A shape for which there was no node stays closed until a node gains: room, or the end of a reservation or of a drain.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

from workbench.scheduler.objects.limits import over_maximum
from workbench.scheduler.passes.node_walk import Visited
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Trace
from workbench.scheduler.records.state import Allocation, Node, Partition, Queue
from workbench.scheduler.search.shapes import Closed, Shape
from workbench.values.resources import EMPTY, Resource

INFINITY = math.inf
LARGEST_SCORE = sys.float_info.max
MOST_CELLS, MOST_ROWS = 4_000_000, 4_096
"""Of all rows together; beyond, the rows that were made first go. A row keeps its shape, so few nodes are no reason for many."""
LONGEST_LOG = 100_000
NOTHING = EMPTY, EMPTY


class Row:
    """The cells of one shape, their minimum by block, and how much of the log of touched columns they have seen."""

    __slots__ = ("cells", "minima", "seen")

    def __init__(self, cells: list[float], minima: list[float], seen: int):
        self.cells, self.minima, self.seen = cells, minima, seen


class FitTable:
    """The nodes of one partition, as `placing.Nodes`. `changes` counts how often a node was touched."""

    __slots__ = (
        "_block",
        "_columns",
        "_epoch",
        "_gains",
        "_known",
        "_nodes",
        "_offers",
        "_open",
        "_partition",
        "_rows",
        "_shape_of",
        "_touched",
        "changes",
    )

    def __init__(self, partition: Partition, shape_of: Callable[[Allocation], Shape]):
        self._partition = partition
        self._shape_of = shape_of
        self._epoch = 0
        self.changes = 0
        self._nodes: list[Node] = []
        self._known = False
        """Whether the columns are the nodes of the partition."""
        self._offers: list[tuple[Resource, Resource]] | None = None
        """What each node offered when it was last touched. None as long as no shape is closed, for then nobody asks for gains."""

    @property
    def news(self) -> tuple[int, int]:
        """Changes whenever a shape that had no node may have one."""
        return (self._epoch, len(self._gains)) if self._known else (-1, -1)

    def touch(self, node: Node) -> None:
        """Something about the node changed."""
        self.changes += 1
        if not self._known:
            return
        column = self._columns.get(node)
        present = self._partition.nodes.get(node.id) is node
        if present != (column is not None):
            # A node came or went: rare enough to begin anew.
            self._known = False
        elif column is not None:
            if len(self._touched) > LONGEST_LOG:
                self._forget_logs()
            self._touched.append(column)
            if self._offers is None:
                return
            now, before = _offer(node), self._offers[column]
            if now[0] is not before[0] or now[1] is not before[1]:
                self._offers[column] = now
                if _is_more(now[0], before[0]) or _is_more(now[1], before[1]):
                    self._gains.append(node)

    def first(
        self, ctx: Context, ask: Allocation, leaf: Queue, *, skip: str = "", trace: Trace | None = None
    ) -> tuple[Node | None, Visited]:
        """The first unreserved node in node order that takes the ask. A reserved one, such as `skip`, is in no row."""
        shape = self._shape_of(ask)
        node = self.best(shape)
        # Whoever comes here has the headroom, which leaves out types of which nothing is needed; the maxima do not.
        if node is not None and not shape.every_type_counts and over_maximum(leaf, ask.resource) is not None:
            node = None
        return node, ()

    def tried(self, ask: Allocation, visited: Visited) -> list[Node]:
        """The unreserved nodes that could ever hold the ask."""
        shape = self._shape_of(ask)
        return [] if self.has_no_place(shape) else [node for node in self._columns_in_order() if shape.has_place(node)]

    def best(self, shape: Shape) -> Node | None:
        """The first node in node order that takes the shape, or None."""
        if not self._known:
            self._begin()
        if shape.no_room.epoch == self._epoch and self.has_no_room(shape):
            return None
        row = self._rows.get(shape)
        if row is None:
            # The first node of all is often the answer, and then the shape needs no row of its own.
            node = self._lowest(self._open, _is_open)
            if node is None or shape.fits(node):
                return node
            row = self._new_row(shape)
        node = self._lowest(row, shape.fits)
        if node is None:
            self._close(shape.no_room)
        return node

    def _lowest(self, row: Row, takes: Callable[[Node], bool]) -> Node | None:
        """The node of the first smallest cell."""
        if row.seen != len(self._touched):
            self._catch_up(row, takes)
        lowest = min(row.minima, default=INFINITY)
        if lowest == INFINITY:
            return None
        return self._nodes[row.cells.index(lowest, row.minima.index(lowest) * self._block)]

    def has_no_room(self, shape: Shape) -> bool:
        """Whether it is known that no node takes the shape. False says nothing."""
        return self._still(shape.no_room, shape.fits)

    def has_no_place(self, shape: Shape) -> bool:
        """Whether there is no unreserved node that could ever hold the shape."""
        nodes_ = self._columns_in_order()
        if self._still(shape.no_place, shape.has_place):
            return True
        if any(shape.has_place(node) for node in nodes_):
            return False
        self._close(shape.no_place)
        return True

    def _close(self, closed: Closed) -> None:
        """From now on nothing is found until a node gains."""
        closed.epoch, closed.gains = self._epoch, len(self._gains)
        if self._offers is None:
            self._offers = [_offer(node) for node in self._columns_in_order()]

    def _still(self, closed: Closed, takes: Callable[[Node], bool]) -> bool:
        if closed.epoch != self._epoch or not self._known:
            return False
        gains = self._gains
        while closed.gains < len(gains):
            if takes(gains[closed.gains]):
                return False
            closed.gains += 1
        return True

    def _columns_in_order(self) -> list[Node]:
        if not self._known:
            self._begin()
        return self._nodes

    def _begin(self) -> None:
        """Take the nodes as they are; forget every row and every proof."""
        self._nodes = sorted(self._partition.nodes.values(), key=lambda node: node.id)
        self._known = True
        self._columns = {node: column for column, node in enumerate(self._nodes)}
        self._block = max(16, 2 ** (len(self._nodes).bit_length() // 2))
        self._forget_logs()

    def _forget_logs(self) -> None:
        """Begin the logs anew, and with them whatever refers to them."""
        self._rows: dict[Shape, Row] = {}
        self._touched: list[int] = []
        self._open = self._row(_is_open)
        """The row of all nodes that take anything at all."""
        self._gains: list[Node] = []
        self._offers = None
        self._epoch += 1

    def _new_row(self, shape: Shape) -> Row:
        while self._rows and (len(self._rows) >= MOST_ROWS or (len(self._rows) + 1) * len(self._nodes) > MOST_CELLS):
            del self._rows[next(iter(self._rows))]
        row = self._rows[shape] = self._row(shape.fits)
        return row

    def _row(self, takes: Callable[[Node], bool]) -> Row:
        block = self._block
        cells = [min(node.score, LARGEST_SCORE) if takes(node) else INFINITY for node in self._nodes]
        minima = [min(cells[start : start + block]) for start in range(0, len(cells), block)]
        return Row(cells, minima, len(self._touched))

    def _catch_up(self, row: Row, takes: Callable[[Node], bool]) -> None:
        touched, block, cells, minima = self._touched, self._block, row.cells, row.minima
        for column in set(touched[row.seen :]) if row.seen + 1 < len(touched) else touched[-1:]:
            node = self._nodes[column]
            cell = min(node.score, LARGEST_SCORE) if takes(node) else INFINITY
            before = cells[column]
            if cell != before:
                cells[column] = cell
                index = column // block
                if cell < minima[index]:
                    minima[index] = cell
                elif before == minima[index]:
                    start = index * block
                    minima[index] = min(cells[start : start + block])
        row.seen = len(touched)


def _offer(node: Node) -> tuple[Resource, Resource]:
    """What who looks for a node may have of it now, and could wait for: nothing if it is drained or reserved.

    The capacity counts by itself: a node that grows while it is filled has no more room, but can be reserved for more.
    """
    return (node.available, node.capacity) if node.schedulable and not node.reservations else NOTHING


def _is_open(node: Node) -> bool:
    return node.schedulable and not node.reservations


def _is_more(now: Resource, before: Resource) -> bool:
    """Whether there is more of any type."""
    if now is not before:
        amounts = before.amounts
        for name, amount in now.amounts.items():
            if amount > amounts.get(name, 0):
                return True
    return False

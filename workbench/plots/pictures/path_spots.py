"""Where the marks, labels and lines of the priority path go, in pixels of the given width and height.

Labels of parents stand above their line, those of leaves behind their mark. Columns fit the labels; a folded tree fits
the height. Places depend on names, not on values, so that the picture stays still from step to step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.plots import text
from workbench.plots.pictures.path_rows import PathRows, QueueMark

SIDE = 14
"""Pixels left free at both sides."""
LOOSEST, LIFT, DROP, CORNER = 44.0, 15.0, 11.0, 6.0
"""Height of a line at most, how far labels stand above and below it, and the size of its corners."""
HEAD, HEAD_STAGGERED, STAGGER = 0.5, 1.2, 14.0
"""Lines that a line with labels on top gets in addition; how much higher every second label stands in narrow columns."""
NARROWEST, GAP = 40.0, 12.0
"""Width of a column at least, before all shrink, and what is left free behind a label."""
VALUE_LENGTH, REASON_LENGTH = 6, 11
"""Characters kept free at least for a priority, and behind a leaf for a reason."""
ASK_PART, MOST_PART = 0.3, 0.42
"""Part of the width kept free for the ask, and the part that a label at the right end may claim at most."""
SCALES = tuple(percent / 100 for percent in range(160, 8, -2))
"""What columns may grow or shrink by, tried in this order."""
NARROW = 0.8
"""Labels are staggered when columns shrink below this part of what they want."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a mark is drawn, how far its labels stand above and below it, and how many pixels the one above may take."""

    x: float
    y: float
    room: float
    lift: float = 0.0
    drop: float = DROP


def spots_of(data: PathRows, width: int, space: int) -> tuple[list[Spot], Spot | None]:
    """A spot for every mark, and for the ask if there is one."""
    columns, staggered = _columns(data, width)
    lines, pitch = _lines(data, space, HEAD_STAGGERED if staggered else HEAD)
    leaf = data.leaf if data.ask is not None else None
    spots = []
    for number, mark in enumerate(data.marks):
        depth, x, y = mark.place.depth, columns[mark.place.depth], lines[mark.place.line]
        lift = LIFT + STAGGER * (staggered and depth % 2) if mark.is_inner else 0.0
        next_label = depth + (2 if staggered else 1)
        # Nothing stands above the line behind the last queue of a way.
        free = not mark.is_inner or number == leaf or next_label >= len(columns)
        end = width - SIDE if free else columns[next_label]
        spots.append(Spot(x, y, end - x - GAP, lift, min(DROP, 0.45 * pitch)))
    if leaf is None:
        return spots, None
    x = columns[data.marks[leaf].place.depth + 1]
    return spots, Spot(x, spots[leaf].y, width - SIDE - x - GAP)


def _lines(data: PathRows, space: int, head: float) -> tuple[list[float], float]:
    """y of every line, and the distance of plain lines. A line with labels on top of it gets some more room above."""
    headed = {mark.place.line for mark in data.marks if mark.is_inner}
    steps = [1 + head * (line in headed) for line in range(1, data.lines)]
    first, last = LIFT + 10 + (STAGGER if head == HEAD_STAGGERED else 0), 20
    pitch = min(LOOSEST, (space - first - last) / sum(steps)) if steps else LOOSEST
    return [first + pitch * sum(steps[:line]) for line in range(data.lines)], pitch


def _columns(data: PathRows, width: int) -> tuple[list[float], bool]:
    """x of every depth, and whether the labels above the lines must be staggered to be read.

    Columns are as wide as their labels want, and shrink or grow alike to what the labels at the end leave. Widths depend on
    names only, not on what changes from step to step, so that the picture stays still.
    """
    wanted = [NARROWEST] * (max(mark.place.depth for mark in data.marks) + 1)
    value_length = max(VALUE_LENGTH, max(len(mark.value) for mark in data.marks) + 1)
    ends = [(len(wanted), ASK_PART * width)]
    for mark in data.marks:
        depth, need = mark.place.depth, text.CHARACTER * (_label_length(mark) + value_length) + 2 * GAP
        if mark.has_children:
            wanted[depth] = max(wanted[depth], need)
        else:
            ends.append((depth, min(need + text.CHARACTER * REASON_LENGTH, MOST_PART * width)))
        if mark.edge:
            wanted[depth - 1] = max(wanted[depth - 1], text.pixels(mark.edge) + 2 * GAP)
    scale = next(
        (scale for scale in SCALES if all(scale * sum(wanted[:depth]) + need <= width - 2 * SIDE for depth, need in ends)),
        SCALES[-1],
    )
    columns = [float(SIDE)]
    for column in wanted:
        columns.append(columns[-1] + column * scale)
    return columns, scale < NARROW and len(wanted) > 2


def _label_length(mark: QueueMark) -> int:
    return len(mark.label) + 2 * mark.is_fence


def elbow(edges: tuple[list[Any], list[Any]], start: Spot, end: Spot) -> None:
    """A line from a mark down its own column and then right to another, with a round corner."""
    xs, ys = edges
    if start.y == end.y:
        corner: list[tuple[float, float]] = []
    else:
        x, y, r = start.x, end.y, CORNER
        corner = [(x, y - r), (x + 0.3 * r, y - 0.3 * r), (x + r, y)]
    for x, y in [(start.x, start.y), *corner, (end.x, end.y)]:
        xs.append(round(x, 1))
        ys.append(round(y, 1))
    xs.append(None)
    ys.append(None)

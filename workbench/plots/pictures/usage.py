"""G-4 Usage: what every queue uses of one resource type, against its guarantee and its maximum, in tree order.

Solid is used within the guarantee; striped, in the same hue, is used above it; a light open bar is asked for. A black line
stands at the guarantee, a bracket at the maximum, and "!" before the amount says that the maximum is reached. Where no queue
has a guarantee of the type, all use is solid. With `of_maximum` bars are shares of the smallest maximum on the way to root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from workbench.explain import words
from workbench.explain.usage import Use, fullest, use_of, used_types
from workbench.explain.wording import counted, name
from workbench.plots import frame, label_column, plot_words, text
from workbench.plots import theme as themes
from workbench.plots.label_column import Label
from workbench.plots.quantity_axis import EDGE, ticks
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme
from workbench.plots.tree_lines import TreeLine, tree_lines
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition
from workbench.values.quantities import format_quantity

WITHIN_GUARANTEED = "used within guaranteed"
FULL = "!"
NO_LIMIT = "no max"

MOST_LINES = 16
WIDTH, HEIGHT = 560, 360
PERCENT = 100.0
BEYOND = 1.25
"""What is asked for beyond so many times the rest of the picture is cut off."""
DWARFING = 3


@dataclass(frozen=True, slots=True)
class UsageBar:
    """One line. Lengths are base units, or percent with `of_maximum`; `note` is what stands behind the bar.

    `guaranteed` and `maximum` are None where none is drawn; `cut` says that more is asked for than is drawn.
    """

    label: Label
    within: float
    above: float
    pending: float
    guaranteed: float | None
    maximum: float | None
    note: str
    is_full: bool
    cut: bool


@dataclass(frozen=True, slots=True)
class UsageRows:
    """The data of the picture, in tree order from the top. `largest` is the end of the axis."""

    sentence: str
    type: str
    of_maximum: bool
    bars: tuple[UsageBar, ...]
    largest: float


def rows(
    partition: Partition,
    decision: Decision | None = None,
    *,
    resource: str | None = None,
    of_maximum: bool = False,
    most_lines: int = MOST_LINES,
) -> UsageRows:
    """What the picture shows of the state.

    Args:
        decision: the one that comes next; its queues are kept when the tree is folded.
        resource: the type; None takes the first that there is.
        of_maximum: shares of the smallest maximum on the path instead of amounts.
    """
    kind = resource or next(iter(used_types(partition)), "vcore")
    busiest = sorted(partition.root.children.values(), key=lambda queue: (-queue.allocated.get(kind, 0), queue.path))
    lines = tree_lines(
        partition.root,
        most_lines,
        [*(decision.path if decision is not None else ()), *(queue.path for queue in busiest if queue.allocated.get(kind, 0))],
    )
    uses = [_together([use_of(queue, kind) for queue in line.queues]) for line in lines]
    # Without a guarantee anywhere there is no "above" to tell from "within".
    guarantees = any(kind in (queue.guaranteed or ()) for queue in walk(partition.root))
    largest = _largest(uses, of_maximum)
    slots = themes.hue_slots(partition.root)
    bars = tuple(_bar(line, use, kind, of_maximum, guarantees, BEYOND * largest, slots) for line, use in zip(lines, uses))
    drawn = max((bar.within + bar.above + bar.pending for bar in bars), default=0)
    return UsageRows(_sentence(partition, kind), kind, of_maximum, bars, max(largest, drawn) or 1)


def _together(uses: Sequence[Use]) -> Use:
    """Several queues on one line: their use and what they ask for, without their limits."""
    if len(uses) == 1:
        return uses[0]
    return Use(sum(use.used for use in uses), sum(use.pending for use in uses), None, None, None)


def _largest(uses: Sequence[Use], of_maximum: bool) -> float:
    """Where the axis ends: what is used, guaranteed and asked for, and the cluster unless that would dwarf all else."""
    if of_maximum:
        return max([PERCENT, *(PERCENT * use.share for use in uses if use.share is not None)])
    used = max((max(use.used, use.guaranteed or 0) for use in uses), default=0)
    wanted = max((use.used + use.pending for use in uses), default=0)
    cluster = next((use.maximum for use in uses if use.maximum), 0)
    if cluster <= DWARFING * max(used, wanted):
        return max(used, cluster) or wanted
    return max(used, wanted) or cluster


def _bar(line: TreeLine, use: Use, kind: str, of_maximum: bool, guarantees: bool, end: float, slots: dict[str, int]) -> UsageBar:
    scale = 1.0 if not of_maximum else PERCENT / use.limit if use.limit else 0.0
    within, above = (use.within, use.above) if guarantees and line.path != "root" else (use.used, 0)
    wanted = min(use.pending * scale, max(0.0, end - use.used * scale))
    guaranteed = None if use.guaranteed is None else use.guaranteed * scale
    maximum = None if use.maximum is None or line.path == "root" else use.maximum * scale
    label = Label(line.path, line.label, line.depth, themes.slot_of(line.path, slots), tuple(_hover(line, use, kind)))
    return UsageBar(
        label,
        within * scale,
        above * scale,
        wanted,
        guaranteed or None,
        maximum if maximum and maximum <= end and scale else None,
        _note(use, kind, of_maximum),
        use.is_full and use.used > 0,
        wanted < use.pending * scale,
    )


def _note(use: Use, kind: str, of_maximum: bool) -> str:
    if of_maximum:
        return NO_LIMIT if use.share is None else f"{PERCENT * use.share:.0f} %"
    used = format_quantity(use.used, kind)
    return used if use.maximum is None else of_limit(used, format_quantity(use.maximum, kind))


def _hover(line: TreeLine, use: Use, kind: str) -> list[str]:
    lines = [text.full_name(line.path) if line.queue is not None else line.label, text.amount(plot_words.USED, use.used, kind)]
    if use.guaranteed is not None:
        lines += [text.amount(words.GUARANTEED, use.guaranteed, kind), text.amount(plot_words.ABOVE, use.above, kind)]
    for what, amount in ((plot_words.PENDING, use.pending), (plot_words.MAXIMUM, use.maximum)):
        if amount:
            lines.append(text.amount(what, amount, kind))
    if use.share is not None and use.limit is not None:
        lines.append(f"{usage_axis(kind, True)}: {PERCENT * use.share:.3g} %")
    return lines


def _sentence(partition: Partition, kind: str) -> str:
    def shown(amount: int) -> str:
        return format_quantity(amount, kind)

    below = [queue for queue in walk(partition.root) if queue.parent is not None]
    full = fullest(below, kind)
    if full:
        pending = full[0].pending.get(kind, 0)
        return queue_is_full(full[0].name, kind, shown(full[0].allocated[kind]), len(full) - 1, shown(pending) if pending else "")
    above = sorted(
        ((use_of(queue, kind).above, queue) for queue in below if kind in (queue.guaranteed or ()) and use_of(queue, kind).above),
        key=lambda pair: (-pair[0], -pair[1].path.count("."), pair[1].path),
    )
    if above:
        amount, queue = above[0]
        return queue_is_above(queue.name, kind, shown(queue.allocated[kind]), shown(amount), len(above) - 1)
    root = use_of(partition.root, kind)
    if not root.used:
        return nothing_used(kind, shown(root.pending) if root.pending else "")
    first = max(partition.root.children.values(), key=lambda queue: (queue.allocated.get(kind, 0), -queue.seq))
    return most_used_by(
        kind, shown(root.used), shown(root.maximum) if root.maximum else "", first.name, shown(first.allocated.get(kind, 0))
    )


# ---- drawing ------------------------------------------------------------------------------------------------------

TOP, TOP_UNTITLED, BOTTOM, SIDE = 48, 10, 72, 14
NOTES, MOST_LABELS = 106, 0.34
"""Pixels behind the bars for amounts, and the part of the width that names may take."""
SPACE_AFTER = 6
BRACKET = 5
DOTS, NAMES, WITHIN, ABOVE, PENDING, GUARANTEED, MAXIMUM, NOTE = range(8)
"""Traces of the figure, always these in this order."""


def figure(data: UsageRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. A click on a queue finds its path in the mark's `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(data=traces(data, theme, width, height, titled), layout=layout(data, theme, width, height, titled))


def update(
    picture: go.Figure, data: UsageRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, width, height, titled), layout(data, theme, width, height, titled))


def traces(data: UsageRows, theme: Theme, width: int, height: int, titled: bool) -> list[dict[str, Any]]:
    """The properties of each trace, in the order of the numbers above."""
    pitch = _space(height, titled) / max(len(data.bars), 6)
    labels = [bar.label for bar in data.bars]
    fills = [theme.muted if label.hue is None else theme.hues[label.hue] for label in labels]
    hover = [text.hover(label.hover) for label in labels]
    outline = {"color": theme.text, "width": 1}
    return [
        *label_column.traces(labels, theme, _column(data, width)),
        _bars(
            data,
            [bar.within for bar in data.bars],
            WITHIN_GUARANTEED if _has_above(data) else plot_words.USED,
            hover,
            {"color": fills, "line": outline},
        ),
        _bars(
            data,
            [bar.above for bar in data.bars],
            plot_words.ABOVE,
            hover,
            {
                "color": fills,
                "line": outline,
                "pattern": {"shape": "/", "bgcolor": theme.hover, "fgcolor": fills, "fgopacity": 1, "size": 6, "solidity": 0.45},
            },
        ),
        _bars(
            data,
            [bar.pending for bar in data.bars],
            plot_words.PENDING,
            hover,
            {"color": theme.free, "line": {"color": theme.muted, "width": 1}},
        ),
        _posts(data, [bar.guaranteed for bar in data.bars], 0.46, 0, theme, 3.5, words.GUARANTEED),
        _posts(
            data,
            [bar.maximum for bar in data.bars],
            0.42,
            BRACKET * data.largest / _plot(data, width),
            theme,
            1.5,
            plot_words.MAXIMUM,
        ),
        _notes(data, theme, pitch),
    ]


def layout(data: UsageRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, an axis of amounts in configuration units or percent, and the legend below."""
    inner, space, column = width - 2 * SIDE, _space(height, titled), _column(data, width)
    small = {"size": themes.SMALL_SIZE}
    tick_values, tick_texts = _percents(data.largest) if data.of_maximum else ticks(int(data.largest), data.type)
    return frame.layout(data.sentence, theme, width, height, titled) | {
        "barmode": "stack",
        "bargap": 0.28,
        "margin": {"l": SIDE, "r": SIDE, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": -38 / space,
            "yanchor": "top",
            "font": small,
            "traceorder": "normal",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": {
            "domain": [column / inner, 1 - NOTES / inner],
            "range": [0, EDGE * data.largest],
            "fixedrange": True,
            "tickvals": tick_values,
            "ticktext": tick_texts,
            "tickfont": small,
            "ticks": "outside",
            "showgrid": True,
            "title": {"text": text.plain(usage_axis(data.type, data.of_maximum)), "standoff": 2, "font": small},
        },
        "xaxis2": label_column.axis(column, inner),
        "yaxis": label_column.lines_axis(len(data.bars)),
    }


def _percents(largest: float) -> tuple[list[int], list[str]]:
    step = 25 if largest <= 200 else 100 * (1 + int(largest) // 800)
    values = list(range(0, int(largest) + 1, step))
    return values, [f"{value} %" for value in values]


def _space(height: int, titled: bool) -> int:
    return height - BOTTOM - (TOP if titled else TOP_UNTITLED)


def _column(data: UsageRows, width: int) -> float:
    return label_column.wanted([bar.label for bar in data.bars], MOST_LABELS * width) + SPACE_AFTER


def _plot(data: UsageRows, width: int) -> float:
    return width - 2 * SIDE - _column(data, width) - NOTES


def _has_above(data: UsageRows) -> bool:
    return any(bar.above for bar in data.bars) or any(bar.guaranteed is not None for bar in data.bars)


def _bars(data: UsageRows, lengths: list[float], label: str, hover: list[str], marker: dict[str, Any]) -> dict[str, Any]:
    """One part of every bar; None draws nothing, 0 would draw its outline."""
    return {
        "type": "bar",
        "orientation": "h",
        "x": [length or None for length in lengths],
        "y": list(range(len(data.bars))),
        "marker": marker,
        "name": text.plain(label),
        "showlegend": any(lengths),
        "hoverinfo": "text",
        "hovertext": hover,
        "customdata": [bar.label.path for bar in data.bars],
        "width": 0.72,
    }


def _posts(
    data: UsageRows, places: list[float | None], half: float, foot: float, theme: Theme, thick: float, label: str
) -> dict[str, Any]:
    """Upright lines at the places of the lines that have one; with a `foot` they are brackets, open to the left."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for line, place in enumerate(places):
        if place is not None:
            inner = place - foot
            xs += [inner, place, place, inner, None] if foot else [place, place, None]
            ys += [line - half, line - half, line + half, line + half, None] if foot else [line - half, line + half, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "line": {"color": theme.text, "width": thick},
        "hoverinfo": "skip",
        "cliponaxis": False,
        "name": text.plain(label),
        "showlegend": bool(xs),
    }


def _notes(data: UsageRows, theme: Theme, pitch: float) -> dict[str, Any]:
    """The amounts behind the bars, as many as are legible."""
    every = max(1, round(0.5 + label_column.PITCH / pitch) if pitch < label_column.PITCH else 1)
    shown = [(line, bar) for line, bar in enumerate(data.bars) if line % every == 0]
    texts = [text.plain(bar.note) for _, bar in shown]
    return {
        "type": "scatter",
        "mode": "text",
        "x": [data.largest] * len(shown),
        "y": [line for line, _ in shown],
        "text": [f"<b>{FULL}</b> {note}" if bar.is_full else note for note, (_, bar) in zip(texts, shown)],
        "textposition": "middle right",
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
    }


# ---- in words ---------------------------------------------------------------------------------------------------------


def usage_axis(kind: str, of_maximum: bool) -> str:
    return f"{name(kind)} used, in percent of the smallest max on the way to root" if of_maximum else f"{name(kind)}"


def of_limit(used: str, limit: str) -> str:
    return f"{used} of {limit}"


def queue_is_full(queue: str, kind: str, used: str, others: int, pending: str) -> str:
    more = f", like {counted(others, 'other queue')}" if others else ""
    waits = f"; {pending} more is asked for" if pending else ""
    return f"{name(queue)} has reached its max of {name(kind)} {used}{more}{waits}"


def queue_is_above(queue: str, kind: str, used: str, above: str, others: int) -> str:
    more = f"; {counted(others, 'other queue')} {'is' if others == 1 else 'are'} above, too" if others else ""
    return f"{name(queue)} uses {name(kind)} {used}, {above} of it above its guarantee{more}"


def most_used_by(kind: str, used: str, limit: str, queue: str, part: str) -> str:
    of = f" of {limit}" if limit else ""
    return f"{name(kind)} {used}{of} is used, most of it by {name(queue)}: {part}"


def nothing_used(kind: str, pending: str) -> str:
    return f"No {name(kind)} is used yet" + (f"; {pending} is asked for" if pending else "")

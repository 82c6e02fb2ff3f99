"""G-3 Order: which leaf queue got something at which step.

One mark per step, in the line of its leaf, with the key of the ask beside it; queues stand as in the tree. A filled mark was
placed, a hollow one is a placeholder, R reserved a node, ✕ was stopped to make room, and the ring with a dot at the end is next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from workbench.explain.wording import counted, name, shorten
from workbench.plots import frame, label_column, text
from workbench.plots import theme as themes
from workbench.plots.pictures.order_rows import (
    MOST_LINES,
    MOST_STEPS,
    NEXT,
    OTHER,
    PLACED,
    RESERVED,
    STOPPED,
    OrderMark,
    OrderRows,
    rows,
)
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme

ORDER_AXIS = "number of the step"
ORDER_KEY = ("filled: placed", "hollow: placeholder", "R: reserved", "✕: stopped", "dot in a ring: next")
RESERVED_MARK = "R"

__all__ = ["MOST_LINES", "MOST_STEPS", "OrderMark", "OrderRows", "figure", "rows", "update"]

WIDTH, HEIGHT = 560, 360
TOP, TOP_UNTITLED, BOTTOM, SIDE = 48, 8, 58, 14
MOST_LABELS, SPACE_AFTER = 0.32, 8
FEWEST_STEPS = 10
"""Steps are drawn no further apart than if there were this many."""
LARGE, SMALL = 15, 8
LETTERS = 12
"""Pixels of a line that a letter in a mark, or a key beside it, needs."""
CHARACTER, FEWEST_LETTERS = 5.9, 9
SPOTS, MARKED, GRID, PLACES, CROSSES, UPCOMING, KEYS = range(7)
"""Traces of the figure: dots and names of the lines, then these, always in this order."""


def figure(data: OrderRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. A click on a mark finds its queue's path in `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(
        data=[go.Scatter(**trace) for trace in traces(data, theme, width, height, titled)],
        layout=layout(data, theme, width, height, titled),
    )


def update(
    picture: go.Figure, data: OrderRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, width, height, titled), layout(data, theme, width, height, titled))


def traces(data: OrderRows, theme: Theme, width: int, height: int, titled: bool) -> list[dict[str, Any]]:
    """The properties of each trace, in the order of the numbers above."""
    pitch = _space(height, titled) / max(len(data.labels), 6)
    apart = (width - 2 * SIDE - _column(data, width)) / _steps(data)
    size = LARGE if apart >= LARGE + 1 and pitch >= LETTERS else max(4.0, min(SMALL, 0.9 * apart, 0.9 * pitch))
    filled = [mark for mark in data.marks if mark.what in (PLACED, RESERVED, OTHER)]
    stopped = [mark for mark in data.marks if mark.what == STOPPED]
    upcoming = [mark for mark in data.marks if mark.what == NEXT]
    lettered = size == LARGE
    return [
        *label_column.traces(data.labels, theme, _column(data, width)),
        _grid(data, theme),
        _marks(filled, lettered, theme)
        | {
            "marker": {
                "symbol": [
                    "circle-open"
                    if mark.is_placeholder
                    else "square"
                    if mark.what == RESERVED
                    else "circle-x-open"
                    if mark.what == OTHER
                    else "circle"
                    for mark in filled
                ],
                "size": size,
                "opacity": 1,
                "color": [_hue(mark, theme) for mark in filled],
                "line": {
                    "color": [_hue(mark, theme) if mark.is_placeholder else theme.text for mark in filled],
                    "width": [2.5 if mark.is_placeholder else 1 for mark in filled],
                },
            }
        },
        _marks(stopped, False, theme)
        | {
            "marker": {
                "symbol": "x",
                "size": max(9.0, 0.8 * size),
                "color": theme.chosen,
                "opacity": 1,
                "line": {"color": theme.text, "width": 1},
            }
        },
        _marks(upcoming, False, theme)
        | {
            "marker": {
                "symbol": "circle-open-dot",
                "size": size,
                "color": theme.text,
                "opacity": 1,
                "line": {"color": theme.text, "width": 1.5},
            }
        },
        _keys(data, theme, apart, pitch, size),
    ]


def layout(data: OrderRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, an axis of step numbers, and below it what the signs mean."""
    inner, column = width - 2 * SIDE, _column(data, width)
    key = ORDER_KEY if not data.left_out else (earlier_steps(data.left_out), *ORDER_KEY)
    count = _steps(data)
    every = next(step for step in (1, 2, 5, 10, 20, 50) if count / step <= (inner - column) / 22)
    # The first one, too, unless it would touch the next.
    numbers = [
        number
        for number in range(data.first, data.last + 1)
        if number % every == 0 or number == data.first and (number + 1) % every
    ]
    return frame.layout(data.sentence, theme, width, height, titled) | {
        "showlegend": False,
        "margin": {"l": SIDE, "r": SIDE, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "xaxis": {
            "domain": [column / inner, 1],
            "range": [data.first - 0.5, data.first - 0.5 + count],
            "fixedrange": True,
            "tickvals": numbers,
            "tickfont": {"size": themes.SMALL_SIZE},
            "ticks": "outside",
            "showgrid": False,
            "title": {"text": text.plain(ORDER_AXIS), "standoff": 2, "font": {"size": themes.SMALL_SIZE}},
        },
        "xaxis2": label_column.axis(column, inner),
        "yaxis": label_column.lines_axis(len(data.labels)),
        "annotations": [
            {
                "text": text.key_line(key, inner),
                "font": {"size": themes.SMALL_SIZE, "color": theme.muted},
                "showarrow": False,
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "y": 0,
                "yref": "paper",
                "yanchor": "top",
                "yshift": -37,
            }
        ],
    }


def _steps(data: OrderRows) -> int:
    return max(FEWEST_STEPS, data.last - data.first + 1)


def _space(height: int, titled: bool) -> int:
    return height - BOTTOM - (TOP if titled else TOP_UNTITLED)


def _column(data: OrderRows, width: int) -> float:
    return label_column.wanted(data.labels, MOST_LABELS * width) + SPACE_AFTER


def _hue(mark: OrderMark, theme: Theme) -> str:
    return theme.muted if mark.hue is None else theme.hues[mark.hue]


def _grid(data: OrderRows, theme: Theme) -> dict[str, Any]:
    """A faint line for each leaf; parents are heads and have none."""
    lines = [number for number in range(len(data.labels)) if number not in data.parents]
    end = data.first - 0.5 + _steps(data)
    return {
        "mode": "lines",
        "hoverinfo": "skip",
        "line": {"color": theme.grid, "width": 1},
        "x": [x for _ in lines for x in (data.first - 0.5, end, None)],
        "y": [y for line in lines for y in (line, line, None)],
    }


def _marks(marks: Sequence[OrderMark], lettered: bool, theme: Theme) -> dict[str, Any]:
    letters = [RESERVED_MARK if lettered and mark.what == RESERVED else "" for mark in marks]
    return {
        "mode": "markers+text",
        "x": [mark.step for mark in marks],
        "y": [mark.line for mark in marks],
        "hoverinfo": "text",
        "hovertext": [text.hover(mark.hover) for mark in marks],
        "customdata": [mark.path for mark in marks],
        "cliponaxis": False,
        "text": [text.bold(letter) if letter else "" for letter in letters],
        "textposition": "middle center",
        "textfont": {
            "size": themes.SMALL_SIZE,
            "color": [theme.text if mark.hue is None else themes.ON_FILL[theme.hues[mark.hue]] for mark in marks],
        },
    }


def _keys(data: OrderRows, theme: Theme, apart: float, pitch: float, size: float) -> dict[str, Any]:
    """The keys of the asks behind their marks, or before them, where the other marks of the line leave room."""
    shown: list[tuple[float, OrderMark, str, str]] = []
    half, gap = size / 2 / apart, 2 / apart
    ends = data.first - 0.5, data.first - 0.5 + _steps(data)
    for line in range(len(data.labels) if pitch >= LETTERS else 0):
        marks = sorted((mark for mark in data.marks if mark.line == line), key=lambda mark: mark.step)
        free = ends[0]
        for at, mark in enumerate(marks):
            after = marks[at + 1].step - half if at + 1 < len(marks) else ends[1]
            behind, before = after - mark.step - half, mark.step - half - free
            free = mark.step + half
            for room, place in ((behind, "middle right"), (before, "middle left")):
                most = int((room * apart - 3) / CHARACTER)
                if most >= min(len(mark.key), FEWEST_LETTERS):
                    key = text.plain(shorten(name(mark.key, None), most))
                    shown.append((mark.step + (half + gap if place == "middle right" else -half - gap), mark, key, place))
                    free = after if place == "middle right" else free
                    break
    return {
        "mode": "text",
        "hoverinfo": "skip",
        "x": [x for x, _, _, _ in shown],
        "y": [mark.line for _, mark, _, _ in shown],
        "textposition": [place for _, _, _, place in shown],
        "cliponaxis": False,
        "text": [f"<b>{key}</b>" if mark.what == NEXT else key for _, mark, key, _ in shown],
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
    }


# ---- in words ---------------------------------------------------------------------------------------------------------


def earlier_steps(number: int) -> str:
    return f"… {counted(number, 'earlier step')}"

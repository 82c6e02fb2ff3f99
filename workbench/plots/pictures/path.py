"""G-1 Path: the queues as a tree, siblings in scheduling order, and the way that the next choice takes through them.

The next choice runs along the thick line to the arrow. A square is a fence, a circle is not; the fill is the hue of the
top-level queue; a dashed line is a queue that was tried or looked at in vain, with the short name of the reason behind it.
The number behind a name is the queue's current priority; on the line to it stands what its settings do to the priority of
what is below: an offset adds, a fence replaces.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from workbench.explain import words
from workbench.plots import frame, text
from workbench.plots import theme as themes
from workbench.plots.pictures.path_rows import CHOSEN, LINES, SKIPPED, WAITING, AskMark, PathRows, QueueMark, rows
from workbench.plots.pictures.path_spots import SIDE, Spot, elbow, spots_of
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme

PATH_KEY = ("▣ fence: its offset replaces the priority below", "+n offset is added", "dashed: skipped")

__all__ = ["AskMark", "LINES", "PathRows", "QueueMark", "figure", "rows", "update"]

WIDTH, HEIGHT = 560, 360
TOP, TOP_UNTITLED, BOTTOM = 46, 8, 24
MARK_SIZE, ARROW_SIZE, REST_SIZE = 13, 15, 5
WAITING_EDGES, SKIPPED_EDGES, CHOSEN_EDGES, EDGE_LABELS, LABELS, QUEUES, ASK = range(7)
"""Traces of the figure: always these, in this order, so that a live figure is updated by assigning arrays."""


def figure(data: PathRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. A click on a queue finds its path in the mark's `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(
        data=[go.Scatter(**trace) for trace in traces(data, theme, width, height, titled)],
        layout=layout(data, theme, width, height, titled),
    )


def update(
    picture: go.Figure, data: PathRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, width, height, titled), layout(data, theme, width, height, titled))


def traces(data: PathRows, theme: Theme, width: int, height: int, titled: bool) -> list[dict[str, Any]]:
    """The properties of each trace, in the order of the numbers above."""
    spots, ask = spots_of(data, width, _space(height, titled))
    edges: dict[str, tuple[list[Any], list[Any]]] = {way: ([], []) for way in (WAITING, SKIPPED, CHOSEN)}
    for mark, spot in zip(data.marks, spots):
        if mark.parent is not None:
            elbow(edges[mark.way], spots[mark.parent], spot)
    if ask is not None:
        elbow(edges[CHOSEN], spots[data.leaf], ask)
    return [
        _line(edges[WAITING], color=theme.muted, width=1),
        _line(edges[SKIPPED], color=theme.muted, width=1, dash="4px,3px"),
        _line(edges[CHOSEN], color=theme.text, width=4),
        _edge_labels(data, spots, theme),
        _labels(data, spots, theme),
        _queue_marks(data, spots, theme),
        _ask_mark(data, ask, theme),
    ]


def layout(data: PathRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, key, and axes in pixels that do not jump between steps."""
    axis = {"visible": False, "fixedrange": True}
    return frame.layout(data.sentence, theme, width, height, titled) | {
        "showlegend": False,
        "margin": {"l": 0, "r": 0, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "xaxis": {**axis, "range": [0, width]},
        "yaxis": {**axis, "range": [_space(height, titled), 0]},
        "annotations": [
            {
                "text": text.plain(_key(width)),
                "font": {"size": themes.SMALL_SIZE, "color": theme.muted},
                "x": SIDE / width,
                "xanchor": "left",
                "xref": "paper",
                "y": -6 / height,
                "yanchor": "top",
                "yref": "paper",
                "showarrow": False,
            }
        ],
    }


def _key(width: int) -> str:
    """What the signs mean, as much of it as fits."""
    texts = ["   ·   ".join(PATH_KEY[:count]) for count in range(len(PATH_KEY), 0, -1)]
    return next((shown for shown in texts if len(shown) * text.SMALL_CHARACTER <= width - SIDE), texts[-1])


def _space(height: int, titled: bool) -> int:
    return height - BOTTOM - (TOP if titled else TOP_UNTITLED)


def _line(edges: tuple[list[Any], list[Any]], **line: Any) -> dict[str, Any]:
    return {"mode": "lines", "x": edges[0], "y": edges[1], "line": line, "hoverinfo": "skip"}


def _edge_labels(data: PathRows, spots: list[Spot], theme: Theme) -> dict[str, Any]:
    """Small print below the lines: before a mark what the queue does to priorities, behind a parent why it was skipped."""
    notes = []
    for mark, spot in zip(data.marks, spots):
        if mark.edge:
            notes.append((spot.x - MARK_SIZE / 2, spot.y + spot.drop, mark.edge, "middle left"))
        if mark.reason and mark.is_inner:
            notes.append((spot.x + MARK_SIZE / 2, spot.y + spot.drop, mark.reason, "middle right"))
    return {
        "mode": "text",
        "hoverinfo": "skip",
        "cliponaxis": False,
        "x": [round(x, 1) for x, _, _, _ in notes],
        "y": [round(y, 1) for _, y, _, _ in notes],
        "text": [text.plain(note) for _, _, note, _ in notes],
        "textposition": [position for _, _, _, position in notes],
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.muted},
    }


def _labels(data: PathRows, spots: list[Spot], theme: Theme) -> dict[str, Any]:
    return {
        "mode": "text",
        "hoverinfo": "skip",
        "textposition": "middle right",
        "x": [round(spot.x + MARK_SIZE / 2 + 3, 1) for spot in spots],
        "y": [round(spot.y - spot.lift, 1) for spot in spots],
        "text": [_label(mark, spot.room, theme) for mark, spot in zip(data.marks, spots)],
    }


def _queue_marks(data: PathRows, spots: list[Spot], theme: Theme) -> dict[str, Any]:
    return {
        "mode": "markers",
        "hoverinfo": "text",
        "x": [round(spot.x, 1) for spot in spots],
        "y": [round(spot.y, 1) for spot in spots],
        "hovertext": [text.hover(mark.hover) for mark in data.marks],
        "customdata": [mark.path for mark in data.marks],
        "marker": {
            "symbol": ["square" if mark.is_fence else "circle" for mark in data.marks],
            "opacity": 1,
            "size": [MARK_SIZE if mark.value else REST_SIZE for mark in data.marks],
            "color": [theme.free if mark.hue is None else theme.hues[mark.hue] for mark in data.marks],
            "line": {"color": theme.text, "width": [3 if mark.way == CHOSEN else 1.5 for mark in data.marks]},
        },
    }


def _label(mark: QueueMark, room: float, theme: Theme) -> str:
    """Fence sign, name, current priority and, at the end of a line, the reason why it was skipped."""
    reason = "" if mark.is_inner else mark.reason
    besides = "".join(f" {part}" for part in (mark.value, reason, words.FENCE * mark.is_fence) if part)
    shown = [words.FENCE] if mark.is_fence else []
    shown.append(text.label(mark.label, room - text.pixels(besides)))
    if mark.value:
        shown.append(text.bold(mark.value))
    if reason:
        shown.append(text.plain(reason))
    markup = " ".join(shown)
    return text.coloured_markup(markup, theme.muted) if mark.way == SKIPPED else markup


def _ask_mark(data: PathRows, spot: Spot | None, theme: Theme) -> dict[str, Any]:
    """The arrow head and the ask it points at; without a choice the trace is empty."""
    asks = [(data.ask, spot)] if data.ask is not None and spot is not None else []
    return {
        "mode": "markers+text",
        "hoverinfo": "text",
        "textposition": "middle right",
        "x": [round(spot.x, 1) for _, spot in asks],
        "y": [round(spot.y, 1) for _, spot in asks],
        "text": [_ask_label(ask, spot.room) for ask, spot in asks],
        "hovertext": [text.hover(ask.hover) for ask, _ in asks],
        "marker": {
            "symbol": "triangle-right",
            "size": ARROW_SIZE,
            "color": theme.chosen,
            "opacity": 1,
            "line": {"color": theme.text, "width": 1.5},
        },
    }


def _ask_label(ask: AskMark, room: float) -> str:
    """The ask's key and what becomes of it; if both are long they share the room."""
    least = 0.45 * room
    note = text.label(ask.note, max(least, room - text.pixels(ask.key)))
    return f"<b>{text.label(ask.key, max(least, room - text.pixels(ask.note)))}</b> {note}"

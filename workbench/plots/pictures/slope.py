"""G-2 Slope: what every waiting ask counts as, level by level, from its own priority to the child of root.

One line per ask, in the hue of its top-level queue; inside a queue a line rises or falls by the offset, and between queues it
runs level. A fence is an upright gate: whatever comes in, all lines leave it at one value, from the square. The thick line is
the next choice. Alike asks of one leaf share a line, and lines of different top-level queues run side by side at the same
value. Once values are far apart, gaps between them are drawn by their logarithm, so that small differences stay visible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from workbench.explain import words
from workbench.explain.wording import counted, name, priority, shorten
from workbench.plots import frame, plot_words, text
from workbench.plots import theme as themes
from workbench.plots.pictures.slope_rows import MOST_LINES, Gate, Point, SlopeLine, SlopeRows, rows
from workbench.plots.shown import Figure
from workbench.plots.spread import spread
from workbench.plots.theme import LIGHT, Theme

ASK = "request"
CHILD_OF_ROOT = "child of root"
SLOPE_KEY = ("▣ fence: all leave at its offset", "+n offset is added", "thick: next")

__all__ = ["MOST_LINES", "Gate", "Point", "SlopeLine", "SlopeRows", "figure", "rows", "update"]

WIDTH, HEIGHT = 560, 360
TOP, TOP_UNTITLED, BOTTOM, SIDE = 50, 10, 22, 14
HEAD, FOOT = 24, 12
"""Pixels above and below the lines: for the names of the levels, and for marks at the lowest value."""
ASKS, QUEUES = 0.22, 0.25
"""Parts of the width for the names of asks on the left, at most, and of the children of root on the right."""
LINEAR_RANGE = 200
"""In a wider range of values, gaps are drawn by their logarithm."""
TAIL, LEADER, SIDE_BY_SIDE = 24, 12, 4.0
"""Pixels: level part behind the last queue, from a name to its line, and between lines of two top-level queues."""
SLANT = 0.21
"""Part of a column's distance over which a line changes, to either side of the column."""
PITCH = 12.0
CASING, THIN, THICK = 1.6, 2.0, 5.0
SQUARE, DOT, NOTE_SHIFT = 11, 6, 8
NOTE_PLACES, CLEAR = (-11.0, 12.0, -16.0, 17.0, -22.0, 23.0), 8.0
"""Heights of a note beside its gate, nearest first, and how far from every line it should be; pixels."""
GRID, LEADERS, FENCES, OUTLINES, FIRST_HUE = range(5)
CHOSEN = FIRST_HUE + len(themes.HUES)
ASK_NAMES, QUEUE_NAMES, NOTES, GATES, ARROW = range(CHOSEN + 2, CHOSEN + 7)
"""Traces of the figure: grid, leaders to the names, bars of fences, outlines of the lines, a trace for each hue, outline and
line of the next choice, then texts and marks, always in this order."""


def figure(data: SlopeRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. A click on a queue finds its path in the mark's `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(
        data=[go.Scatter(**trace) for trace in traces(data, theme, width, height, titled)],
        layout=layout(data, theme, width, height, titled),
    )


def update(
    picture: go.Figure, data: SlopeRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, width, height, titled), layout(data, theme, width, height, titled))


class Scale:
    """Pixels of levels and values."""

    def __init__(self, data: SlopeRows, width: int, space: float):
        self.values = sorted({value for line in data.lines for value in (line.own, *(point.after for point in line.points))})
        self.top, self.bottom = HEAD + 8.0, space - FOOT
        longest = max((text.pixels(f"{line.label} {priority(line.own)}") for line in data.lines), default=0.0)
        self.left, self.right = min(ASKS * width, longest + SIDE) + LEADER, width * (1 - QUEUES)
        self.depth = data.depth
        self.step = (self.right - TAIL - self.left) / data.depth
        is_wide = bool(self.values) and self.values[-1] - self.values[0] > LINEAR_RANGE
        gaps = [1 + math.log10(high - low) if is_wide else high - low for low, high in zip(self.values, self.values[1:])]
        total = sum(gaps) or 1
        self._parts = {value: sum(gaps[:at]) / total if gaps else 0.5 for at, value in enumerate(self.values)}
        branches = sorted({line.points[-1].path for line in data.lines})
        apart = min(SIDE_BY_SIDE, 16 / max(1, len(branches)))
        self._aside = {path: ((len(branches) - 1) / 2 - at) * -apart for at, path in enumerate(branches)}

    def x(self, depth: float) -> float:
        """Of the column of a depth."""
        return self.left + self.step * (self.depth + 1 - depth) - SLANT * self.step

    def y(self, value: int, path: str) -> float:
        """Of one of the values on a line of the queue at `path`."""
        return self.level(value) + self._aside[".".join(path.split(".", 2)[:2])]

    def level(self, value: int) -> float:
        return self.bottom - self._parts[value] * (self.bottom - self.top)

    def ticks(self) -> list[int]:
        """The values to draw a faint line at, some way apart."""
        kept: list[int] = []
        for value in sorted(self.values, key=lambda value: (abs(value), value)):
            if all(abs(self.level(value) - self.level(other)) >= PITCH for other in kept):
                kept.append(value)
        return sorted(kept)


def traces(data: SlopeRows, theme: Theme, width: int, height: int, titled: bool) -> list[dict[str, Any]]:
    """The properties of each trace, in the order of the numbers above."""
    scale = Scale(data, width, _space(height, titled))
    others = [line for line in data.lines if not line.is_next]
    chosen = [line for line in data.lines if line.is_next]
    by_hue = [[line for line in others if line.hue == slot] for slot in range(len(themes.HUES))]
    return [
        _grid(scale, theme),
        _leaders(data, scale, theme),
        _fences(data, scale, theme),
        _lines(others, scale, theme.text, THIN + CASING),
        *(_lines(lines, scale, hue, THIN) for lines, hue in zip(by_hue, theme.hues)),
        _lines(chosen, scale, theme.text, THICK + 2 * CASING),
        _lines(chosen, scale, theme.hues[chosen[0].hue] if chosen else theme.text, THICK),
        _ask_names(data, scale, theme),
        _queue_names(data, scale, theme, width),
        _notes(data, scale, theme),
        _gates(data, scale, theme),
        _arrow(chosen, scale, theme),
    ]


def layout(data: SlopeRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, key, and axes in pixels."""
    axis = {"visible": False, "fixedrange": True}
    key = [*SLOPE_KEY, not_drawn_asks(data.left_out)] if data.left_out else SLOPE_KEY
    return frame.layout(data.sentence, theme, width, height, titled) | {
        "showlegend": False,
        "margin": {"l": 0, "r": 0, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "xaxis": {**axis, "range": [0, width]},
        "yaxis": {**axis, "range": [_space(height, titled), 0]},
        "annotations": [
            {
                "text": text.key_line(key, width - 2 * SIDE),
                "font": {"size": themes.SMALL_SIZE, "color": theme.muted},
                "x": SIDE / width,
                "xanchor": "left",
                "xref": "paper",
                "y": 0,
                "yshift": -3,
                "yanchor": "top",
                "yref": "paper",
                "showarrow": False,
            }
        ]
        if data.lines
        else [],
    }


def _space(height: int, titled: bool) -> int:
    return height - BOTTOM - (TOP if titled else TOP_UNTITLED)


def _grid(scale: Scale, theme: Theme) -> dict[str, Any]:
    """Faint level lines."""
    values = scale.ticks()
    return {
        "mode": "lines",
        "hoverinfo": "skip",
        "line": {"color": theme.grid, "width": 1},
        "x": [x for _ in values for x in (scale.left, scale.right, None)],
        "y": [y for value in values for y in (scale.level(value), scale.level(value), None)],
    }


def _leaders(data: SlopeRows, scale: Scale, theme: Theme) -> dict[str, Any]:
    """From the names, which stand apart, to the beginnings of their lines."""
    spots = _ask_spots(data, scale)
    return {
        "mode": "lines",
        "hoverinfo": "skip",
        "line": {"color": theme.muted, "width": 1},
        "x": [x for _ in spots for x in (round(scale.left - LEADER, 1), round(scale.left, 1), None)],
        "y": [y for spot, line in spots for y in (round(spot, 1), round(scale.y(line.own, line.points[0].path), 1), None)],
    }


def _way(line: SlopeLine, scale: Scale) -> tuple[list[float], list[float]]:
    """The corners of one line: level between queues, slanted inside them."""
    path = line.points[0].path
    xs, ys = [scale.left], [scale.y(line.own, path)]
    for point in line.points:
        x, half = scale.x(point.depth), SLANT * scale.step
        xs += [x - half, x + half]
        ys += [scale.y(point.before, path), scale.y(point.after, path)]
    return [round(x, 1) for x in (*xs, scale.right)], [round(y, 1) for y in (*ys, ys[-1])]


def _lines(lines: Sequence[SlopeLine], scale: Scale, colour: str, thick: float) -> dict[str, Any]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    hover: list[str] = []
    for line in lines:
        x, y = _way(line, scale)
        xs += [*x, None]
        ys += [*y, None]
        hover += [text.hover(line.hover)] * (len(x) + 1)
    return {"mode": "lines", "x": xs, "y": ys, "line": {"color": colour, "width": thick}, "hoverinfo": "text", "hovertext": hover}


def _fences(data: SlopeRows, scale: Scale, theme: Theme) -> dict[str, Any]:
    """The bar of each fence where lines come in, from the lowest to the highest value."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for gate in data.gates:
        if gate.is_fence:
            x = round(scale.x(gate.depth) - SLANT * scale.step, 1)
            xs += [x, x, None]
            ys += [round(scale.y(gate.lowest, gate.path) + 8, 1), round(scale.y(gate.highest, gate.path) - 8, 1), None]
    return {"mode": "lines", "x": xs, "y": ys, "line": {"color": theme.text, "width": 5}, "hoverinfo": "skip"}


def _ask_spots(data: SlopeRows, scale: Scale) -> list[tuple[float, SlopeLine]]:
    """Where the names of the lines stand: moved apart, or left out where there is no room."""
    wanted = [scale.y(line.own, line.points[0].path) for line in data.lines]
    spots = spread(wanted, scale.top - 4, scale.bottom + 4, PITCH, [line.is_next for line in data.lines])
    return [(spot, line) for spot, line in zip(spots, data.lines) if spot is not None]


def _ask_names(data: SlopeRows, scale: Scale, theme: Theme) -> dict[str, Any]:
    """Key and own priority of every line at its left end."""
    shown = _ask_spots(data, scale)
    return {
        "mode": "text",
        "hoverinfo": "text",
        "x": [round(scale.left - LEADER - 1, 1)] * len(shown),
        "y": [round(spot, 1) for spot, _ in shown],
        "textposition": "middle left",
        "text": [_named(line, scale.left - LEADER - 4) for _, line in shown],
        "hovertext": [text.hover(line.hover) for _, line in shown],
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
    }


def _named(line: SlopeLine, room: float) -> str:
    value = priority(line.own)
    shown = text.label(line.label, room - text.pixels(value))
    return f"<b>{shown} {text.plain(value)}</b>" if line.is_next else f"{shown} {text.bold(value)}"


def _queue_names(data: SlopeRows, scale: Scale, theme: Theme, width: int) -> dict[str, Any]:
    """Value and name of the children of root at the right end, a line for each value at which something arrives."""
    ends: dict[tuple[int, str], bool] = {}
    for line in data.lines:
        end = line.value, line.points[-1].path
        ends[end] = ends.get(end, False) or line.is_next
    order = sorted(ends, key=lambda end: (-end[0], end[1]))
    wanted = [scale.y(value, path) for value, path in order]
    spots = spread(wanted, scale.top - 4, scale.bottom + 4, PITCH, [ends[end] for end in order])
    shown = [(spot, end) for spot, end in zip(spots, order) if spot is not None]
    room = width - scale.right - SIDE - 9
    gates = {gate.path: gate for gate in data.gates}
    return {
        "mode": "text",
        "hoverinfo": "skip",
        "x": [round(scale.right + 9, 1)] * len(shown),
        "y": [round(spot, 1) for spot, _ in shown],
        "textposition": "middle right",
        "text": [_end(value, gates[path], ends[value, path], room) for _, (value, path) in shown],
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
    }


def _end(value: int, gate: Gate, is_next: bool, room: float) -> str:
    """The value, the queue and what it does, e.g. "0 tenants ▣ = 0"."""
    note = _effect(gate)
    shown = text.label(gate.name, room - text.pixels(priority(value) + note) - 4)
    markup = f"{text.bold(priority(value))} {shown}{text.plain(note)}"
    return f"<b>{markup}</b>" if is_next else markup


def _effect(gate: Gate) -> str:
    if not gate.note:
        return ""
    return f" {words.FENCE} {gate.note}" if gate.is_fence else f" ({gate.note})"


def _notes(data: SlopeRows, scale: Scale, theme: Theme) -> dict[str, Any]:
    """The names of the levels on top, and beside each queue that changes something its name and what it does."""
    heads = [(scale.left, ASK)] if data.lines else []
    heads += [(scale.x(depth), level_below_root(depth)) for depth in range(1, data.depth + 1)] if data.lines else []
    xs, ys, texts, places = [], [], [], []
    for x, head in heads:
        xs.append(round(x, 1))
        ys.append(8.0)
        texts.append(text.coloured_markup(text.plain(head), theme.muted))
        places.append("middle center")
    # What the children of root do stands with their names.
    for depth in range(2, data.depth + 1):
        gates = [gate for gate in data.gates if gate.depth == depth and gate.note]
        gates.sort(key=lambda gate: -gate.after)
        spots = spread(_free_heights(gates, data, scale), scale.top - 9, scale.bottom + 4, PITCH, [gate.is_fence for gate in gates])
        for spot, gate in zip(spots, gates):
            if spot is not None:
                xs.append(round(scale.x(depth) + SLANT * scale.step + NOTE_SHIFT, 1))
                ys.append(round(spot, 1))
                texts.append(_gate_note(gate, _note_room(spot, depth, data, scale)))
                places.append("middle right")
    return {
        "mode": "text",
        "hoverinfo": "skip",
        "x": xs,
        "y": ys,
        "text": texts,
        "textposition": places,
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.text, "shadow": _halo(theme)},
    }


def _halo(theme: Theme) -> str:
    """A rim in the colour of the background, for texts that a line may come near to."""
    return ", ".join(f"{x}px {y}px 1px {theme.backgrounds[-1]}" for x in (-2, 0, 2) for y in (-2, 0, 2) if x or y)


def _free_heights(gates: Sequence[Gate], data: SlopeRows, scale: Scale) -> list[float]:
    """Beside each gate of one depth, where lines run level, the nearest height at which no line runs through its note."""
    heights = []
    for gate in gates:
        ys = {scale.y(_value_behind(line, gate.depth), line.points[0].path) for line in data.lines}
        here = scale.y(gate.after, gate.path)
        tried = [here + by for by in NOTE_PLACES if scale.top - 9 <= here + by <= scale.bottom + 4] or [here + NOTE_PLACES[0]]
        clear = [min(abs(at - y) for y in ys) for at in tried]
        heights.append(next((at for at, room in zip(tried, clear) if room >= CLEAR), tried[clear.index(max(clear))]))
    return heights


def _value_behind(line: SlopeLine, depth: int) -> int:
    """What the line counts as where it has left the queues of that depth."""
    return next((point.after for point in reversed(line.points) if point.depth >= depth), line.own)


def _note_room(spot: float, depth: int, data: SlopeRows, scale: Scale) -> float:
    """Pixels behind a gate for its note: up to the bar of a fence that stands at that height, else some way into the slant."""
    meets = any(
        gate.is_fence
        and gate.depth == depth - 1
        and scale.y(gate.highest, gate.path) - 16 <= spot <= scale.y(gate.lowest, gate.path) + 16
        for gate in data.gates
    )
    return (1 - (2.0 if meets else 1.2) * SLANT) * scale.step - NOTE_SHIFT - 4


def _gate_note(gate: Gate, room: float) -> str:
    """The name and what it does; that it is a fence says the square beside it."""
    note = f" {gate.note}" if gate.is_fence else f" ({gate.note})"
    most = int(room / text.SMALL_CHARACTER) - len(note)
    return f"{text.plain(shorten(name(gate.name, None), max(4, most)))}{text.bold(note)}"


def _gates(data: SlopeRows, scale: Scale, theme: Theme) -> dict[str, Any]:
    """A mark where lines leave a queue: a square for a fence, else a dot."""
    spots = sorted(
        {(gate.path, point.after) for gate in data.gates for line in data.lines for point in line.points if point.path == gate.path}
    )
    gates = {gate.path: gate for gate in data.gates}
    drawn = [(gates[path], value) for path, value in spots]
    return {
        "mode": "markers",
        "hoverinfo": "text",
        "cliponaxis": False,
        "x": [round(scale.x(gate.depth) + SLANT * scale.step, 1) for gate, _ in drawn],
        "y": [round(scale.y(value, gate.path), 1) for gate, value in drawn],
        "customdata": [gate.path for gate, _ in drawn],
        "hovertext": [
            text.hover(
                [text.full_name(gate.path), *([gate.note] if gate.note else []), plot_words.seen_at(gate.path, priority(value))]
            )
            for gate, value in drawn
        ],
        "marker": {
            "symbol": ["square" if gate.is_fence else "circle" for gate, _ in drawn],
            "opacity": 1,
            "size": [SQUARE if gate.is_fence else DOT for gate, _ in drawn],
            "color": [theme.hues[gate.hue] for gate, _ in drawn],
            "line": {"color": theme.text, "width": 1.2},
        },
    }


def _arrow(chosen: Sequence[SlopeLine], scale: Scale, theme: Theme) -> dict[str, Any]:
    """The arrow head at the end of the next choice."""
    return {
        "mode": "markers",
        "hoverinfo": "text",
        "cliponaxis": False,
        "x": [round(scale.right, 1)] * len(chosen),
        "y": [round(scale.y(line.value, line.points[0].path), 1) for line in chosen],
        "hovertext": [text.hover(line.hover) for line in chosen],
        "marker": {
            "symbol": "triangle-right",
            "size": 14,
            "color": theme.chosen,
            "opacity": 1,
            "line": {"color": theme.text, "width": 1.5},
        },
    }


# ---- in words ---------------------------------------------------------------------------------------------------------


def level_below_root(depth: int) -> str:
    return CHILD_OF_ROOT if depth == 1 else f"level {depth}"


def not_drawn_asks(number: int) -> str:
    return f"… {counted(number, 'more request')}"

"""The column of names to the left of a picture that has one line per queue or application: a dot in the hue, and the name.

It has an x axis of its own, in pixels from the left margin, beside that of the marks. A click on a dot finds the
queue's path in its `customdata`, and the ring of the selection goes around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.plots import text
from workbench.plots import theme as themes
from workbench.plots.theme import Theme

DOT_SIZE, INDENT = 8, 9
DOT_ROOM = 17
"""Pixels from the middle of a dot to its name, with the ring's half before it."""
FIRST = 6
PITCH = 10.5
"""Pixels that a name takes from the next."""


@dataclass(frozen=True, slots=True)
class Label:
    """The name of one line; `hue` None for root, `path` "" if it stands for no queue."""

    path: str
    name: str
    depth: int
    hue: int | None
    hover: tuple[str, ...]
    is_bold: bool = False
    is_muted: bool = False


def traces(labels: Sequence[Label], theme: Theme, room: float) -> list[dict[str, Any]]:
    """The dots and the names. `room`: pixels of the column."""
    starts = [FIRST + INDENT * label.depth for label in labels]
    lines = list(range(len(labels)))
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "xaxis": "x2",
            "x": starts,
            "y": lines,
            "hoverinfo": "text",
            "showlegend": False,
            "hovertext": [text.hover(label.hover) for label in labels],
            "customdata": [label.path for label in labels],
            "cliponaxis": False,
            "marker": {
                "size": DOT_SIZE,
                "symbol": "circle",
                "opacity": 1,
                "line": {"color": theme.text, "width": 1},
                "color": [theme.free if label.hue is None else theme.hues[label.hue] for label in labels],
            },
        },
        {
            "type": "scatter",
            "mode": "text",
            "xaxis": "x2",
            "x": [start + DOT_ROOM - 6 for start in starts],
            "y": lines,
            "hoverinfo": "skip",
            "showlegend": False,
            "cliponaxis": False,
            "textposition": "middle right",
            "text": [_name(label, room - start - DOT_ROOM, theme) for label, start in zip(labels, starts)],
            "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
        },
    ]


def axis(room: float, inner: float) -> dict[str, Any]:
    """The axis of the column, beside that of the marks. `inner`: pixels between the margins."""
    return {"domain": [0, room / inner], "range": [0, room], "anchor": "y", "visible": False, "fixedrange": True}


def lines_axis(count: int, fewest: int = 6) -> dict[str, Any]:
    """A y axis with line 0 on top; lines get no thicker than if there were `fewest`."""
    return {"range": [max(count, fewest) - 0.5, -0.5], "fixedrange": True, "visible": False}


def wanted(labels: Sequence[Label], most: float) -> float:
    """Pixels that the column should have, at most `most`."""
    widest = max((FIRST + INDENT * label.depth + DOT_ROOM + text.pixels(label.name) for label in labels), default=0)
    return min(most, widest + 4)


def _name(label: Label, room: float, theme: Theme) -> str:
    shown = text.label(label.name, room)
    shown = f"<b>{shown}</b>" if label.is_bold else shown
    return text.coloured_markup(shown, theme.muted) if label.is_muted else shown

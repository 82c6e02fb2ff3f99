"""What all pictures have in common: the title sentence, the theme, and how a live figure is given new data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import plotly.graph_objects as go
from plotly.basedatatypes import BasePlotlyType

from workbench.plots import text
from workbench.plots import theme as themes
from workbench.plots.theme import Theme

TITLE_SIDE, TITLE_TOP, SECOND_LINE = 14, 10, 9
"""Pixels left of and above the title; plotly keeps a title's middle in place when it gets a second line, so it is moved down."""


def layout(sentence: str, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The properties that every picture has. `meta.sentence` keeps the plain title, as its text alternative (U-24)."""
    shown = text.title(sentence, width - 2 * TITLE_SIDE, themes.TITLE_SIZE) if titled else ""
    return {
        "template": themes.template(theme),
        "width": width,
        "height": height,
        "uirevision": "keep",
        "hovermode": "closest",
        "dragmode": False,
        "meta": {"sentence": sentence},
        "title": {
            "text": shown or None,
            "font": {"size": themes.TITLE_SIZE, "weight": 600},
            "x": TITLE_SIDE / width,
            "xanchor": "left",
            "y": 1 - (TITLE_TOP + SECOND_LINE * shown.count("<br>")) / height,
            "yanchor": "top",
        },
    }


def show(picture: go.Figure, traces: Iterable[dict[str, Any]], properties: dict[str, Any]) -> None:
    """Make a Figure or FigureWidget with the same traces show other data, in one batch."""
    with picture.batch_update():
        for trace, wanted in zip(picture.data, traces):
            _assign(trace, wanted)
        _assign(picture.layout, properties)


def _assign(part: BasePlotlyType, wanted: dict[str, Any]) -> None:
    """Set the properties that differ: plotly checks every value that it is given, which costs more than to compare."""
    present = part.to_plotly_json()
    for name, value in wanted.items():
        if present.get(name) != value:
            part[name] = value

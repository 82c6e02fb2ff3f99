"""The ring around the mark of what is selected. It works on any picture whose marks carry their queue path as `customdata`."""

from __future__ import annotations

import plotly.graph_objects as go

from workbench.plots.theme import LIGHT, Theme

RING_SIZE = 20
LABEL_RING_SIZE = 15
"""Around the smaller dots of a column of names, which stand close to their names."""
LABEL_AXIS = "x2"


def ring(figure: go.Figure, path: str, theme: Theme = LIGHT) -> go.Figure:
    """The same figure with one more trace: a ring around the mark of `path`, empty when there is none."""
    spots = [
        (trace.x[at], trace.y[at], trace.xaxis)
        for trace in figure.data
        for at, marked in enumerate(trace.customdata if trace.customdata is not None else ())
        if marked == path
    ][:1]
    axis = next((axis for _, _, axis in spots), None)
    figure.add_trace(
        go.Scatter(
            mode="markers",
            x=[x for x, _, _ in spots],
            y=[y for _, y, _ in spots],
            customdata=[path] * len(spots),
            xaxis=axis,
            hoverinfo="skip",
            cliponaxis=False,
            showlegend=False,
            marker={
                "symbol": "circle-open",
                "size": LABEL_RING_SIZE if axis == LABEL_AXIS else RING_SIZE,
                "color": theme.line,
                "line": {"width": 2.5},
            },
        )
    )
    return figure

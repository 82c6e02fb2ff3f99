"""Use over time by queue, what waited above it, and the line of what the nodes have: one picture of a run.

Each top-level queue is one band, in the hue that it has in every picture; the dotted line on top of the bands is what was asked for
in all, used and waiting together.
"""

from __future__ import annotations

from html import escape
from typing import Any

import plotly.graph_objects as go

from workbench.measures import units
from workbench.measures.reading import Reading
from workbench.measures.series import Step, use_over_time, waiting_over_time
from workbench.measures.tree import tree_of
from workbench.plots import theme as themes
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme

PATTERNS = ("", "/", ".", "x", "-", "\\")
"""Bands differ by these as well, for grey prints and for eyes that tell no hues apart."""
HEIGHT = 340
DAY_H = 48
"""Hours from which on a time is told in days."""


def figure(reading: Reading, resource: str = "vcore", *, theme: Theme = LIGHT) -> go.Figure:
    """The picture of a run.

    Args:
        resource: which one is drawn.
    """
    tree = tree_of(reading)
    bands = [queue.path for queue in tree if queue.path.count(".") == 1] or [queue.path for queue in tree]
    used = use_over_time(reading, resource, bands)
    asked = _sums(use_over_time(reading, resource, ["root"]), waiting_over_time(reading, resource, ["root"]))
    per_unit, unit = _time_unit(reading.window_ns)
    made = Figure()
    below: list[Step] = []
    for number, path in enumerate(bands):
        mine = [step for step in used if step.queue == path]
        # Stacked here: drawn by plotly's own stacks, bands whose steps are not those of the others would be slanted.
        stacked = _sums(below, mine)
        xs, ys = _corners(stacked, per_unit)
        made.add_scatter(
            x=xs,
            y=ys,
            customdata=_amounts_at(mine, stacked),
            name=escape(path),
            fill="tonexty" if below else "tozeroy",
            mode="lines",
            line={"width": 0.8, "color": theme.text},
            fillcolor=theme.hues[number % len(theme.hues)],
            fillpattern={"shape": PATTERNS[number % len(PATTERNS)], "fgcolor": theme.text, "size": 9, "solidity": 0.12},
            hovertemplate=f"{escape(path)}: %{{customdata:.4g}} {escape(units.amount_of(resource))}<extra></extra>",
        )
        below = stacked
    xs, ys = _corners(asked, per_unit)
    made.add_scatter(
        x=xs,
        y=ys,
        name="used and waiting",
        mode="lines",
        line={"width": 1.6, "color": theme.chosen, "dash": "dot"},
        hovertemplate="used and waiting: %{y:.4g}<extra></extra>",
    )
    xs, ys = _capacity(reading, resource, per_unit)
    made.add_scatter(x=xs, y=ys, name="what the nodes have", mode="lines", line={"width": 2, "color": theme.text}, hoverinfo="skip")
    made.update_layout(
        template=themes.template(theme),
        height=HEIGHT,
        margin={"l": 64, "r": 16, "t": 12, "b": 48},
        hovermode="x unified",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"title": {"text": f"{unit} since the start of the workload"}, "showgrid": False},
        yaxis={"title": {"text": escape(units.amount_of(resource))}, "rangemode": "tozero"},
    )
    return made


def _corners(steps: list[Step], per_unit: float) -> tuple[list[float], list[float]]:
    """The outline of steps: two points each."""
    xs: list[float] = []
    ys: list[float] = []
    for step in steps:
        xs += [step.since_s / per_unit, step.until_s / per_unit]
        ys += [step.amount, step.amount]
    return xs, ys


def _amounts_at(steps: list[Step], edges: list[Step]) -> list[float]:
    """What a series has over each stretch of a finer one, twice as its corners are."""
    found: list[float] = []
    at = 0
    for edge in edges:
        while at < len(steps) and steps[at].until_s <= edge.since_s:
            at += 1
        amount = steps[at].amount if at < len(steps) and steps[at].since_s <= edge.since_s else 0.0
        found += [amount, amount]
    return found


def _sums(ones: Any, others: Any) -> list[Step]:
    """Two series of one queue, added."""
    edges = sorted({edge for step in (*ones, *others) for edge in (step.since_s, step.until_s)})
    found: list[Step] = []
    places = [list(ones), list(others)]
    at = [0, 0]
    for since, until in zip(edges, edges[1:]):
        total = 0.0
        for which, steps in enumerate(places):
            while at[which] < len(steps) and steps[at[which]].until_s <= since:
                at[which] += 1
            if at[which] < len(steps) and steps[at[which]].since_s <= since:
                total += steps[at[which]].amount
        found.append(Step("root", since, until, total))
    return found


def _capacity(reading: Reading, resource: str, per_unit: float) -> tuple[list[float], list[float]]:
    """What the nodes that take placements have, over the window."""
    scale = units.scale_of(resource)
    have: dict[int, int] = {}
    xs: list[float] = []
    ys: list[float] = []
    total = 0
    start, end = reading.from_ns, reading.until_ns
    for change in reading.record.node_changes:
        amount = change.capacity.get(resource, 0) if change.capacity is not None and change.schedulable else 0
        if start < change.at_ns <= end:
            xs += [change.at_ns / units.NS / per_unit] * 2
            ys += [total / scale, (total + amount - have.get(change.node, 0)) / scale]
        total += amount - have.get(change.node, 0)
        have[change.node] = amount
        if change.at_ns <= start:
            xs, ys = [start / units.NS / per_unit], [total / scale]
    return [*xs, end / units.NS / per_unit], [*ys, total / scale]


def _time_unit(window_ns: int) -> tuple[float, str]:
    """(seconds of one, its name) of the unit that suits a window."""
    hours = window_ns / units.HOUR_NS
    if hours >= DAY_H:
        return 86_400.0, "days"
    if hours >= 2:
        return 3_600.0, "hours"
    return (60.0, "minutes") if hours >= 1 / 30 else (1.0, "seconds")

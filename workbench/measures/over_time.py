"""Use over time by queue, what waited above it, and the line of what the nodes have: one picture of a run, and its table.

Each top-level queue is one band, in the hue and pattern that it has in every picture. What waited stands above them on a scale of
its own, as it may be many times what there is.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, NamedTuple

import plotly.graph_objects as go

from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.measures import units
from workbench.measures.queue_marks import queue_marks
from workbench.measures.reading import Reading
from workbench.measures.series import Step, use_over_time, waiting_over_time
from workbench.measures.tree import tree_of
from workbench.plots import frame
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme

WIDTH, HEIGHT = 960, 460
POINTS = 240
"""Steps of a series; more could not be told apart at that width."""
DAY_H = 48
"""Hours from which on a time is told in days."""


class Band(NamedTuple):
    """One queue: in resource-hours what ran and what waited, and the most that ran at once."""

    path: str
    used: float
    waited: float
    most: float


def bands_of(reading: Reading, resource: str) -> list[Band]:
    """What each band comes to, in the order of the tree."""
    paths = _paths(reading)
    used, waited = use_over_time(reading, resource, paths), waiting_over_time(reading, resource, paths)
    return [
        Band(path, _hours(used, path), _hours(waited, path), max((step.amount for step in used if step.queue == path), default=0.0))
        for path in paths
    ]


def sentence(reading: Reading, resource: str | None = None) -> str:
    """What is to be seen: how full the cluster was, who had most of it, how much waited."""
    resource = reading.resource_drawn(resource)
    bands = bands_of(reading, resource)
    used, waited = sum(band.used for band in bands), sum(band.waited for band in bands)
    if not used:
        return f"No {name(resource)} was used"
    largest = max(bands, key=lambda band: band.used)
    had = sum(step.amount * (step.until_s - step.since_s) / 3600 for step in _capacity(reading, resource))
    full = f", {units.short(used / had, units.SHARE)} of what the nodes had" if had else ""
    told = f"{units.number(used)} {units.hours_of(resource)} were used{full}"
    told += f"; {name(largest.path)} had {units.short(largest.used / used, units.SHARE)} of them" if len(bands) > 1 else ""
    hours = window_hours(reading)
    if waited and hours:
        told += f"; on average {units.number(waited / hours)} {units.amount_of(resource)} waited"
    return told


def table(reading: Reading, resource: str | None = None) -> Table:
    """The same in text."""
    resource = reading.resource_drawn(resource)
    unit, hours = units.hours_of(resource), window_hours(reading)
    return Table(
        f"Use over time in {unit}",
        ("queue", "used", "waited", f"most {units.amount_of(resource)} at once", "used on average"),
        tuple(
            (
                name(band.path),
                units.number(band.used),
                units.number(band.waited),
                units.number(band.most),
                units.number(band.used / hours) if hours else "",
            )
            for band in bands_of(reading, resource)
        ),
        frozenset(("used", "waited", f"most {units.amount_of(resource)} at once", "used on average")),
    )


def window_hours(reading: Reading) -> float:
    """How long was measured, in hours."""
    return reading.window_ns / units.HOUR_NS


def figure(
    reading: Reading,
    resource: str | None = None,
    *,
    theme: Theme = LIGHT,
    width: int = WIDTH,
    height: int = HEIGHT,
    titled: bool = True,
) -> go.Figure:
    """The picture of a run.

    Args:
        resource: which one is drawn; None for vcore.
        titled: the sentence is its title.
    """
    resource = reading.resource_drawn(resource)
    mark = queue_marks(queue.path for queue in tree_of(reading))
    bands = _paths(reading)
    used = use_over_time(reading, resource, bands, points=POINTS)
    waiting = list(waiting_over_time(reading, resource, ["root"], points=POINTS))
    (per_unit, unit), unit_of = _time_unit(reading.window_ns), escape(units.amount_of(resource))
    made = Figure()
    below: list[Step] = []
    for path in bands:
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
            **mark(path).fill(theme),
            hovertemplate=f"{escape(path)}: %{{customdata:.4g}} {escape(units.amount_of(resource))}<extra></extra>",
        )
        below = stacked
    xs, ys = _corners(waiting, per_unit)
    made.add_scatter(
        x=xs,
        y=ys,
        name="waiting",
        mode="lines",
        line={"width": 1.6, "color": theme.chosen},
        hovertemplate=f"waiting: %{{y:.4g}} {escape(units.amount_of(resource))}<extra></extra>",
        yaxis="y2",
    )
    xs, ys = _corners(_capacity(reading, resource), per_unit)
    made.add_scatter(x=xs, y=ys, name="what the nodes have", mode="lines", line={"width": 2, "color": theme.text}, hoverinfo="skip")
    made.update_layout(frame.layout(sentence(reading, resource), theme, width, height, titled))
    made.update_layout(
        margin={"l": 64, "r": 16, "t": 56 if titled else 16, "b": 84},
        hovermode="x unified",
        legend={"orientation": "h", "y": 0, "yref": "container", "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        xaxis={
            "title": {"text": f"{unit} since the start of the workload", "standoff": 6},
            "showgrid": False,
            "range": [reading.from_ns / units.NS / per_unit, reading.until_ns / units.NS / per_unit],
        },
        yaxis={"title": {"text": f"used, {unit_of}", "standoff": 6}, "rangemode": "tozero", "domain": [0, 0.62]},
        yaxis2={"title": {"text": f"waiting,<br>{unit_of}", "standoff": 6}, "rangemode": "tozero", "domain": [0.7, 1]},
    )
    return made


def _paths(reading: Reading) -> list[str]:
    tree = tree_of(reading)
    return [queue.path for queue in tree if queue.path.count(".") == 1] or [queue.path for queue in tree]


def _hours(steps: Iterable[Step], path: str) -> float:
    return sum(step.amount * (step.until_s - step.since_s) for step in steps if step.queue == path) / 3600


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


def _capacity(reading: Reading, resource: str) -> list[Step]:
    """What the nodes that take placements have, over the window."""
    scale = units.scale_of(resource)
    have: dict[int, int] = {}
    found: list[Step] = []
    total, since, end = 0, reading.from_ns, reading.until_ns
    for change in reading.record.node_changes:
        at = min(max(change.at_ns, since), end)
        if at > since:
            found.append(Step("root", since / units.NS, at / units.NS, total / scale))
            since = at
        amount = change.capacity.get(resource, 0) if change.capacity is not None and change.schedulable else 0
        total += amount - have.get(change.node, 0)
        have[change.node] = amount
    return [*found, Step("root", since / units.NS, end / units.NS, total / scale)]


def _time_unit(window_ns: int) -> tuple[float, str]:
    """(seconds of one, its name) of the unit that suits a window."""
    hours = window_ns / units.HOUR_NS
    if hours >= DAY_H:
        return 86_400.0, "days"
    if hours >= 2:
        return 3_600.0, "hours"
    return (60.0, "minutes") if hours >= 1 / 30 else (1.0, "seconds")

"""Guarantee debt over time: what queues were short of although they asked for it, a line for each queue and design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.comparison.pictures.marks import HEIGHT, WIDTH, Mark, TimeAxis, legend, marks_of, seed_drawn, time_axis
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.measures import units
from workbench.measures.series import debt_over_time
from workbench.plots import frame, text
from workbench.plots.theme import LIGHT, Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

MOST = 4
"""Queues that are drawn; those that were short of most."""


@dataclass(frozen=True)
class Line:
    """One queue: by cell what it was short of under each design, and in resource-hours."""

    path: str
    mark: Mark
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    hours: tuple[float, float]


@dataclass(frozen=True)
class Debts:
    """The data of the picture."""

    sentence: str
    resource: str
    names: tuple[str, str]
    axis: TimeAxis
    lines: tuple[Line, ...]


def rows(comparison: Comparison, resource: str = "vcore") -> Debts:
    """What the picture shows: the first run of the first two designs."""
    first, other = comparison.first, comparison.others[0]
    axis, mark = time_axis(first, other), marks_of(first, other)
    series: list[dict[str, list[tuple[float, float, float]]]] = []
    for side in (first, other):
        steps: dict[str, list[tuple[float, float, float]]] = {}
        for step in debt_over_time(side.tables[0].reading, resource):
            if step.queue != "root":
                steps.setdefault(step.queue, []).append((step.since_s, step.until_s, step.amount))
        series.append(steps)
    found = []
    for path in dict.fromkeys((*series[0], *series[1])):
        both = [each.get(path, []) for each in series]
        hours = tuple(sum((until - since) * amount for since, until, amount in steps) / 3600 for steps in both)
        ours, theirs = (tuple(axis.spread(steps)) for steps in both)
        found.append(Line(path, mark(path), ours, theirs, (hours[0], hours[1])))
    has_guarantee = bool(found)
    found = sorted((each for each in found if any(each.hours)), key=lambda each: (-max(each.hours), each.path))
    names = first.name, other.name
    return Debts(_sentence(names, resource, found, has_guarantee) + seed_drawn(first), resource, names, axis, tuple(found[:MOST]))


def _sentence(names: tuple[str, str], resource: str, found: list[Line], has_guarantee: bool) -> str:
    if not has_guarantee:
        return "No queue has a guarantee, so none can be short of it"
    if not found:
        return "No queue was ever short of its guarantee"
    worst = found[0]
    one, two = (units.number(each) for each in worst.hours)
    return (
        f"{name(worst.path)} was short of {two} {units.hours_of(resource)} of its guarantee with {name(names[1])}, "
        f"of {one} with {name(names[0])}"
    )


def figure(data: Debts, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture: the first design thin, the second thick; the pattern of the line is that of the queue."""
    from workbench.plots.shown import Figure

    made: list[dict[str, Any]] = []
    for line in data.lines:
        for side, values in enumerate((line.ours, line.theirs)):
            label = f"{name(line.path)}, {name(data.names[side])} ({'thick' if side else 'thin'})"
            made.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "x": data.axis.edges,
                    "y": [*values, values[-1]],
                    "line": {
                        "shape": "hv",
                        "color": line.mark.colour(theme) if side else theme.text,
                        "width": 3.5 if side else 1.4,
                        "dash": line.mark.dash,
                    },
                    "name": text.label(label, 340),
                    "hovertemplate": f"{text.plain(label)}<br>%{{y:.3g}}<extra></extra>",
                }
            )
    hidden = {"visible": False, "fixedrange": True}
    axes: dict[str, Any] = {"xaxis": hidden, "yaxis": hidden}
    if data.lines:
        axes = {
            "xaxis": {
                "title": {"text": f"{data.axis.unit} of the workload", "standoff": 6},
                "range": [data.axis.edges[0], data.axis.edges[-1]],
                "fixedrange": True,
            },
            "yaxis": {"title": {"text": f"short of, {units.amount_of(data.resource)}"}, "rangemode": "tozero", "fixedrange": True},
        }
    below = {"margin": {"l": 70, "r": 16, "t": 56 if titled else 16, "b": 100}, "legend": legend(theme, height - 156, 48)}
    return Figure(data=made, layout=frame.layout(data.sentence, theme, width, height, titled) | axes | below)


def table(data: Debts) -> Table:
    """The same in text."""
    one, two = map(name, data.names)
    return Table(
        f"Short of the guarantee, in {units.hours_of(data.resource)}",
        ("queue", one, two),
        tuple((name(line.path), units.number(line.hours[0]), units.number(line.hours[1])) for line in data.lines),
        frozenset((one, two)),
        empty=f"{data.sentence}.",
    )

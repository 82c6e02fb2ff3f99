"""Guarantee debt over time: what queues were short of although they asked for it, a panel for each, a line for each design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.comparison.pictures.marks import WIDTH, TimeAxis, legend, marks_of, seed_drawn, time_axis
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.measures import units
from workbench.measures.queue_marks import Mark
from workbench.measures.series import debt_over_time
from workbench.plots import frame, text
from workbench.plots.theme import LIGHT, Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

PANEL = 110
"""Height of the panel of a queue, in pixels."""
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
    # A queue above others is short of what they are short of; shown are those that have the guarantees.
    paths = [each.path for each in found]
    found = [each for each in found if any(each.hours) and not any(path.startswith(f"{each.path}.") for path in paths)]
    found.sort(key=lambda each: (-max(each.hours), each.path))
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


def figure(data: Debts, theme: Theme = LIGHT, *, width: int = WIDTH, height: int | None = None, titled: bool = True) -> go.Figure:
    """The picture: a panel for each queue, the first design a thin line, the second a thick one in the colour of the queue.

    Args:
        height: None for as much as the queues need.
    """
    from workbench.plots.shown import Figure

    top, bottom = 56 if titled else 16, 84
    height = height or top + bottom + PANEL * max(len(data.lines), 1)
    made: list[dict[str, Any]] = []
    axes: dict[str, Any] = {"xaxis": {"visible": False, "fixedrange": True}, "yaxis": {"visible": False, "fixedrange": True}}
    notes: list[dict[str, Any]] = []
    largest = max((value for line in data.lines for value in (*line.ours, *line.theirs)), default=1.0)
    for place, line in enumerate(data.lines):
        number = "" if place == 0 else str(place + 1)
        high = 1 - place / len(data.lines)
        low = high - 1 / len(data.lines) * 0.8
        axes[f"yaxis{number}"] = {"domain": [max(low, 0.0), high], "range": [0, largest * 1.05], "fixedrange": True, "nticks": 4}
        notes.append(
            {"text": text.bold(line.path), "x": 0.005, "y": high, "xref": "paper", "yref": "paper", "xanchor": "left",
             "yanchor": "top", "showarrow": False, "font": {"color": theme.text}}
        )  # fmt: skip
        for side, values in enumerate((line.ours, line.theirs)):
            label = f"{name(data.names[side])} ({'thick' if side else 'thin'})"
            colour = line.mark.colour(theme) if side else theme.text
            made.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "x": data.axis.edges,
                    "y": [*values, values[-1]],
                    "yaxis": f"y{number}",
                    "line": {
                        "shape": "hv",
                        "color": colour,
                        "width": 3 if side else 1.2,
                    },
                    "name": text.label(label, 340),
                    "showlegend": place == 0,
                    "hovertemplate": f"{text.plain(name(line.path))}, {text.plain(label)}<br>%{{y:.3g}}<extra></extra>",
                }
            )
    if data.lines:
        last = "y" if len(data.lines) == 1 else f"y{len(data.lines)}"
        axes["xaxis"] = {
            "title": {"text": f"{data.axis.unit} of the workload", "standoff": 6},
            "range": [data.axis.edges[0], data.axis.edges[-1]],
            "anchor": last,
            "fixedrange": True,
        }
        middle = "yaxis" if len(data.lines) < 3 else f"yaxis{len(data.lines) // 2 + 1}"
        axes[middle]["title"] = {"text": f"short of, {units.amount_of(data.resource)}", "standoff": 6}
    below = {"margin": {"l": 70, "r": 16, "t": top, "b": bottom}, "legend": legend(theme, height - top - bottom, 48)}
    return Figure(
        data=made, layout=frame.layout(data.sentence, theme, width, height, titled) | axes | below | {"annotations": notes}
    )


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

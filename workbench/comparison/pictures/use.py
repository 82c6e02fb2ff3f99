"""Use over time by queue: the first design above the second, on one scale, with the line of capacity, then what differs. CP-6"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.comparison.pictures.marks import HEIGHT, OTHERS, WIDTH, TimeAxis, legend, marks_of, seed_drawn, time_axis
from workbench.comparison.sides import Side
from workbench.comparison.words import MINUS
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.measures import Reading, units
from workbench.measures.queue_marks import Mark
from workbench.measures.series import use_over_time
from workbench.measures.tree import tree_of
from workbench.plots import frame, text
from workbench.plots.theme import LIGHT, Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

MOST_BANDS = 6


@dataclass(frozen=True)
class Band:
    """One queue, or the rest together: amounts by cell under each design, and amount times hours in all."""

    label: str
    mark: Mark
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    hours: tuple[float, float]

    @property
    def gains(self) -> float:
        return self.hours[1] - self.hours[0]


@dataclass(frozen=True)
class Use:
    """The data of the picture."""

    sentence: str
    resource: str
    names: tuple[str, str]
    axis: TimeAxis
    bands: tuple[Band, ...]
    capacity: tuple[tuple[float, ...], tuple[float, ...]]


def rows(comparison: Comparison, resource: str = "vcore") -> Use:
    """What the picture shows: the first run of the first two designs."""
    first, other = comparison.first, comparison.others[0]
    axis, mark = time_axis(first, other), marks_of(first, other)
    readings = [side.tables[0].reading for side in (first, other)]
    paths = _shown(first, other)
    series = [_series(reading, resource, paths, axis) for reading in readings]
    scale = (axis.end_s - axis.start_s) / 3600 / len(axis.edges[1:])
    bands = []
    for path in paths:
        ours, theirs = (tuple(each.get(path, [0.0] * (len(axis.edges) - 1))) for each in series)
        bands.append(Band(path, mark(path), ours, theirs, (sum(ours) * scale, sum(theirs) * scale)))
    bands = _joined([band for band in bands if any(band.hours)])
    capacity = tuple(tuple(_capacity(reading, resource, axis)) for reading in readings)
    names = first.name, other.name
    return Use(
        _sentence(resource, names, bands) + seed_drawn(first), resource, names, axis, tuple(bands), (capacity[0], capacity[1])
    )


def _shown(first: Side, other: Side) -> list[str]:
    """The queues below the root; where it has only one, those below that."""
    paths: dict[str, None] = {}
    for side in (first, other):
        paths.update(dict.fromkeys(tree_of(side.tables[0].reading).paths))
    above = "root"
    while True:
        below = [path for path in paths if path.rpartition(".")[0] == above]
        if len(below) != 1:
            return below or [above]
        above = below[0]


def _series(reading: Reading, resource: str, paths: list[str], axis: TimeAxis) -> dict[str, list[float]]:
    known = [path for path in paths if path in tree_of(reading).paths]
    steps: dict[str, list[tuple[float, float, float]]] = {}
    for step in use_over_time(reading, resource, known):
        steps.setdefault(step.queue, []).append((step.since_s, step.until_s, step.amount))
    return {path: axis.spread(found) for path, found in steps.items()}


def _capacity(reading: Reading, resource: str, axis: TimeAxis) -> list[float]:
    """What the nodes have, by cell."""
    scale = units.scale_of(resource)
    nodes: dict[int, float] = {}
    steps: list[tuple[float, float, float]] = []
    since = 0.0
    for change in reading.record.node_changes:
        steps.append((since, change.at_ns / 1e9, sum(nodes.values())))
        since = change.at_ns / 1e9
        nodes[change.node] = 0.0 if change.capacity is None else change.capacity.amounts.get(resource, 0) / scale
    steps.append((since, axis.end_s, sum(nodes.values())))
    return axis.spread(steps)


def _joined(bands: list[Band]) -> list[Band]:
    if len(bands) <= MOST_BANDS:
        return bands
    by_use = sorted(bands, key=lambda band: (-sum(band.hours), band.label))
    kept = {band.label for band in by_use[: MOST_BANDS - 1]}
    rest = [band for band in bands if band.label not in kept]
    ours, theirs = (tuple(map(sum, zip(*(getattr(band, side) for band in rest)))) for side in ("ours", "theirs"))
    together = Band(OTHERS, Mark(None, 0), ours, theirs, (sum(b.hours[0] for b in rest), sum(b.hours[1] for b in rest)))
    return [*(band for band in bands if band.label in kept), together]


def _sentence(resource: str, names: tuple[str, str], bands: list[Band]) -> str:
    moved = sorted((band for band in bands if abs(band.gains) >= 0.01), key=lambda band: -abs(band.gains))[:3]
    if not moved:
        return f"Each queue uses as much {name(resource)} with {name(names[1])} as with {name(names[0])}"
    said = ", ".join(f"{name(band.label)} {_signed(band.gains)}" for band in moved)
    return f"Use of {name(resource)}: with {name(names[1])} instead of {name(names[0])} {said} {units.hours_of(resource)}"


def _signed(value: float) -> str:
    if abs(value) < 1e-6:  # sums of cells are rounded
        return "0"
    return f"{MINUS if value < 0 else '+'}{units.number(abs(value))}"


def figure(data: Use, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT + 140, titled: bool = True) -> go.Figure:
    """The picture."""
    from workbench.plots.shown import Figure

    edges = data.axis.edges
    made: list[dict[str, Any]] = []
    for panel, side in ((1, "ours"), (2, "theirs")):
        for band in data.bands:
            made.append(_area(band, getattr(band, side), edges, theme, panel))
        capacity = data.capacity[panel - 1]
        made.append(_line("capacity", [*capacity, capacity[-1]], edges, theme.text, "solid", 2, panel) | {"showlegend": panel == 1})
    for band in data.bands:
        change = [its - mine for mine, its in zip(band.ours, band.theirs)]
        made.append(
            _line(band.label, [*change, change[-1]], edges, band.mark.colour(theme), band.mark.dash, 2.5, 3) | {"showlegend": False}
        )
    return Figure(data=made, layout=_layout(data, theme, width, height, titled))


def _area(band: Band, amounts: tuple[float, ...], edges: list[float], theme: Theme, panel: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": edges,
        "y": [*amounts, amounts[-1]],
        "stackgroup": f"panel{panel}",
        "line": {"shape": "hv", "color": theme.text, "width": 0.7},
        **band.mark.fill(theme),
        "name": text.label(band.label, 30 * text.CHARACTER),
        "legendgroup": band.label,
        "showlegend": panel == 1,
        "hovertemplate": f"{text.plain(name(band.label))}<br>%{{y:.3g}}<extra></extra>",
        "xaxis": "x",
        "yaxis": f"y{panel}" if panel > 1 else "y",
    }


def _line(label: str, values: list[float], edges: list[float], colour: str, dash: str, thick: float, panel: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": edges,
        "y": values,
        "line": {"shape": "hv", "color": colour, "width": thick, "dash": dash},
        "name": text.label(label, 30 * text.CHARACTER),
        "hovertemplate": f"{text.plain(name(label))}<br>%{{y:.3g}}<extra></extra>",
        "xaxis": "x",
        "yaxis": f"y{panel}" if panel > 1 else "y",
    }


def _layout(data: Use, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    top = max((max(map(max, zip(*[iter(each)]))) if each else 0.0 for each in data.capacity), default=0.0)
    used = max((sum(cell) for side in ("ours", "theirs") for cell in zip(*(getattr(b, side) for b in data.bands))), default=0.0)
    largest = 1.06 * (max(used, top if top <= 4 * used else 0.0) or 1.0)
    unit = units.amount_of(data.resource)
    heads = (name(data.names[0]), name(data.names[1]), f"{name(data.names[1])} {MINUS} {name(data.names[0])}")
    domains = ((0.70, 1.0), (0.36, 0.66), (0.0, 0.30))
    axes: dict[str, Any] = {
        "xaxis": {
            "title": {"text": f"{data.axis.unit} of the workload", "standoff": 6},
            "anchor": "y3",
            "range": [data.axis.edges[0], data.axis.edges[-1]],
            "showspikes": True,
            "spikemode": "across",
            "spikethickness": 1,
            "spikecolor": theme.muted,
            "fixedrange": True,
        }
    }
    for number, (head, domain) in enumerate(zip(heads, domains), 1):
        axes["yaxis" if number == 1 else f"yaxis{number}"] = {
            "domain": list(domain),
            "title": {"text": f"{text.bold(head)}<br>{text.plain(unit)}", "standoff": 4},
            "fixedrange": True,
            **({"range": [0, largest]} if number < 3 else {"zeroline": True, "zerolinecolor": theme.text, "zerolinewidth": 1}),
        }
    return (
        frame.layout(data.sentence, theme, width, height, titled)
        | axes
        | {
            "margin": {"l": 84, "r": 16, "t": 56 if titled else 16, "b": 92},
            "legend": legend(theme, height - 160, 46),
            "hovermode": "x unified",
        }
    )


def table(data: Use) -> Table:
    """The same in text: amounts times hours of each queue."""
    one, two = map(name, data.names)
    unit = units.hours_of(data.resource)
    return Table(
        f"Use in {unit}",
        ("queue", one, two, f"{two} {MINUS} {one}"),
        tuple(
            (name(band.label), units.number(band.hours[0]), units.number(band.hours[1]), _signed(band.gains)) for band in data.bands
        ),
        frozenset((one, two, f"{two} {MINUS} {one}")),
        empty="Nothing ran.",
    )

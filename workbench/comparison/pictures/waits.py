"""How waits are spread: of 100 requests so many waited at most so long, a line for each design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.comparison.pictures.marks import HEIGHT, LOG_FLOOR, WIDTH, legend, short, wait_ticks
from workbench.comparison.sides import Side
from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.measures.scopes import WHOLE
from workbench.measures.spread import percentile
from workbench.measures.wait import waits_of
from workbench.plots import frame, text
from workbench.plots.theme import LIGHT, Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

PERCENTS = (50, 75, 90, 95, 99, 100)


@dataclass(frozen=True)
class Waits:
    """The data of the picture: for each design the wait in seconds that 0, 1 ... 100 of 100 requests do not exceed."""

    sentence: str
    names: tuple[str, str]
    ours: tuple[float, ...]
    theirs: tuple[float, ...]


def rows(comparison: Comparison) -> Waits:
    """What the picture shows: the requests of all seeds of the first two designs."""
    first, other = comparison.first, comparison.others[0]
    ours, theirs = (_percentiles(side) for side in (first, other))
    names = first.name, other.name
    if not ours or not theirs:
        return Waits("Nobody asked for anything", names, (), ())
    with_a, with_b = (f"{short(each[50])} with {name(who)}" for each, who in zip((ours, theirs), names))
    said = f"Half of all requests wait at most {with_b} and {with_a}"
    return Waits(f"{said}; 95 of 100 at most {short(theirs[95])} and {short(ours[95])}", names, ours, theirs)


def _percentiles(side: Side) -> tuple[float, ...]:
    ordered = sorted(wait for table in side.tables for wait in waits_of(table.reading, WHOLE))
    return tuple(percentile(ordered, percent) for percent in range(101)) if ordered else ()


def figure(data: Waits, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture."""
    from workbench.plots.shown import Figure

    places, texts = wait_ticks(LOG_FLOOR, max((*data.ours, *data.theirs), default=60.0))
    looks = ((data.ours, data.names[0], theme.text, "solid"), (data.theirs, data.names[1], theme.line, "dash"))
    made: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [max(each, LOG_FLOOR) for each in values],
            "y": list(range(len(values))),
            "line": {"shape": "vh", "color": colour, "width": 2.5, "dash": dash},
            "name": text.label(label, 200),
            "hoverinfo": "text",
            "hovertext": [text.hover((name(label), f"{at} of 100 wait at most {short(each)}")) for at, each in enumerate(values)],
        }
        for values, label, colour, dash in looks
    ]
    axes = {
        "xaxis": {
            "type": "log",
            "tickvals": places,
            "ticktext": texts,
            "title": {"text": "wait", "standoff": 6},
            "fixedrange": True,
        },
        "yaxis": {"title": {"text": "of 100 requests wait at most so long", "standoff": 4}, "range": [0, 101], "fixedrange": True},
    }
    below = {"margin": {"l": 70, "r": 16, "t": 56 if titled else 16, "b": 92}, "legend": legend(theme, height - 150, 48)}
    return Figure(data=made, layout=frame.layout(data.sentence, theme, width, height, titled) | axes | below)


def table(data: Waits) -> Table:
    """The same in text."""
    lines = ((f"{percent} of 100", short(data.ours[percent]), short(data.theirs[percent])) for percent in PERCENTS if data.ours)
    one, two = map(name, data.names)
    return Table("Requests wait at most", ("requests", one, two), tuple(lines) if data.theirs else (), empty="Nobody asked.")

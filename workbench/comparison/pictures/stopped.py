"""Who was stopped for whom: how many tasks of one queue had to go for requests of another, under each design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.comparison.pictures.marks import WIDTH, legend, marks_of
from workbench.comparison.sides import Side
from workbench.explain.tables import Table
from workbench.explain.wording import counted, name
from workbench.measures.preemption import who_for_whom
from workbench.plots import frame, text
from workbench.plots import theme as themes
from workbench.plots.theme import LIGHT, Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

MOST = 12


@dataclass(frozen=True)
class Stops:
    """The data of the picture: (stopped queue, for which queue, times under the first design, under the second), and hues."""

    sentence: str
    names: tuple[str, str]
    pairs: tuple[tuple[str, str, int, int], ...]
    hues: tuple[int | None, ...]
    left_out: int


def rows(comparison: Comparison) -> Stops:
    """What the picture shows: all seeds of the first two designs."""
    first, other = comparison.first, comparison.others[0]
    mark = marks_of(first, other)
    ours, theirs = _counts(first), _counts(other)
    pairs = [(*pair, ours.get(pair, 0), theirs.get(pair, 0)) for pair in dict.fromkeys((*ours, *theirs))]
    pairs.sort(key=lambda each: (-max(each[2:]), each[:2]))
    names = first.name, other.name
    before, now = sum(ours.values()), sum(theirs.values())
    if not pairs:
        sentence = "Nobody was stopped for others"
    else:
        most = max(pairs, key=lambda each: abs(each[3] - each[2]))
        were = "was" if now == 1 else "were"
        sentence = f"With {name(names[1])} {counted(now, 'task')} {were} stopped for others, with {name(names[0])} {before:,}"
        if most[2] != most[3]:
            sentence += f"; of {name(most[0])} for {name(most[1])} {most[3]} instead of {most[2]}"
    shown = pairs[:MOST]
    return Stops(sentence, names, tuple(shown), tuple(mark(each[0]).hue for each in shown), max(0, len(pairs) - MOST))


def _counts(side: Side) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for table in side.tables:
        for stopped, whom, times, *_ in who_for_whom(table.reading):
            found[stopped, whom] = found.get((stopped, whom), 0) + times
    return found


def figure(data: Stops, theme: Theme = LIGHT, *, width: int = WIDTH, height: int | None = None, titled: bool = True) -> go.Figure:
    """The picture: two bars for each pair, plain for the first design and striped for the second."""
    from workbench.plots.shown import Figure

    height = height or 150 + 44 * max(1, len(data.pairs))
    shown = list(reversed(data.pairs))
    hues = [theme.others if hue is None else theme.hues[hue] for hue in reversed(data.hues)]
    made: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "y": list(range(len(shown))),
            "x": [pair[2 + side] for pair in shown],
            "name": text.label(f"{data.names[side]} ({'striped' if side else 'plain'})", 300),
            "marker": {
                "color": hues,
                "line": {"color": theme.text, "width": 1},
                "pattern": {"shape": "/" if side else "", "fgcolor": theme.text, "size": 6, "solidity": 0.25},
            },
            "text": [str(pair[2 + side]) for pair in shown],
            "textposition": "outside",
            "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
            "cliponaxis": False,
            "hoverinfo": "text",
            "hovertext": [
                text.hover((name(data.names[side]), f"{counted(times[side], 'task')} of {name(stopped)} for {name(whom)}"))
                for stopped, whom, *times in shown
            ],
        }
        for side in (1, 0)
    ]
    hidden = {"visible": False, "fixedrange": True}
    axes: dict[str, Any] = {"xaxis": hidden, "yaxis": hidden}
    if shown:
        axes = {
            "xaxis": {"title": {"text": "tasks stopped", "standoff": 6}, "rangemode": "tozero", "fixedrange": True},
            "yaxis": {
                "tickvals": list(range(len(shown))),
                "ticktext": [f"{text.label(pair[0], 190)}<br>for {text.label(pair[1], 190)}" for pair in shown],
                "fixedrange": True,
            },
        }
    below = {
        "barmode": "group",
        "margin": {"l": 230, "r": 50, "t": 56 if titled else 16, "b": 92},
        "legend": legend(theme, height - 150, 48) | {"traceorder": "reversed"},
    }
    return Figure(data=made, layout=frame.layout(data.sentence, theme, width, height, titled) | axes | below)


def table(data: Stops) -> Table:
    """The same in text."""
    one, two = map(name, data.names)
    return Table(
        "Tasks stopped for others",
        ("stopped", "for", one, two),
        tuple((name(pair[0]), name(pair[1]), f"{pair[2]:,}", f"{pair[3]:,}") for pair in data.pairs),
        frozenset((one, two)),
        empty="Nobody was stopped for others.",
        note=f"{counted(data.left_out, 'more pair')} of queues" if data.left_out else "",
    )

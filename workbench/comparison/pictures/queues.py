"""Dumbbells: the wait of each queue under the first design and under the second, joined by a line."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Any

from workbench.comparison import words
from workbench.comparison.changes import NO_DIFFERENCE, Change, change
from workbench.comparison.pictures.marks import LOG_FLOOR, WIDTH, legend, marks_of, short, wait_ticks
from workbench.explain.tables import Table
from workbench.explain.wording import counted, name
from workbench.measures import Scope, measure_named
from workbench.measures.queue_marks import Mark
from workbench.plots import frame, text
from workbench.plots import theme as themes
from workbench.plots.theme import LIGHT, Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

MEASURE = "wait.p95"
MOST = 20


@dataclass(frozen=True)
class Dumbbell:
    """One queue with its two waits."""

    path: str
    mark: Mark
    change: Change


@dataclass(frozen=True)
class Dumbbells:
    """The data of the picture; `left_out` queues change less than those that are shown."""

    sentence: str
    names: tuple[str, str]
    queues: tuple[Dumbbell, ...]
    left_out: int


def rows(comparison: Comparison) -> Dumbbells:
    """What the picture shows."""
    first, other = comparison.first, comparison.others[0]
    mark, measure = marks_of(first, other), measure_named(MEASURE)
    paths = dict.fromkeys(path for side in (first, other) for run in side.runs for path in run.record.queues)
    found = [
        Dumbbell(path, mark(path), each)
        for path in paths
        if (each := change(first, other, measure, Scope("queue", path))) is not None
    ]
    found.sort(key=lambda each: (-each.change.size, each.path))
    names = first.name, other.name
    return Dumbbells(_sentence(names, found), names, tuple(found[:MOST]), max(0, len(found) - MOST))


def _sentence(names: tuple[str, str], found: list[Dumbbell]) -> str:
    better, worse = (sum(each.change.verdict == verdict for each in found) for verdict in ("better", "worse"))
    rest = len(found) - better - worse
    said = [f"{better} {'queue waits' if better == 1 else 'queues wait'} less"] if better else []
    if worse:
        noun = "" if better else "queue " if worse == 1 else "queues "
        said.append(f"{worse} {noun}{'waits' if worse == 1 else 'wait'} longer")
    said += [f"{rest} about as long"] if rest else []
    return f"With {name(names[1])} {', '.join(said) or 'no queue has jobs'} (95 of 100 requests)"


def figure(
    data: Dumbbells, theme: Theme = LIGHT, *, width: int = WIDTH, height: int | None = None, titled: bool = True
) -> go.Figure:
    """The picture."""
    from workbench.plots.shown import Figure

    height = height or 150 + 30 * max(2, len(data.queues))
    shown = list(reversed(data.queues))
    waits = [[max(each or 0.0, LOG_FLOOR) for each in (bell.change.a, bell.change.b)] for bell in shown]
    largest = 1.3 * max((wait for pair in waits for wait in pair), default=60.0)
    smallest = min((wait for pair in waits for wait in pair), default=LOG_FLOOR) / 1.3
    places, texts = wait_ticks(smallest, largest)
    joined_x: list[float | None] = [each for pair in waits for each in (*pair, None)]
    joined_y = [each for at in range(len(shown)) for each in (at, at, None)]
    made: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": joined_x,
            "y": joined_y,
            "line": {"color": theme.muted, "width": 2},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]
    for side in (0, 1):
        made.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [pair[side] for pair in waits],
                "y": list(range(len(shown))),
                "name": text.label(f"{data.names[side]} ({'filled diamond' if side else 'open circle'})", 300),
                "marker": {
                    "symbol": "diamond" if side else "circle",
                    "size": 12,
                    "color": [bell.mark.colour(theme) if side else theme.hover for bell in shown],
                    "line": {
                        "color": [theme.text if side else bell.mark.colour(theme) for bell in shown],
                        "width": 1.5 if side else 3,
                    },
                    "opacity": 1,
                },
                "cliponaxis": False,
                "hoverinfo": "text",
                "hovertext": [text.hover((name(bell.path, 300), _said(data, bell))) for bell in shown],
            }
        )
    axes: dict[str, Any] = {
        "xaxis": {
            "type": "log",
            "tickvals": places,
            "ticktext": texts,
            "range": [log10(smallest), log10(largest)],
            "title": {"text": "wait that 95 of 100 requests do not exceed", "standoff": 6},
            "fixedrange": True,
        },
        "yaxis": {
            "tickvals": list(range(len(shown))),
            "ticktext": [text.label(bell.path, 200) for bell in shown],
            "range": [-0.6, max(len(shown), 1) - 0.4],
            "fixedrange": True,
        },
    }
    axes["annotations"] = [
        {
            "text": text.plain(NO_DIFFERENCE if bell.change.verdict == NO_DIFFERENCE else words.verdict(bell.change)),
            "x": 1.01,
            "xref": "paper",
            "xanchor": "left",
            "y": at,
            "yref": "y",
            "showarrow": False,
            "font": {"size": themes.SMALL_SIZE, "color": theme.text},
        }
        for at, bell in enumerate(shown)
    ]
    below = {"margin": {"l": 220, "r": 150, "t": 56 if titled else 16, "b": 92}, "legend": legend(theme, height - 150, 48)}
    return Figure(data=made, layout=frame.layout(data.sentence, theme, width, height, titled) | axes | below)


def _said(data: Dumbbells, bell: Dumbbell) -> str:
    one, two = map(name, data.names)
    never = f", never ran {words.never(bell.change)}" if words.never(bell.change) else ""
    return f"{one} {short(bell.change.a or 0)}, {two} {short(bell.change.b or 0)}: {words.verdict(bell.change)}{never}"


def table(data: Dumbbells) -> Table:
    """The same in text."""
    one, two = map(name, data.names)
    return Table(
        "Wait that 95 of 100 requests do not exceed",
        ("queue", one, two, "change", "that is", "never ran", "jobs"),
        tuple(
            (
                name(bell.path),
                words.value(bell.change, bell.change.a),
                words.value(bell.change, bell.change.b),
                words.difference(bell.change),
                words.verdict(bell.change),
                words.never(bell.change),
                f"{bell.change.jobs:,}",
            )
            for bell in data.queues
        ),
        frozenset(("jobs",)),
        empty="No queue has jobs.",
        note=f"{counted(data.left_out, 'more queue')} changed less" if data.left_out else "",
    )

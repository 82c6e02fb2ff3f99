"""One point a job: how long it waits under the first design, and under the second; below the diagonal it waits less. CP-5"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log10
from typing import TYPE_CHECKING, Any

from workbench.comparison.pictures.marks import LOG_FLOOR, legend, marks_of, short, wait_ticks
from workbench.comparison.winners import MovedJob
from workbench.explain.tables import Table
from workbench.explain.wording import counted, name
from workbench.measures.queue_marks import Mark
from workbench.plots import frame, text
from workbench.plots import theme as themes
from workbench.plots.theme import LIGHT, Theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from workbench.comparison.comparison import Comparison

MOST_POINTS = 2_000
MOST_QUEUES = 8
SIZE = 620


@dataclass(frozen=True)
class Jobs:
    """The data of the picture: jobs by queue, and how many there are in all."""

    sentence: str
    names: tuple[str, str]
    by_queue: tuple[tuple[str, Mark, tuple[MovedJob, ...]], ...]
    jobs: int
    whole: Table


def rows(comparison: Comparison) -> Jobs:
    """What the picture shows: jobs of all seeds; of very many those that change most and an even choice of the others."""
    first, other = comparison.first, comparison.others[0]
    moved, mark = comparison.moved, marks_of(first, other)
    kept = _thinned(list(moved.jobs))
    groups: dict[str, list[MovedJob]] = {}
    for each in kept:
        groups.setdefault(each.queue, []).append(each)
    largest = sorted(groups, key=lambda path: -len(groups[path]))[:MOST_QUEUES]
    made = [(path, mark(path), tuple(groups[path])) for path in groups if path in largest]
    rest = tuple(each for path, jobs in groups.items() if path not in largest for each in jobs)
    if rest:
        made.append(("", Mark(None, 0), rest))
    return Jobs(moved.sentence.rstrip("."), (first.name, other.name), tuple(made), len(moved.jobs), moved.table())


def _thinned(jobs: list[MovedJob]) -> list[MovedJob]:
    if len(jobs) <= MOST_POINTS:
        return jobs
    by_change = sorted(range(len(jobs)), key=lambda at: -abs(jobs[at].change))
    rest = sorted(by_change[MOST_POINTS // 2 :])
    every = len(rest) / (MOST_POINTS - MOST_POINTS // 2)
    kept = {*by_change[: MOST_POINTS // 2], *(rest[int(at * every)] for at in range(MOST_POINTS - MOST_POINTS // 2))}
    return [jobs[at] for at in sorted(kept)]


def figure(data: Jobs, theme: Theme = LIGHT, *, width: int = SIZE + 60, height: int = SIZE, titled: bool = True) -> go.Figure:
    """The picture."""
    from workbench.plots.shown import Figure

    one, two = map(name, data.names)
    largest = max((max(job.wait_a, job.wait_b) for _, _, jobs in data.by_queue for job in jobs), default=60.0)
    places, texts = wait_ticks(LOG_FLOOR, largest)
    end = max(largest, 60.0) * 1.3
    made: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [LOG_FLOOR, end],
            "y": [LOG_FLOOR, end],
            "line": {"color": theme.text, "width": 1.2, "dash": "dash"},
            "name": "waits as long",
            "hoverinfo": "skip",
        }
    ]
    for path, mark, jobs in data.by_queue:
        made.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [max(job.wait_a, LOG_FLOOR) for job in jobs],
                "y": [max(job.wait_b, LOG_FLOOR) for job in jobs],
                "name": text.label(path or "other queues", 300),
                "marker": {
                    "symbol": mark.symbol,
                    "size": 8,
                    "opacity": 0.75,
                    "color": mark.colour(theme),
                    "line": {"color": theme.text, "width": 0.7},
                },
                "text": [text.plain(f"{name(job.job)}: {short(job.wait_a)}, then {short(job.wait_b)}") for job in jobs],
                "hoverinfo": "text",
            }
        )
    axis = {"type": "log", "tickvals": places, "ticktext": texts, "range": [-0.05, log10(end)], "fixedrange": True}
    small = {"size": themes.SMALL_SIZE, "color": theme.muted}
    note = {"showarrow": False, "font": small, "xref": "paper", "yref": "paper"}
    layout = {
        "xaxis": axis | {"title": {"text": f"wait with {text.plain(one)}", "standoff": 6}},
        "yaxis": axis | {"title": {"text": f"wait with {text.plain(two)}", "standoff": 4}},
        "annotations": [
            note | {"x": 0.02, "y": 0.98, "text": f"longer with {text.plain(two)}", "xanchor": "left", "yanchor": "top"},
            note | {"x": 0.98, "y": 0.02, "text": f"shorter with {text.plain(two)}", "xanchor": "right", "yanchor": "bottom"},
        ],
        "margin": {"l": 90, "r": 16, "t": 56 if titled else 16, "b": 100},
        "legend": legend(theme, height - 156, 48),
    }
    return Figure(data=made, layout=frame.layout(data.sentence, theme, width, height, titled) | layout)


def table(data: Jobs) -> Table:
    """The same in text: the jobs whose waits change most."""
    drawn = sum(len(jobs) for _, _, jobs in data.by_queue)
    left = f"{counted(data.jobs, 'job')} in all; {drawn:,} are drawn" if drawn < data.jobs else ""
    return replace(data.whole, note=left)

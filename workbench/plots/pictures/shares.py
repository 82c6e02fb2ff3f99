"""G-6 Shares: the children of a parent, or the applications of a leaf, with the value by which the sort compares them.

A dot per child in scheduling order from the top, as far to the right as its share; a triangle is a child without a guarantee,
whose use counts against the fair maximum. The ring is the next one; hollow marks take no part, because they wait for nothing
or are stopped. Priority, which is compared first unless it is switched off, stands behind the name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from workbench.explain import refusals, words
from workbench.explain.standings import PRIORITY, SUBMITTED, Contender, formula, ratio, sentence, standings, value_text
from workbench.explain.wording import amounts, contrasted, priority, seconds, shorten
from workbench.plots import frame, label_column, plot_words, text
from workbench.plots import theme as themes
from workbench.plots.label_column import Label
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme
from workbench.scheduler.objects.tree import find
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Partition

SHARE_KEY = ("ring: next", "triangle: no guarantee set", "hollow: takes no part now")

MOST_LINES = 16
WIDTH, HEIGHT = 560, 360


@dataclass(frozen=True, slots=True)
class ShareMark:
    """One child; `value` is drawn, `note` is its text, `term` the ratio behind it. `takes_part` False: it waits for nothing, or
    was kept out."""

    label: Label
    value: float
    note: str
    term: str
    is_next: bool
    has_guarantee: bool
    takes_part: bool


@dataclass(frozen=True, slots=True)
class ShareRows:
    """The data of the picture, next one on top. `left_out` is the number of children that are not drawn."""

    sentence: str
    path: str
    axis: str
    marks: tuple[ShareMark, ...]
    ticks: tuple[tuple[float, str], ...]
    range: tuple[float, float]
    full_at: float | None
    left_out: int


def rows(partition: Partition, decision: Decision, *, path: str | None = None, most_lines: int = MOST_LINES) -> ShareRows:
    """What the picture shows of the state and of the decision that would come next there.

    Args:
        path: the parent or leaf; None for where the decision had the closest choice.

    Raises:
        KeyError: there is no such queue.
    """
    found = standings(partition, decision, path)
    slots = themes.hue_slots(partition.root)
    shown = list(found.contenders) if len(found.contenders) <= most_lines else list(found.contenders[: most_lines - 1])
    if found.next and all(each.name != found.next for each in shown):
        shown[-1] = next(each for each in found.contenders if each.name == found.next)
    unit = 1e-9 if found.field == SUBMITTED else 1.0
    marks = tuple(_mark(partition, each, found.field, found.by_priority, found.next, slots, found.kind, unit) for each in shown)
    left_out = len(found.contenders) - len(shown)
    span, tick_places = _scale([mark.value for mark in marks], found.field)
    full_at = 1.0 if found.field not in (SUBMITTED, PRIORITY) and span[1] >= 1 and any(each.terms for each in shown) else None
    return ShareRows(
        sentence(found),
        found.path,
        standing_axis(found.field, found.kind, found.by_priority),
        marks,
        tick_places,
        span,
        full_at,
        left_out,
    )


def _mark(
    partition: Partition, each: Contender, field: str, by_priority: bool, first: str, slots: dict[str, int], kind: str, unit: float
) -> ShareMark:
    value = value_text(each, field)
    hover = [
        text.full_name(each.path if kind == "queue" else each.name),
        f"{words.PRIORITY} {priority(each.priority)}",
        f"{words.compared(field)} {value}",
    ]
    if formula(each):
        hover += formula(each).split("; ")
    queue = find(partition, each.path) if kind == "queue" else None
    application = partition.applications.get(each.name) if kind == "application" else None
    record = queue or application
    for what, amount in (
        (plot_words.ALLOCATED, record.allocated if record is not None else None),
        (words.GUARANTEED, queue.guaranteed if queue else None),
        (plot_words.PENDING, record.pending if record is not None else None),
    ):
        if amount:
            hover.append(f"{what} {amounts(amount)}")
    if not each.has_guarantee and kind == "queue":
        hover.append(plot_words.NO_GUARANTEE)
    if each.refusal is not None:
        hover.append(refusals.reason(each.refusal))
    shown = f"{each.name} ({priority(each.priority)})" if by_priority and each.key is not None else each.name
    label = Label(
        each.path if kind == "queue" else "",
        shown,
        0,
        themes.slot_of(each.path, slots),
        tuple(hover),
        is_bold=each.name == first,
        is_muted=each.key is None,
    )
    return ShareMark(label, each.value * unit, value, ratio(each), each.name == first, each.has_guarantee, each.key is not None)


def _scale(values: Sequence[float], field: str) -> tuple[tuple[float, float], tuple[tuple[float, str], ...]]:
    """The ends of the axis and its ticks."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if field != SUBMITTED:
        low = min(low, 0.0)
    if low == high:
        high = low + 1
    step = _round_step((high - low) / 5)
    first = int(low // step)
    places = [step * number for number in range(first, first + 8) if low <= step * number <= high + step / 1000]
    texts = [seconds(round(place * 1e9)) if field == SUBMITTED else contrasted(place, place)[0] for place in places]
    margin = 0.04 * (high - low)
    return (low - margin, high + 2 * margin), tuple(zip(places, texts))


def _round_step(least: float) -> float:
    unit = 10.0 ** len(str(int(1 / least))) if least < 1 else 1.0
    unit = 1 / unit if least < 1 else 1.0
    while True:
        for step in (1, 2, 2.5, 5):
            if step * unit >= least:
                return step * unit
        unit *= 10


# ---- drawing ------------------------------------------------------------------------------------------------------

TOP, TOP_UNTITLED, BOTTOM, SIDE = 48, 14, 58, 14
NOTES, NARROW_NOTES, MOST_LABELS, SPACE_AFTER = 176, 66, 0.34, 10
"""Pixels behind the marks for the values, with and without the ratio; the part of the width that names may take."""
NARROW, FEWEST_CHARACTERS = 480, 8
MARK_SIZE, RING_SIZE = 11, 20
DOTS, NAMES, STEMS, MARKS, RING, NOTE = range(6)
"""Traces of the figure, always these in this order."""


def figure(data: ShareRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. A click on a queue finds its path in the mark's `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(data=traces(data, theme, width), layout=layout(data, theme, width, height, titled))


def update(
    picture: go.Figure, data: ShareRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, width), layout(data, theme, width, height, titled))


def traces(data: ShareRows, theme: Theme, width: int) -> list[dict[str, Any]]:
    """The properties of each trace, in the order of the numbers above."""
    labels = [mark.label for mark in data.marks]
    lines, places = list(range(len(labels))), [mark.value for mark in data.marks]
    fills = [theme.muted if label.hue is None else theme.hues[label.hue] for label in labels]
    start = 0.0 if data.range[0] <= 0 <= data.range[1] else data.range[0]
    stems = [(start, line, mark.value) for line, mark in enumerate(data.marks)]
    chosen = [line for line, mark in enumerate(data.marks) if mark.is_next]
    silent = {"hoverinfo": "skip", "showlegend": False, "cliponaxis": False, "type": "scatter"}
    return [
        *label_column.traces(labels, theme, _column(data, width)),
        {
            **silent,
            "mode": "lines",
            "x": [x for start, _, end in stems for x in (start, end, None)],
            "y": [y for _, line, _ in stems for y in (line, line, None)],
            "line": {"color": theme.muted, "width": 1},
        },
        {
            **silent,
            "mode": "markers",
            "x": places,
            "y": lines,
            "hoverinfo": "text",
            "hovertext": [text.hover(label.hover) for label in labels],
            "customdata": [label.path for label in labels],
            "marker": {
                "symbol": [_symbol(mark) for mark in data.marks],
                "size": MARK_SIZE,
                "opacity": 1,
                # An open mark is drawn in its fill's colour, and some hues alone would be too faint.
                "color": [fill if mark.takes_part else theme.muted for mark, fill in zip(data.marks, fills)],
                "line": {
                    "color": [theme.text if mark.takes_part else theme.muted for mark in data.marks],
                    "width": [1.2 if mark.takes_part else 2 for mark in data.marks],
                },
            },
        },
        {
            **silent,
            "mode": "markers",
            "x": [places[line] for line in chosen],
            "y": chosen,
            "marker": {
                "symbol": "circle-open",
                "size": RING_SIZE,
                "color": theme.chosen,
                "opacity": 1,
                "line": {"color": theme.chosen, "width": 3},
            },
        },
        {
            **silent,
            "mode": "text",
            "x": [data.range[1]] * len(lines),
            "y": lines,
            "textposition": "middle right",
            "text": [_value(mark, _notes(width)) for mark in data.marks],
            "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
        },
    ]


def layout(data: ShareRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, the axis of the compared value, and below it what the signs mean."""
    inner, column = width - 2 * SIDE, _column(data, width)
    small = {"size": themes.SMALL_SIZE}
    properties = frame.layout(data.sentence, theme, width, height, titled)
    key = (*SHARE_KEY, plot_words.further(data.left_out)) if data.left_out else SHARE_KEY
    notes = [_note(text.key_line((data.axis,), inner), -20, theme), _note(text.key_line(key, inner), -37, theme)]
    return properties | {
        "showlegend": False,
        "margin": {"l": SIDE, "r": SIDE, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "xaxis": {
            "domain": [column / inner, 1 - _notes(width) / inner],
            "range": list(data.range),
            "fixedrange": True,
            "tickvals": [place for place, _ in data.ticks],
            "ticktext": [text.plain(shown) for _, shown in data.ticks],
            "tickfont": small,
            "ticks": "outside",
            "showgrid": True,
        },
        "xaxis2": label_column.axis(column, inner),
        "yaxis": label_column.lines_axis(len(data.marks)),
        "shapes": [
            {
                "type": "line",
                "x0": data.full_at,
                "x1": data.full_at,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "layer": "below",
                "line": {"color": theme.text, "width": 1.5, "dash": "4px,3px"},
            }
        ]
        if data.full_at is not None
        else [],
        "annotations": notes,
    }


def _note(shown: str, shift: float, theme: Theme) -> dict[str, Any]:
    return {
        "text": shown,
        "font": {"size": themes.SMALL_SIZE, "color": theme.muted},
        "showarrow": False,
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": 0,
        "yref": "paper",
        "yanchor": "top",
        "yshift": shift,
    }


def _notes(width: int) -> int:
    return NARROW_NOTES if width < NARROW else NOTES


def _value(mark: ShareMark, room: float) -> str:
    value = text.bold(mark.note) if mark.is_next else text.plain(mark.note)
    left = int(room / text.SMALL_CHARACTER) - len(f"{mark.note} = ")
    return f"{value} = {text.plain(shorten(mark.term, left))}" if mark.term and left > FEWEST_CHARACTERS else value


def _symbol(mark: ShareMark) -> str:
    shape = "circle" if mark.has_guarantee else "triangle-up"
    return shape if mark.takes_part else f"{shape}-open"


def _column(data: ShareRows, width: int) -> float:
    return label_column.wanted([mark.label for mark in data.marks], MOST_LABELS * width) + SPACE_AFTER


# ---- in words ---------------------------------------------------------------------------------------------------------


def standing_axis(field: str, kind: str, by_priority: bool) -> str:
    what = {
        "share": "share: used ÷ guaranteed, or ÷ fair max, of the largest type",
        "usage": "usage: used ÷ guaranteed to the leaf, of the largest type",
        "submitted_ns": "time of submission",
        "priority": "priority",
    }.get(field) or words.field_name(field)
    return f"{what}; after (priority)" if by_priority and field != "priority" else what

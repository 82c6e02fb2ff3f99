"""G-7 Preemption: what every queue uses against its guarantee, and which of its allocations are stopped for an ask.

Every block is one allocation. The upright line is the guarantee: blocks left of it are covered by it, those right of it are
above. A row that ends left of the line may ask for the rest; one that goes beyond it may have to give. ✕ is stopped, the
outermost first; a letter says what spared a block; the open frame is the ask. A dashed frame is the fence inside which the
search stays. Without a preemption the picture shows who could ask and who could give. Three stages tell one attempt: who
could be stopped, who is, and what is left of it when they have ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from workbench.explain.wording import name, shorten
from workbench.plots import frame, label_column, text
from workbench.plots import theme as themes
from workbench.plots.pictures.preemption_rows import (
    ASK,
    CANDIDATE,
    GONE,
    MOST_LINES,
    PLAIN,
    SPARED,
    STAGES,
    TAKEN,
    Block,
    PreemptionRows,
    rows,
)
from workbench.plots.quantity_axis import ticks
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme
from workbench.values.quantities import format_quantity

CHOSEN_VICTIM = "✕"
CANDIDATE_VICTIM = "?"
CHOSEN_KEY = "✕ chosen"
CANDIDATE_KEY = "? could be stopped"
GONE_KEY = "pale: stopped"
ASK_KEY = "open frame: the request"
FRAME_KEY = "dashed: fence"

__all__ = ["MOST_LINES", "STAGES", "Block", "PreemptionRows", "figure", "rows", "update"]

WIDTH, HEIGHT = 560, 360
TOP, TOP_UNTITLED, BOTTOM, SIDE = 48, 12, 75, 14
NOTES, MOST_LABELS, SPACE_AFTER = 140, 0.3, 10
THICK = 0.74
LETTER_ROOM = 10.0
"""Pixels of a block, either way, that a letter needs."""
SIGNS_OF = {TAKEN: CHOSEN_VICTIM, CANDIDATE: CANDIDATE_VICTIM}
SPOTS, NAMES, GUARANTEE, PARENTS, BLOCKS, STOPPED, WISH, SIGNS, SAID = range(9)
"""Traces of the figure, always these in this order."""


def figure(
    data: PreemptionRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> go.Figure:
    """The picture. A click on a block finds its queue's path in `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(data=traces(data, theme, width, height, titled), layout=layout(data, theme, width, height, titled))


def update(
    picture: go.Figure, data: PreemptionRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, width, height, titled), layout(data, theme, width, height, titled))


def traces(data: PreemptionRows, theme: Theme, width: int, height: int, titled: bool) -> list[dict[str, Any]]:
    """The properties of each trace, in the order of the numbers above."""
    staying = [block for block in data.blocks if block.what in (PLAIN, SPARED, CANDIDATE)]
    stopped = [block for block in data.blocks if block.what in (TAKEN, GONE)]
    wish = [block for block in data.blocks if block.what == ASK]
    muted = {line for line, label in enumerate(data.labels) if label.is_muted}
    count = len(data.labels)
    return [
        *label_column.traces(data.labels, theme, _column(data, width)),
        {
            "type": "scatter",
            "mode": "lines",
            "x": [0, 0],
            "y": [-0.5, max(count, 6) - 0.5],
            "hoverinfo": "skip",
            "showlegend": False,
            "line": {"color": theme.text, "width": 2},
        },
        _parents(data, theme),
        _bars(
            staying,
            {
                "color": [theme.others if block.line in muted else _hue(block, theme) for block in staying],
                "line": {"color": theme.text, "width": 1},
            },
        ),
        _bars(
            stopped,
            {
                "color": [theme.free if block.what == GONE else theme.chosen for block in stopped],
                "line": {"color": [theme.muted if block.what == GONE else theme.text for block in stopped], "width": 1},
            },
        ),
        _bars(wish, {"color": theme.free, "line": {"color": theme.chosen, "width": 3}}),
        _signs(data, theme, width, height, titled),
        {
            "type": "scatter",
            "mode": "text",
            "x": [_range(data)[1]] * count,
            "y": list(range(count)),
            "hoverinfo": "skip",
            "showlegend": False,
            "cliponaxis": False,
            "textposition": "middle right",
            "text": [text.plain(shorten(note, int(NOTES / text.SMALL_CHARACTER))) for note in data.notes],
            "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
        },
    ]


def layout(data: PreemptionRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, an axis of amounts around the guarantee, the frame of the fence, and what the signs mean."""
    inner, column = width - 2 * SIDE, _column(data, width)
    small = {"size": themes.SMALL_SIZE}
    places, texts = _ticks(data)
    seen = {block.what for block in data.blocks}
    signs = (
        (ASK, ASK_KEY),
        (TAKEN, CHOSEN_KEY),
        (CANDIDATE, CANDIDATE_KEY),
        (GONE, GONE_KEY),
    )
    key = [shown for what, shown in signs if what in seen]
    if data.fence is not None:
        key.append(FRAME_KEY)
    return frame.layout(data.sentence, theme, width, height, titled) | {
        "barmode": "overlay",
        "showlegend": False,
        "margin": {"l": SIDE, "r": SIDE, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "xaxis": {
            "domain": [column / inner, 1 - NOTES / inner],
            "range": list(_range(data)),
            "fixedrange": True,
            "tickvals": places,
            "ticktext": texts,
            "tickfont": small,
            "ticks": "outside",
            "showgrid": True,
        },
        "xaxis2": label_column.axis(column, inner),
        "yaxis": label_column.lines_axis(len(data.labels)),
        "shapes": [_frame(data.fence, theme)] if data.fence is not None else [],
        "annotations": [
            _note(text.key_line((balance_axis(data.type),), inner), -20, theme),
            *(
                _note(text.key_line(line, inner), -37 - 17 * number, theme)
                for number, line in enumerate(line for line in (key, data.letters) if line)
            ),
        ],
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


def _frame(fence: tuple[int, int], theme: Theme) -> dict[str, Any]:
    return {
        "type": "rect",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "yref": "y",
        "y0": fence[0] - 0.48,
        "y1": fence[1] + 0.48,
        "line": {"color": theme.text, "width": 1.5, "dash": "6px,4px"},
        "fillcolor": "rgba(0,0,0,0)",
    }


def _range(data: PreemptionRows) -> tuple[float, float]:
    margin = 0.03 * (data.high - data.low)
    return data.low - margin, data.high + margin


def _ticks(data: PreemptionRows) -> tuple[list[int], list[str]]:
    """Round amounts to both sides of 0."""
    reach = max(data.high, -data.low)
    step = next(iter(ticks(reach, data.type, 5)[0][1:]), 1)
    places = list(range(-(-data.low // step) * step, data.high + 1, step))
    return places, [format_quantity(place, data.type) for place in places]


def _column(data: PreemptionRows, width: int) -> float:
    return label_column.wanted(data.labels, MOST_LABELS * width) + SPACE_AFTER


def _hue(block: Block, theme: Theme) -> str:
    return theme.muted if block.hue is None else theme.hues[block.hue]


def _bars(blocks: Sequence[Block], marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "x": [block.amount for block in blocks],
        "base": [block.start for block in blocks],
        "y": [block.line for block in blocks],
        "width": THICK,
        "marker": marker,
        "hoverinfo": "text",
        "showlegend": False,
        "hovertext": [text.hover(block.hover) for block in blocks],
        "customdata": [block.path for block in blocks],
    }


def _parents(data: PreemptionRows, theme: Theme) -> dict[str, Any]:
    """A bracket from the start of a parent's guarantee to the end of its use."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for line, start, end in data.parents:
        xs += [start, start, end, end, None]
        ys += [line + 0.3, line + 0.05, line + 0.05, line + 0.3, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "hoverinfo": "skip",
        "showlegend": False,
        "line": {"color": theme.muted, "width": 2},
    }


def _signs(data: PreemptionRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """✕ on what is stopped and letters on what was spared, where a block is large enough."""
    low, high = _range(data)
    unit = (width - 2 * SIDE - _column(data, width) - NOTES) / (high - low)
    pitch = (height - BOTTOM - (TOP if titled else TOP_UNTITLED)) / max(len(data.labels), 6)
    shown = [
        block
        for block in data.blocks
        if block.what in (TAKEN, CANDIDATE, SPARED)
        and THICK * pitch >= LETTER_ROOM
        and (block.what == TAKEN or block.amount * unit >= LETTER_ROOM)
    ]
    return {
        "type": "scatter",
        "mode": "text",
        "x": [block.start + block.amount / 2 for block in shown],
        "y": [block.line for block in shown],
        "hoverinfo": "skip",
        "showlegend": False,
        "textposition": "middle center",
        "text": [text.bold(SIGNS_OF.get(block.what, block.letter)) for block in shown],
        "textfont": {"size": themes.SMALL_SIZE, "color": [_ink(block, data, theme) for block in shown]},
    }


def _ink(block: Block, data: PreemptionRows, theme: Theme) -> str:
    if block.what == TAKEN:
        return themes.ON_FILL[theme.chosen]
    return theme.text if block.hue is None or data.labels[block.line].is_muted else themes.ON_FILL[theme.hues[block.hue]]


# ---- in words ---------------------------------------------------------------------------------------------------------


def balance_axis(kind: str) -> str:
    return f"{name(kind)} used: left of 0 is guaranteed, right of 0 is above the guarantee"

"""A number over one setting: a line for every combination of the others, with bars from the least to the most of the seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.explain.tables import Table
from workbench.explain.wording import name
from workbench.measures import measure_named
from workbench.sweeps.goals import title
from workbench.sweeps.pictures.picture import (
    DASHES,
    SYMBOLS,
    Picture,
    axis,
    in_short,
    is_number,
    legend,
    number_shown,
    scale_of,
    setting_shown,
    values_of,
    words_of,
)
from workbench.sweeps.settings import label

if TYPE_CHECKING:
    from workbench.sweeps.result import Sweep, Variant

MOST_TICKS = 8
MOST_LINES = 12
"""More lines cannot be told apart; the others are in the table."""


def lines(sweep: Sweep, *, setting: str | None = None, measure: str | None = None, of: str | None = None) -> Picture:
    """How a number changes with a setting.

    Args:
        setting: along the axis; None for the first that has several values.
        measure, of: the number; None for that of the first goal.

    Raises:
        CommandError: the sweep does not vary that, or has no such number.
    """
    from workbench.plots import theme as themes
    from workbench.plots.text import plain

    along, number = setting_shown(sweep, setting), number_shown(sweep, measure, of)
    known, values = measure_named(number[0]), values_of(sweep, along)
    others = [each for each in sweep.addresses if each != along]
    by_line: dict[str, list[Variant]] = {}
    for variant in (each for each in sweep.variants if each.done):
        by_line.setdefault(words_of(variant.point, others), []).append(variant)
    scale = scale_of(known, [variant.number_of(*number) for variant in sweep.variants])
    on_numbers = all(is_number(value) for value in values)
    traces: list[dict[str, Any]] = []
    for place, (words, variants) in enumerate(list(by_line.items())[:MOST_LINES]):
        ordered = sorted(variants, key=lambda each: values.index(each.point.get(along)))
        spreads = [each.spreads.get(number) for each in ordered]
        colour = themes.HUES[place % len(themes.HUES)]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": plain(name(words or "all else as it is", 80)),
                "x": [each.point.get(along) if on_numbers else label(each.point.get(along)) for each in ordered],
                "y": [scale.of(each.mean) if each is not None else None for each in spreads],
                "error_y": {
                    "type": "data",
                    "array": [(each.high - each.mean) / scale.by if each is not None else 0 for each in spreads],
                    "arrayminus": [(each.mean - each.low) / scale.by if each is not None else 0 for each in spreads],
                    "visible": any(each is not None and each.high > each.low for each in spreads),
                    "thickness": 1,
                },
                "line": {"color": colour, "dash": DASHES[(place // len(themes.HUES) + place) % len(DASHES)], "width": 2},
                "marker": {"symbol": SYMBOLS[place % len(SYMBOLS)], "size": 8, "line": {"width": 1}},
                "text": [plain(sweep.shown(each, number)) for each in ordered],
                "hovertemplate": "%{x}: %{text}<extra>%{fullData.name}</extra>",
            }
        )
    layout = {
        "xaxis": {"title": {"text": plain(along)}, **(_ticks(values) if on_numbers else {"type": "category"})},
        "yaxis": axis(known, number[1], scale),
        **legend(len(traces)),
    }
    return Picture(_sentence(sweep, along, number), _table(sweep, along, others, number), traces, layout)


def _ticks(values: list[Any]) -> dict[str, Any]:
    """Where an axis of few numbers has its ticks: at them, as nothing was tried between."""
    return {"tickvals": values} if len(values) <= MOST_TICKS else {}


def _sentence(sweep: Sweep, along: str, number: tuple[str, str]) -> str:
    """Where the number is least and where most."""
    there = [each for each in sweep.variants if each.number_of(*number) is not None]
    low = min(there, key=lambda each: each.number_of(*number) or 0.0)
    high = max(there, key=lambda each: each.number_of(*number) or 0.0)
    known = measure_named(number[0])
    if low.number_of(*number) == high.number_of(*number):
        return f"{title(*number)} is {known.show_short(low.number_of(*number))} whatever {along} is"
    return (
        f"{title(*number)} goes from {known.show_short(low.number_of(*number))} with {in_short(sweep, low)} "
        f"to {known.show_short(high.number_of(*number))} with {in_short(sweep, high)}"
    )


def _table(sweep: Sweep, along: str, others: list[str], number: tuple[str, str]) -> Table:
    rows = [
        (*(label(each.point.get(address)) for address in (*others, along)), sweep.shown(each, number) or each.error)
        for each in sweep.variants
    ]
    return Table(title(*number), (*others, along, title(*number)), tuple(rows), empty="There are no combinations.")

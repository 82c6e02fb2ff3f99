"""All combinations at once: a line for each, across an axis for every setting and every number that matters.

Drawn as plain lines, since plotly's own kind for this needs a graphics card, and reads its colours from it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.measures import measure_named
from workbench.sweeps.choices import key_of
from workbench.sweeps.goals import title
from workbench.sweeps.pictures.heat import COLOURS
from workbench.sweeps.pictures.picture import Picture, broken, is_number, number_shown, short_names, values_of
from workbench.sweeps.settings import label
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    from workbench.sweeps.result import Sweep, Variant

MOST_AXES = 8
MOST_LINES = 300
LONGEST_HEAD = 20
PALEST = 0.75
MARGIN = {"l": 70, "r": 110, "t": 70, "b": 80}


@dataclass(frozen=True, slots=True)
class _Axis:
    """An axis: its head, where each combination crosses it (0 to 1), and what is written beside it (place, text)."""

    head: str
    places: Sequence[float]
    ticks: Sequence[tuple[float, str]]


def parallel(sweep: Sweep, *, measure: str | None = None, of: str | None = None) -> Picture:
    """Every combination as a line through its settings and what came of them, coloured by one number.

    Args:
        measure, of: the number that colours; None for that of the first goal.

    Raises:
        CommandError: the sweep has no such number.
    """
    from plotly.colors import sample_colorscale

    from workbench.plots.text import plain

    colouring = number_shown(sweep, measure, of)
    numbers = [*dict.fromkeys([*sweep.columns(), colouring])][: MOST_AXES // 2]
    if colouring not in numbers:
        numbers[-1] = colouring
    whole = [each for each in sweep.variants if all(each.number_of(*key) is not None for key in numbers)]
    if not whole:
        raise CommandError("no combination has all of these numbers")
    drawn = whole[:MOST_LINES]
    axes = [_setting_axis(sweep, address, drawn) for address in sweep.addresses[: MOST_AXES - len(numbers)]]
    axes += [_number_axis(key, drawn) for key in numbers]
    shades = axes[len(axes) - len(numbers) + numbers.index(colouring)].places
    lower = measure_named(colouring[0]).direction == "lower"
    # The better, the darker, and on top of the others; the palest colours are left out, as paper is pale.
    goodness = [1 - shade if lower else shade for shade in shades]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": list(range(len(axes))),
            "y": [axis.places[place] for axis in axes],
            "line": {"color": sample_colorscale(COLOURS, [PALEST * (1 - goodness[place])])[0], "width": 2},
            "marker": {"size": 5},
            "showlegend": False,
            "text": plain(str(drawn[place])),
            "hovertemplate": "%{text}<extra></extra>",
        }
        for place in sorted(range(len(drawn)), key=lambda place: goodness[place])
    ]
    notes = [{**_note(x, -0.02, broken(axis.head, LONGEST_HEAD), 0), "yref": "paper"} for x, axis in enumerate(axes)]
    notes += [_note(x, y, plain(text), 0, beside=True) for x, axis in enumerate(axes) for y, text in axis.ticks]
    layout = {
        "margin": MARGIN,
        "xaxis": {"range": [-0.2, len(axes) - 0.4], "tickvals": list(range(len(axes))), "showticklabels": False, "showgrid": True},
        "yaxis": {"range": [-0.05, 1.08], "visible": False},
        "annotations": notes,
    }
    sentence = f"{len(drawn)} combinations, each a line; the better the {title(*colouring)}, the darker"
    if len(drawn) < len(sweep.variants):
        sentence += f"; {len(sweep.variants) - len(drawn)} others are not drawn"
    return Picture(sentence, sweep.table(*numbers), traces, layout)


def _setting_axis(sweep: Sweep, address: str, drawn: Sequence[Variant]) -> _Axis:
    from workbench.explain.wording import shorten

    head, values = short_names(sweep)[address], values_of(sweep, address)
    if all(is_number(value) for value in values):
        return _numbers(head, [each.point[address] for each in drawn])
    keys = [key_of({"": value}) for value in values]
    last = max(1, len(keys) - 1)
    places = [keys.index(key_of({"": each.point.get(address)})) / last for each in drawn]
    return _Axis(head, places, [(place / last, shorten(label(value), LONGEST_HEAD)) for place, value in enumerate(values)])


def _number_axis(key: tuple[str, str], drawn: Sequence[Variant]) -> _Axis:
    values = [each.number_of(*key) or 0.0 for each in drawn]
    return _numbers(title(*key), values, measure_named(key[0]).show_short)


def _numbers(head: str, values: Sequence[float], written: Callable[[float], str] = "{:.4g}".format) -> _Axis:
    low, high = min(values), max(values)
    span = high - low
    places = [(value - low) / span if span else 0.5 for value in values]
    ticks = [(0.0, written(low)), (1.0, written(high))] if span else [(0.5, written(low))]
    return _Axis(head, places, ticks)


def _note(x: float, y: float, text: str, angle: int, *, beside: bool = False) -> dict[str, Any]:
    return {
        "x": x,
        "y": y,
        "text": text,
        "textangle": angle,
        "showarrow": False,
        "xanchor": "left" if beside else "center",
        "yanchor": "middle" if beside else "top",
        "xshift": 6 if beside else 0,
        # Lines go through them.
        **({"bgcolor": "rgba(255,255,255,0.8)", "font": {"color": "#1A1A1A"}, "borderpad": 1} if beside else {}),
    }

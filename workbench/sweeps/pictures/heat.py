"""A number over two settings: a field for each pair of values, with the number written into it.

Colours are those of Cividis, which look alike to people with and without colour blindness; the number says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.tables import Table
from workbench.measures import measure_named
from workbench.sweeps.choices import key_of
from workbench.sweeps.goals import title
from workbench.sweeps.pictures.picture import Picture, number_shown, scale_of, setting_shown, values_of
from workbench.sweeps.settings import label

if TYPE_CHECKING:
    from workbench.sweeps.result import Sweep, Variant

COLOURS = "Cividis"


def heat(
    sweep: Sweep, *, across: str | None = None, up: str | None = None, measure: str | None = None, of: str | None = None
) -> Picture:
    """How a number changes with two settings together; with the others as in the best combination where there are goals, or in the
    first one.

    Args:
        across, up: the two settings; None for the first ones that have several values.
        measure, of: the number; None for that of the first goal.

    Raises:
        CommandError: the sweep does not vary that, or has no such number.
    """
    from workbench.plots.text import plain

    across = setting_shown(sweep, across, but=[up] if up else [])
    up = setting_shown(sweep, up, but=[across])
    number = number_shown(sweep, measure, of)
    known = measure_named(number[0])
    rest = [each for each in sweep.addresses if each not in (across, up)]
    done = [each for each in sweep.variants if each.done]
    fixed = (sweep.best() if sweep.goals else done[0]).point if done else {}
    there: dict[tuple[str, str], Variant] = {}
    for variant in sweep.variants:
        if all(variant.point.get(address) == fixed.get(address) for address in rest):
            there[key_of({"": variant.point.get(across)}), key_of({"": variant.point.get(up)})] = variant
    columns, rows = values_of(sweep, across), values_of(sweep, up)
    grid = [[there.get((key_of({"": right}), key_of({"": high}))) for right in columns] for high in rows]
    scale = scale_of(known, [each.number_of(*number) for line in grid for each in line if each is not None])
    numbers = [[None if each is None else scale.of(each.number_of(*number)) for each in line] for line in grid]
    texts = [["" if each is None else _short(each, number) for each in line] for line in grid]
    trace = {
        "type": "heatmap",
        "x": [label(value) for value in columns],
        "y": [label(value) for value in rows],
        "z": numbers,
        "text": [[plain(each) for each in line] for line in texts],
        "texttemplate": "%{text}",
        "colorscale": COLOURS,
        "reversescale": known.direction == "lower",
        "colorbar": {"title": {"text": plain(scale.unit)}, "thickness": 14},
        "xgap": 2,
        "ygap": 2,
        "hovertemplate": f"{plain(across)} %{{x}}<br>{plain(up)} %{{y}}<br>%{{text}}<extra></extra>",
    }
    layout = {
        "xaxis": {"title": {"text": plain(across)}, "type": "category", "showgrid": False},
        "yaxis": {"title": {"text": plain(up)}, "type": "category", "showgrid": False, "automargin": True},
    }
    table = Table(
        title(*number),
        (f"{up} \\ {across}", *(label(value) for value in columns)),
        tuple((label(value), *line) for value, line in zip(rows, texts)),
        empty="There are no combinations.",
    )
    held = f", with {', '.join(f'{address} {label(fixed[address])}' for address in rest if address in fixed)}" if rest else ""
    return Picture(f"{title(*number)} by {across} and {up}{held}", table, [trace], layout)


def _short(variant: Variant, number: tuple[str, str]) -> str:
    known = measure_named(number[0])
    return known.show_short(variant.number_of(*number)) if variant.done else "failed" if variant.error else ""

"""G-8 Time: what queues used over simulated time, one small plot per resource type, the queues below one parent on each other.

A solid line is the parent's guarantee, a dotted one its maximum, for root the size of the cluster. A diamond on top stands
where the configuration changed, ✕ where allocations were stopped to make room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from workbench.explain import words
from workbench.explain.use_over_time import Sample, Series, children_of, limit, types_of, used
from workbench.explain.wording import clock, counted, name, seconds, shorten
from workbench.plots import frame, plot_words, text
from workbench.plots import theme as themes
from workbench.plots.pictures.nodes import PATTERNS
from workbench.plots.quantity_axis import ticks
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme
from workbench.scheduler.records.state import Partition
from workbench.values.quantities import format_quantity

TIME_KEY = ("◆ configuration changed", "✕ stopped to make room", "solid line: guaranteed", "dotted line: max")
ALL_TOGETHER = "all together"
CONFIG_CHANGED = "the configuration was changed"

MOST_TYPES, MOST_BANDS, MOST_INSTANTS = 4, 8, 80
WIDTH, HEIGHT = 560, 360


@dataclass(frozen=True, slots=True)
class Band:
    """One queue, or several together if `path` is "": amounts at every instant of the panel."""

    path: str
    label: str
    hue: int | None
    pattern: int
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One type. `times_ns` are the instants; limits are None where there is none. `largest` is the end of the axis."""

    type: str
    times_ns: tuple[int, ...]
    bands: tuple[Band, ...]
    guaranteed: tuple[int | None, ...]
    maximum: tuple[int | None, ...]
    largest: int


@dataclass(frozen=True, slots=True)
class TimeRows:
    """The data of the picture. `stopped` are (instant, number of allocations)."""

    sentence: str
    panels: tuple[Panel, ...]
    changed_ns: tuple[int, ...]
    stopped: tuple[tuple[int, int], ...]
    first_ns: int
    last_ns: int


def rows(found: Series, partition: Partition, *, path: str = "root", resources: Sequence[str] | None = None) -> TimeRows:
    """What the picture shows of a series.

    Args:
        partition: the present state, for the hues of the queues.
        path: the parent whose children lie on each other; a leaf is shown itself.
        resources: the types; None for the first ones that the queue uses.
    """
    kinds = list(resources or types_of(found, path))[:MOST_TYPES]
    slots = themes.hue_slots(partition.root)
    panels = tuple(_panel(found, path, kind, slots) for kind in kinds)
    stopped: dict[int, int] = {}
    for each in found.stopped:
        stopped[each.when_ns] = stopped.get(each.when_ns, 0) + 1
    first = found.samples[0].start_ns if found.samples else 0
    last = found.samples[-1].end_ns if found.samples else 0
    return TimeRows(
        _sentence(found, path, kinds), panels, found.changed_ns, tuple(sorted(stopped.items())), first, max(last, first + 1_000_000)
    )


def _panel(found: Series, path: str, kind: str, slots: dict[str, int]) -> Panel:
    instants = _instants(found.samples)
    bands: list[Band] = []
    for child in children_of(found, path):
        amounts = tuple(used(each, child, kind) for _, each, _ in instants)
        slot = themes.slot_of(child, slots)
        # A hue has its own pattern; of several queues in one hue each has another.
        alike = sum(band.hue == slot for band in bands)
        if any(amounts):
            bands.append(Band(child, child.rpartition(".")[2], slot, ((slot or 0) + alike) % len(PATTERNS), amounts))
    bands = _joined(bands)
    guaranteed, maximum = (
        tuple(limit(in_force, path, kind, what) for _, _, in_force in instants) for what in ("guaranteed", "maximum")
    )
    top = max((sum(amounts) for amounts in zip(*(band.amounts for band in bands))), default=0)
    # A maximum far above all use would press the use to the ground.
    limits = [value for value in (*guaranteed, *maximum) if value is not None and value <= 4 * top]
    largest = max([top, *limits]) or max([1, *(value for value in maximum if value)])
    return Panel(kind, tuple(when for when, _, _ in instants), tuple(bands), guaranteed, maximum, largest)


def _instants(samples: Sequence[Sample]) -> list[tuple[int, Sample, Sample]]:
    """(time, sample of the use, sample of the limits) from left to right, each good until the next.

    Where the configuration changed between two samples of different steps, the old limits count until the later one was taken. Of
    very many samples so many are left as can be seen.
    """
    changed = {
        at
        for at in range(1, len(samples))
        if samples[at - 1].config != samples[at].config and samples[at - 1].step != samples[at].step
    }
    kept = list(range(len(samples)))
    if len(samples) > MOST_INSTANTS:
        spread = {at * (len(samples) - 1) // (MOST_INSTANTS - 1) for at in range(MOST_INSTANTS)}
        kept = sorted(spread | changed | {at - 1 for at in changed})
    instants = []
    for at in kept:
        each = samples[at]
        instants.append((each.start_ns, each, samples[at - 1] if at in changed else each))
        if at in changed or at == len(samples) - 1:
            instants.append((each.end_ns, each, each))
    return instants


def _joined(bands: list[Band]) -> list[Band]:
    """At most `MOST_BANDS`: those that used least are one band."""
    if len(bands) <= MOST_BANDS:
        return bands
    by_use = sorted(bands, key=lambda band: (-sum(band.amounts), band.path))
    kept = {band.path for band in by_use[: MOST_BANDS - 1]}
    rest = [band for band in bands if band.path not in kept]
    together = tuple(sum(amounts) for amounts in zip(*(band.amounts for band in rest)))
    return [*(band for band in bands if band.path in kept), Band("", plot_words.more_queues(len(rest)), None, 0, together)]


def _sentence(found: Series, path: str, kinds: Sequence[str]) -> str:
    if not kinds or not found.samples or len(found.samples) == 1 and not used(found.samples[0], path, kinds[0]):
        return words.NOTHING_HAPPENED
    last, kind = found.samples[-1], kinds[0]
    below = [child for child in children_of(found, path) if child != path]
    most = max(below, key=lambda child: used(last, child, kind), default="")
    part = used(last, most, kind) if most else 0
    maximum = limit(last, path, kind, "maximum")
    sentence = used_after(
        seconds(last.end_ns),
        kind,
        format_quantity(used(last, path, kind), kind),
        "" if maximum is None else format_quantity(maximum, kind),
        path.rpartition(".")[2],
        most.rpartition(".")[2] if part else "",
        format_quantity(part, kind) if part < used(last, path, kind) else "",
    )
    return and_stopped(sentence, len(found.stopped)) if found.stopped else sentence


# ---- drawing ------------------------------------------------------------------------------------------------------

TOP, TOP_UNTITLED, BOTTOM, SIDE = 64, 22, 78, 14
AMOUNTS, GAP_X, GAP_Y = 40, 14, 44
"""Pixels left of each panel for its ticks, between panels side by side, and between panels above each other."""
HEADROOM = 1.14
"""Times the largest amount up to which a panel goes, for the marks on top."""


def figure(data: TimeRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. `layout.meta` holds the plain title sentence. How many traces there are depends on the data.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(data=traces(data, theme), layout=layout(data, theme, width, height, titled))


def traces(data: TimeRows, theme: Theme) -> list[dict[str, Any]]:
    """For every panel a trace per queue from the bottom up, then the guarantee, the maximum, and the marks on top."""
    made = []
    named: set[str] = set()
    for number, panel in enumerate(data.panels):
        axes = {"xaxis": f"x{number + 1}", "yaxis": f"y{number + 1}"}
        for band in panel.bands:
            made.append({**_band(panel, band, theme, number), **axes, "showlegend": band.label not in named})
            named.add(band.label)
        made += [
            {**_limit(panel, panel.guaranteed, theme, "solid", 2.5), **axes},
            {**_limit(panel, panel.maximum, theme, "dot", 1.5), **axes},
            {**_marks(data, panel, theme), **axes},
        ]
    return made


def layout(data: TimeRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, the panels in a grid with their axes, the names of the queues and what the signs mean."""
    top = TOP if titled else TOP_UNTITLED
    inner, space = width - 2 * SIDE, height - BOTTOM - top
    columns = 1 if len(data.panels) < 2 else 2
    lines = max(1, -(-len(data.panels) // columns))
    panel_width = (inner - columns * AMOUNTS - (columns - 1) * GAP_X) / columns
    panel_height = (space - (lines - 1) * GAP_Y) / lines
    small = {"size": themes.SMALL_SIZE}
    hidden = {"visible": False, "fixedrange": True}
    axes: dict[str, Any] = {} if data.panels else {"xaxis": hidden, "yaxis": hidden}
    notes = []
    for number, panel in enumerate(data.panels):
        left = AMOUNTS + (number % columns) * (panel_width + AMOUNTS + GAP_X)
        upper = space - (number // columns) * (panel_height + GAP_Y)
        tick_values, tick_texts = ticks(panel.largest, panel.type, max(2, int(panel_height / 22)))
        when, shown = _time_ticks(data, max(3, int(panel_width / 40)))
        axes[f"xaxis{number + 1}"] = {
            "domain": [left / inner, (left + panel_width) / inner],
            "anchor": f"y{number + 1}",
            "fixedrange": True,
            "range": [data.first_ns, data.last_ns],
            "tickvals": when,
            "ticktext": shown,
            "tickfont": small,
            "ticks": "outside",
            "showgrid": False,
        }
        axes[f"yaxis{number + 1}"] = {
            "domain": [(upper - panel_height) / space, upper / space],
            "anchor": f"x{number + 1}",
            "fixedrange": True,
            "range": [0, HEADROOM * panel.largest],
            "tickvals": tick_values,
            "ticktext": tick_texts,
            "tickfont": small,
            "ticks": "outside",
        }
        notes.append(
            {
                "text": text.bold(shorten(name(panel.type, None), int(panel_width / text.CHARACTER))),
                "font": small,
                "showarrow": False,
                "x": left / inner,
                "xref": "paper",
                "xanchor": "left",
                "y": upper / space,
                "yref": "paper",
                "yanchor": "bottom",
            }
        )
    key = [
        part
        for part, seen in zip(TIME_KEY, (data.changed_ns, data.stopped, _seen(data, "guaranteed"), _seen(data, "maximum")))
        if seen
    ]
    if key:
        notes.append(
            {
                "text": text.key_line(key, inner),
                "font": {**small, "color": theme.muted},
                "showarrow": False,
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "y": 0,
                "yref": "paper",
                "yanchor": "top",
                "yshift": -60,
            }
        )
    return (
        frame.layout(data.sentence, theme, width, height, titled)
        | axes
        | {
            "margin": {"l": SIDE, "r": SIDE, "t": top, "b": BOTTOM},
            "annotations": notes,
            "legend": {
                "orientation": "h",
                "x": 0,
                "xanchor": "left",
                "y": -20 / space,
                "yanchor": "top",
                "font": small,
                "traceorder": "normal",
                "itemclick": False,
                "itemdoubleclick": False,
            },
        }
    )


def _seen(data: TimeRows, what: str) -> bool:
    return any(value is not None and value <= HEADROOM * panel.largest for panel in data.panels for value in getattr(panel, what))


def _time_ticks(data: TimeRows, most: int) -> tuple[list[int], list[str]]:
    """Round instants, in seconds."""
    length = data.last_ns - data.first_ns
    unit = 1_000_000
    while True:
        for step in (unit, 2 * unit, 5 * unit):
            if length / step <= most:
                places = list(range(-(-data.first_ns // step) * step, data.last_ns + 1, step))
                return places, [seconds(place) for place in places]
        unit *= 10


def _band(panel: Panel, band: Band, theme: Theme, number: int) -> dict[str, Any]:
    fill = theme.muted if band.hue is None else theme.hues[band.hue]
    ink = theme.text if band.hue is None else themes.ON_FILL[fill]
    shape = PATTERNS[band.pattern]
    total = [sum(amounts) for amounts in zip(*(each.amounts for each in panel.bands))]
    hover = [
        text.hover(
            (
                text.full_name(band.path) if band.path else band.label,
                at_time(clock(when)),
                text.amount(plot_words.USED, amount, panel.type),
                text.amount(ALL_TOGETHER, whole, panel.type),
            )
        )
        for when, amount, whole in zip(panel.times_ns, band.amounts, total)
    ]
    return {
        "type": "scatter",
        "mode": "lines",
        "stackgroup": f"panel{number}",
        "x": list(panel.times_ns),
        "y": list(band.amounts),
        "line": {"shape": "hv", "color": theme.text, "width": 1},
        "fillcolor": fill,
        "hoverinfo": "text",
        "hovertext": hover,
        "fillpattern": {"shape": shape, "fgcolor": ink, "bgcolor": fill, "fgopacity": 0.6, "size": 6, "solidity": 0.2},
        "name": text.label(band.label, 16 * text.CHARACTER),
        "customdata": [band.path] * len(panel.times_ns),
    }


def _limit(panel: Panel, values: Sequence[int | None], theme: Theme, dash: str, thick: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(panel.times_ns),
        "y": list(values),
        "hoverinfo": "skip",
        "showlegend": False,
        "line": {"shape": "hv", "color": theme.text, "width": thick, "dash": dash},
    }


def _marks(data: TimeRows, panel: Panel, theme: Theme) -> dict[str, Any]:
    """Diamonds and crosses on top of a panel."""
    found = [(when, "diamond", theme.free, (CONFIG_CHANGED, at_time(clock(when)))) for when in data.changed_ns]
    found += [
        (
            when,
            "x",
            theme.chosen,
            (plot_words.happened("stopped", words.allocations(number), ""), at_time(clock(when))),
        )
        for when, number in data.stopped
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [when for when, _, _, _ in found],
        "y": [(1 + HEADROOM) / 2 * panel.largest] * len(found),
        "hoverinfo": "text",
        "showlegend": False,
        "cliponaxis": False,
        "hovertext": [text.hover(lines) for _, _, _, lines in found],
        "marker": {
            "symbol": [shape for _, shape, _, _ in found],
            "color": [colour for _, _, colour, _ in found],
            "size": 9,
            "opacity": 1,
            "line": {"color": theme.text, "width": 1.2},
        },
    }


# ---- in words ---------------------------------------------------------------------------------------------------------


def at_time(when: str) -> str:
    return f"at {when}"


def used_after(when: str, kind: str, used: str, limit: str, where: str, most: str, part: str) -> str:
    of = f" of {limit}" if limit else ""
    by = f", most of it by {name(most)}: {part}" if part else f", all of it by {name(most)}"
    mostly = by if most else ""
    return f"After {when}, {name(where)} uses {name(kind)} {used}{of}{mostly}"


def and_stopped(sentence: str, stopped: int) -> str:
    return f"{sentence}; {counted(stopped, 'allocation')} {'was' if stopped == 1 else 'were'} stopped"

"""G-5 Nodes: what runs on every node, in the order that the node policy gives now, and where the next choice would go.

One bar per node, as long as its capacity of one resource type. Segments are allocations, in the hue and the pattern of
their top-level queue; hatched grey is occupied by others; a thick open frame is what the next choice would take; the
light rest is free. Behind the bar stands the score by which the nodes are ordered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from workbench.explain import words
from workbench.explain.levels import behind, compare, tried_before, values, winners_levels
from workbench.explain.tables import node_state
from workbench.explain.wording import in_order, name, shorten
from workbench.plots import frame, plot_words, text
from workbench.plots import theme as themes
from workbench.plots.pictures import nodes_texts
from workbench.plots.quantity_axis import EDGE, ticks
from workbench.plots.shown import Figure
from workbench.plots.theme import LIGHT, Theme
from workbench.scheduler.objects import holdings, nodes
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Allocation, Application, Node, Partition

NO_NODES_TITLE = "No node is registered"
SCORE = "score"
CAPACITY = "capacity"
AVAILABLE = "free"
OTHER_PODS = "other pods"
MEAN = "mean"

MOST_NODES = 60
WIDTH, HEIGHT = 560, 360


@dataclass(frozen=True, slots=True)
class NodeBar:
    """One node; `id` is "" for the bar that stands for all further nodes with their mean.

    Attributes:
        used: amount per hue of the theme, in base units.
        others: occupied by what this scheduler does not manage.
        wanted: what the next choice would take here.
        free: available now, without what the next choice would take; 0 if the node is overcommitted.
        hover: lines of text with the numbers.
    """

    id: str
    label: str
    used: tuple[int, ...]
    others: int
    wanted: int
    free: int
    score: str
    is_chosen: bool
    hover: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeRows:
    """The data of the picture, first node on top. `legend` names the top-level queues of every hue in use."""

    sentence: str
    type: str
    policy: str
    bars: tuple[NodeBar, ...]
    legend: tuple[str, ...]
    largest: int


def rows(partition: Partition, decision: Decision, *, resource: str | None = None, most_nodes: int = MOST_NODES) -> NodeRows:
    """What the picture shows of the state and of the decision that would come next there, as `sim.preview()` gives it.

    Args:
        resource: the type on the axis; None takes the first of `resource_types`.
        most_nodes: nodes drawn; those behind are one bar with their mean. The chosen node is always drawn.
    """
    kind = resource or next(iter(resource_types(partition)), "vcore")
    order = nodes.in_order(partition)
    shown, rest = _shown(order, decision, most_nodes)
    ask = _next_ask(partition, decision)
    slots, running, reserved = themes.hue_slots(partition.root), holdings.by_node(partition), holdings.reserved_by_node(partition)

    def bar(node: Node, wanted: Allocation | None) -> NodeBar:
        return _bar(partition, node, running.get(node.id, ()), reserved.get(node.id, ()), kind, slots, wanted, decision)

    bars = [bar(node, ask if node.id == decision.node_id else None) for node in shown]
    if rest:
        bars.append(_mean([bar(node, None) for node in rest], kind))
    largest = max((node.capacity.get(kind, 0) for node in order), default=0)
    return NodeRows(_sentence(partition, decision, order), kind, partition.node_policy, tuple(bars), _legend(slots, bars), largest)


def resource_types(partition: Partition) -> list[str]:
    """The types that nodes have, vcore and memory first: the choices for `resource`."""
    return in_order({kind for node in partition.nodes.values() for kind in node.capacity})


def _shown(order: list[Node], decision: Decision, most: int) -> tuple[list[Node], list[Node]]:
    """The nodes to draw, in order, and the others: the first ones, and the one that was chosen."""
    if len(order) <= most:
        return order, []
    shown = order[: most - 1]
    if decision.node_id and all(node.id != decision.node_id for node in shown):
        shown = [*shown[:-1], *(node for node in order if node.id == decision.node_id)]
    drawn = {node.id for node in shown}
    return shown, [node for node in order if node.id not in drawn]


def _next_ask(partition: Partition, decision: Decision) -> Allocation | None:
    """The ask that the decision would place; None if it is placed already, or only reserves."""
    application = partition.applications.get(decision.application_id)
    ask = application.asks.get(decision.key) if application is not None else None
    return ask if ask is not None and not ask.allocated and decision.outcome in ("allocated", "replaced") else None


def _bar(
    partition: Partition,
    node: Node,
    running: Sequence[tuple[Application, Allocation]],
    reserved: Sequence[tuple[str, str]],
    kind: str,
    slots: dict[str, int],
    ask: Allocation | None,
    decision: Decision,
) -> NodeBar:
    used = [0] * len(themes.HUES)
    by_queue: dict[str, int] = {}
    for application, allocation in running:
        path = application.queue_path
        amount = allocation.resource.get(kind, 0)
        used[themes.slot_of(path, slots) or 0] += amount
        by_queue[path] = by_queue.get(path, 0) + amount
    wanted = ask.resource.get(kind, 0) if ask is not None else 0
    others, available = node.occupied.get(kind, 0), node.available.get(kind, 0)
    score = values("score", node.score, node.score)[0]
    hover = [
        text.full_name(node.id),
        f"{SCORE} {score}, {name(partition.node_policy)}",
        text.amount(CAPACITY, node.capacity.get(kind, 0), kind),
        text.amount(AVAILABLE, available, kind),
        *(text.amount(name(path), amount, kind) for path, amount in sorted(by_queue.items()) if amount),
    ]
    if others:
        hover.append(text.amount(OTHER_PODS, others, kind))
    if wanted:
        hover.append(text.amount(f"{words.NEXT}: {words.request(decision.key, decision.application_id)}", wanted, kind))
    hover.extend(node_state(node, reserved))
    return NodeBar(
        node.id,
        node.id,
        tuple(used),
        others,
        wanted,
        max(0, available - wanted),
        score,
        bool(decision.node_id) and node.id == decision.node_id,
        tuple(hover),
    )


def _mean(bars: Sequence[NodeBar], kind: str) -> NodeBar:
    """One bar for many nodes: the mean of each segment."""
    number = len(bars)
    used = tuple(sum(amounts) // number for amounts in zip(*(bar.used for bar in bars)))
    others, free = (sum(getattr(bar, what) for bar in bars) // number for what in ("others", "free"))
    return NodeBar(
        "",
        plot_words.further(number),
        used,
        others,
        0,
        free,
        MEAN,
        False,
        (nodes_texts.more_nodes(number), nodes_texts.drawn_as_mean(number), text.amount(AVAILABLE, free, kind)),
    )


def _legend(slots: dict[str, int], bars: Sequence[NodeBar]) -> tuple[str, ...]:
    """The names of the top-level queues of every hue; "" for a hue that no bar shows."""
    return tuple(
        ", ".join(queue for queue, number in slots.items() if number == slot) if any(bar.used[slot] for bar in bars) else ""
        for slot in range(len(themes.HUES))
    )


def _sentence(partition: Partition, decision: Decision, order: Sequence[Node]) -> str:
    if not order:
        return NO_NODES_TITLE
    if not decision.node_id:
        return nodes_texts.next_node(name(order[0].id), partition.node_policy, values("score", order[0].score, order[0].score)[0])
    node, who = name(decision.node_id), name(decision.key)
    level = next((level for level in winners_levels(decision) if level.kind == "node"), None)
    if level is None:
        return nodes_texts.takes_node_otherwise(node, who, decision.outcome)
    passed = tried_before(level)
    if passed:
        return nodes_texts.takes_node_after(node, who, len(passed))
    rivals, winner = behind(level), level.winner
    comparison = compare(winner, rivals[0]) if rivals and winner is not None else None
    if comparison is None or winner is None or winner.key is None:
        return nodes_texts.takes_node_alone(node, who)
    if comparison.is_tie:
        score = values("score", winner.key.score, winner.key.score)[0]
        return nodes_texts.takes_node_tie(node, who, level.policy, score, name(rivals[0].name))
    return nodes_texts.takes_node(node, who, level.policy, comparison.mine, comparison.theirs)


# ---- drawing ------------------------------------------------------------------------------------------------------

TOP, TOP_UNTITLED, BOTTOM, SIDE = 60, 24, 78, 14
NAMES, SCORE_WIDTH = 80, 42
"""Pixels to the left of the bars for names, and to the right for scores."""
PATTERNS = ("", ".", "x", "-", "+", "|")
"""One pattern per hue, so that the segments can be told apart in grey."""
LABEL_PITCH, DENSE_PITCH = 11, 9
"""Pixels that a name takes from the next; bars closer than the second are drawn without outlines and patterns."""
GUTTER = 0.035
"""Part of the axis kept free before the bars, for the arrow."""
FEWEST = 6
"""Bars get no thicker than if there were this many."""
LEGEND_LENGTH, LEGEND_CHARACTER = 16, 6.3
"""Characters of a name in the legend, and pixels of each."""
SEGMENTS = len(themes.HUES)
OTHERS, WANTED, FREE, SCORES, ARROW = range(SEGMENTS, SEGMENTS + 5)
"""Traces of the figure: one per hue, then these, always in this order."""


def figure(data: NodeRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return Figure(data=traces(data, theme, _pitch(data, height, titled)), layout=layout(data, theme, width, height, titled))


def update(
    picture: go.Figure, data: NodeRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True
) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, _pitch(data, height, titled)), layout(data, theme, width, height, titled))


def traces(data: NodeRows, theme: Theme, pitch: float) -> list[dict[str, Any]]:
    """The properties of each trace, in the order of the numbers above. `pitch`: pixels from bar to bar."""
    dense = pitch < DENSE_PITCH
    outline = {"color": theme.text, "width": 0 if dense else 1}
    hover = [text.hover(bar.hover) for bar in data.bars]
    segments = []
    for slot, hue in enumerate(theme.hues):
        pattern = _pattern("" if dense else PATTERNS[slot], hue, themes.ON_FILL[hue])
        segments.append(
            _segment(
                data,
                [bar.used[slot] for bar in data.bars],
                data.legend[slot],
                hover,
                {"color": hue, "line": outline, "pattern": pattern},
            )
        )
    others = {"color": theme.others, "line": outline, "pattern": _pattern("" if dense else "/", theme.others, theme.text)}
    wanted = {"color": theme.chosen if dense else theme.free, "line": {"color": theme.chosen, "width": 0 if dense else 3}}
    return [
        *segments,
        _segment(data, [bar.others for bar in data.bars], OTHER_PODS, hover, others),
        # On top of its neighbours, so that the whole frame is seen.
        _segment(data, [bar.wanted for bar in data.bars], words.NEXT, hover, wanted) | {"zorder": 1},
        _segment(data, [bar.free for bar in data.bars], AVAILABLE, hover, {"color": theme.free, "line": outline}),
        _scores(data, theme, pitch),
        _arrow(data, theme),
    ]


def layout(data: NodeRows, theme: Theme, width: int, height: int, titled: bool) -> dict[str, Any]:
    """The layout: title, an axis of amounts in configuration units, node names, and the legend below."""
    space, inner = _space(height, titled), width - 2 * SIDE
    bars_end = 1 - SCORE_WIDTH / inner
    longest = max(1, data.largest)
    tick_values, tick_texts = ticks(data.largest, data.type)
    named = _named(data, _pitch(data, height, titled))
    legend_length = max(len(_legend_text(label)) for label in (*data.legend, OTHER_PODS))
    small = {"size": themes.SMALL_SIZE}
    return frame.layout(data.sentence, theme, width, height, titled) | {
        "barmode": "stack",
        "bargap": 0.25,
        "margin": {"l": SIDE, "r": SIDE, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": -38 / space,
            "yanchor": "top",
            "font": small,
            "traceorder": "normal",
            "itemclick": False,
            "itemdoubleclick": False,
            "entrywidthmode": "pixels",
            "entrywidth": LEGEND_CHARACTER * legend_length,
        },
        "xaxis": {
            "domain": [NAMES / inner, bars_end],
            "range": [-GUTTER * longest, EDGE * longest],
            "fixedrange": True,
            "tickvals": tick_values,
            "ticktext": tick_texts,
            "tickfont": small,
            "ticks": "outside",
            "showgrid": False,
            "title": {"text": text.plain(nodes_texts.capacity_axis(data.type)), "standoff": 2, "font": small},
        },
        "yaxis": {
            "range": [max(len(data.bars), FEWEST) - 0.4, -0.6],
            "fixedrange": True,
            "tickfont": small,
            "ticks": "",
            "showgrid": False,
            "tickvals": [number for number, _ in named],
            "ticktext": [text.label(label, NAMES) for _, label in named],
        },
        "annotations": [
            {
                "text": text.plain(SCORE),
                "font": {**small, "color": theme.muted},
                "showarrow": False,
                "x": bars_end,
                "xref": "paper",
                "xanchor": "left",
                "y": 1,
                "yref": "paper",
                "yanchor": "bottom",
            }
        ],
    }


def _space(height: int, titled: bool) -> int:
    return height - BOTTOM - (TOP if titled else TOP_UNTITLED)


def _pitch(data: NodeRows, height: int, titled: bool) -> float:
    """Pixels from bar to bar."""
    return _space(height, titled) / max(len(data.bars), FEWEST)


def _named(data: NodeRows, pitch: float) -> list[tuple[int, str]]:
    """The bars that get a name: all if there is room, else the chosen, the last if it stands for many, and some between."""
    every = math.ceil(LABEL_PITCH / pitch)
    first = [number for number, bar in enumerate(data.bars) if bar.is_chosen or not bar.id]
    named: list[int] = []
    for number in (*first, *range(0, len(data.bars), every)):
        if all(abs(number - other) >= every for other in named):
            named.append(number)
    return [(number, data.bars[number].label) for number in sorted(named)]


def _segment(data: NodeRows, amounts: list[int], label: str, hover: list[str], marker: dict[str, Any]) -> dict[str, Any]:
    """One part of every bar; it is in the legend if some bar has it. None draws nothing, 0 would draw its outline."""
    return {
        "type": "bar",
        "orientation": "h",
        "x": [amount or None for amount in amounts],
        "y": list(range(len(data.bars))),
        "marker": marker,
        "name": text.plain(_legend_text(label)),
        "showlegend": any(amounts),
        "hoverinfo": "text",
        "hovertext": hover,
    }


def _legend_text(label: str) -> str:
    return shorten(name(label, None), LEGEND_LENGTH) if label else ""


def _pattern(shape: str, fill: str, ink: str) -> dict[str, Any]:
    return {"shape": shape, "bgcolor": fill, "fgcolor": ink, "fgopacity": 0.6, "size": 6, "solidity": 0.2}


def _scores(data: NodeRows, theme: Theme, pitch: float) -> dict[str, Any]:
    """The score behind every bar that has a name."""
    ends = [(number, data.bars[number]) for number, _ in _named(data, pitch)]
    return {
        "type": "scatter",
        "mode": "text",
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
        "x": [_length(bar) for _, bar in ends],
        "y": [number for number, _ in ends],
        "textposition": "middle right",
        "text": [text.bold(bar.score) if bar.is_chosen else text.plain(bar.score) for _, bar in ends],
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.text},
    }


def _length(bar: NodeBar) -> int:
    return sum(bar.used) + bar.others + bar.wanted + bar.free


def _arrow(data: NodeRows, theme: Theme) -> dict[str, Any]:
    """The arrow head before the node of the next choice."""
    chosen = [number for number, bar in enumerate(data.bars) if bar.is_chosen]
    return {
        "type": "scatter",
        "mode": "markers",
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
        "x": [-GUTTER / 2 * max(1, data.largest)] * len(chosen),
        "y": chosen,
        "marker": {
            "symbol": "triangle-right",
            "size": 12,
            "color": theme.chosen,
            "opacity": 1,
            "line": {"color": theme.text, "width": 1.5},
        },
    }

"""G-1 Priority path: the queues as a tree, siblings in scheduling order, and the way that the next choice takes through them.

The next choice runs along the thick line to the arrow. A square is a fence, a circle is not; the fill is the hue of the
top-level queue; a dashed line is a queue that was tried or looked at in vain, with the short name of the reason behind it.
The number behind a name is the queue's current priority; on the line to it stands what its settings do to the priority of
what is below: an offset adds, a fence replaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from workbench.explain import catalogue, title
from workbench.explain.levels import NOTHING_BELOW, blockers, last_pass
from workbench.explain.wording import amounts, offset, priority
from workbench.plots import frame, text
from workbench.plots import theme as themes
from workbench.plots.layout import REST, Place, fold, places
from workbench.plots.theme import LIGHT, Theme
from workbench.resources import Resource
from workbench.scheduler import policies
from workbench.scheduler.decision import Decision, Level, Refusal
from workbench.scheduler.limits import queue_headroom
from workbench.scheduler.state import Partition, Queue
from workbench.scheduler.tree import walk

LINES = 14
"""Lines that are legible at the default size."""
WIDTH, HEIGHT = 560, 360
CHOSEN, SKIPPED, WAITING = "chosen", "skipped", "waiting"


@dataclass(frozen=True, slots=True)
class QueueMark:
    """One queue of the picture.

    Attributes:
        path: full path; of a mark that stands for several queues, the path of their parent.
        parent: index of the parent's mark, None for root.
        way: "chosen", "skipped" (tried or looked at in vain) or "waiting".
        label, value: name and current priority; `value` is empty for a mark that stands for several.
        edge: what the queue does to the priority of what is below, e.g. "+10"; "" for nothing.
        reason: short name of the reason why it was skipped, "" if none was given at this queue.
        hue: number of the top-level queue's hue; None for root.
        hover: lines of text with the numbers.
    """

    path: str
    parent: int | None
    place: Place
    way: str
    label: str
    value: str
    edge: str
    reason: str
    hue: int | None
    is_fence: bool
    has_children: bool
    hover: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskMark:
    """The ask that the decision serves, behind its leaf."""

    key: str
    note: str
    hover: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PathRows:
    """The data of the picture. `sentence` is its title in plain text; `lines` the number of lines it takes."""

    sentence: str
    marks: tuple[QueueMark, ...]
    ask: AskMark | None
    lines: int


def rows(partition: Partition, decision: Decision, *, most_lines: int = LINES) -> PathRows:
    """What the picture shows of a traced decision and the state it was made in, as `sim.preview()` and `sim.state` give them.

    Args:
        most_lines: more leaves than this are folded, keeping the way of the choice and its siblings.
    """
    tree = _Tree(partition, decision)
    folded = fold(partition.root.path, tree.children, decision.path, most_lines)
    found = places(partition.root.path, folded.below)
    # In the order of the paths, so that a queue keeps its place in the arrays while the order on the picture changes.
    order = sorted(found)
    index = {path: number for number, path in enumerate(order)}
    marks = tuple(_mark(tree, path, found[path], index, folded.hidden.get(path, 0), bool(folded.below(path)))
                  for path in order)
    sentence = title(decision)
    if not decision.changed_something and not any(partition.root.pending.values()):
        sentence = catalogue.NOTHING_WAITS_TITLE
    return PathRows(sentence, marks, _ask(partition, decision), max(mark.place.line for mark in marks) + 1)


class _Tree:
    """The queues with their children in scheduling order, and what the decision says about each."""

    def __init__(self, partition: Partition, decision: Decision):
        self.queues = {queue.path: queue for queue in walk(partition.root)}
        self.slots = themes.hue_slots(partition.root)
        self.chosen = set(decision.path) if decision.changed_something else set()
        self.decision = decision
        self.skipped: dict[str, Refusal] = {}
        """Queue -> why it was passed over."""
        self.tried: dict[str, tuple[str, Refusal]] = {}
        """Queue that was tried in vain -> who below it failed first, and why."""
        self.shares: dict[str, float] = {}
        self._order: dict[str, tuple[str, ...]] = {}
        visited = {level.subject: level for level in last_pass(decision) if level.kind == "queue"}
        self._sort(partition.root, None, visited)

    def children(self, path: str) -> Sequence[str]:
        return self._order.get(path, ())

    def is_skipped(self, path: str) -> bool:
        """Whether the queue, or one above it, was passed over."""
        return path in self.skipped or "." in path and self.is_skipped(path.rpartition(".")[0])

    def reason(self, path: str, is_end: bool) -> str:
        """The short name of the reason to write at a queue: where it was passed over, or where trying it ended."""
        refusal, above = self.skipped.get(path), path.rpartition(".")[0]
        # What is below a queue that nobody looked into has no reason of its own.
        if refusal is None or self.is_skipped(above) and above not in self.tried:
            return ""
        if path in self.tried:
            return catalogue.short_name(self.tried[path][1].code) if is_end else ""
        return catalogue.short_name(refusal.code)

    def _sort(self, parent: Queue, above: Resource | None, visited: dict[str, Level]) -> None:
        """Order the children as the decision found them; where it did not come, as it would find them."""
        if parent.is_leaf:
            return
        fair_maximum = policies.fair_maximum(above, parent)
        _, ranked, filtered = policies.order_queues(parent, fair_maximum)
        self.shares.update((child.path, getattr(key, "share", 0.0)) for key, child in ranked)
        names = [child.name for _, child in ranked]
        level = visited.get(parent.path)
        if level is not None:
            filtered = list(level.filtered)
            names = [candidate.name for candidate in level.candidates]
            self._note_refusals(parent.path, level)
        self.skipped.update((f"{parent.path}.{refusal.subject}", refusal) for refusal in filtered)
        names += [refusal.subject for refusal in filtered]
        self._order[parent.path] = tuple(f"{parent.path}.{name}" for name in names if name in parent.children)
        for child in parent.children.values():
            self._sort(child, fair_maximum, visited)

    def _note_refusals(self, above: str, level: Level) -> None:
        for candidate in level.candidates:
            if candidate.refusal is not None:
                path = f"{above}.{candidate.name}"
                self.skipped[path] = candidate.refusal
                first = next(blockers(self.decision, level, candidate), None)
                if candidate.refusal.code == NOTHING_BELOW and first is not None:
                    self.tried[path] = first


def _mark(tree: _Tree, path: str, place: Place, index: dict[str, int], hidden: int, has_children: bool) -> QueueMark:
    if path.endswith(REST):
        parent = path.removesuffix(REST)
        return QueueMark(parent, index[parent], place, WAITING, catalogue.more_queues(hidden), "", "", "",
                         themes.slot_of(path, tree.slots) if "." in parent else None, False, False,
                         (catalogue.more_queues(hidden), catalogue.not_drawn(parent)))
    queue = tree.queues[path]
    way = CHOSEN if path in tree.chosen else SKIPPED if tree.is_skipped(path) else WAITING
    shown = queue.name + (f" {catalogue.hidden_queues(hidden)}" if hidden else "")
    return QueueMark(path, index.get(path.rpartition(".")[0]), place, way, shown, priority(queue.priority), _edge(queue),
                     tree.reason(path, not has_children), themes.slot_of(path, tree.slots),
                     queue.settings.priority_policy == "fence", has_children, tuple(_hover(tree, queue, hidden)))


def _edge(queue: Queue) -> str:
    """What the queue's settings make of the priority of what is below; nothing for root, which competes with nobody."""
    settings = queue.settings
    if queue.parent is None:
        return ""
    if settings.priority_policy == "fence":
        return f"= {settings.priority_offset}"
    return offset(settings.priority_offset) if settings.priority_offset else ""


def _hover(tree: _Tree, queue: Queue, hidden: int) -> Iterator[str]:
    settings = queue.settings
    share, refusal, tried = tree.shares.get(queue.path), tree.skipped.get(queue.path), tree.tried.get(queue.path)
    yield text.full_name(queue.path)
    yield f"{catalogue.CURRENT_PRIORITY} {priority(queue.priority)}"
    yield f"priority.policy {settings.priority_policy}, priority.offset {settings.priority_offset}"
    if share is not None:
        yield f"{catalogue.SHARE} {share:.3g}"
    for what, amount in ((catalogue.PENDING, queue.pending), (catalogue.ALLOCATED, queue.allocated),
                         (catalogue.GUARANTEED, queue.guaranteed), (catalogue.MAXIMUM, queue.maximum),
                         (catalogue.HEADROOM, queue_headroom(queue))):
        if amount:
            yield f"{what} {amounts(amount)}"
    if refusal is not None:
        yield catalogue.reason(refusal)
    if tried is not None:
        yield f"{tried[0]}: {catalogue.reason(tried[1])}"
    if hidden:
        yield catalogue.hidden_queues(hidden)


def _ask(partition: Partition, decision: Decision) -> AskMark | None:
    if not decision.changed_something:
        return None
    note = catalogue.ask_note(decision.outcome, decision.node_id)
    lines = [text.full_name(decision.key), f"{catalogue.APPLICATION} {text.full_name(decision.application_id)}",
             f"{catalogue.NODE} {text.full_name(decision.node_id)}"]
    application = partition.applications.get(decision.application_id)
    ask = application.asks.get(decision.key) if application is not None else None
    if ask is not None:
        lines[2:2] = [f"{catalogue.PRIORITY} {ask.priority}", amounts(ask.resource)]
    return AskMark(decision.key, note, tuple(lines))


# ---- drawing ------------------------------------------------------------------------------------------------------
# One unit of either axis is one pixel at the given size, so that labels and lines can be fitted to each other.

TOP, TOP_UNTITLED, BOTTOM, SIDE = 46, 8, 24, 14
LOOSEST, LIFT, DROP, CORNER = 44.0, 15.0, 11.0, 6.0
"""Height of a line at most, and how far labels stand above and below it."""
HEAD, HEAD_STAGGERED, STAGGER = 0.5, 1.2, 14.0
"""Lines that a line with labels on top gets in addition; how much higher every second label stands when columns are narrow."""
NARROWEST, GAP = 40.0, 12.0
MARK_SIZE, ARROW_SIZE, REST_SIZE = 13, 15, 5
WAITING_EDGES, SKIPPED_EDGES, CHOSEN_EDGES, EDGE_LABELS, LABELS, QUEUES, ASK = range(7)
"""Traces of the figure: always these, in this order, so that a live figure is updated by assigning arrays."""


def figure(data: PathRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. A click on a queue finds its path in the mark's `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return go.Figure(data=[go.Scatter(**trace) for trace in traces(data, theme, width, height, titled)],
                     layout=layout(data, theme, width, height, titled))


def update(picture: go.Figure, data: PathRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT,
           titled: bool = True) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    frame.show(picture, traces(data, theme, width, height, titled), layout(data, theme, width, height, titled))


def traces(data: PathRows, theme: Theme, width: int, height: int, titled: bool) -> list[dict]:
    """The properties of each trace, in the order of the numbers above."""
    spots, ask = _spots(data, width, _space(height, titled))
    edges: dict[str, tuple[list, list]] = {way: ([], []) for way in (WAITING, SKIPPED, CHOSEN)}
    for mark, spot in zip(data.marks, spots):
        if mark.parent is not None:
            _elbow(edges[mark.way], spots[mark.parent], spot)
    if ask is not None:
        _elbow(edges[CHOSEN], spots[_leaf(data)], ask)
    return [
        _line(edges[WAITING], color=theme.muted, width=1),
        _line(edges[SKIPPED], color=theme.muted, width=1, dash="4px,3px"),
        _line(edges[CHOSEN], color=theme.text, width=4),
        _edge_labels(data, spots, theme), _labels(data, spots, theme), _queue_marks(data, spots, theme),
        _ask_mark(data, ask, theme),
    ]


def layout(data: PathRows, theme: Theme, width: int, height: int, titled: bool) -> dict:
    """The layout: title, key, and axes in pixels that do not jump between steps."""
    axis = {"visible": False, "fixedrange": True}
    return frame.layout(data.sentence, theme, width, height, titled) | {
        "showlegend": False, "margin": {"l": 0, "r": 0, "t": TOP if titled else TOP_UNTITLED, "b": BOTTOM},
        "xaxis": {**axis, "range": [0, width]}, "yaxis": {**axis, "range": [_space(height, titled), 0]},
        "annotations": [{"text": text.plain(catalogue.PATH_KEY), "font": {"size": themes.SMALL_SIZE, "color": theme.muted},
                         "x": SIDE / width, "xanchor": "left", "xref": "paper", "y": -6 / height, "yanchor": "top",
                         "yref": "paper", "showarrow": False}],
    }


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a mark is drawn, how far its labels stand above and below it, and how many pixels the one above may take."""

    x: float
    y: float
    room: float
    lift: float = 0.0
    drop: float = DROP


def _space(height: int, titled: bool) -> int:
    return height - BOTTOM - (TOP if titled else TOP_UNTITLED)


def _spots(data: PathRows, width: int, space: int) -> tuple[list[_Spot], _Spot | None]:
    """A spot for every mark, and for the ask if there is one."""
    columns, staggered = _columns(data, width)
    lines, pitch = _lines(data, space, HEAD_STAGGERED if staggered else HEAD)
    leaf = _leaf(data) if data.ask is not None else None
    spots = []
    for number, mark in enumerate(data.marks):
        depth, x, y = mark.place.depth, columns[mark.place.depth], lines[mark.place.line]
        lift = LIFT + STAGGER * (staggered and depth % 2) if _is_inner(mark) else 0.0
        next_label = depth + (2 if staggered else 1)
        # Nothing stands above the line behind the last queue of a way.
        free = not _is_inner(mark) or number == leaf or next_label >= len(columns)
        end = width - SIDE if free else columns[next_label]
        spots.append(_Spot(x, y, end - x - GAP, lift, min(DROP, 0.45 * pitch)))
    if leaf is None:
        return spots, None
    x = columns[data.marks[leaf].place.depth + 1]
    return spots, _Spot(x, spots[leaf].y, width - SIDE - x - GAP)


def _lines(data: PathRows, space: int, head: float) -> tuple[list[float], float]:
    """y of every line, and the distance of plain lines. A line with labels on top of it gets some more room above."""
    headed = {mark.place.line for mark in data.marks if _is_inner(mark)}
    steps = [1 + head * (line in headed) for line in range(1, data.lines)]
    first, last = LIFT + 10 + (STAGGER if head == HEAD_STAGGERED else 0), 20
    pitch = min(LOOSEST, (space - first - last) / sum(steps)) if steps else LOOSEST
    return [first + pitch * sum(steps[:line]) for line in range(data.lines)], pitch


def _leaf(data: PathRows) -> int:
    """Index of the leaf that the choice leads to: the last mark of the way."""
    return max((index for index, mark in enumerate(data.marks) if mark.way == CHOSEN),
               key=lambda index: data.marks[index].place.depth)


def _is_inner(mark: QueueMark) -> bool:
    """Whether something stands to the right of the mark on its own line, so that its label goes on top of the line."""
    return mark.has_children or mark.way == CHOSEN


def _columns(data: PathRows, width: int) -> tuple[list[float], bool]:
    """x of every depth, and whether the labels above the lines must be staggered to be read.

    Columns are as wide as their labels want, and shrink or grow alike to what the labels at the end leave. Widths depend on
    names only, not on what changes from step to step, so that the picture stays still.
    """
    wanted = [NARROWEST] * (max(mark.place.depth for mark in data.marks) + 1)
    value_length = max(VALUE_LENGTH, max(len(mark.value) for mark in data.marks) + 1)
    ends = [(len(wanted), ASK_PART * width)]
    for mark in data.marks:
        depth, need = mark.place.depth, text.CHARACTER * (_label_length(mark) + value_length) + 2 * GAP
        if mark.has_children:
            wanted[depth] = max(wanted[depth], need)
        else:
            ends.append((depth, min(need + text.CHARACTER * REASON_LENGTH, MOST_PART * width)))
        if mark.edge:
            wanted[depth - 1] = max(wanted[depth - 1], text.pixels(mark.edge) + 2 * GAP)
    scale = next((scale for scale in SCALES if all(scale * sum(wanted[:depth]) + need <= width - 2 * SIDE
                                                   for depth, need in ends)), SCALES[-1])
    columns = [float(SIDE)]
    for column in wanted:
        columns.append(columns[-1] + column * scale)
    return columns, scale < NARROW and len(wanted) > 2


VALUE_LENGTH, REASON_LENGTH = 6, 11
"""Characters kept free at least for a priority, and behind a leaf for a reason."""
ASK_PART, MOST_PART = 0.3, 0.42
"""Part of the width kept free for the ask, and the part that a label at the right end may claim at most."""
SCALES = tuple(percent / 100 for percent in range(160, 8, -2))
"""What columns may grow or shrink by, tried in this order."""
NARROW = 0.8
"""Labels are staggered when columns shrink below this part of what they want."""


def _label_length(mark: QueueMark) -> int:
    return len(mark.label) + 2 * mark.is_fence


def _elbow(edges: tuple[list, list], start: _Spot, end: _Spot) -> None:
    """A line from a mark down its own column and then right to another, with a round corner."""
    xs, ys = edges
    if start.y == end.y:
        corner: list[tuple[float, float]] = []
    else:
        x, y, r = start.x, end.y, CORNER
        corner = [(x, y - r), (x + 0.3 * r, y - 0.3 * r), (x + r, y)]
    for x, y in [(start.x, start.y), *corner, (end.x, end.y)]:
        xs.append(round(x, 1))
        ys.append(round(y, 1))
    xs.append(None)
    ys.append(None)


def _line(edges: tuple[list, list], **line) -> dict:
    return {"mode": "lines", "x": edges[0], "y": edges[1], "line": line, "hoverinfo": "skip"}


def _edge_labels(data: PathRows, spots: list[_Spot], theme: Theme) -> dict:
    """Small print below the lines: before a mark what the queue does to priorities, behind a parent why it was skipped."""
    notes = []
    for mark, spot in zip(data.marks, spots):
        if mark.edge:
            notes.append((spot.x - MARK_SIZE / 2, spot.y + spot.drop, mark.edge, "middle left"))
        if mark.reason and _is_inner(mark):
            notes.append((spot.x + MARK_SIZE / 2, spot.y + spot.drop, mark.reason, "middle right"))
    return {
        "mode": "text", "hoverinfo": "skip", "cliponaxis": False,
        "x": [round(x, 1) for x, _, _, _ in notes], "y": [round(y, 1) for _, y, _, _ in notes],
        "text": [text.plain(note) for _, _, note, _ in notes], "textposition": [position for _, _, _, position in notes],
        "textfont": {"size": themes.SMALL_SIZE, "color": theme.muted},
    }


def _labels(data: PathRows, spots: list[_Spot], theme: Theme) -> dict:
    return {
        "mode": "text", "hoverinfo": "skip", "textposition": "middle right",
        "x": [round(spot.x + MARK_SIZE / 2 + 3, 1) for spot in spots],
        "y": [round(spot.y - spot.lift, 1) for spot in spots],
        "text": [_label(mark, spot.room, theme) for mark, spot in zip(data.marks, spots)],
    }


def _queue_marks(data: PathRows, spots: list[_Spot], theme: Theme) -> dict:
    return {
        "mode": "markers", "hoverinfo": "text",
        "x": [round(spot.x, 1) for spot in spots], "y": [round(spot.y, 1) for spot in spots],
        "hovertext": [text.hover(mark.hover) for mark in data.marks],
        "customdata": [mark.path for mark in data.marks],
        "marker": {
            "symbol": ["square" if mark.is_fence else "circle" for mark in data.marks], "opacity": 1,
            "size": [MARK_SIZE if mark.value else REST_SIZE for mark in data.marks],
            "color": [theme.free if mark.hue is None else theme.hues[mark.hue] for mark in data.marks],
            "line": {"color": theme.text, "width": [3 if mark.way == CHOSEN else 1.5 for mark in data.marks]},
        },
    }


def _label(mark: QueueMark, room: float, theme: Theme) -> str:
    """Fence sign, name, current priority and, at the end of a line, the reason why it was skipped."""
    reason = "" if _is_inner(mark) else mark.reason
    besides = "".join(f" {part}" for part in (mark.value, reason, catalogue.FENCE * mark.is_fence) if part)
    shown = [catalogue.FENCE] if mark.is_fence else []
    shown.append(text.label(mark.label, room - text.pixels(besides)))
    if mark.value:
        shown.append(text.bold(mark.value))
    if reason:
        shown.append(text.plain(reason))
    markup = " ".join(shown)
    return text.coloured_markup(markup, theme.muted) if mark.way == SKIPPED else markup


def _ask_mark(data: PathRows, spot: _Spot | None, theme: Theme) -> dict:
    """The arrow head and the ask it points at; without a choice the trace is empty."""
    asks = [(data.ask, spot)] if data.ask is not None and spot is not None else []
    return {
        "mode": "markers+text", "hoverinfo": "text", "textposition": "middle right",
        "x": [round(spot.x, 1) for _, spot in asks], "y": [round(spot.y, 1) for _, spot in asks],
        "text": [_ask_label(ask, spot.room) for ask, spot in asks],
        "hovertext": [text.hover(ask.hover) for ask, _ in asks],
        "marker": {"symbol": "triangle-right", "size": ARROW_SIZE, "color": theme.chosen, "opacity": 1,
                   "line": {"color": theme.text, "width": 1.5}},
    }


def _ask_label(ask: AskMark, room: float) -> str:
    """The ask's key and what becomes of it; if both are long they share the room."""
    note = text.label(ask.note, max(room / 2, room - text.pixels(ask.key)))
    return f"<b>{text.label(ask.key, max(room / 2, room - text.pixels(ask.note)))}</b> {note}"

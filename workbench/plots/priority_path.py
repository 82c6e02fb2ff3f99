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
from workbench.explain.levels import last_pass
from workbench.explain.wording import amounts, offset, priority
from workbench.plots import text, theme as themes
from workbench.plots.layout import REST, Place, fold, places
from workbench.plots.theme import LIGHT, Theme
from workbench.resources import Resource
from workbench.scheduler import policies
from workbench.scheduler.decision import Decision, Level, Refusal
from workbench.scheduler.limits import queue_headroom
from workbench.scheduler.state import NO_PRIORITY, Partition, Queue
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
    index = {path: number for number, path in enumerate(found)}
    marks = tuple(_mark(tree, path, place, index, folded.hidden.get(path, 0), bool(folded.below(path)))
                  for path, place in found.items())
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
        self.skipped: dict[str, Refusal] = {}
        self.shares: dict[str, float] = {}
        self._order: dict[str, tuple[str, ...]] = {}
        visited = {level.subject: level for level in last_pass(decision) if level.kind == "queue"}
        self._sort(partition.root, None, visited)

    def children(self, path: str) -> Sequence[str]:
        return self._order.get(path, ())

    def is_skipped(self, path: str) -> bool:
        """Whether the queue, or one above it, was passed over."""
        return path in self.skipped or "." in path and self.is_skipped(path.rpartition(".")[0])

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
            refused = {candidate.name: candidate.refusal for candidate in level.candidates if candidate.refusal is not None}
            self.skipped.update((f"{parent.path}.{name}", refusal) for name, refusal in refused.items())
        self.skipped.update((f"{parent.path}.{refusal.subject}", refusal) for refusal in filtered)
        names += [refusal.subject for refusal in filtered]
        self._order[parent.path] = tuple(f"{parent.path}.{name}" for name in names if name in parent.children)
        for child in parent.children.values():
            self._sort(child, fair_maximum, visited)


def _mark(tree: _Tree, path: str, place: Place, index: dict[str, int], hidden: int, has_children: bool) -> QueueMark:
    if path.endswith(REST):
        parent = path.removesuffix(REST)
        return QueueMark(parent, index[parent], place, WAITING, catalogue.more_queues(hidden), "", "", "",
                         themes.slot_of(path, tree.slots) if "." in parent else None, False, False,
                         (catalogue.more_queues(hidden), catalogue.not_drawn(parent)))
    queue = tree.queues[path]
    refusal = tree.skipped.get(path)
    above = path.rpartition(".")[0]
    way = CHOSEN if path in tree.chosen else SKIPPED if tree.is_skipped(path) else WAITING
    shown = queue.name + (f" {catalogue.hidden_queues(hidden)}" if hidden else "")
    is_fence = queue.settings.priority_policy == "fence"
    # An empty subtree is told once, at its top.
    reason = catalogue.short_name(refusal.code) if refusal is not None and not tree.is_skipped(above) else ""
    return QueueMark(path, index.get(above), place, way, shown, priority(queue.priority), _edge(queue), reason,
                     themes.slot_of(path, tree.slots), is_fence, has_children,
                     tuple(_hover(queue, tree.shares.get(path), refusal, hidden)))


def _edge(queue: Queue) -> str:
    """What the queue's settings make of the priority of what is below; nothing for root, which competes with nobody."""
    settings = queue.settings
    if queue.parent is None:
        return ""
    if settings.priority_policy == "fence":
        return f"= {settings.priority_offset}"
    return offset(settings.priority_offset) if settings.priority_offset else ""


def _hover(queue: Queue, share: float | None, refusal: Refusal | None, hidden: int) -> Iterator[str]:
    settings = queue.settings
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

TOP, BOTTOM, SIDE = 50, 26, 16
LOOSEST, TIGHTEST, CORNER = 44.0, 20.0, 6.0
NARROWEST, GAP = 44.0, 12.0
WAITING_EDGES, SKIPPED_EDGES, CHOSEN_EDGES, EDGE_LABELS, QUEUES, ASK = range(6)
"""Traces of the figure: always these, in this order, so that a live figure is updated by assigning arrays."""


def figure(data: PathRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> go.Figure:
    """The picture. A click on a queue finds its path in the mark's `customdata`; `layout.meta` holds the plain title sentence.

    Args:
        titled: False leaves the title out, for callers that show `data.sentence` themselves.
    """
    return go.Figure(data=[go.Scatter(**trace) for trace in traces(data, theme, width=width, height=height, titled=titled)],
                     layout=_layout(data, theme, width, height, titled))


def update(picture: go.Figure, data: PathRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT,
           titled: bool = True) -> None:
    """Make a figure (or a FigureWidget) made by `figure` show other data, in one batch."""
    with picture.batch_update():
        for trace, properties in zip(picture.data, traces(data, theme, width=width, height=height, titled=titled)):
            trace.update(properties, overwrite=True)
        picture.update_layout(_layout(data, theme, width, height, titled), overwrite=True)


def traces(data: PathRows, theme: Theme = LIGHT, *, width: int = WIDTH, height: int = HEIGHT, titled: bool = True) -> list[dict]:
    """The properties of each trace."""
    spots = _spots(data, width, height, titled)
    edges: dict[str, list[list[float | None]]] = {way: [[], []] for way in (WAITING, SKIPPED, CHOSEN)}
    for mark, spot in zip(data.marks, spots):
        if mark.parent is not None:
            _elbow(edges[mark.way], spots[mark.parent], spot)
    ask = _ask_spot(data, spots)
    if ask is not None:
        leaf = next(spot for mark, spot in zip(reversed(data.marks), reversed(spots)) if mark.way == CHOSEN)
        _elbow(edges[CHOSEN], leaf, (ask.x - 5, ask.y))
    lines = [
        _line(edges[WAITING], {"color": theme.muted, "width": 1}),
        _line(edges[SKIPPED], {"color": theme.muted, "width": 1, "dash": "4px,3px"}),
        _line(edges[CHOSEN], {"color": theme.text, "width": 4}),
    ]
    return [*lines, _edge_labels(data, spots, theme), _queue_marks(data, spots, theme), _ask_mark(data, ask, theme)]


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a mark is drawn, and how many pixels its label may take."""

    x: float
    y: float
    room: float


def _spots(data: PathRows, width: int, height: int, titled: bool) -> list[_Spot]:
    columns = _columns(data, width)
    space = height - BOTTOM - (TOP if titled else SIDE)
    # Half a line above the first for the labels that stand on top of their line.
    line_height = min(LOOSEST, space / (data.lines + 0.35))
    spots = []
    for mark in data.marks:
        x = columns[mark.place.depth]
        room = columns[mark.place.depth + 1] - x - GAP if _is_inner(mark) else width - x - GAP - 8
        spots.append(_Spot(x, (mark.place.line + 0.7) * line_height, room))
    return spots


def _is_inner(mark: QueueMark) -> bool:
    """Whether something stands to the right of the mark on its own line."""
    return mark.has_children or mark.way == CHOSEN


def _columns(data: PathRows, width: int) -> list[float]:
    """x of every depth, and of the ask. Columns are as wide as their labels want, and shrink together if that is too much."""
    depth = max(mark.place.depth for mark in data.marks) + 1
    wanted = [NARROWEST] * (depth + 1)
    last = 0.0
    for mark in data.marks:
        need = text.pixels(f"{mark.label} {mark.value}") + GAP + 6
        if _is_inner(mark):
            wanted[mark.place.depth] = max(wanted[mark.place.depth], need)
        elif mark.edge:
            above = mark.place.depth - 1
            wanted[above] = max(wanted[above], text.pixels(mark.edge) + 2 * GAP)
    wanted = wanted[:depth]
    for mark in data.marks:
        need = text.pixels(f"{mark.label} {mark.value}  {mark.reason}") + GAP
        if not _is_inner(mark):
            last = max(last, min(need, 0.45 * width) + sum(wanted[:mark.place.depth]))
    if data.ask is not None:
        leaf = max(mark.place.depth for mark in data.marks if mark.way == CHOSEN)
        need = text.pixels(f"{data.ask.key} {data.ask.note}") + GAP
        last = max(last, min(need, 0.4 * width) + sum(wanted[:leaf + 1]))
    squeeze = min(1.0, max(0.2, (width - SIDE - (last - sum(wanted))) / sum(wanted))) if last > width - SIDE else 1.0
    columns = [float(SIDE)]
    for pitch in wanted:
        columns.append(columns[-1] + max(NARROWEST * 0.6, pitch * squeeze))
    return columns


def _ask_spot(data: PathRows, spots: list[_Spot]) -> _Spot | None:
    raise NotImplementedError

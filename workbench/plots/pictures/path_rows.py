"""The data behind the priority path: queues in scheduling order, the way of the next choice, and what was skipped and why.

The order of the children is that of the decision record where the search came by, and elsewhere what the engine's own sort
gives for the same state; refusals are those of the record (U-1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.explain import refusals, title, words
from workbench.explain.levels import blockers, last_pass
from workbench.explain.wording import amounts, name, offset, priority
from workbench.plots import plot_words, text
from workbench.plots import theme as themes
from workbench.plots.layout import REST, Place, fold, places
from workbench.scheduler import policies
from workbench.scheduler.objects.limits import queue_headroom
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.decision import Decision, Level
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import NothingPlaced
from workbench.scheduler.records.state import Partition, Queue
from workbench.values.resources import Resource

CURRENT_PRIORITY = "current priority"
SHARE = "share"
HEADROOM = "headroom"

LINES = 14
"""Lines that are legible at the default size."""
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

    @property
    def is_inner(self) -> bool:
        """Whether something stands to the right of the mark on its own line, so that its label goes on top of the line."""
        return self.has_children or self.way == CHOSEN


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

    @property
    def leaf(self) -> int:
        """Index of the mark that the choice leads to: the last one of the way. Only when there is an ask."""
        way = [index for index, mark in enumerate(self.marks) if mark.way == CHOSEN]
        return max(way, key=lambda index: self.marks[index].place.depth)


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
    marks = tuple(_mark(tree, path, found[path], index, folded.hidden.get(path, 0), bool(folded.below(path))) for path in order)
    sentence = title(decision)
    if not decision.changed_something and not any(partition.root.pending.values()):
        sentence = plot_words.NOTHING_WAITS_TITLE
    return PathRows(sentence, marks, _ask(partition, decision), max(mark.place.line for mark in marks) + 1)


class _Tree:
    """The queues with their children in scheduling order, and what the decision says about each."""

    def __init__(self, partition: Partition, decision: Decision):
        self.queues = {queue.path: queue for queue in walk(partition.root)}
        self.slots = themes.hue_slots(partition.root)
        self.chosen = set(decision.path) if decision.changed_something else set()
        self.decision = decision
        self.profile = partition.profile
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
            return refusals.short_name(self.tried[path][1]) if is_end else ""
        return refusals.short_name(refusal)

    def _sort(self, parent: Queue, above: Resource | None, visited: dict[str, Level]) -> None:
        """Order the children as the decision found them; where it did not come, as it would find them."""
        if parent.is_leaf:
            return
        fair_maximum = policies.fair_maximum(above, parent)
        _, ranked, filtered = policies.order_queues(parent, fair_maximum, self.profile)
        self.shares.update((child.path, policies.largest(key.share)) for key, child in ranked)
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
                if isinstance(candidate.refusal, NothingPlaced) and first is not None:
                    self.tried[path] = first


def _mark(tree: _Tree, path: str, place: Place, index: dict[str, int], hidden: int, has_children: bool) -> QueueMark:
    if path.endswith(REST):
        parent = path.removesuffix(REST)
        return QueueMark(
            parent,
            index[parent],
            place,
            WAITING,
            plot_words.more_queues(hidden),
            "",
            "",
            "",
            themes.slot_of(path, tree.slots) if "." in parent else None,
            False,
            False,
            (plot_words.more_queues(hidden), not_drawn(parent)),
        )
    queue = tree.queues[path]
    way = CHOSEN if path in tree.chosen else SKIPPED if tree.is_skipped(path) else WAITING
    shown = queue.name + (f" {plot_words.hidden_queues(hidden)}" if hidden else "")
    return QueueMark(
        path,
        index.get(path.rpartition(".")[0]),
        place,
        way,
        shown,
        priority(queue.priority),
        _edge(queue),
        tree.reason(path, not has_children),
        themes.slot_of(path, tree.slots),
        queue.settings.priority_policy == "fence",
        has_children,
        tuple(_hover(tree, queue, hidden)),
    )


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
    yield f"{CURRENT_PRIORITY} {priority(queue.priority)}"
    yield f"priority.policy {settings.priority_policy}, priority.offset {settings.priority_offset}"
    if share is not None:
        yield f"{SHARE} {share:.3g}"
    for what, amount in (
        (plot_words.PENDING, queue.pending),
        (plot_words.ALLOCATED, queue.allocated),
        (words.GUARANTEED, queue.guaranteed),
        (plot_words.MAXIMUM, queue.maximum),
        (HEADROOM, queue_headroom(queue)),
    ):
        if amount:
            yield f"{what} {amounts(amount)}"
    if refusal is not None:
        yield refusals.reason(refusal)
    if tried is not None:
        yield f"{tried[0]}: {refusals.reason(tried[1])}"
    if hidden:
        yield plot_words.hidden_queues(hidden)


def _ask(partition: Partition, decision: Decision) -> AskMark | None:
    if not decision.key:
        return None
    note = ask_note(decision.outcome, decision.node_id)
    lines = [
        text.full_name(decision.key),
        f"{words.APPLICATION} {text.full_name(decision.application_id)}",
        f"{plot_words.NODE} {text.full_name(decision.node_id)}",
    ]
    application = partition.applications.get(decision.application_id)
    ask = application.asks.get(decision.key) if application is not None else None
    if ask is not None:
        lines[2:2] = [f"{words.PRIORITY} {ask.priority}", amounts(ask.resource)]
    return AskMark(decision.key, note, tuple(lines))


# ---- in words ---------------------------------------------------------------------------------------------------------


def not_drawn(path: str) -> str:
    return f"In {name(path)}; not drawn for want of room."


def ask_note(outcome: str, node: str) -> str:
    """What is said behind the ask at the end of its way."""
    verbs = {
        "allocated": "→",
        "reserved": "reserves",
        "unreserved": "gives up",
        "replaced": "replaces on",
        "preempted": "preempts on",
    }
    return f"{verbs.get(outcome, name(outcome))} {name(node)}"

"""The data behind the priority slope: what each waiting ask counts as on its way from its own priority to a child of root.

The values are those that the ask would show alone at every queue (R-650), from the engine. Asks of one leaf with the same
priority go the same way, so they are one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.explain import words
from workbench.explain.wording import counted, listing, name, offset, priority
from workbench.plots import plot_words, text
from workbench.plots import theme as themes
from workbench.scheduler.objects.priority import effective_path
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.state import Allocation, Application, Partition, Queue

MOST_LINES = 30


@dataclass(frozen=True, slots=True)
class Point:
    """A queue on the way of a line: what comes in and what the queue makes of it. `depth` 1 is a child of root."""

    path: str
    depth: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class SlopeLine:
    """Waiting asks that count alike all the way: `points` from the leaf up to the child of root."""

    label: str
    asks: int
    own: int
    points: tuple[Point, ...]
    hue: int
    is_next: bool
    hover: tuple[str, ...]

    @property
    def value(self) -> int:
        """What they count as at root."""
        return self.points[-1].after


@dataclass(frozen=True, slots=True)
class Gate:
    """A queue that changes what is below it, or through which more than one line goes: a fence, or an offset.

    `note` is what it does, e.g. "+10" or "= 0"; "" for nothing. `lowest`, `highest` are what comes in.
    """

    path: str
    name: str
    depth: int
    note: str
    is_fence: bool
    hue: int
    lowest: int
    highest: int
    after: int


@dataclass(frozen=True, slots=True)
class SlopeRows:
    """The data of the picture. `depth` is that of the deepest leaf; `left_out` counts asks that are not drawn."""

    sentence: str
    depth: int
    lines: tuple[SlopeLine, ...]
    gates: tuple[Gate, ...]
    left_out: int


def rows(partition: Partition, decision: Decision, *, most_lines: int = MOST_LINES) -> SlopeRows:
    """What the picture shows of the state and of the decision that would come next there, as `sim.preview()` gives it.

    Args:
        most_lines: lines drawn, the highest at root first; that of the next choice is always among them.
    """
    slots = themes.hue_slots(partition.root)
    together: dict[tuple[str, int], list[tuple[Application, Allocation]]] = {}
    for application in sorted(partition.applications.values(), key=lambda each: each.seq):
        for ask in application.ask_order:
            if not ask.allocated and application.queue is not None and application.queue.parent is not None:
                together.setdefault((application.queue.path, ask.priority), []).append((application, ask))
    lines = [_line(members, decision, slots) for members in together.values()]
    lines.sort(key=lambda line: (not line.is_next, -line.value, line.points[0].path, -line.own))
    shown, rest = lines[:most_lines], lines[most_lines:]
    queues = {queue.path: queue for queue in walk(partition.root)}
    gates = _gates(shown, queues)
    depth = max((line.points[0].depth for line in shown), default=1)
    shown.sort(key=lambda line: (-line.own, line.points[0].path))
    return SlopeRows(_sentence(lines, gates, decision), depth, tuple(shown), tuple(gates), sum(line.asks for line in rest))


def _line(members: Sequence[tuple[Application, Allocation]], decision: Decision, slots: dict[str, int]) -> SlopeLine:
    taken = decision.application_id, decision.key
    members = sorted(members, key=lambda pair: (pair[0].id, pair[1].key) != taken or not decision.changed_something)
    application, ask = members[0]
    points, before = [], ask.priority
    for path, value in effective_path(application.leaf, ask.priority):
        if "." in path:
            points.append(Point(path, path.count("."), before, value))
            before = value
    is_next = decision.changed_something and (application.id, ask.key) == taken
    hover = [text.full_name(words.request(ask.key, application.id)), f"{words.PRIORITY} {priority(ask.priority)}"]
    if len(members) > 1:
        hover[0] = asks_together(hover[0], len(members) - 1)
    hover += [plot_words.seen_at(point.path, priority(point.after)) for point in points]
    return SlopeLine(
        asks_together(ask.key, len(members) - 1),
        len(members),
        ask.priority,
        tuple(points),
        themes.slot_of(points[0].path, slots) or 0,
        is_next,
        tuple(hover),
    )


def _gates(lines: Sequence[SlopeLine], queues: dict[str, Queue]) -> list[Gate]:
    """Every queue on the way of a line, by depth and name."""
    through: dict[str, list[tuple[SlopeLine, Point]]] = {}
    for line in lines:
        for point in line.points:
            through.setdefault(point.path, []).append((line, point))
    gates = []
    for path, passing in sorted(through.items()):
        settings = queues[path].settings
        is_fence = settings.priority_policy == "fence"
        note = f"= {settings.priority_offset}" if is_fence else offset(settings.priority_offset) if settings.priority_offset else ""
        gates.append(
            Gate(
                path,
                queues[path].name,
                path.count("."),
                note,
                is_fence,
                passing[0][0].hue,
                min(point.before for _, point in passing),
                max(point.before for _, point in passing),
                max(point.after for _, point in passing),
            )
        )
    return gates


def _sentence(lines: Sequence[SlopeLine], gates: Sequence[Gate], decision: Decision) -> str:
    if not lines:
        return plot_words.NOTHING_WAITS_TITLE
    fenced = [
        (sum(line.asks for line in lines if any(point.path == gate.path for point in line.points)), gate)
        for gate in gates
        if gate.is_fence
    ]
    best = max(line.value for line in lines)
    first = next((line for line in lines if line.is_next), None) or next(line for line in lines if line.value == best)
    others = sorted(
        {
            (line.value, name(line.points[-1].path.rpartition(".")[2]))
            for line in lines
            if line.points[-1].path != first.points[-1].path
        },
        reverse=True,
    )
    behind: dict[str, int] = {}
    for value, queue in others:
        behind.setdefault(queue, value)
    rivals = listing([f"{queue} ({priority(value)})" for queue, value in behind.items() if value <= first.value], most=2)
    who = name(decision.key) if first.is_next else name(first.label)
    if not decision.changed_something:
        lead = counts_most(who, priority(first.value))
    elif first.value < best:
        higher = next(line for line in lines if line.value == best)
        lead = leads_although(who, priority(first.value), name(higher.label), priority(best))
    else:
        lead = leads(who, priority(first.value), rivals)
    if fenced:
        number, gate = max(fenced, key=lambda pair: (pair[0], -pair[1].depth))
        fence = fence_levels(name(gate.name), number, priority(gate.after))
        return also(fence, lead) if decision.changed_something else also(lead, fence)
    return lead


# ---- in words ---------------------------------------------------------------------------------------------------------


def asks_together(first: str, others: int) -> str:
    return f"{first} ×{others + 1}" if others else first


def fence_levels(fence: str, number: int, value: str) -> str:
    return f"The fence at {fence} lets {counted(number, 'request')} count as {value}"


def leads(who: str, value: str, others: str) -> str:
    return f"{who} leads with {value} at root" + (f", before {others}" if others else "")


def counts_most(who: str, value: str) -> str:
    return f"Nothing can be placed now; {who} counts most, {value} at root"


def leads_although(who: str, value: str, other: str, others_value: str) -> str:
    return f"{who} is next with {value} at root, although {other} counts as {others_value}"


def also(one: str, other: str) -> str:
    return f"{one}; {'the' + other[3:] if other.startswith('The ') else other}"

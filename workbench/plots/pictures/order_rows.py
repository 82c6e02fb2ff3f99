"""The data behind the order of allocations: a mark for everything that a step placed, reserved or stopped, by leaf queue.

Read from the recorded steps and their events; the state only says where applications are, and which asks are placeholders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.explain import words
from workbench.explain.wording import amounts, clock, counted, name
from workbench.plots import plot_words, text
from workbench.plots import theme as themes
from workbench.plots.label_column import Label
from workbench.plots.tree_lines import TreeLine, tree_lines
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Released
from workbench.scheduler.records.state import Application, Partition
from workbench.simulation import Step
from workbench.values.resources import Resource

NOTHING_DECIDED_TITLE = "Nothing was decided yet, and nothing can be placed now"

MOST_LINES, MOST_STEPS = 16, 40
PREEMPTED = "PREEMPTED_BY_SCHEDULER"
BY_PLACEHOLDER = ("PLACEHOLDER_REPLACED", "TIMEOUT")
"""Types of releases that only placeholders get."""
PLACED, RESERVED, STOPPED, NEXT, OTHER = "placed", "reserved", "stopped", "next", "other"


@dataclass(frozen=True, slots=True)
class OrderMark:
    """One thing that happened: `what` is PLACED, RESERVED, STOPPED, NEXT or OTHER (a reservation given up)."""

    step: int
    line: int
    key: str
    what: str
    is_placeholder: bool
    hue: int | None
    path: str
    hover: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderRows:
    """The data of the picture. `labels` are the lines from the top, `parents` those of parent queues; `first`, `last` the steps.

    Attributes:
        left_out: steps before the first that is drawn.
    """

    sentence: str
    labels: tuple[Label, ...]
    parents: frozenset[int]
    marks: tuple[OrderMark, ...]
    first: int
    last: int
    left_out: int


def rows(
    partition: Partition,
    steps: Sequence[Step],
    decision: Decision | None = None,
    *,
    most_lines: int = MOST_LINES,
    most_steps: int = MOST_STEPS,
) -> OrderRows:
    """What the picture shows of the steps taken, e.g. `sim.steps[:sim.position]`.

    Args:
        partition: the state after them.
        decision: the one that would come next, to be shown before it is made; None where it is not to be told.
        most_steps: steps drawn, the last ones.
    """
    upcoming = decision if decision is not None and decision.changed_something else None
    shown = steps[-(most_steps - 1 if upcoming else most_steps) :]
    homes = _homes(partition)
    placeholders = _placeholders(homes, steps)
    slots = themes.hue_slots(partition.root)
    recent = [*(upcoming.path[-1:] if upcoming else ()), *(path for step in reversed(shown) for path in step.decision.path[-1:])]
    lines = tree_lines(partition.root, most_lines + 1, list(dict.fromkeys(recent)))
    # Root stands above everything and says nothing here.
    lines = lines[1:] or lines
    at = {leaf: number for number, line in enumerate(lines) if not line.has_children for leaf in line.leaves}
    marks = [mark for step in shown for mark in _marks(step, homes, placeholders, at, slots)]
    last = steps[-1].number if steps else 0
    if upcoming:
        marks += _mark(last + 1, upcoming, NEXT, homes, placeholders, at, slots, ())
        last += 1
    first = shown[0].number if shown else 1
    return OrderRows(
        _sentence(steps, upcoming, is_known=decision is not None),
        tuple(_label(line, slots, marks, number) for number, line in enumerate(lines)),
        frozenset(number for number, line in enumerate(lines) if line.has_children),
        tuple(marks),
        first,
        max(last, first),
        len(steps) - len(shown),
    )


def _homes(partition: Partition) -> dict[str, Application]:
    """Application id -> the application, the active one of several with that id."""
    ended = sorted((*partition.completed.values(), *partition.rejected.values()), key=lambda each: each.seq)
    return {each.id: each for each in ended} | dict(partition.applications)


def _placeholders(homes: Mapping[str, Application], steps: Sequence[Step]) -> set[tuple[str, str]]:
    """(application id, key) of every ask known to be a placeholder, also of those that are gone."""
    found = {
        (each.id, ask.key)
        for each in homes.values()
        for ask in (*each.asks.values(), *each.allocations.values())
        if ask.placeholder
    }
    for step in steps:
        if step.decision.placeholder:
            found.add((step.decision.application_id, step.decision.placeholder))
        found |= {
            (event.application_id, event.key)
            for event in step.events
            if isinstance(event, Released) and event.type in BY_PLACEHOLDER
        }
    return found


def _marks(
    step: Step,
    homes: Mapping[str, Application],
    placeholders: set[tuple[str, str]],
    at: Mapping[str, int],
    slots: Mapping[str, int],
) -> Iterator[OrderMark]:
    decision = step.decision
    what = {"allocated": PLACED, "replaced": PLACED, "reserved": RESERVED, "preempted": RESERVED}.get(decision.outcome, OTHER)
    stopped = [event for event in step.events if isinstance(event, Released) and event.type == PREEMPTED]
    yield from _mark(step.number, decision, what, homes, placeholders, at, slots, tuple(event.key for event in stopped))
    for event in stopped:
        home = homes.get(event.application_id)
        path = home.queue_path if home is not None else ""
        if path in at:
            who = words.request(event.key, event.application_id)
            hover = (
                text.full_name(who),
                step_title(step.number, clock(decision.now_ns)),
                plot_words.happened("stopped", name(event.key), ""),
                *([event.message] if event.message else []),
            )
            yield OrderMark(step.number, at[path], event.key, STOPPED, False, themes.slot_of(path, slots), path, hover)


def _mark(
    number: int,
    decision: Decision,
    what: str,
    homes: Mapping[str, Application],
    placeholders: set[tuple[str, str]],
    at: Mapping[str, int],
    slots: Mapping[str, int],
    stopped: Sequence[str],
) -> list[OrderMark]:
    path = decision.path[-1] if decision.path else ""
    if path not in at or not decision.key:
        return []
    is_placeholder = (decision.application_id, decision.key) in placeholders
    outcome = "next" if what == NEXT and decision.outcome == "allocated" else decision.outcome
    hover = [
        text.full_name(words.request(decision.key, decision.application_id)),
        step_title(number, clock(decision.now_ns)),
        plot_words.happened(outcome, name(decision.key), name(decision.node_id)),
    ]
    home = homes.get(decision.application_id)
    ask = home.asks.get(decision.key) if home is not None else None
    if ask is not None:
        hover += [f"{words.PRIORITY} {ask.priority}", amounts(ask.resource or Resource())]
    if is_placeholder:
        hover.append(words.PLACEHOLDER)
    if stopped:
        hover.append(words.victims(stopped))
    return [OrderMark(number, at[path], decision.key, what, is_placeholder, themes.slot_of(path, slots), path, tuple(hover))]


def _label(line: TreeLine, slots: dict[str, int], marks: Sequence[OrderMark], number: int) -> Label:
    hover = [text.full_name(line.path) if line.queue is not None else line.label]
    placed = sum(mark.line == number and mark.what == PLACED for mark in marks)
    if not line.has_children:
        hover.append(words.allocations(placed))
    return Label(
        line.path, line.label, max(0, line.depth - 1), themes.slot_of(line.path, slots), tuple(hover), is_muted=line.has_children
    )


def _sentence(steps: Sequence[Step], upcoming: Decision | None, *, is_known: bool) -> str:
    placed = [step.decision for step in steps if step.decision.outcome in ("allocated", "replaced")]
    if not steps:
        return (
            nothing_placed_but_next(name(upcoming.key), _leaf(upcoming))
            if upcoming
            else NOTHING_DECIDED_TITLE
            if is_known
            else NOTHING_YET
        )
    if not placed:
        return none_placed(len(steps))
    stopped = sum(isinstance(event, Released) and event.type == PREEMPTED for step in steps for event in step.events)
    return placed_so_far(len(placed), name(placed[-1].key), _leaf(placed[-1]), stopped)


def _leaf(decision: Decision) -> str:
    return name(decision.path[-1].rpartition(".")[2]) if decision.path else name(decision.application_id)


# ---- in words ---------------------------------------------------------------------------------------------------------


NOTHING_YET = "Nothing was decided yet"


def step_title(number: int, when: str) -> str:
    return f"step {number} at {when}"


def placed_so_far(placed: int, who: str, leaf: str, stopped: int) -> str:
    ends = f"; {counted(stopped, 'allocation')} {'was' if stopped == 1 else 'were'} stopped" if stopped else ""
    return f"{counted(placed, 'request')} {'was' if placed == 1 else 'were'} placed, the last one {who} in {leaf}{ends}"


def nothing_placed_but_next(who: str, leaf: str) -> str:
    return f"Nothing was decided yet; {who} in {leaf} comes next"


def none_placed(steps: int) -> str:
    return f"{counted(steps, 'step')} placed nothing"

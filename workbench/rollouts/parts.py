"""The seven parts of a rollout in order, as sentences and tables; the terminal, the page and the notebook show the same. RO-1"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.advice import Check
from workbench.explain.tables import Table
from workbench.explain.wording import amounts, counted, listing, name
from workbench.rollouts import outcomes, words
from workbench.rollouts.course import Started, Stopped
from workbench.rollouts.effects import Effects, Minute

if TYPE_CHECKING:
    from workbench.rollouts.rollout import Rollout

MOST_ROWS = 20
"""Lines of a table; how many there are beyond, is said below it."""
NOT_IN_FORCE = "The file does not come into force, so nothing happens."
ASSUMED = (
    "How long what runs goes on is not known, so nothing of it ends here by itself; what is preempted asks again after 5 s, as a "
    "controller would make it; and nobody else comes but what the cluster was given with a time."
)


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences that stand below each other."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text as it is, under a title."""

    title: str
    text: str


Block = str | Lines | Table | Quoted


@dataclass(frozen=True, slots=True)
class Part:
    """One of the seven.

    Attributes:
        name: in addresses of a page.
        outcome: what it comes to, in a few words.
        blocks: sentences, tables and texts, in order.
    """

    number: int
    name: str
    title: str
    outcome: str
    blocks: tuple[Block, ...]


def parts(found: Rollout) -> tuple[Part, ...]:
    """All of them, in order."""
    made = (
        ("accepted", "Would the scheduler accept it?", outcomes.acceptance, _acceptance),
        ("changes", "What changes", outcomes.changes, _changes),
        ("effects", "What then happens to what runs and waits", outcomes.effects, _effects),
        ("advice", "Advice that is new with it", outcomes.advice, _advice),
        ("comparison", "In the long run, with a workload", outcomes.comparison, _comparison),
        ("people", "What people should be told", outcomes.people, _people),
        ("back", "How to go back", outcomes.back, _back),
    )
    return tuple(
        Part(number, key, title, outcome(found), tuple(blocks(found)))
        for number, (key, title, outcome, blocks) in enumerate(made, 1)
    )


# ---- 1, 2 --------------------------------------------------------------------------------------------------------------


def _acceptance(found: Rollout) -> Iterator[Block]:
    accepted = found.acceptance
    place = f" (line {accepted.line})" if accepted.line else ""
    lines = [
        f"When it starts: {f'no{place}: {name(accepted.at_start, 300)}' if accepted.at_start else 'yes.'}",
        f"As a reload of what is in force: {_reload(found)}",
    ]
    for each in accepted.hangs:
        lines.append(
            f"It has no partition {name(each)}. A scheduler that runs waits for itself when it takes a partition away, and never "
            "comes back: stop it, and start it with the file."
        )
    lines += [each.text for each in accepted.troubles if each.code != "not-loaded"]
    yield Lines(tuple(lines))


def _reload(found: Rollout) -> str:
    accepted = found.acceptance
    if accepted.as_reload:
        return f"no: {name(accepted.as_reload, 300)}"
    if accepted.hangs:
        return "it would not come back from it."
    return "yes, and it does nothing: it is the very text." if accepted.unchanged else "yes."


def _changes(found: Rollout) -> Iterator[Block]:
    if found.edits:
        yield Lines(tuple(str(each) for each in found.edits))
    elif found.acceptance.at_start and found.effects is None:
        yield "What a scheduler does not accept cannot be compared."
    else:
        yield "Nothing: the file means what is in force."


# ---- 3 -----------------------------------------------------------------------------------------------------------------


def _effects(found: Rollout) -> Iterator[Block]:
    effects = found.effects
    if effects is None:
        yield NOT_IN_FORCE
        return
    length = words.in_minutes(effects.new.minutes)
    if effects.nothing:
        yield f"Nothing that would not happen without it, within {length}."
    else:
        lines = tuple(_at_once(effects))
        if lines:
            yield Lines(lines)
        yield from _tables(effects, length)
    yield f"Played for {length} by the rules of release {found.live.release}, with the file and without it. {ASSUMED}"


def _at_once(effects: Effects) -> Iterator[str]:
    for gone in effects.drained:
        there = (
            f"{counted(gone.applications, 'application')} with {counted(gone.running, 'running pod')} and {gone.waiting} waiting"
        )
        then = f"is gone {words.after(gone.gone_ns)}" if gone.gone_ns is not None else "stays until they end, and takes no other"
        yield f"{name(gone.queue, None)} drains: {there if gone.applications else 'nobody is in it'}; it {then}."
    for over in effects.over:
        how = (
            f"quota preemption may stop what is too much {words.after(over.starts_ns)}"
            if over.starts_ns is not None
            else "nobody is stopped for it, and nothing more starts there"
        )
        yield (
            f"{name(over.queue, None)} holds {amounts(over.use)} and may hold {amounts(over.maximum)}, "
            f"{amounts(over.above)} too much: {how}."
        )
    for each in effects.admissions:
        like = f"Applications like {listing([name(id) for id in each.applications])} of {name(each.user)}"
        if not each.new_queue:
            yield f"{like}, today in {name(each.queue, None)}, would be refused: {name(each.reason, 300)}."
        elif each.queue:
            yield f"{like} would go to {name(each.new_queue, None)} instead of {name(each.queue, None)}."
        else:
            yield f"{like}, refused today, would go to {name(each.new_queue, None)}."
    yield from map(words.stays, effects.stays)


def _tables(effects: Effects, length: str) -> Iterator[Block]:
    if effects.stopped:
        yield _stopped_table(f"Stopped because of it, within {length}", effects.stopped)
    else:
        yield f"Nobody is stopped because of it within {length}."
    storm = effects.again_and_again
    if storm:
        yield f"{counted(len(storm), 'pod')} would be stopped more than once: {words.pods(storm, most=8)}."
    if effects.spared:
        yield _stopped_table("Stopped without it, and not with it", effects.spared)
    if effects.order_changes:
        yield _first_table(effects)
    if any(each.today != each.new for each in effects.minutes):
        yield _minutes_table(effects)
    never = effects.never
    if never:
        yield (
            f"{counted(len(never), 'pod')} would start within {length} and {'does' if len(never) == 1 else 'do'} not with it: "
            f"{words.pods((each.who for each in never), most=8)}."
        )


def _stopped_table(caption: str, some: tuple[Stopped, ...]) -> Table:
    rows = tuple(
        (
            words.after(each.at_ns),
            name(each.who[1]),
            name(each.who[0]),
            name(each.queue),
            amounts(each.resource),
            words.stopped(each),
        )
        for each in some
    )
    return _cut(Table(caption, ("when", "pod", "app", "queue", "holds", "why"), rows))


def _first_table(effects: Effects) -> Table:
    rows = tuple((str(rank), *_served(today), *_served(new)) for rank, (today, new) in enumerate(effects.first, 1))
    columns = ("rank", "today", "of queue", "with the file", "of queue ")
    first = next((at for at, (one, other) in enumerate(effects.first) if _who(one) != _who(other)), 0)
    caption = f"Who is served first, from place {first + 1} on, where they part"
    return _cut(Table(caption, columns, rows[first:], frozenset(("rank",))))


def _who(each: Started | None) -> tuple[str, str] | None:
    return None if each is None else each.who


def _served(each: Started | None) -> tuple[str, str]:
    if each is None:
        return "nobody", ""
    again = " again" if each.again else ""
    return f"{name(each.who[1])}{again} {words.after(each.at_ns)}", name(each.queue)


def _minutes_table(effects: Effects) -> Table:
    rows = tuple(row for minute in effects.minutes for row in _minute(minute))
    columns = ("minute", "queue", "today", "with the file")
    return _cut(Table("Minute by minute, where the two differ", columns, rows, frozenset(("minute",))))


def _minute(minute: Minute) -> Iterator[tuple[str, ...]]:
    for queue in sorted({*minute.today, *minute.new}, key=lambda path: path.split(".")):
        one, other = (each.get(queue, (0, 0)) for each in (minute.today, minute.new))
        if one != other:
            yield str(minute.number), name(queue), _happens(*one), _happens(*other)


def _happens(starts: int, stops: int) -> str:
    said = [f"{starts} start{'s' if starts == 1 else ''}"] if starts else []
    said += [f"{stops} stopped"] if stops else []
    return ", ".join(said) or "nothing"


def _cut(table: Table) -> Table:
    more = len(table.rows) - MOST_ROWS
    return table if more <= 0 else replace(table, rows=table.rows[:MOST_ROWS], note=f"and {more:,} more")


# ---- 4, 5, 6, 7 --------------------------------------------------------------------------------------------------------


def _advice(found: Rollout) -> Iterator[Block]:
    if found.acceptance.at_start and not found.advice.new:
        yield "None can be given on a file that is refused."
        return
    lines = tuple(_checked(each) for each in found.advice.new)
    yield Lines(lines) if lines else "None."
    gone = found.advice.gone
    if gone:
        codes = listing(list(dict.fromkeys(f"{each.code} at {name(each.path or each.partition)}" for each in gone)), most=8)
        yield f"Settled by it: {codes}."


def _checked(check: Check) -> str:
    line = f", line {check.line}" if check.line else ""
    assumed = f" {check.assumption}" if check.assumption else ""
    remedies = f" Or: {check.remedies[0].description}" if check.remedies else ""
    return f"{check.severity} {check.code}{line}: {check.text}{assumed}{remedies}"


def _comparison(found: Rollout) -> Iterator[Block]:
    if found.comparison is None:
        yield "No workload was given. With one (--workload FILE), the two files are compared over all that arrives."
        return
    yield found.comparison.sentence
    yield found.comparison.table.as_text()
    yield found.comparison.basis
    yield "Where they part, why, and which edit does what is told by 'workbench compare' with the two files and the same workload."


def _people(found: Rollout) -> Iterator[Block]:
    if not found.tidings:
        yield "Nothing: nothing changes for them." if found.effects is not None else NOT_IN_FORCE
        return
    yield Lines(tuple(each.text for each in found.tidings))


def _back(found: Rollout) -> Iterator[Block]:
    back = found.back
    if back is None:
        yield NOT_IN_FORCE
        return
    if found.nothing_changes:
        yield "There is nothing to go back from."
        return
    after = words.in_minutes(back.after)
    yield "Give the scheduler the old file again, as a reload."
    if back.refused:
        yield f"It would be refused: {name(back.refused, 300)}. Restart the scheduler with it."
        return
    lines = [
        f"{name(each.queue, None)}, which the old file does not have, "
        + (f"drains then, with {counted(each.applications, 'application')} in it." if each.applications else "goes again.")
        for each in back.drained
    ]
    lines += [words.stays(each) for each in back.stays]
    if lines:
        yield Lines(tuple(lines))
    if back.stopped:
        yield _stopped_table(f"Stopped by going back after {after}", back.stopped)
    else:
        yield f"Going back after {after} stops nobody."
    yield Quoted("The old file", back.text)

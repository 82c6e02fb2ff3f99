"""A comparison in a sentence or two for whoever has to decide: who waits less, what it costs, who is stopped. CP-1."""

from __future__ import annotations

import math
from collections.abc import Iterator

from workbench.comparison import words
from workbench.comparison.changes import BETTER, WORSE, Change, change
from workbench.comparison.sides import Side
from workbench.explain.wording import counted, name
from workbench.measures import measure_named, units
from workbench.measures.scopes import WHOLE, Scope
from workbench.runs.record import JobState

WAIT, WAIT_WORDS = "wait.p95", "95 of 100 requests"
NOTICED = 1.0
"""Seconds of waiting below which nobody is told."""


def sentence(first: Side, other: Side) -> str:
    """What becomes of it with the other design instead of the first."""
    who = name(other.name)
    if first.digests == other.digests:
        return f"{who} makes no difference: in these runs {name(first.name)} and {who} decide the same, request by request."
    found = [each for scope in _queues(first, other) if (each := _noticed(first, other, scope)) is not None]
    found.sort(key=lambda each: -each.size * math.log1p(each.jobs))
    winner = next((each for each in found if each.verdict == BETTER), None)
    loser = next((each for each in found if each.verdict == WORSE), None)
    rest = list(_counts(first, other))
    if winner is None and loser is None:
        waits = f"With {who} no queue waits longer or shorter than with {name(first.name)}, as far as these runs can show."
        unsure = f"No difference that these runs can show between {name(first.name)} and {who}."
        return " ".join([waits if rest else unsure, *rest, *_hint(first, other)])
    return " ".join([_waits(who, winner, loser, found), *rest])


def _waits(who: str, winner: Change | None, loser: Change | None, found: list[Change]) -> str:
    if winner is None:
        assert loser is not None
        return f"With {who}, {_at_most(loser)}, and no queue waits less."
    if loser is None:
        others = sum(each.verdict == BETTER for each in found) - 1
        also = f"; {counted(others, 'other queue')} {'waits' if others == 1 else 'wait'} less, none longer" if others else ""
        return f"With {who}, {_at_most(winner)}{also or ', and no queue waits longer'}."
    return f"With {who}, {_at_most(winner)}; it costs {words.place(loser.scope)} {_longer(loser)}."


def _at_most(found: Change) -> str:
    assert found.change is not None
    interval, moved = words.plus_or_minus(found), words.amount(found.change, found.unit)
    # The interval is that of the difference, so the difference has to be said with it.
    unsure = f", {moved} {'less' if found.change < 0 else 'more'} {interval}" if interval else ""
    now, before = words.value(found, found.b), words.value(found, found.a)
    return f"{words.place(found.scope)} waits at most {now} instead of {before} ({WAIT_WORDS}){unsure}"


def _longer(found: Change) -> str:
    assert found.a is not None and found.b is not None and found.change is not None
    instead = f"{words.value(found, found.b)} instead of {words.value(found, found.a)}"
    share = found.change / found.a if found.a else math.inf
    if share > 3:
        return f"waits of {instead}"
    return f"{units.number(round(100 * share))} % longer waits ({instead})"


def _hint(first: Side, other: Side) -> Iterator[str]:
    """Of many different seeds the average says nothing; that all of them go one way may be worth some more."""
    if len(first.runs) < 2:
        return
    best: tuple[float, str] | None = None
    for scope in _queues(first, other):
        found = change(first, other, measure_named(WAIT), scope)
        pairs = list(zip(first.values(WAIT, scope), other.values(WAIT, scope)))
        differences = [its - mine for mine, its in pairs if mine is not None and its is not None]
        if found is None or len(differences) < len(pairs) or min(map(abs, differences)) < NOTICED:
            continue
        if min(differences) < 0 < max(differences):
            continue
        low, high = sorted((abs(differences[0]), *map(abs, differences[1:])))[:: max(len(differences) - 1, 1)][:2]
        longer = "longer" if differences[0] > 0 else "less"
        said = f"Yet {words.place(scope)} waits {longer} in each of the {len(pairs)} seeds"
        span = f"by {words.amount(low, found.unit)} to {words.amount(high, found.unit)} (95 of 100 requests)"
        if best is None or found.size > best[0]:
            best = found.size, f"{said}, {span}: more seeds may tell."
    if best is not None:
        yield best[1]


def _noticed(first: Side, other: Side, scope: Scope) -> Change | None:
    found = change(first, other, measure_named(WAIT), scope)
    if found is None or found.change is None or abs(found.change) < NOTICED or not found.counts:
        return None
    return found


def _queues(first: Side, other: Side) -> Iterator[Scope]:
    """The queues that took jobs in one of the runs."""
    found: dict[str, None] = {}
    for side in (first, other):
        for run in side.runs:
            found.update(dict.fromkeys(run.record.queues))
    return (Scope("queue", path) for path in found)


def _counts(first: Side, other: Side) -> Iterator[str]:
    """What a manager has to know beside the waits: who is stopped, who never runs, who is turned away."""
    seeds = len(first.runs)
    for measure, noun, verb in (("preempted", "request", "stopped in mid-work"), ("wait.never", "request", "never run")):
        found = change(first, other, measure_named(measure), WHOLE)
        if found is not None and found.counts:
            yield _instead(found.a or 0, found.b or 0, noun, verb, seeds)
    turned_away = [sum(run.record.job_state.count(JobState.REJECTED) for run in side.runs) / seeds for side in (first, other)]
    if turned_away[0] != turned_away[1]:
        yield _instead(turned_away[0], turned_away[1], "job", "turned away", seeds)


def _instead(before: float, now: float, noun: str, what: str, seeds: int) -> str:
    """`3 requests are stopped in mid-work instead of none.`"""
    one = now == 1
    verb = (what.replace("run", "runs", 1) if one else what) if what.startswith("never") else f"{'is' if one else 'are'} {what}"
    number = "No" if not now else units.number(now)
    average = ", on average over the seeds" if seeds > 1 else ""
    return f"{number} {noun}{'' if one else 's'} {verb} instead of {units.number(before) if before else 'none'}{average}."

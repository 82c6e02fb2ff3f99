"""The children of a queue, or the applications of a leaf, with the value that the sort compares and how it comes about. G-6.

The order and the keys are those of the decision where the search came by, else what the engine's own sort gives for the same
state (U-1). Only the ratios behind a share are spelled out here; the share itself is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.explain import refusals, words
from workbench.explain.levels import compare, last_pass, tried_before, values, with_first_value
from workbench.explain.tables import Table
from workbench.explain.wording import in_order, name, priority
from workbench.scheduler import policies
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.objects.tree import find
from workbench.scheduler.policies import fair
from workbench.scheduler.records.decision import Candidate, Decision, Level
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import ApplicationWithoutPending, QueueWithoutPending
from workbench.scheduler.records.state import Application, Cluster, Partition, Queue
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource

FAIR_MAX = "fair max"

NOTHING_PENDING = (QueueWithoutPending, ApplicationWithoutPending)
"""Codes of those that take no part because they wait for nothing; others are kept out."""
SHARE, USAGE, SUBMITTED, PRIORITY = "share", "usage", "submitted_ns", "priority"
"""What is compared apart from priority: key fields."""


@dataclass(frozen=True, slots=True)
class Term:
    """One resource type of a share: `used / whole = value`; `of` says what the whole is, "" if there is none."""

    type: str
    used: int
    whole: int | None
    of: str
    value: float


@dataclass(frozen=True, slots=True)
class Contender:
    """One child queue or application.

    Attributes:
        path: of the queue, or the leaf of the application.
        key: what ordered it; None if it takes no part, `refusal` says why.
        value: the compared number: share, usage, nanoseconds or priority.
        terms: the ratios of which `value` is the largest; none for a time or a priority.
        has_guarantee: something is guaranteed, to it or to the leaf it is in.
    """

    name: str
    path: str
    key: tuple[Any, ...] | None
    value: float
    priority: int
    terms: tuple[Term, ...]
    has_guarantee: bool
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """Who competes in a queue, in scheduling order, those that take no part at the end.

    Attributes:
        path: the parent or leaf.
        kind: "queue" or "application".
        field: the key field behind `value`: `SHARE`, `USAGE`, `SUBMITTED`, `PRIORITY`, or that of an order that was added.
        by_priority: priority is compared before it.
        next: name of the one that the next choice takes, or that would be first here; "" if there is none.
    """

    path: str
    kind: str
    policy: str
    field: str
    by_priority: bool
    contenders: tuple[Contender, ...]
    next: str
    level: Level


def standings(partition: Partition, decision: Decision, path: str | None = None) -> Standings:
    """Who competes in the queue at `path`; by default where the decision had the closest choice (`closest`).

    KeyError if there is no such queue.
    """
    queue = find(partition, path if path is not None else closest(partition, decision))
    if queue is None:
        raise KeyError(path)
    level = _level(partition, queue, decision)
    kind, field = level.kind, _field(queue, level)
    refusals = {candidate.name: candidate.refusal for candidate in level.candidates if candidate.refusal is not None}
    refusals |= {refusal.subject: refusal for refusal in level.filtered}
    names = [candidate.name for candidate in level.candidates] + [refusal.subject for refusal in level.filtered]
    keys = {candidate.name: candidate.key for candidate in level.candidates}
    maximum = _fair_maximum(queue)
    made = []
    for each in names:
        if kind == "queue" and each in queue.children:
            made.append(_queue(queue.children[each], partition, maximum, keys.get(each), refusals.get(each), field))
        elif kind == "application" and each in queue.applications:
            made.append(_application(queue.applications[each], queue, keys.get(each), refusals.get(each), field))
    first = level.winner.name if level.winner is not None else ""
    return Standings(queue.path, kind, level.policy, field, queue.settings.priority_sorting, tuple(made), first, level)


def closest(partition: Partition, decision: Decision) -> str:
    """The first queue from root down in which the decision compared two shares that priority left equal, else two of anything."""
    way = [level for level in last_pass(decision) if level.kind in ("queue", "application") and len(level.candidates) > 1]
    for level in way:
        first, second = level.candidates[:2]
        comparison = compare(first, second)
        if comparison is not None and comparison.field in (SHARE, USAGE):
            return level.subject
    return way[0].subject if way else partition.root.path


def sentence(found: Standings) -> str:
    """What is seen: who goes first here, and the comparison that puts it there."""
    where = name(found.path.rpartition(".")[2])
    level, winner = found.level, found.level.winner
    if winner is None and level.candidates:
        return none_can_be_placed(where, with_first_value(level.candidates[0]))
    if winner is None:
        return nothing_competes(where)
    tried = tried_before(level)
    if tried:
        return words.goes_first_after(name(winner.name), where, with_first_value(tried[0]))
    behind = level.candidates[(level.taken or 0) + 1 :]
    comparison = compare(winner, behind[0]) if behind else None
    if comparison is None:
        kept_out = any(each.refusal is not None and not isinstance(each.refusal, NOTHING_PENDING) for each in found.contenders)
        only = only_one_takes_part if kept_out else only_one_competes
        return only(name(winner.name), where)
    if comparison.is_tie:
        return words.goes_first_among_equals(name(winner.name), where, name(comparison.loser.name))
    return words.goes_first(name(winner.name), where, comparison.field, comparison.mine, comparison.theirs)


def standing_rows(state: Cluster, decision: Decision, path: str | None = None, partition: str = "default") -> Table:
    """Who competes in a queue, in order, with the compared values and their formula. Text twin of G-6."""
    found = standings(state.partitions[partition.lower()], decision, path)
    rows = tuple(_row(rank, each, found) for rank, each in enumerate(found.contenders, 1))
    return Table(
        standing_caption(found.path),
        standing_columns(found.kind, found.field),
        rows,
        frozenset(("rank", "priority", words.compared(found.field))),
        tuple(each.name for each in found.contenders),
        nothing_competes(name(found.path)),
    )


def _row(rank: int, each: Contender, found: Standings) -> tuple[str, ...]:
    note = words.NEXT if each.name == found.next else ""
    return (
        str(rank) if each.key is not None else "",
        name(each.name),
        priority(each.priority),
        value_text(each, found.field),
        formula(each),
        note if each.refusal is None else refusals.reason(each.refusal),
    )


def value_text(each: Contender, field: str) -> str:
    """The compared value as text."""
    raw: Any
    if field in (SHARE, USAGE):
        raw = each.value
    elif field == SUBMITTED:
        raw = int(each.value)
    elif field == PRIORITY:
        raw = -int(each.value)
    elif each.key is None:
        return ""
    else:
        raw = getattr(each.key, field)
    return values(field, raw, raw)[0]


def formula(each: Contender) -> str:
    """How the share came about: every ratio, the largest first."""
    return "; ".join(term_text(term) for term in sorted(each.terms, key=lambda term: (-term.value, term.type)))


def ratio(each: Contender) -> str:
    """The ratio that is the share, in short: "vcore 3 / 4"; "" where there is none, or nothing is used."""
    if not each.terms:
        return ""
    term = max(each.terms, key=lambda term: (term.value, term.type))
    used = f"{name(term.type)} {format_quantity(term.used, term.type)}"
    return used if term.whole is None else f"{used} / {format_quantity(term.whole, term.type)}"


def term_text(term: Term) -> str:
    """One ratio, e.g. "vcore 3 of 4 guaranteed = 0.75"."""
    used = format_quantity(term.used, term.type)
    whole = "" if term.whole is None else format_quantity(term.whole, term.type)
    return share_term(term.type, used, whole, term.of, values(SHARE, term.value, term.value)[0])


def _level(partition: Partition, queue: Queue, decision: Decision) -> Level:
    """The choice as the decision made it; where it did not come, as it would be made, the first one taken."""
    for level in last_pass(decision):
        if level.subject == queue.path and level.kind in ("queue", "application") and decision.phase in ("", "regular"):
            return level
    if queue.is_leaf:
        policy, ranked, filtered = policies.order_applications(queue, decision.now_ns)
        candidates = tuple(Candidate(application.id, key) for key, application in ranked)
        kind = "application"
    else:
        policy, below, filtered = policies.order_queues(queue, _fair_maximum(queue), partition.profile)
        candidates = tuple(Candidate(child.name, key) for key, child in below)
        kind = "queue"
    return Level(kind, queue.path, policy, candidates, 0 if candidates else None, tuple(filtered))


def _fair_maximum(queue: Queue) -> Resource | None:
    """What the children of `queue` inherit as their fair maximum, from the root down. R-522."""
    maximum: Resource | None = None
    for at in reversed(list(ancestry(queue))):
        maximum = policies.fair_maximum(maximum, at)
    return maximum


def _field(queue: Queue, level: Level) -> str:
    fields = next((candidate.key._fields for candidate in level.candidates if candidate.key is not None), ())
    for field in (SHARE, USAGE, SUBMITTED):
        if field in fields:
            return field
    if fields:
        return next((field for field in fields if field not in (PRIORITY, *words.TIE_BREAKS)), PRIORITY)
    if level.kind == "queue":
        return SHARE
    return USAGE if queue.settings.application_sort_policy == fair.NAME else SUBMITTED


def _queue(
    child: Queue, partition: Partition, above: Resource | None, key: tuple[Any, ...] | None, refusal: Refusal | None, field: str
) -> Contender:
    maximum = policies.fair_maximum(above, child)
    order = policies.QUEUE_ORDERS[partition.profile.queue_order]
    value = policies.largest(order.share(child, maximum))
    wholes = _wholes(child.guaranteed, maximum if order.to_fair_maximum else None)
    terms = tuple(_terms(child.allocated, wholes, order.unlimited)) if field == SHARE and order.has_ratios else ()
    return Contender(
        child.name,
        child.path,
        key,
        value if field == SHARE else child.priority,
        child.priority,
        terms,
        bool(child.guaranteed),
        refusal,
    )


def _application(
    application: Application, leaf: Queue, key: tuple[Any, ...] | None, refusal: Refusal | None, field: str
) -> Contender:
    if field == USAGE:
        usage = fair.key(application, leaf.guaranteed, True).usage
        value, terms = policies.largest(usage), tuple(_terms(application.allocated, _wholes(leaf.guaranteed, None), True))
    elif field == SUBMITTED:
        value, terms = float(application.submitted_ns), ()
    elif field == PRIORITY:
        value, terms = float(application.priority), ()
    else:
        found = getattr(key, field, 0.0)
        value, terms = float(found) if isinstance(found, (int, float)) else 0.0, ()
    return Contender(application.id, leaf.path, key, value, application.priority, terms, bool(leaf.guaranteed), refusal)


def _wholes(guaranteed: Resource | None, maximum: Resource | None) -> Mapping[str, tuple[int, str]]:
    """Type -> (what use is measured against, what that is called). R-521, R-522."""
    limits = {kind: (amount, FAIR_MAX) for kind, amount in (maximum or {}).items()}
    return limits | {kind: (amount, words.GUARANTEED) for kind, amount in (guaranteed or {}).items()}


def _terms(used: Resource, wholes: Mapping[str, tuple[int, str]], unlimited: bool) -> Iterator[Term]:
    """The ratio of every type in use. A type without a whole counts as its plain amount with `unlimited` (R-83), else not."""
    for kind in in_order(used):
        amount = used[kind]
        whole, of = wholes.get(kind, (None, ""))
        if amount <= 0 or whole is None and not unlimited:
            continue
        if whole is None or whole <= 0:
            yield Term(kind, amount, whole, of, float(amount) if unlimited else 1.0)
        else:
            yield Term(kind, amount, whole, of, amount / whole)


# ---- in words ---------------------------------------------------------------------------------------------------------


def standing_caption(path: str) -> str:
    return f"Who competes in {name(path)}, in the order in which they are tried"


def standing_columns(kind: str, field: str) -> tuple[str, ...]:
    return (
        "rank",
        "queue" if kind == "queue" else words.APPLICATION,
        "priority",
        words.compared(field),
        "how it comes about",
        "note",
    )


def share_term(kind: str, used: str, whole: str, of: str, value: str) -> str:
    return f"{name(kind)} {used} of {whole} {of} = {value}" if whole else f"{name(kind)} {used}, counted as {value}"


def nothing_competes(where: str) -> str:
    return f"Nothing in {where} waits to be placed"


def none_can_be_placed(where: str, first: str) -> str:
    return f"Nothing in {where} can be placed now; {first} comes first"


def only_one_takes_part(who: str, where: str) -> str:
    return f"{who} is the only one in {where} that takes part now"


def only_one_competes(who: str, where: str) -> str:
    return f"{who} is the only one in {where} that waits for something"

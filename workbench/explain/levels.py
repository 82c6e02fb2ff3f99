"""Reading a decision record: the levels on the winner's way, what stood before and behind it, and compared key values.

Nothing is derived anew: candidates, keys and refusals are those that the search left (U-1). A decision may hold levels of
several passes; those of the pass that decided come last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.explain import words
from workbench.explain.wording import contrasted, exact_seconds, listing, name, priority, seconds
from workbench.scheduler.records.decision import Candidate, Decision, Level, deciding_field
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import AlreadyAllocated, NothingPlaced


@dataclass(frozen=True, slots=True)
class Comparison:
    """The winner of a level against one candidate behind it.

    Attributes:
        field: the key field that decided.
        first: name of the field that the order looks at first.
        equal: fields compared before `field`, which were equal.
        mine, theirs: the two values of `field` as text; "" for a field without a readable value.
    """

    winner: Candidate
    loser: Candidate
    field: str
    first: str
    equal: tuple[str, ...]
    mine: str
    theirs: str

    @property
    def is_tie(self) -> bool:
        """Nothing the person can see in the configuration or the workload told the two apart."""
        return self.field in words.TIE_BREAKS

    @property
    def equal_names(self) -> str:
        return listing([words.field_name(field) for field in self.equal])


def last_pass(decision: Decision) -> tuple[Level, ...]:
    """The levels of the pass that decided, in visiting order."""
    if not decision.levels:
        return ()
    root = decision.path[0] if decision.path else decision.levels[0].subject
    starts = [index for index, level in enumerate(decision.levels) if level.subject == root and level.kind != "ask"]
    decided = [index for index in starts if decision.levels[index].taken is not None]
    start = (decided or starts or [0])[-1]
    end = next((index for index in starts if index > start), len(decision.levels))
    return decision.levels[start:end]


def winners_levels(decision: Decision) -> tuple[Level, ...]:
    """The levels in which something was taken, from root down: queues, application, ask, node."""
    return tuple(level for level in last_pass(decision) if level.taken is not None) if decision.changed_something else ()


def tried_before(level: Level) -> tuple[Candidate, ...]:
    """The candidates that were tried before the winner and placed nothing; asks already allocated are no candidates."""
    return tuple(
        candidate
        for candidate in level.candidates[: level.taken]
        if candidate.refusal is not None and not isinstance(candidate.refusal, AlreadyAllocated)
    )


def behind(level: Level) -> tuple[Candidate, ...]:
    """The candidates ranked behind the winner."""
    return () if level.taken is None else level.candidates[level.taken + 1 :]


def compare(winner: Candidate | None, loser: Candidate) -> Comparison | None:
    """What ranked `winner` before `loser`; None if there is no winner, or the level has no order, as among reservations."""
    if winner is None or winner.key is None or loser.key is None:
        return None
    fields: tuple[str, ...] = winner.key._fields
    field = deciding_field(winner.key, loser.key) or fields[-1]
    mine, theirs = values(field, getattr(winner.key, field), getattr(loser.key, field))
    return Comparison(winner, loser, field, fields[0], fields[: fields.index(field)], mine, theirs)


def values(field: str, mine: object, theirs: object) -> tuple[str, str]:
    """Two compared values of a key field as texts that differ if the values do."""
    if field == "priority":
        return priority(-mine), priority(-theirs)  # type: ignore[operator]
    if isinstance(mine, tuple) and isinstance(theirs, tuple):
        # Shares, largest first: the first pair that differs decided.
        longest = max(len(mine), len(theirs))
        padded = [shares + (0.0,) * (longest - len(shares)) for shares in (mine, theirs)]
        return contrasted(*next((pair for pair in zip(*padded) if pair[0] != pair[1]), (0.0, 0.0)))
    if field in ("submitted_ns", "created_ns"):
        texts = seconds(mine), seconds(theirs)  # type: ignore[arg-type]
        return texts if texts[0] != texts[1] or mine == theirs else (exact_seconds(mine), exact_seconds(theirs))  # type: ignore[arg-type]
    if isinstance(mine, float) and isinstance(theirs, float):
        return contrasted(mine, theirs)
    return name(str(mine)), name(str(theirs))


def labelled(candidate: Candidate, field: str, value: str) -> str:
    """The candidate with the value that was compared, e.g. "system (1001)" or "node-1 (score 0.25)"."""
    if field in words.TIE_BREAKS:
        return name(candidate.name)
    return f"{name(candidate.name)} ({words.value_word(field)}{value})"


def with_first_value(candidate: Candidate) -> str:
    """The candidate with the value that its order looks at first."""
    if candidate.key is None:
        return name(candidate.name)
    field: str = candidate.key._fields[0]
    value = getattr(candidate.key, field)
    return labelled(candidate, field, values(field, value, value)[0])


def where(level: Level) -> str:
    """What the candidates of the level are, for the beginning of a sentence."""
    if level.kind == "queue":
        return name(short_path(level.subject))
    if level.kind == "application":
        return applications_of(name(short_path(level.subject)))
    if level.kind == "ask":
        return asks_of(name(level.subject))
    return nodes_by(level.policy)


def short_path(path: str) -> str:
    """The last name of a queue path."""
    return path.rpartition(".")[2]


def blockers(decision: Decision, level: Level, candidate: Candidate) -> Iterator[tuple[str, Refusal]]:
    """(who, why) for everything that kept a candidate from placing anything, in the order it was met.

    For an application or a queue that was tried these are the refusals of what is below it; else its own.
    """
    if candidate.refusal is None or isinstance(candidate.refusal, AlreadyAllocated):
        return
    if not isinstance(candidate.refusal, NothingPlaced):
        who = words.request(candidate.name, level.subject) if level.kind == "ask" else name(candidate.name)
        yield who, candidate.refusal
        return
    below = f"{level.subject}.{candidate.name}" if level.kind == "queue" else candidate.name
    for inner in last_pass(decision):
        if inner.subject == below and inner.kind in _KINDS_BELOW[level.kind]:
            for refused in inner.candidates:
                yield from blockers(decision, inner, refused)


_KINDS_BELOW = {"queue": ("queue", "application"), "application": ("ask",)}


def all_blockers(decision: Decision) -> Iterator[tuple[str, Refusal]]:
    """(who, why) for every ask, application or queue that was tried in a cycle that placed nothing."""
    levels = last_pass(decision)
    if levels:
        for candidate in levels[0].candidates:
            yield from blockers(decision, levels[0], candidate)


# ---- in words ---------------------------------------------------------------------------------------------------------


def applications_of(leaf: str) -> str:
    return f"Applications of {leaf}"


def asks_of(application: str) -> str:
    return f"Requests of {application}"


def nodes_by(policy: str) -> str:
    return f"Nodes by {name(policy)}"

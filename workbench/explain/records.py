"""The records of a decision as a table: every level visited, every candidate in the order tried, what was compared, and why not.

This is what stands behind the few sentences of `why` (U-19, section 7). Nothing is derived anew (U-1).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from workbench.explain import levels, refusals, words
from workbench.explain.tables import Table
from workbench.explain.wording import counted, name
from workbench.scheduler.records.decision import Candidate, Decision, Level
from workbench.scheduler.records.refusals.taking_part import NotReached

RECORD_COLUMNS = ("level", "tried", "candidate", "compared", "verdict", "why")
PASSED_OVER = "passed over"
LEFT_OUT = "left out"
NOT_TRIED = "–"

TIE_BREAKERS = ("seq", "position", "id")
"""Key fields that only settle ties; they say nothing to people."""


def record_rows(decision: Decision, most: int | None = None) -> Table:
    """A row for each candidate of each level, in visiting order. Needs a traced decision, such as `sim.preview()`.

    With `most`, the first so many rows; how many are left is in the note.
    """
    rows = tuple(islice((row for level in decision.levels for row in _rows(level)), most))
    left = sum(len(level.candidates) + len(level.filtered) for level in decision.levels) - len(rows)
    return Table(
        words.RECORD_CAPTION,
        RECORD_COLUMNS,
        rows,
        frozenset(("tried",)),
        (),
        words.NO_RECORDS,
        more_rows(left),
    )


def _rows(level: Level) -> Iterator[tuple[str, ...]]:
    what = candidates_of(level.kind, name(level.subject), name(level.policy) if level.policy else "")
    for index, candidate in enumerate(level.candidates):
        yield what, str(index + 1), name(candidate.name), _compared(candidate), *_verdict(level, index, candidate)
    for refusal in level.filtered:
        yield what, NOT_TRIED, name(refusal.subject), "", LEFT_OUT, refusals.reason(refusal)


def _verdict(level: Level, index: int, candidate: Candidate) -> tuple[str, str]:
    if index == level.taken:
        return words.TAKEN, ""
    if candidate.refusal is not None:
        return PASSED_OVER, refusals.reason(candidate.refusal)
    return refusals.short_name(NotReached), ""


def _compared(candidate: Candidate) -> str:
    if candidate.key is None:
        return ""
    fields: tuple[str, ...] = candidate.key._fields
    return ", ".join(
        f"{words.field_name(field)} {_value(field, getattr(candidate.key, field))}"
        for field in fields
        if field not in TIE_BREAKERS and field != "pending"
    )


def _value(field: str, value: object) -> str:
    if isinstance(value, tuple):
        # Shares of all types, largest first.
        return " / ".join(levels.values(field, each, each)[0] for each in value) or "0"
    return levels.values(field, value, value)[0]


# ---- in words ---------------------------------------------------------------------------------------------------------


def candidates_of(kind: str, subject: str, policy: str) -> str:
    what = {
        "queue": f"queues of {subject}",
        "application": f"apps of {subject}",
        "ask": f"requests of {subject}",
        "node": f"nodes for {subject}",
    }.get(kind, f"{name(kind)} {subject}")
    return f"{what}, by {policy}" if policy else what


def more_rows(number: int) -> str:
    return f"and {counted(number, 'more row')}" if number > 0 else ""

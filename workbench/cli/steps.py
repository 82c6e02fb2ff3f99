"""The steps of a simulation as rows: what was decided, when, and by which comparison of queues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from workbench.explain import Table, reason, waiting_rows, why
from workbench.explain.levels import winners_levels
from workbench.explain.why import level_sentences
from workbench.explain.wording import name, seconds, width
from workbench.scheduler.records.decision import Candidate, Decision, Level
from workbench.simulation import Simulation, Waiting

COLUMNS = ("step", "time", "outcome", "request", "application", "queue", "node", "decided by")
NUMERIC = frozenset(("step", "time"))
WIDTHS = (5, 10, 9, 16, 16, 24, 12, 0)
"""Least widths in the terminal, where rows are printed as they come and later ones are not known yet."""
REGULAR = "regular"


@dataclass(frozen=True, slots=True)
class Row:
    """One step: its number from 1 and the decision, traced if its comparisons are wanted."""

    number: int
    decision: Decision

    @property
    def cells(self) -> tuple[str, ...]:
        """Texts in the order of COLUMNS."""
        decision = self.decision
        return (
            str(self.number),
            seconds(decision.now_ns),
            decision.outcome,
            name(decision.key) if decision.key else "",
            name(decision.application_id) if decision.key else "",
            name(decision.path[-1]) if decision.path else "",
            name(decision.node_id) if decision.key else "",
            decided_by(decision),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; times in nanoseconds."""
        decision = self.decision
        return {
            "step": self.number,
            "now_ns": decision.now_ns,
            "cycle": decision.cycle,
            "partition": decision.partition,
            "outcome": decision.outcome,
            "phase": decision.phase,
            "request": decision.key,
            "application": decision.application_id,
            "node": decision.node_id,
            "path": list(decision.path),
            "victims": list(decision.victims),
            "levels": [_level(level) for level in winners_levels(decision)],
        }


def walk(simulation: Simulation, limit: int | None, *, traced: bool) -> Iterator[Row]:
    """Take steps, at most `limit`, until nothing changes any more, and yield each when it is taken."""
    while limit is None or simulation.position < limit:
        preview = simulation.preview() if traced else None
        decision = simulation.step()
        if not decision.changed_something:
            return
        yield Row(simulation.position, preview or decision)


def decided_by(decision: Decision) -> str:
    """The comparisons of queues that led to a decision; what else decided where queues did not compete."""
    queues = [level for level in winners_levels(decision) if level.kind == "queue"]
    if decision.phase == REGULAR:
        return " ".join(sentence for level in queues for sentence in level_sentences(decision, level))
    return " ".join(why(decision).sentences[:1])


def line(cells: tuple[str, ...]) -> str:
    """Cells side by side, each at least as wide as its column."""
    padded = []
    for column, cell, least in zip(COLUMNS, cells, WIDTHS):
        space = " " * (least - width(cell))
        padded.append(space + cell if column in NUMERIC else cell + space)
    return "  ".join(padded).rstrip()


def table(rows: list[Row]) -> Table:
    """The steps as one table."""
    return Table(
        "Steps in the order in which they were taken",
        COLUMNS,
        tuple(row.cells for row in rows),
        NUMERIC,
        tuple(row.number for row in rows),
        "No step was taken.",
    )


def waiting_table(waiting: tuple[Waiting, ...]) -> Table:
    """What still waits, in ranking order, each with the sentence that says why it is not the next."""
    found = waiting_rows(waiting)
    rows = tuple(
        (*cells[:-1], cells[-1] if item.refusal is None else reason(item.refusal)) for cells, item in zip(found.rows, waiting)
    )
    return replace(found, rows=rows)


def waiting_dict(item: Waiting) -> dict[str, Any]:
    """Plain values for JSON."""
    refusal = item.refusal
    return {
        "rank": item.rank,
        "request": item.ask.key,
        "application": item.application.id,
        "queue": item.application.queue_path,
        "priority": item.ask.priority,
        "priorities": [{"queue": path, "priority": value} for path, value in item.priorities],
        "code": refusal.code if refusal else None,
        "reason": reason(refusal) if refusal else None,
    }


def _level(level: Level) -> dict[str, Any]:
    return {
        "kind": level.kind,
        "of": level.subject,
        "policy": level.policy,
        "taken": level.taken,
        "candidates": [_candidate(candidate) for candidate in level.candidates],
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    key = candidate.key._asdict() if candidate.key is not None else None
    if key is not None and "priority" in key:
        # Keys hold it negated, so that the smallest key goes first.
        key["priority"] = -key["priority"]
    return {"name": candidate.name, "key": key, "refused": candidate.refusal.code if candidate.refusal else None}

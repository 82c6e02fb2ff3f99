"""Where a served simulation stands, as plain values for JSON; times in nanoseconds since its start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from workbench.bench.prediction import as_they_came
from workbench.bench.workbench import Workbench
from workbench.explain.events import EVENT_KINDS
from workbench.explain.refusals import reason
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.events import Event
from workbench.simulation.waiting import Waiting
from workbench.values.resources import Resource


def place(bench: Workbench) -> dict[str, Any]:
    """How far it is, and what was last said."""
    simulation = bench.simulation
    return {
        "step": simulation.position,
        "recorded": simulation.recorded,
        "now_ns": simulation.now_ns,
        "busy": bench.player.busy,
        "said": bench.status.text,
        "call": bench.status.call,
    }


def standing(bench: Workbench, waiting: Sequence[Waiting], most_waiting: int) -> dict[str, Any]:
    """The place, what comes next, and what waits: how many, and the first of them with the reason.

    While a prediction is asked for on the screen, what comes next is covered here as it is there.
    """
    simulation, covered = bench.simulation, bench.next_covered
    waiting = as_they_came(waiting) if covered else waiting
    return {
        "name": bench.name,
        "release": simulation.release,
        **place(bench),
        "next_timer_ns": simulation.next_due_ns,
        "can_undo": bench.can_undo,
        "can_redo": bench.can_redo,
        "covered": covered,
        "next": None if covered else decided(simulation.preview()),
        "waiting": {"count": len(waiting), "first": [waits(each) for each in waiting[:most_waiting]]},
    }


def decided(decision: Decision) -> dict[str, Any]:
    """What a step did, or would do."""
    return {
        "outcome": decision.outcome,
        "phase": decision.phase,
        "now_ns": decision.now_ns,
        "partition": decision.partition,
        "application": decision.application_id,
        "request": decision.key,
        "node": decision.node_id,
        "path": list(decision.path),
        "victims": list(decision.victims),
    }


def waits(item: Waiting) -> dict[str, Any]:
    """A request that waits, and why; null for the one that is next, and for all while that is covered."""
    refusal = item.refusal
    return {
        "rank": item.rank,
        "application": item.application.id,
        "request": item.ask.key,
        "queue": item.application.queue_path,
        "priority": item.ask.priority,
        "code": refusal.code if refusal is not None else None,
        "reason": reason(refusal) if refusal is not None else None,
    }


def happened(events: Iterable[Event]) -> list[dict[str, Any]]:
    """What inputs caused."""
    return [{"kind": EVENT_KINDS[type(event).__name__], **plain(event)} for event in events]


def plain(value: Any) -> Any:
    """A value of the scheduler's records as one that JSON has; what has no such form as its text."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Resource):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return str(value)

"""The sentences about one attempt at preemption."""

from __future__ import annotations

from workbench.explain.wording import amounts, counted, name, seconds
from workbench.values.resources import Resource


def other_pods(count: int) -> str:
    return counted(count, "other pod")


def makes_room(who: str, node: str, victims: int) -> str:
    if not victims:
        return f"{node} is kept for {who}; nothing has to be stopped."
    return f"For {who}, {counted(victims, 'allocation')} {'is' if victims == 1 else 'are'} stopped; it waits for {node}."


def makes_no_room(who: str) -> str:
    return f"Nothing is stopped for {who}."


def victim(position: int, who: str, queue: str, opted_out: bool, originator: bool, created_ns: int) -> str:
    kind = [text for text, holds in (("opted out", opted_out), ("driver", originator)) if holds] or ["regular"]
    return f"{position}. {who} in {name(queue)}: {' and '.join(kind)}, created at {seconds(created_ns)}."


def victims_queue(queue: str, before: Resource, after: Resource, guaranteed: Resource | None) -> str:
    promised = f", of {amounts(guaranteed)} guaranteed" if guaranteed else ", without a guarantee"
    return f"{name(queue)} holds {amounts(before, 'nothing')} before and {amounts(after, 'nothing')} after{promised}."


def freed(node: str, free: Resource | None, freed: Resource, need: Resource, fits: bool) -> str:
    ends = "which is enough" if fits else "which is not enough"
    return (
        f"{name(node)} has {amounts(free, 'nothing')} free and gets {amounts(freed, 'nothing')} back for the {amounts(need)} "
        f"needed, {ends}."
    )

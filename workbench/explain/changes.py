"""What differs between the states after two steps: placements and ends, queues, applications, nodes.

Both states are visited and read; the simulation is then exactly where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.explain import words
from workbench.explain.tables import Table
from workbench.explain.wording import amounts, contrasted, listing, name, priority
from workbench.scheduler.records.observation import Observation, observe
from workbench.scheduler.records.state import Partition
from workbench.simulation import Simulation
from workbench.values.errors import CommandError
from workbench.values.resources import Resource

CHANGE_COLUMNS = ("what", "name", "value", "before", "after")
NOTHING_THERE = "–"
YES = "yes"
NO = "no"
KINDS_OF_THINGS: Mapping[str, str] = {"allocation": "allocation", "queue": "queue", "application": "app", "node": "node"}
VALUES_OF_THINGS: Mapping[str, str] = {"running applications": "running apps"}

KINDS = ("allocation", "queue", "application", "node")
"""In the order of the table."""


def change_rows(sim: Simulation, a: int | None = None, b: int | None = None, partition: str = "default") -> Table:
    """A row for each value that is another after step `b` than after step `a`; 0 is the start.

    Without `b` it is the present step, without `a` the one before `b`. KeyError if there is no such partition.

    Raises:
        CommandError: a step was not taken, or the simulation keeps no history.
    """
    after = sim.position if b is None else b
    before = max(0, after - 1) if a is None else a
    for number in (before, after):
        if not 0 <= number <= sim.recorded:
            raise CommandError(no_recorded_step(number, sim.recorded))
    old, new = _seen_after(sim, before, partition), _seen_after(sim, after, partition)
    # The room of every queue changes with every placement, so it comes after what tells more.
    rows = sorted(_rows(old, new), key=lambda row: (KINDS.index(row[0][0]), row[2] == "headroom"))
    empty = words.NO_STEPS if before == after == 0 else same_after(before, after)
    return Table(
        change_caption(before, after),
        CHANGE_COLUMNS,
        tuple((KINDS_OF_THINGS[kind], *rest) for (kind, _), *rest in rows),
        frozenset(),
        tuple(key for key, *_ in rows),
        empty,
    )


def _seen_after(sim: Simulation, step: int, partition: str) -> Observation:
    with sim.visiting(step):
        return _seen(sim.state.partitions[partition.lower()])


def _seen(partition: Partition) -> Observation:
    """(kind, subject, what) -> value: what decisions change, what runs where, and how applications ended."""
    seen: Observation = {}
    for application in sorted(partition.applications.values(), key=lambda each: each.seq):
        for allocation in sorted(application.allocations.values(), key=lambda each: each.seq):
            seen["allocation", words.request(allocation.key, application.id), "node"] = allocation.node_id
    for application in sorted(partition.completed.values(), key=lambda each: each.seq):
        seen["application", application.id, "state"] = application.state
    seen |= observe(partition)
    for node in sorted(partition.nodes.values(), key=lambda each: each.id):
        seen["node", node.id, "schedulable"] = node.schedulable
    return seen


def _rows(old: Observation, new: Observation) -> Iterator[tuple[tuple[str, str], str, str, str, str]]:
    """((kind, subject), name, what, before, after), in the order of what there is now, then what is gone."""
    for key in (*new, *(each for each in old if each not in new)):
        kind, subject, what = key
        if old.get(key) != new.get(key):
            before, after = _texts(what, old.get(key), new.get(key))
            if before != after:
                shown = subject if kind == "allocation" else name(subject)
                yield (kind, subject), shown, VALUES_OF_THINGS.get(what, what), before, after


def _texts(what: str, before: Any, after: Any) -> tuple[str, str]:
    if isinstance(before, float) and isinstance(after, float):
        return contrasted(before, after)
    return _text(what, before), _text(what, after)


def _text(what: str, value: Any) -> str:
    if value is None or value in ("", ()):
        return NOTHING_THERE
    if what == "priority":
        return priority(value)
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, Resource):
        return amounts(Resource({kind: amount for kind, amount in value.items() if amount}), NOTHING_THERE)
    if isinstance(value, tuple):
        return listing([name(each) for each in value])
    if isinstance(value, float):
        return contrasted(value, value)[0]
    return name(str(value))


# ---- in words ---------------------------------------------------------------------------------------------------------


def change_caption(before: int, after: int) -> str:
    return f"What differs between the states after step {before} and after step {after}"


def same_after(before: int, after: int) -> str:
    return f"Nothing differs between the states after step {before} and after step {after}."


def no_recorded_step(number: int, recorded: int) -> str:
    return f"there is no recorded step {number}; recorded: 0 to {recorded}"

"""Whether the core decides a scenario as the engine does, where the core itself may decide it in several ways.

Where the core's order comes from a hash table its plays of one scenario differ. So it plays until one play is as ours, or so often
that one could have been. If none is, the play that went our way longest tells: at the item where it leaves us, either the order
was open between what we took and what it took (its own plays part at that item, or the engine says of the comparison that nothing
but the order of creation decided it, chapter 09), or one of the two is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from oracle.program import PlayFailed
from workbench.config import load_config
from workbench.conformance.replay import Difference, Report, normal, replay
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.records.decision import Decision, Level, deciding_field
from workbench.simulation import driver
from workbench.simulation.scenario import Scenario

BY_CREATION = "seq"
"""The field of a key that decides where the core leaves the order open: the engine takes the one created first. E-4"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the plays of one scenario showed.

    Attributes:
        kind: "alike": a play is ours in every item; "open": the nearest leaves us where the order is open; "differs": elsewhere;
            "failed": the core did not play it to its end, which `report.failure` tells.
        plays: how many there were.
        ways: how many different ones.
        ours: how many of them were ours.
        report: of the play that went our way longest.
    """

    kind: Literal["alike", "open", "differs", "failed"]
    plays: int
    ways: int
    ours: int
    report: Report

    def __str__(self) -> str:
        own = f"; the core has {self.ways} ways in {self.plays} plays, {self.ours} ours" if self.ways > 1 else ""
        if self.kind == "alike":
            return f"{self.report.name}: alike, {self.report.total} items{own}"
        if self.kind == "failed":
            return f"{self.report.name}: the core failed: {self.report.failure}"
        words = "alike until the order is open" if self.kind == "open" else "DIFFERS"
        return f"{self.report.name}: {words}{own}: {self.report}"


def judge(scenario: Scenario, play: Callable[[Scenario], dict[str, Any]], *, times: int, always: bool = False) -> Verdict:
    """Have the core play a scenario up to so many times, until a play is ours; to tell whether it `always` is, until one is not."""
    found: list[Report] = []
    ways: dict[str, Report] = {}
    recordings: list[dict[str, Any]] = []
    while len(found) < times:
        try:
            recording = play(scenario)
        except PlayFailed as failed:
            return Verdict("failed", len(found) + 1, len(ways), 0, Report(scenario.name, 0, 0, failure=str(failed)))
        way = canon(recording)
        if way not in ways:
            ways[way] = replay(replace(scenario, expect=recording))
            recordings.append(recording)
        found.append(ways[way])
        if any(report.agrees for report in ways.values()) and not (always and len(ways) == 1):
            break
    best = max(ways.values(), key=lambda report: (report.agrees, report.matched))
    kind: Literal["alike", "open", "differs"] = "alike"
    if not best.agrees:
        nearest = [each for each in recordings if ways[canon(each)].matched == best.matched]
        kind = "open" if part_at(nearest, best.matched) or is_open(scenario, best, several=len(ways) > 1) else "differs"
    return Verdict(kind, len(found), len(ways), sum(report.agrees for report in found), best)


def part_at(recordings: Sequence[dict[str, Any]], index: int) -> bool:
    """Whether plays that are alike until this item of the trace are not alike in it."""
    return len({json.dumps(_items(each)[index]) for each in recordings if index < len(each["trace"])}) > 1


def canon(recording: dict[str, Any]) -> str:
    """Equal for plays in which the same happened; outcomes of one item have no order."""
    return json.dumps([_items(recording), recording.get("snapshots"), recording["final"]], sort_keys=True)


def _items(recording: dict[str, Any]) -> list[Any]:
    return [
        (item["event"], item.get("cycle", 0), item["t_ms"], sorted(json.dumps(normal(each)) for each in item["outcomes"]))
        for item in recording["trace"]
    ]


def is_open(scenario: Scenario, report: Report, *, several: bool = False) -> bool:
    """Whether the first difference is one between answers that the core may give alike; `several`: its plays were not all alike.

    Reservations are told to nobody: where their order was open, the plays may have parted before the difference is seen.
    """
    difference = report.difference
    if difference is None or not difference.cycle:
        return False
    engine = Engine(load_config(scenario.text), release=scenario.engine, history=False)
    driver.begin(engine, scenario.pace)
    place = driver.START
    for _ in range(report.matched):  # a run has no snapshots, so that every match is an item
        item, place = driver.step(engine, scenario, place, traced=True)
        if any(each.outcome in ("reserved", "unreserved") and _has_tie(each) for each in item.decisions):
            return True
    item, _ = driver.step(engine, scenario, place, traced=True)
    return any(_leaves_open(each, difference) or several and _mixes_up_maxima(engine, each) for each in item.decisions)


def _mixes_up_maxima(engine: Engine, decision: Decision) -> bool:
    """Whether siblings were ordered that have different maxima of a type that not all are guaranteed.

    The core compares such with the maximum of their place in its list, which comes from a hash table, and not with their own. R-526
    """
    partition = engine.state.partitions[decision.partition]
    for level in decision.levels:
        if level.kind != "queue" or len(level.candidates) < 2:
            continue
        queues = [found for each in level.candidates if (found := tree.find(partition, f"{level.subject}.{each.name}")) is not None]
        types = {name for queue in queues for name in queue.maximum or ()}
        for name in types:
            unsure = any(name not in (queue.guaranteed or ()) for queue in queues)
            if unsure and len({(queue.maximum or {}).get(name) for queue in queues}) > 1:
                return True
    return False


def _leaves_open(decision: Decision, difference: Difference) -> bool:
    theirs = {outcome["app"] for outcome in difference.expected or () if "app" in outcome}
    if decision.outcome == "replaced" and theirs == {decision.application_id}:
        return True  # which of several equal placeholders is replaced
    if decision.phase == "reserved":  # which of those with reservations in a leaf is tried first
        leaf = next((level for level in decision.levels if level.kind == "application" and level.winner is not None), None)
        return leaf is not None and theirs <= {each.name for each in leaf.candidates}
    return _has_tie(decision)


def _has_tie(decision: Decision) -> bool:
    """Whether something stands beside what was taken, a queue or an application, equal in all that is compared."""
    return any(_tied(level) for level in decision.levels if level.kind in ("application", "queue"))


def _tied(level: Level) -> bool:
    ours = level.winner
    return ours is not None and any(
        each.key is not None and each is not ours and deciding_field(ours.key, each.key) == BY_CREATION
        for each in level.candidates
        if ours.key is not None
    )

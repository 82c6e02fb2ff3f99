"""Recorded scenarios played again, and the first thing that comes out differently.

A recording says for every event and every cycle which outcomes the resource manager saw, and what queues, nodes and
applications looked like at marked places and at the end. Outcomes of one item have no order. The texts of rejections
are compared with white space made equal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never

from workbench.config import load_config
from workbench.conformance.tables import is_list
from workbench.files.reading import entries, is_folder
from workbench.scheduler.engine import Engine
from workbench.scheduler.records import events
from workbench.scheduler.records.commands import Advance
from workbench.scheduler.records.events import Event
from workbench.scheduler.releases.profiles import profile_of
from workbench.simulation import driver
from workbench.simulation.scenario import Scenario, load_scenario
from workbench.simulation.snapshot import snapshot
from workbench.values.errors import ScenarioError, WorkbenchError

Outcome = dict[str, Any]
OF_ANSWERS = "rest-"
"""So the names of recordings begin that hold answers of the web service."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that came out differently.

    Attributes:
        what: what was compared, such as "outcomes" or "snapshot: queues root.a pending".
        event, kind: index of the event and its key in the file; -1 and "" for the state at the end.
        cycle: cycle within the event, 0 if it runs none.
        t_ms: simulated time in ms.
        expected, got: as in the recording; None where there is nothing.
    """

    what: str
    event: int
    kind: str
    cycle: int
    t_ms: int
    expected: Any
    got: Any

    def __str__(self) -> str:
        where = f"event {self.event} ({self.kind})" if self.event >= 0 else "at the end"
        cycle = f", cycle {self.cycle}" if self.cycle else ""
        return f"{where}{cycle}, t = {self.t_ms} ms: {self.what} differ: expected {_shown(self.expected)}, got {_shown(self.got)}"


@dataclass(frozen=True, slots=True)
class Report:
    """What one replay showed.

    Attributes:
        name: of the scenario.
        matched: trace items and states that came out as recorded, before the first difference.
        total: trace items and states in the recording.
        difference: the first difference, or None.
        failure: why the scenario could not be played to its end, or "".
    """

    name: str
    matched: int
    total: int
    difference: Difference | None = None
    failure: str = ""

    @property
    def agrees(self) -> bool:
        """Whether everything came out as recorded."""
        return self.difference is None and not self.failure

    def __str__(self) -> str:
        if self.agrees:
            return f"{self.name}: all {self.total} items as recorded"
        return f"{self.name}: {self.matched} of {self.total} items as recorded, then {self.difference or self.failure}"


def replay(scenario: Scenario) -> Report:
    """Play a recorded scenario on a fresh engine and compare. Stops at the first difference.

    Raises:
        ScenarioError: the scenario has no expectation, or one of another form.
    """
    expectation = _Expectation(scenario)
    matched = 0
    try:
        for difference in _comparisons(scenario, expectation):
            if difference is not None:
                return Report(scenario.name, matched, expectation.total, difference)
            matched += 1
    except WorkbenchError as error:
        return Report(scenario.name, matched, expectation.total, failure=f"not playable: {error}")
    return Report(scenario.name, matched, expectation.total)


def replay_paths(paths: Iterable[str | Path], *, family: str | None = None) -> Iterator[tuple[str, Report]]:
    """(file name, report) of every recorded scenario among the files and in the folders, in order of the names.

    Args:
        family: only scenarios of this family (`family_of`).
    """
    for path in scenario_files(paths, family=family):
        yield path.name, replay(load_scenario(path))


def scenario_files(paths: Iterable[str | Path], *, family: str | None = None, answers: bool = False) -> list[Path]:
    """The files given, and those ending in .json or .json.gz anywhere below the folders given, sorted.

    In a folder recordings of scenarios stand beside others, told by their names: those of answers of the web service begin
    with "rest-" and are taken with `answers` alone, and lists of facts (`tables.LISTS`) are taken by neither. Of all only those
    of a `family`, if one is given (`family_of`).

    ScenarioError for a path that does not exist, and a folder that cannot be read.
    """
    found: set[Path] = set()
    for path in map(Path, paths):
        folder = is_folder(path, error=ScenarioError)
        if folder is None:
            raise ScenarioError("there is no such file or folder", source=str(path))
        if not folder:
            found.add(path)
        elif entries(path, error=ScenarioError):
            found.update(
                file
                for file in path.rglob("*")
                if file.name.endswith((".json", ".json.gz"))
                and file.name.startswith(OF_ANSWERS) == answers
                and not is_list(file)
                and not file.is_dir()
            )
    return sorted(file for file in found if family is None or family_of(file) == family)


def family_of(path: str | Path) -> str:
    """The family in a file name: "documented", or everything before the last "-".

    >>> family_of("preempt_tree-12.json"), family_of("documented-gang-soft-timeout.json.gz")
    ('preempt_tree', 'documented')
    """
    stem = Path(path).name.removesuffix(".gz").removesuffix(".json")
    return "documented" if stem.startswith("documented") else stem.rpartition("-")[0] or stem


class _Expectation:
    """The `expect` of a scenario: checked for form, and read in order."""

    def __init__(self, scenario: Scenario):
        given = scenario.expect
        if given is None:
            raise ScenarioError(
                "nothing is expected of this scenario",
                source=scenario.name,
                hint="only recorded scenarios, with a key expect, can be replayed",
            )
        self._name = scenario.name
        if not isinstance(given, Mapping):
            raise ScenarioError("expect must be a mapping", source=self._name)
        self._check_plain(given, "")
        if scenario.planned:
            raise ScenarioError(
                "it has inputs with a time of their own", source=scenario.name, hint="recordings have none: remove at_ms"
            )
        self.trace = self._list(given.get("trace"), "trace")
        for index, item in enumerate(self.trace):
            self._list(item.get("outcomes") or [], f"trace[{index}].outcomes")
        self.snapshots = {self._event_of(each): each for each in self._list(given.get("snapshots") or [], "snapshots")}
        self.final = given.get("final")
        if not isinstance(self.final, dict):
            self._wrong("final", "a mapping")
        self.total = len(self.trace) + len(self.snapshots) + 1

    def _event_of(self, entry: dict[str, Any]) -> int:
        """The index of the event after which a state was recorded; 0 is not written down."""
        found = entry.get("event", 0)
        if type(found) is not int:
            self._wrong("snapshots: event", "a whole number")
        return int(found)

    def _list(self, found: Any, key: str) -> list[Any]:
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            self._wrong(key, "a list of mappings")
        return list(found)

    def _check_plain(self, found: Any, key: str) -> None:
        """What JSON can hold, which is all that a recording has; YAML knows dates, sets and keys that are no text."""
        if isinstance(found, Mapping):
            for each, value in found.items():
                if not isinstance(each, str):
                    self._wrong(key, f"a mapping whose keys are texts, not {each!r}")
                self._check_plain(value, f"{key}.{each}" if key else each)
        elif isinstance(found, list):
            for number, value in enumerate(found):
                self._check_plain(value, f"{key}[{number}]")
        elif found is not None and not isinstance(found, str | int | float):
            self._wrong(key, f"text, a number, a list or a mapping, not {found!r}")

    def _wrong(self, key: str, wanted: str) -> Never:
        raise ScenarioError(f"expect{'.' * bool(key)}{key} must be {wanted}", source=self._name)


def _comparisons(scenario: Scenario, expectation: _Expectation) -> Iterator[Difference | None]:
    """One entry per thing compared: None, or what differs."""
    limits_by_path = profile_of(scenario.engine).limits_by_path
    engine = Engine(load_config(scenario.text, limits_by_path=limits_by_path), release=scenario.engine, history=False)
    driver.begin(engine, scenario.pace)
    carried: tuple[Event, ...] = ()
    number = 0
    for item in driver.items(engine, scenario):
        got = {
            "event": item.event,
            "cycle": item.cycle,
            "t_ms": item.now_ns // driver.MS_NS,
            "outcomes": outcomes(carried + item.events),
        }
        # What confirmations caused was noticed together with the next item.
        carried = item.confirmed
        if number >= len(expectation.trace):
            yield _difference(scenario, item, "number of items", None, got["outcomes"])
            return
        yield _item_difference(scenario, item, expectation.trace[number], got)
        number += 1
        event = scenario.events[item.event]
        if event.snapshot and item.ends_event:
            expected = dict(expectation.snapshots.get(item.event) or {})
            expected.pop("event", None)
            yield _state_difference(scenario, item, "snapshot", expected, snapshot(engine.state))
    engine.apply(Advance(ns=scenario.pace.message_ns))
    if number < len(expectation.trace):
        missing = expectation.trace[number]
        yield Difference("number of items", -1, "", 0, engine.state.now_ns // driver.MS_NS, missing, None)
        return
    assert expectation.final is not None
    unequal = first_inequality(expectation.final, snapshot(engine.state))
    yield unequal and Difference(f"final {unequal[0]}", -1, "", 0, engine.state.now_ns // driver.MS_NS, *unequal[1:])


def _item_difference(scenario: Scenario, item: driver.Item, expected: Mapping[str, Any], got: dict[str, Any]) -> Difference | None:
    for field in ("event", "cycle", "t_ms"):
        wanted = expected.get(field, 0)
        if wanted != got[field]:
            return _difference(scenario, item, field, wanted, got[field])
    wanted = sorted(map(normal, expected.get("outcomes") or ()), key=_text)
    if wanted == got["outcomes"]:
        return None
    # Only what is in one of the two; the rest would hide it.
    missing = [each for each in wanted if each not in got["outcomes"]]
    extra = [each for each in got["outcomes"] if each not in wanted]
    return _difference(scenario, item, "outcomes", missing or wanted, extra or got["outcomes"])


def _state_difference(scenario: Scenario, item: driver.Item, what: str, expected: Any, got: Any) -> Difference | None:
    unequal = first_inequality(expected, got)
    return unequal and _difference(scenario, item, f"{what} {unequal[0]}", *unequal[1:])


def _difference(scenario: Scenario, item: driver.Item, what: str, expected: Any, got: Any) -> Difference:
    kind = _EVENT_NAMES.get(type(scenario.events[item.event].command).__name__, "")
    return Difference(what, item.event, kind, item.cycle, item.now_ns // driver.MS_NS, expected, got)


_EVENT_NAMES = {
    "AddNode": "add_node",
    "UpdateNode": "update_node",
    "DrainNode": "drain_node",
    "UndrainNode": "undrain_node",
    "RemoveNode": "remove_node",
    "AddApplication": "add_app",
    "RemoveApplication": "remove_app",
    "AddAsk": "add_ask",
    "AddAllocation": "add_allocation",
    "Release": "release",
    "UpdateConfig": "update_config",
    "AdvanceMs": "advance_ms",
    "Until": "until_ns",
    "Schedule": "schedule",
}


def first_inequality(expected: Any, got: Any, path: tuple[str, ...] = ()) -> tuple[str, Any, Any] | None:
    """Path, expected and found value of the first unequal leaf of two states, in order of the keys; None if equal."""
    if expected == got:
        return None
    if isinstance(expected, dict) and isinstance(got, dict) and len(path) < 3:
        for key in sorted({*expected, *got}):
            unequal = first_inequality(expected.get(key), got.get(key), (*path, key))
            if unequal:
                return unequal
    return " ".join(path), expected, got


# -- outcomes ---------------------------------------------------------------------------------------------------------


def outcomes(happened: Iterable[Event]) -> list[Outcome]:
    """What a resource manager would have seen, as recorded: in the order of the JSON texts."""
    found = (_outcome(event) for event in happened)
    return sorted((normal(each) for each in found if each is not None), key=_text)


def normal(outcome: Mapping[str, Any]) -> Outcome:
    """The outcome with runs of white space in its reason made one blank."""
    if isinstance(outcome.get("reason"), str):
        return {**outcome, "reason": " ".join(outcome["reason"].split())}
    return dict(outcome)


def _outcome(event: Event) -> Outcome | None:
    """None for what a resource manager is not told."""
    match event:
        case events.Allocated():
            return {"allocated": event.key, "app": event.application_id, "node": event.node_id}
        case events.Released():
            return {"released": event.key, "app": event.application_id, "type": event.type}
        case events.ApplicationAccepted():
            return {"app_accepted": event.application_id}
        case events.ApplicationRejected():
            return {"app_rejected": event.application_id, "reason": event.reason}
        case events.ApplicationUpdated():
            return {"app_updated": event.application_id, "state": event.state}
        case events.AskRejected():
            return {"ask_rejected": event.key, "app": event.application_id, "reason": event.reason}
        case events.NodeAccepted():
            return {"node_accepted": event.node_id}
        case events.NodeRejected():
            return {"node_rejected": event.node_id, "reason": event.reason}
        case events.ConfigRejected():
            return {"config_rejected": event.reason}
    return None


def _text(outcome: Outcome) -> str:
    return json.dumps(outcome, sort_keys=True)


def _shown(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return text if len(text) <= 400 else text[:397] + "..."

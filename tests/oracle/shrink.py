"""A scenario that differs made as small as it stays one: delta debugging over its events, then over its configurations.

What is left out is tried in halves first, then in smaller and smaller parts. Whatever is tried is a scenario that can be read;
whether it still differs is asked of the caller, who may play it on the core. The answer is remembered, so that nothing is asked
twice, and after so many questions the smallest one until then is taken.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import yaml

from workbench.simulation.scenario import Scenario, parse_scenario, scenario_to_dict
from workbench.values.errors import WorkbenchError

Said = dict[str, Any]
NEEDED = {
    "add_node": ("id", "resources"),
    "update_node": ("id", "resources"),
    "add_app": ("id", "queue", "user"),
    "add_ask": ("app", "key", "resources"),
    "add_allocation": ("app", "key", "resources", "node", "foreign"),
    "release": ("app", "key", "type"),
}
"""Kind of event -> keys that are never left out; all others are tried without."""


class Shrinking:
    """The search for the smallest scenario that still differs.

    Args:
        differs: whether a scenario still shows what the first one did.
        tries: at most so many are asked about.
    """

    def __init__(self, differs: Callable[[Scenario], bool], *, tries: int = 400):
        self._differs, self.left = differs, tries
        self._known: dict[str, bool] = {}

    def of(self, scenario: Scenario) -> Scenario:
        """The smallest found. The scenario itself if nothing can be left out of it."""
        said = {key: each for key, each in scenario_to_dict(scenario).items() if key != "expect"}
        size = None
        while size != (size := len(json.dumps(said))):
            said = self._without_events(said)
            said = self._with_fewer_cycles(said)
            said = self._simpler(said)
        return _read(said)

    # -- events -------------------------------------------------------------------------------------------------------

    def _without_events(self, said: Said) -> Said:
        events: Sequence[Said] = said["events"]
        part = max(1, len(events) // 2)
        while True:
            at = max(0, len(events) - part)  # from the end, which seldom matters
            while at >= 0 and events:
                tried = [*events[:at], *events[at + part :]]
                if self._still({**said, "events": tried}):
                    events = tried
                if at == 0:
                    break
                at = max(0, at - part)
            if part == 1:
                return {**said, "events": list(events)}
            part //= 2

    def _with_fewer_cycles(self, said: Said) -> Said:
        for index, event in enumerate(said["events"]):
            least, most = 1, event.get("schedule", 1)
            while least < most:  # the fewest cycles that do, if fewer never do where more do not
                middle = (least + most) // 2
                tried = _at(said, index, {**event, "schedule": middle})
                if self._still(tried):
                    most = middle
                else:
                    least = middle + 1
            if most != event.get("schedule", 1) and self._still(tried := _at(said, index, {**event, "schedule": most})):
                said = tried
        return said

    # -- what is said in them -----------------------------------------------------------------------------------------

    def _simpler(self, said: Said) -> Said:
        at = 0  # where something was left out, the next thing stands in its place
        while self.left > 0 and (tried := next(islice(_simplified(said), at, None), None)) is not None:
            if self._still(tried):
                said = tried
            else:
                at += 1
        return said

    def _still(self, said: Said) -> bool:
        key = json.dumps(said, sort_keys=True)
        if key not in self._known:
            if self.left <= 0:
                return False
            try:
                scenario = _read(said)
            except WorkbenchError:
                return False
            self.left -= 1
            self._known[key] = self._differs(scenario)
        return self._known[key]


def shrunk(scenario: Scenario, differs: Callable[[Scenario], bool], *, tries: int = 400) -> Scenario:
    """The scenario as small as it still differs, after so many questions at most."""
    return Shrinking(differs, tries=tries).of(scenario)


def _read(said: Said) -> Scenario:
    return parse_scenario(json.dumps(said), "json")


def _at(said: Said, index: int, event: Said) -> Said:
    return {**said, "events": [*said["events"][:index], event, *said["events"][index + 1 :]]}


def _simplified(said: Said) -> Iterator[Said]:
    """Every scenario that says one thing less."""
    for key in ("pace", "description"):
        if key in said:
            yield {name: each for name, each in said.items() if name != key}
    for queue in _queues(said):
        yield _everywhere(said, lambda text, queue=queue: _without_queue(text, queue))
    for text in _lesser_texts(said["config"]):
        yield {**said, "config": text}
    for index, event in enumerate(said["events"]):
        if "update_config" in event:
            for text in _lesser_texts(event["update_config"]):
                yield _at(said, index, {**event, "update_config": text})
        for kind, body in event.items():
            if kind in NEEDED:
                for lesser in _lesser_bodies(kind, body):
                    yield _at(said, index, {**event, kind: lesser})


def _lesser_bodies(kind: str, body: Said) -> Iterator[Said]:
    for key in body:
        if key not in NEEDED[kind]:
            yield {name: each for name, each in body.items() if name != key}
    resources = body.get("resources", {})
    for name in resources:
        if len(resources) > 1:
            yield {**body, "resources": {each: amount for each, amount in resources.items() if each != name}}


def _queues(said: Said) -> list[tuple[str, ...]]:
    """The paths of the queues of all configurations, the upper ones first."""
    found: dict[tuple[str, ...], None] = {}
    for text in (said["config"], *(event["update_config"] for event in said["events"] if "update_config" in event)):
        pending = [((), queue) for queue in yaml.safe_load(text)["partitions"][0]["queues"]]
        while pending:
            path, queue = pending.pop(0)
            found[(*path, queue["name"])] = None
            pending += [((*path, queue["name"]), child) for child in queue.get("queues", ())]
    return sorted((path for path in found if len(path) > 1), key=lambda path: (len(path), path))


def _everywhere(said: Said, changed: Callable[[str], str]) -> Said:
    events = [
        {**event, "update_config": changed(event["update_config"])} if "update_config" in event else event
        for event in said["events"]
    ]
    return {**said, "config": changed(said["config"]), "events": events}


def _without_queue(text: str, path: tuple[str, ...]) -> str:
    config = yaml.safe_load(text)
    found: list[Said] = config["partitions"][0]["queues"]
    for name in path[:-1]:
        found = next((queue.get("queues", []) for queue in found if queue["name"] == name), [])
    found[:] = [queue for queue in found if queue["name"] != path[-1]]
    return yaml.safe_dump(config, sort_keys=False)


_KEPT = {"name", "partitions", "submitacl"}


def _lesser_texts(text: str) -> Iterator[str]:
    """The configuration without one of its settings: a key with all below it, or one of a list of limits or rules."""
    config = yaml.safe_load(text)
    for place in list(_places(config, ())):
        lesser = copy.deepcopy(config)
        inner = lesser
        for step in place[:-1]:
            inner = inner[step]
        del inner[place[-1]]
        yield yaml.safe_dump(lesser, sort_keys=False)


def _places(value: Any, place: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if key not in _KEPT and key != "queues" and not (place and place[-1] in ("queues", "partitions", "users", "groups")):
            yield (*place, key)
        yield from _places(inner, (*place, key))

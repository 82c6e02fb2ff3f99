"""Recorded answers of the real web service, asked here again: what differs.

A recording is a scenario in which, at marked places, requests are made, and what the real scheduler said to each. What belongs
to a process of it was taken out before it was recorded, and is taken out here: its own name, and the figures of its runtime.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from workbench.config import load_config
from workbench.files.reading import read_text
from workbench.rest import Answer, Source, answer
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Advance
from workbench.scheduler.releases.profiles import profile_of
from workbench.simulation import driver
from workbench.simulation.scenario import Scenario, parse_scenario
from workbench.values.errors import ScenarioError

INSTANCE = "(one for each start)"
EXTRA = {"log.level": "FATAL"}
"""Came with the configuration when the recordings were made."""
ORDERED = frozenset(("EventRecords", "HealthChecks", "stateLog", "utilization", "groups"))
"""Arrays whose order means something. Any other comes out of a hash table of the core, whose order differs from run to run; that
four runs agreed, as they do now and then where there are two or three entries, says nothing about a fifth. RE-5"""
ORDERED_LISTS = ("/clusters", "/placementrules", "/history/", "/metrics")
"""Addresses of which the same is true of the answer itself."""
METRICS = ("yunikorn_queue_", "yunikorn_scheduler_")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, what was recorded, and what is said here.

    Attributes:
        event: index of the event at which it was asked.
        method, path: of the request.
        difference: the first thing that differs, as a sentence; "" if nothing does.
    """

    event: int
    method: str
    path: str
    difference: str

    def __str__(self) -> str:
        return f"event {self.event}: {self.method} {self.path}: {self.difference or 'as recorded'}"


@dataclass(frozen=True, slots=True)
class Recording:
    """A scenario with places to ask at, and the answers.

    Attributes:
        scenario: what happens, without the requests.
        places: how many events come before each place -> index of the place among all events.
        answers: recorded, by that index.
        epoch_ns: when simulated time began.
    """

    scenario: Scenario
    places: Mapping[int, tuple[int, ...]]
    answers: Mapping[int, tuple[Mapping[str, Any], ...]]
    epoch_ns: int


def load_recording(path: str | Path, *, release: str | None = None) -> Recording:
    """The recording in a `.json` or `.json.gz` file. ScenarioError if it is none. `release`: instead of the one it names."""
    path = Path(path)
    text = read_text(path, error=ScenarioError, packed=path.name.endswith(".gz"))
    try:
        given = json.loads(text)
        events, answers = [dict(each) for each in given["events"]], [dict(each) for each in given["rest"]]
        epoch = datetime.fromisoformat(given.get("epoch", "2000-01-01T00:00:00Z"))
    except (ValueError, KeyError, TypeError) as error:
        raise ScenarioError(
            "this is no recording of answers",
            source=str(path),
            hint="it must be JSON with the keys config, events and rest",
        ) from error
    places: dict[int, list[int]] = {}
    played: list[Any] = []
    for index, event in enumerate(events):
        if "rest" in event:
            places.setdefault(len(played), []).append(index)
        else:
            played.append(event)
    plain = {key: value for key, value in given.items() if key in ("name", "description", "config", "confirm_releases", "engine")}
    if release is not None:
        plain["engine"] = release
    scenario = parse_scenario(json.dumps({**plain, "events": played}), "json", source=str(path), name=path.name)
    by_event: dict[int, list[Mapping[str, Any]]] = {}
    for each in answers:
        by_event.setdefault(each.get("event", 0), []).append(each)
    return Recording(
        scenario,
        {at: tuple(indexes) for at, indexes in places.items()},
        {at: tuple(found) for at, found in by_event.items()},
        int(epoch.timestamp()) * 10**9,
    )


def ask(recording: Recording) -> Iterator[Asked]:
    """Play the scenario and ask everything that was asked, comparing.

    The plain search it is that plays: it looks at each request as often as the core does, and counts that on it.
    """
    scenario = recording.scenario
    limits_by_path = profile_of(scenario.engine).limits_by_path
    engine = Engine(load_config(scenario.text, limits_by_path=limits_by_path), release=scenario.engine, search="plain", log=True)
    source = Source(lambda: engine, recording.epoch_ns, INSTANCE, extra=EXTRA)
    driver.begin(engine, scenario.pace)
    place = driver.START
    while True:
        if not place.cycle:
            for index in recording.places.get(place.event, ()):
                for recorded in recording.answers.get(index, ()):
                    request = recorded["request"]
                    found = answer(source, request["method"], request["path"], request.get("body", "").encode())
                    yield Asked(index, request["method"], request["path"], difference(recorded, found))
                engine.apply(Advance(ns=scenario.pace.message_ns))
        if driver.finished(scenario, place):
            return
        _, place = driver.step(engine, scenario, place)


def difference(recorded: Mapping[str, Any], found: Answer) -> str:
    """The first difference of an answer from what was recorded, "" if there is none."""
    if found.status != recorded["status"]:
        return f"status {found.status} instead of {recorded['status']}"
    if found.content_type != recorded["content_type"]:
        return f"type {found.content_type!r} instead of {recorded['content_type']!r}"
    path = recorded["request"]["path"]
    kept = ORDERED if recorded.get("ordered", True) else frozenset()
    top = recorded.get("ordered", True) and any(part in path for part in ORDERED_LISTS)
    mine, real = (unordered(_named(body), kept, top) for body in (comparable(found, path), recorded["body"]))
    return first_difference(real, mine)


def comparable(found: Answer, path: str) -> Any:
    """The body without what belongs to a process, as recordings have it."""
    body = gzip.decompress(found.body) if ("Content-Encoding", "gzip") in found.headers else found.body
    text = body.decode()
    if path.endswith("/metrics"):
        kept = [line for line in text.splitlines() if any(name in line for name in METRICS)]
        return sorted(line for line in kept if "latency" not in line and "milliseconds" not in line)
    try:
        document = json.loads(text)
    except ValueError:
        return text
    return document


def _named(body: Any) -> Any:
    """The body; where the core lists states in no particular order, they are sorted."""
    if isinstance(body, dict) and "active statuses" in str(body.get("message", "")):
        head, _, states = body["message"].partition(": ")
        text = f"{head}: {','.join(sorted(states.split(',')))}"
        return {**body, "message": text, "description": text}
    return body


def unordered(value: Any, kept: Set[str] = frozenset(), keep: bool = False) -> Any:
    """The value with all arrays sorted, but those under the names kept, and the value itself if it is to be kept."""
    if isinstance(value, dict):
        return {key: unordered(each, kept, key in kept) for key, each in value.items()}
    if isinstance(value, list):
        found = [unordered(each, kept) for each in value]
        return found if keep else sorted(found, key=lambda each: json.dumps(each, sort_keys=True))
    return value


def first_difference(real: Any, mine: Any, path: str = "") -> str:
    """Where two bodies first differ, as a sentence."""
    at = path or "the body"
    if isinstance(real, dict) and isinstance(mine, dict):
        for key in sorted({*real, *mine}):
            below = f"{path}.{key}" if path else key
            if key not in mine:
                return f"{below} is missing, recorded {_shown(real[key])}"
            if key not in real:
                return f"{below} is {_shown(mine[key])}, recorded nothing"
            told = first_difference(real[key], mine[key], below)
            if told:
                return told
        return ""
    if isinstance(real, list) and isinstance(mine, list):
        for index, (one, other) in enumerate(zip(real, mine, strict=False)):
            told = first_difference(one, other, f"{path}[{index}]")
            if told:
                return told
        if len(real) != len(mine):
            beyond = (real if len(real) > len(mine) else mine)[min(len(real), len(mine))]
            return f"{at} has {len(mine)} items instead of {len(real)}, the first beyond is {_shown(beyond)}"
        return ""
    same = real == mine and isinstance(real, bool) == isinstance(mine, bool)
    return "" if same else f"{at} is {_shown(mine)} instead of {_shown(real)}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 200 else text[:197] + "..."

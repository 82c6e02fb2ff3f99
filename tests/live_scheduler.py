"""A scheduler that is not one: it tells events and applications as the real one does, for the tests of recordings."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from loopback import Answer

from workbench.importers.rest_client import RestError

Told = dict[str, Any]
"""Something as JSON has it."""
SECOND = 10**9
ZERO = 946_684_800 * SECOND
API, BELOW = "/ws/v1", "/ws/v1/partition/default"


def event(
    at_s: float, detail: int, object: str, reference: str = "", *, change: int = 2, type: int = 2, **amounts: int
) -> dict[str, Any]:
    """An event, with zeros and empty texts left out as the real one does."""
    given = {
        "timestampNano": ZERO + round(at_s * SECOND),
        "type": type,
        "eventChangeType": change,
        "eventChangeDetail": detail,
        "objectID": object,
        "referenceID": reference,
    }
    resource = {"resources": {kind: {"value": amount} for kind, amount in amounts.items()}} if amounts else {}
    return {key: value for key, value in given.items() if value} | {"resource": resource}


def new(at_s: float, id: str, queue: str = "root.a") -> list[dict[str, Any]]:
    """An application arrives in a queue."""
    return [event(at_s, 203, id), event(at_s, 405, queue, id, type=4), event(at_s, 204, id, change=1)]


def asked(at_s: float, id: str, key: str, vcore: int = 1000) -> list[dict[str, Any]]:
    return [event(at_s, 201, id, key, vcore=vcore)]


def placed(at_s: float, id: str, key: str, vcore: int = 1000) -> list[dict[str, Any]]:
    return [event(at_s, 200, id, key, vcore=vcore)]


def ended(at_s: float, id: str, key: str, detail: int = 500) -> list[dict[str, Any]]:
    """An allocation ends, and its request with it."""
    return [event(at_s, detail, id, key, change=3, vcore=1000), event(at_s, 100, id, key, change=3, vcore=1000)]


def ran(from_s: float, to_s: float, id: str, key: str, *, asked_s: float | None = None) -> list[dict[str, Any]]:
    """A request that was placed and ended."""
    return [*asked(from_s if asked_s is None else asked_s, id, key), *placed(from_s, id, key), *ended(to_s, id, key)]


def application(
    id: str, *, user: str = "ann", queue: str = "root.a", asks: tuple[dict[str, Any], ...] = (), **more: Any
) -> dict[str, Any]:
    """An application as an answer tells it; an ask with an `allocationTime` runs."""
    return {
        "applicationID": id,
        "user": user,
        "groups": [f"{user}s"],
        "queueName": queue,
        "applicationState": "Running",
        "submissionTime": ZERO,
        "requests": [each for each in asks if "allocationTime" not in each],
        "allocations": [each for each in asks if "allocationTime" in each],
        **more,
    }


def ask(key: str, *, asked_s: float = 0, placed_s: float | None = None, priority: int = 0, **more: Any) -> dict[str, Any]:
    found = {
        "allocationKey": key,
        "requestTime": ZERO + round(asked_s * SECOND),
        "priority": str(priority),
        "resource": {"vcore": 1000},
    }
    return {**found, **({} if placed_s is None else {"allocationTime": ZERO + round(placed_s * SECOND)}), **more}


class Scheduler:
    """Attributes:
    base: stands for its address.
    events, lowest, instance: the ring, and who holds it.
    applications: id -> what is told of it; those in `gone` have ended.
    asked: addresses, in order.
    before: is called with the number of the batch that is asked for, before it is answered: to let something happen.
    """

    def __init__(self, events: list[dict[str, Any]] | None = None, applications: list[dict[str, Any]] | None = None):
        self.base = "http://scheduler"
        self.events = list(events or [])
        self.lowest = 0
        self.instance = "one"
        self.applications = {each["applicationID"]: each for each in applications or []}
        self.gone: set[str] = set()
        self.nodes: list[Any] = [{"nodeID": f"n{number}", "capacity": {"vcore": 4000, "memory": 2**30}} for number in range(3)]
        self.asked: list[str] = []
        self.batches = 0
        self.before: Callable[[int], None] = lambda batch: None

    def forget(self, number: int) -> None:
        """The ring forgets its oldest events."""
        self.lowest += number
        del self.events[:number]

    def restart(self, *events: dict[str, Any]) -> None:
        """It starts anew, with nothing but these events."""
        self.events, self.lowest, self.instance = list(events), 0, self.instance + "+"

    def get(self, path: str) -> bytes:
        """As a client of the REST interface is asked."""
        self.asked.append(path)
        found = self.answer(path)
        if found is None:
            raise RestError(f"{path}: the scheduler answers 404", status=404)
        return json.dumps(found).encode()

    def answer(self, path: str) -> Any:
        """What is at an address below the API; None if there is nothing."""
        parts = urlsplit(path)
        if parts.path == "/events/batch":
            query = parse_qs(parts.query)
            start, count = int(query["start"][0]), int(query["count"][0])
            if count > 1:
                self.batches += 1
                self.before(self.batches)
            first = max(0, start - self.lowest)
            return {
                "InstanceUUID": self.instance,
                "LowestID": self.lowest,
                "HighestID": self.lowest + len(self.events) - 1 if self.events else 0,
                "EventRecords": self.events[first : first + count] if start >= self.lowest else [],
            }
        if parts.path == "/partition/default/nodes":
            return self.nodes
        if parts.path == "/partition/default/applications/active":
            return [each for id, each in self.applications.items() if id not in self.gone]
        if parts.path == "/partition/default/applications/completed":
            return [self.applications[id] for id in sorted(self.gone)]
        return None

    def served(self) -> dict[str, Answer]:
        """The same for a web service, which looks addresses up without their query."""

        def answered(request: Any) -> None:
            found = self.answer(request.path.removeprefix(API))
            body = json.dumps(found).encode()
            request.send_response(200 if found is not None else 404)
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)

        states = (f"{BELOW}/applications/{state}" for state in ("active", "completed", "rejected"))
        return dict.fromkeys((f"{API}/events/batch", f"{BELOW}/nodes", *states), answered)

"""The events and answers of a scheduler's REST interface, as far as a recording wants them. Chapter 11, RE-23."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from workbench.values.found import shown
from workbench.values.quantities import MAX_INT64
from workbench.values.resources import EMPTY, Resource

APPLICATION, NODE, QUEUE = 2, 3, 4
"""Types of events."""
ADDED, REMOVED = 2, 3
"""Changes."""
ALLOCATED, ASKED, NEW, REJECTED = 200, 201, 203, 202
"""Details of what is added to an application, or happens to it."""
CANCELLED, STOPPED_BY_OTHERS, TIMED_OUT, REPLACED, NODE_GONE = 100, 501, 502, 503, 504
"""Details of what is removed from an application; any other is an end as it should be."""
IN_QUEUE = 405


class Unreadable(ValueError):
    """Something is no event, or no application."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    Attributes:
        at_ns: when, by the scheduler's clock.
        object, reference: what it is about, and what else takes part; "" for nothing.
    """

    at_ns: int
    type: int
    change: int
    detail: int
    object: str
    reference: str
    resource: Resource


def event_of(value: object) -> Event:
    """An entry of the answer of events/batch. Unreadable if it is none; zeros and empty texts are left out there."""
    if not isinstance(value, dict):
        raise Unreadable("an event is no mapping")
    amounts = value.get("resource") or {}
    given = amounts.get("resources") if isinstance(amounts, dict) else None
    flat = {kind: each.get("value", 0) if isinstance(each, dict) else each for kind, each in (given or {}).items()}
    return Event(
        _whole(value, "timestampNano"),
        _whole(value, "type"),
        _whole(value, "eventChangeType"),
        _whole(value, "eventChangeDetail"),
        _text(value, "objectID"),
        _text(value, "referenceID"),
        resource_of(flat),
    )


@dataclass(frozen=True, slots=True)
class Ask:
    """A request or an allocation as an application's answer tells it.

    Attributes:
        placed_ns: None for one that waits.
    """

    key: str
    resource: Resource
    priority: int
    asked_ns: int
    placed_ns: int | None
    group: str
    placeholder: bool
    namespace: str


@dataclass(frozen=True, slots=True)
class Told:
    """An application as the answers tell it."""

    id: str
    user: str
    groups: tuple[str, ...]
    queue: str
    submitted_ns: int
    state: str
    asks: tuple[Ask, ...]
    gang: bool


def told_of(value: object) -> Told:
    """An entry of an answer with applications. Unreadable if it is none."""
    if not isinstance(value, dict) or not isinstance(value.get("applicationID"), str):
        raise Unreadable("an application without an id")
    groups = value.get("groups") or []
    return Told(
        value["applicationID"],
        _text(value, "user"),
        tuple(each for each in groups if isinstance(each, str)) if isinstance(groups, list) else (),
        _text(value, "queueName"),
        _whole(value, "submissionTime"),
        _text(value, "applicationState").lower(),
        tuple(_ask(each, placed) for key, placed in (("requests", False), ("allocations", True)) for each in value.get(key) or ()),
        bool(value.get("placeholderData")),
    )


NodeTold: TypeAlias = tuple[str, Resource, tuple[tuple[str, str], ...]]
"""Id, capacity and attributes of a node, without those that the scheduler adds."""


def node_of(value: object) -> NodeTold:
    """An entry of the answer with the nodes. Unreadable if it is none."""
    if not isinstance(value, dict) or not isinstance(value.get("nodeID"), str):
        raise Unreadable("a node without an id")
    attributes = value.get("attributes") or {}
    if not isinstance(attributes, dict):
        raise Unreadable(f"attributes are {shown(str(attributes))}")
    own = tuple(sorted((str(name), str(each)) for name, each in attributes.items() if not str(name).startswith("si/")))
    return value["nodeID"], resource_of(value.get("capacity") or {}), own


def _ask(value: object, placed: bool) -> Ask:
    if not isinstance(value, dict) or not isinstance(value.get("allocationKey"), str):
        raise Unreadable("a request without a key")
    tags = value.get("allocationTags")
    namespace = tags.get("kubernetes.io/meta/namespace") if isinstance(tags, dict) else None
    return Ask(
        value["allocationKey"],
        resource_of(value.get("resource") or value.get("resourcePerAlloc") or {}),
        _whole(value, "priority"),
        _whole(value, "requestTime"),
        _whole(value, "allocationTime") if placed else None,
        _text(value, "taskGroupName"),
        value.get("placeholder") in (True, "true"),
        namespace if isinstance(namespace, str) else "",
    )


def resource_of(value: object) -> Resource:
    """Amounts by resource, without zeros. Unreadable if they are none."""
    if not isinstance(value, Mapping):
        raise Unreadable(f"{shown(str(value))} are no amounts")
    found = {str(kind): amount for kind, amount in value.items() if amount}
    if any(type(amount) is not int or not 0 < amount <= MAX_INT64 for amount in found.values()):
        raise Unreadable(f"{shown(str(dict(value)))} are no amounts")
    return Resource(found) if found else EMPTY


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key, "")
    if found is None:
        return ""
    if not isinstance(found, str):
        raise Unreadable(f"{key} is {shown(str(found))}")
    return found


def _whole(value: Mapping[str, Any], key: str) -> int:
    """A number, which some releases write as a text; 0 where it is missing."""
    found = value.get(key, 0)
    if isinstance(found, str) and found.lstrip("-").isdecimal() and len(found) < 21:
        return int(found)
    if found is None:
        return 0
    if type(found) is not int or abs(found) > MAX_INT64:
        raise Unreadable(f"{key} is {shown(str(found))}")
    return found

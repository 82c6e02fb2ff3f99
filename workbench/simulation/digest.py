"""A fingerprint of the whole state: equal digests mean that nothing anyone could ever see differs.

Every field of every record goes in, dicts by sorted key, references by identity of what they name. Derived orders and
the history stay out, and so do the asks' logs of refusals: how often an ask is looked at is the search's affair.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from workbench.scheduler.records.state import Allocation, Application, Cluster, Node, Partition, Queue, TaskGroup, Timer
from workbench.scheduler.releases.profiles import Profile
from workbench.values.resources import Resource

_NAMES = {
    Queue: "path",
    Application: "id",
    Node: "id",
    Partition: "name",
    Allocation: "key",
    TaskGroup: "name",
    Timer: "id",
    Profile: "version",
}
"""How a record is named where another one refers to it."""
_PLAIN = frozenset({str, int, bool, float, type(None)})


def digest(cluster: Cluster) -> str:
    """Hexadecimal SHA-256 of the state."""
    return hashlib.sha256("\n".join(lines(cluster)).encode()).hexdigest()


def lines(cluster: Cluster) -> Iterator[str]:
    """The state as text, one line a field; two states can be compared line by line."""
    yield from _record("cluster", cluster, skip={"config", "partitions"})
    for name, partition in sorted(cluster.partitions.items()):
        yield from _record(f"partition {name}", partition, skip={"config", "root", "nodes", "foreign", "placement_rules"})
        yield from _queue(partition.root)
        for table in ("applications", "completed", "rejected"):
            for key, application in sorted(getattr(partition, table).items()):
                yield from _application(f"{table} {key}", application)
        for node_id, node in sorted(partition.nodes.items()):
            yield from _record(f"node {node_id}", node, skip={"foreign"})
            for key, allocation in sorted(node.foreign.items()):
                if allocation is not partition.foreign.get(key):
                    yield from _record(f"node {node_id} foreign {key}", allocation)
        for key, allocation in sorted(partition.foreign.items()):
            yield from _record(f"foreign {key}", allocation)


def _queue(queue: Queue) -> Iterator[str]:
    yield from _record(f"queue {queue.path}", queue, skip={"children"})
    for _, child in sorted(queue.children.items()):
        yield from _queue(child)


def _application(label: str, application: Application) -> Iterator[str]:
    yield from _record(label, application, skip={"asks", "task_groups", "allocations"})
    for key, ask in sorted(application.asks.items()):
        yield from _record(f"{label} ask {key}", ask, skip={"log"})
    for key, allocation in sorted(application.allocations.items()):
        yield from _record(f"{label} allocation {key}", allocation, skip={"log"})
    for name, group in sorted(application.task_groups.items()):
        yield from _record(f"{label} group {name}", group)


def _record(label: str, record: Any, skip: Collection[str] = ()) -> Iterator[str]:
    for name in _names_of(record.__class__):
        if name not in skip:
            yield f"{label} {name} = {_text(getattr(record, name))}"


@cache
def _names_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _text(value: Any) -> str:
    kind = type(value)
    if kind in _PLAIN:
        return repr(value)
    name = _NAMES.get(kind)
    if name is not None:
        return f"{kind.__name__} {getattr(value, name)}"
    if isinstance(value, Resource):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join([f"{key!r}: {_text(value[key])}" for key in sorted(value)]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([_text(item) for item in value]) + "]"
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(repr, value))) + "}"
    if is_dataclass(value) and not isinstance(value, type):
        return f"{kind.__name__}({', '.join([f'{field}={_text(getattr(value, field))}' for field in _names_of(value.__class__)])})"
    return repr(value)

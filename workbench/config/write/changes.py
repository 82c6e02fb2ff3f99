"""A configuration told as what differs from another one, as plain values that JSON can hold.

It is much shorter than a text, and is made without one, so that what keeps every edit need not write queues.yaml for each.
Queues that are as they were are only named. Lines are not told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar

from workbench.config.model import (
    ChildTemplate,
    Limit,
    NodeSorting,
    PartitionConfig,
    PlacementRule,
    PreemptionSwitches,
    QueueConfig,
    ResourcesConfig,
    RuleFilter,
    SchedulerConfig,
)

Record = TypeVar("Record")

_RECORDS: Mapping[str, Callable[..., object]] = {
    "resources": ResourcesConfig,
    "child_template": ChildTemplate,
    "node_sorting": NodeSorting,
    "preemption": PreemptionSwitches,
    "filter": RuleFilter,
    "parent": PlacementRule,
    "limits": Limit,
    "placement_rules": PlacementRule,
}
"""Field that holds a record, or several -> which; `parent` of a queue is a switch, that of a rule a rule."""
_CHILDREN = "queues"


def changes(before: SchedulerConfig, after: SchedulerConfig) -> dict[str, Any]:
    """What makes `after` of `before`, for `changed`."""
    olds = {each.name: each for each in before.partitions}
    told: dict[str, Any] = {"partitions": [_partition(olds.get(each.name), each) for each in after.partitions]}
    return told | ({"checksum": after.checksum} if after.checksum else {})


def changed(before: SchedulerConfig, told: Mapping[str, Any]) -> SchedulerConfig:
    """The configuration of which `changes` told what differs from `before`. It remembers that it was made from this.

    Raises:
        LookupError, TypeError, ValueError: `told` is not about `before`.
    """
    olds = {each.name: each for each in before.partitions}
    partitions = tuple(_changed_partition(olds, each) for each in told["partitions"])
    return SchedulerConfig(partitions=partitions, checksum=told.get("checksum", ""), origin=before.text or before.origin)


def _partition(old: PartitionConfig | None, new: PartitionConfig) -> Any:
    if old is not None and (old is new or old == new):
        return new.name
    own = {"name": new.name} | _said(new)
    if new.queues is not None:
        own[_CHILDREN] = _queues(old.queues or () if old is not None else (), new.queues)
    return own


def _queues(olds: tuple[QueueConfig, ...], news: tuple[QueueConfig, ...]) -> list[Any]:
    there = {each.name: each for each in olds}
    return [_queue(there.get(each.name), each) for each in news]


def _queue(old: QueueConfig | None, new: QueueConfig) -> Any:
    if old is not None and (old is new or old == new):
        return new.name
    own = {"name": new.name} | _said(new)
    if new.queues:
        own[_CHILDREN] = _queues(old.queues if old is not None else (), new.queues)
    return own


def _changed_partition(olds: Mapping[str, PartitionConfig], told: Any) -> PartitionConfig:
    if isinstance(told, str):
        return olds[told]
    old = olds.get(told["name"])
    queues = told.get(_CHILDREN)
    made = _record(PartitionConfig, told)
    return made if queues is None else replace(made, queues=_changed_queues(old.queues or () if old is not None else (), queues))


def _changed_queues(olds: tuple[QueueConfig, ...], told: list[Any]) -> tuple[QueueConfig, ...]:
    there = {each.name: each for each in olds}
    return tuple(there[each] if isinstance(each, str) else _changed_queue(there.get(each["name"]), each) for each in told)


def _changed_queue(old: QueueConfig | None, told: Mapping[str, Any]) -> QueueConfig:
    line = old.line if old is not None else None
    below = _changed_queues(old.queues if old is not None else (), told.get(_CHILDREN, []))
    return replace(_record(QueueConfig, told), queues=below, line=line)


def _said(record: Any) -> dict[str, Any]:
    """The fields of a record that are not at their default, without queues."""
    return {
        each.name: _plain(value)
        for each in fields(record)
        if each.compare and each.name != _CHILDREN and (value := getattr(record, each.name)) != _default(each)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, str | int | float) else _said(value)


def _record(kind: Callable[..., Record], told: Mapping[str, Any]) -> Record:
    return kind(**{name: _value(name, each) for name, each in told.items() if name != _CHILDREN})


def _value(name: str, told: Any) -> Any:
    if isinstance(told, list):
        return tuple(_value(name, each) for each in told)
    if not isinstance(told, dict):
        return told
    kind = _RECORDS.get(name)
    return MappingProxyType(told) if kind is None else _record(kind, told)


def _default(each: Field[Any]) -> Any:
    """What the field holds that is not given; the field itself, which no field holds, where it must be."""
    if each.default is not MISSING:
        return each.default
    return each.default_factory() if each.default_factory is not MISSING else each

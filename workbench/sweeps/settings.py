"""What a sweep can vary, by its address: a setting of a queue, of the partition, the nodes, the load, the release. SW-1.

    root.prod:priority.offset           a property of a queue
    root.batch:resources.max            its maximum, as `{vcore: 10, memory: 8Gi}`
    root.batch:resources.max.vcore      one resource of it; the others stay as they are
    partition:preemption.enabled        a setting of the partition
    gpu/root.prod:priority.offset       a queue of the partition gpu, where there are several
    nodes, load, release                what the design runs on, how much arrives, whose rules hold

Values are written as in queues.yaml, None takes the setting away. Whatever the editor of a queue edits has an address here, and
is edited by the same functions, `workbench.config.edit`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from workbench.config import edit, snippets
from workbench.config.model import NodeSorting, SchedulerConfig
from workbench.config.properties import problem
from workbench.scheduler.releases.profiles import every_property
from workbench.values.errors import ConfigError
from workbench.values.found import found, shown

PARTITION = "partition"
NODES, LOAD, RELEASE = "nodes", "load", "release"
OF_RUN = (NODES, LOAD, RELEASE)
"""What is no setting of a design."""

Change = Callable[[SchedulerConfig, str, str, Any], SchedulerConfig]
"""A configuration, the name of its partition, the path of a queue, and a value -> the configuration with that value."""


@dataclass(frozen=True, slots=True)
class Address:
    """A setting and where it is. `queue` is empty for a setting of the partition."""

    partition: str
    queue: str
    key: str

    @property
    def text(self) -> str:
        return f"{self.queue or PARTITION}:{self.key}"


def address_of(text: str, config: SchedulerConfig) -> Address | None:
    """The setting of a design that an address names; None for one of `OF_RUN`.

    Raises:
        ConfigError: no such queue or no such setting; it says what there is.
    """
    if not isinstance(text, str):
        raise ConfigError(f"the address of a setting must be text, found {found(text)}")
    if text in OF_RUN:
        return None
    place, colon, key = text.rpartition(":")
    if not colon:
        raise ConfigError(
            f"{shown(text)} is no address of a setting",
            hint=f"write QUEUE:SETTING such as root.prod:priority.offset, {PARTITION}:SETTING, or {', '.join(OF_RUN)}",
        )
    partition, queue = _place(place, config)
    if queue:
        edit.queue_at(config, queue, partition)
    _known_key(key, _QUEUE if queue else _OF_PARTITION, "a queue" if queue else "a partition")
    return Address(partition, queue, key)


def with_setting(config: SchedulerConfig, address: Address, value: object) -> SchedulerConfig:
    """The design with another value at an address; None takes the setting away.

    Raises:
        ConfigError: the value makes no sense there, or the scheduler would pass over it and take the default.
    """
    try:
        name, entry = _split(address.key)
        if entry:
            return _with_amount(config, address, name, entry, value)
        return (_QUEUE if address.queue else _OF_PARTITION)[name](config, address.partition, address.queue, value)
    except ConfigError as error:
        raise ConfigError(f"{address.text}: {error.text}", hint=error.hint) from None


def label(value: object) -> str:
    """A value as people read it.

    >>> label({"vcore": 4, "memory": "8Gi"}), label(None), label(True), label(0.5)
    ('vcore: 4, memory: 8Gi', 'not set', 'true', '0.5')
    """
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {label(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(label(each) for each in value)}]"
    return str(value)


# -- addresses ----------------------------------------------------------------------------------------------------------


def _place(place: str, config: SchedulerConfig) -> tuple[str, str]:
    """(partition, queue path or "") of what stands before the colon."""
    first, slash, rest = place.partition("/")
    names = [each.name for each in config.partitions]
    if slash and first in names:
        return first, "" if rest.lower() == PARTITION else rest
    default = names[0] if len(names) == 1 else "default"
    return default, "" if place.lower() == PARTITION else place


def _known_key(key: str, table: Mapping[str, Change], what: str) -> None:
    name, _ = _split(key)
    if name in table:
        return
    near = get_close_matches(key, [*table], n=1)
    more = f"; {key!r} is one of the other kind" if name in {**_QUEUE, **_OF_PARTITION} else ""
    meant = f"did you mean {near[0]}? " if near else ""
    raise ConfigError(f"{what} has no setting {shown(key)}{more}", hint=f"{meant}there are {', '.join(table)}")


def _split(key: str) -> tuple[str, str]:
    """(setting, resource type) of `resources.max.vcore`; the type is empty for every other key."""
    for name in ("resources.max", "resources.guaranteed"):
        if key.startswith(f"{name}.") and len(key) > len(name) + 1:
            return name, key[len(name) + 1 :]
    return key, ""


# -- changes ------------------------------------------------------------------------------------------------------------


def _text(value: object) -> str:
    """A value as a piece of YAML on its own."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | list | tuple):
        try:
            return json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            raise ConfigError(f"must be made of texts, numbers, lists and mappings, found {found(value)}") from None
    if isinstance(value, int | float):
        return str(value)
    raise ConfigError(f"must be a text, a number, a list or a mapping, found {found(value)}")


_PROPERTIES = every_property()
"""Those of every release; a plan may sweep the release as well."""


def _property(key: str) -> Change:
    def change(config: SchedulerConfig, partition: str, path: str, value: Any) -> SchedulerConfig:
        text = None if value is None else _text(value)
        ignored = problem(key, text, table=_PROPERTIES) if text is not None else None
        if ignored is not None:
            raise ConfigError(ignored)
        return edit.with_property(config, path, key, text, partition)

    return change


def _field(key: str, parse: Callable[[Any], Any]) -> Change:
    def change(config: SchedulerConfig, partition: str, path: str, value: Any) -> SchedulerConfig:
        return edit.with_field(config, path, key, None if value is None else parse(value), partition)

    return change


def _amounts(change_amounts: Callable[..., SchedulerConfig]) -> Change:
    def change(config: SchedulerConfig, partition: str, path: str, value: Any) -> SchedulerConfig:
        return change_amounts(config, path, None if value is None else _read_amounts(value), partition)

    return change


def _with_amount(config: SchedulerConfig, address: Address, name: str, entry: str, value: object) -> SchedulerConfig:
    """One resource type of a maximum or a guarantee set, the others as they are; None takes it away."""
    resources = edit.queue_at(config, address.queue, address.partition).resources
    amounts = dict((resources.max if name == "resources.max" else resources.guaranteed) or {})
    amounts.pop(entry, None)
    if value is not None:
        amounts[entry] = _text(value)
    return _QUEUE[name](config, address.partition, address.queue, amounts or None)


def _read_amounts(value: Any) -> Mapping[str, str]:
    if isinstance(value, Mapping):
        return {name: _text(amount) for name, amount in value.items()}
    if isinstance(value, str):
        return snippets.read_amounts(value)
    raise ConfigError(f"must be amounts such as {{vcore: 4, memory: 8Gi}}, found {found(value)}")


def _switch(value: object) -> bool:
    if _text(value) not in ("true", "false"):
        raise ConfigError(f"must be true or false, found {found(value)}")
    return _text(value) == "true"


def _count(value: object) -> int:
    text = _text(value).strip()
    if not text.isascii() or not text.isdigit() or len(text) > 20:
        raise ConfigError(f"must be a whole number from 0 up, found {found(value)}")
    return int(text)


def _node_sorting(field: str, parse: Callable[[Any], Any]) -> Change:
    def change(config: SchedulerConfig, partition: str, path: str, value: Any) -> SchedulerConfig:
        present = config.partition(partition).node_sorting
        changed = getattr(NodeSorting(), field) if value is None else parse(value)
        return edit.with_node_sorting(config, replace(present, **{field: changed}), partition)

    return change


def _preemption(field: str) -> Change:
    def change(config: SchedulerConfig, partition: str, path: str, value: Any) -> SchedulerConfig:
        switches = replace(config.partition(partition).preemption, **{field: None if value is None else _switch(value)})
        return edit.with_preemption(config, switches, partition)

    return change


def _rules(config: SchedulerConfig, partition: str, path: str, value: Any) -> SchedulerConfig:
    rules = () if value is None else snippets.read_rules(_text(value))
    return edit.with_placement_rules(config, rules, partition)


_QUEUE: Mapping[str, Change] = {
    "parent": _field("parent", _switch),
    "maxapplications": _field("maxapplications", _count),
    **{key: _property(key) for key in _PROPERTIES},
    "resources.guaranteed": _amounts(edit.with_guaranteed),
    "resources.max": _amounts(edit.with_max),
    "limits": _field("limits", lambda value: snippets.read_limits(_text(value))),
    "submitacl": _field("submitacl", _text),
    "adminacl": _field("adminacl", _text),
    "childtemplate": _field("childtemplate", lambda value: snippets.read_template(_text(value))),
}
"""Setting of a queue -> how it is changed."""

_OF_PARTITION: Mapping[str, Change] = {
    "nodesortpolicy.type": _node_sorting("type", _text),
    "nodesortpolicy.resourceweights": _node_sorting("weights", lambda value: snippets.read_weights(_text(value))),
    "preemption.enabled": _preemption("enabled"),
    "preemption.quotapreemptionenabled": _preemption("quota_enabled"),
    "placementrules": _rules,
}
"""Setting of a partition -> how it is changed."""

QUEUE_SETTINGS, PARTITION_SETTINGS = tuple(_QUEUE), tuple(_OF_PARTITION)

"""Pure edits of a loaded configuration: each returns a new one that shares what it did not touch.

Queues are named by their full path, ignoring case. An edit checks that the place exists and that the value has the
right type; whether the scheduler would accept the result is the question of `validate`, so that several edits may pass
through a state that it would refuse. An edit that changes nothing returns the configuration it was given. What an edit
made has no checksum any more and no text, but remembers what it was made from, so that `to_yaml` keeps the comments.

    fenced = with_property(config, "root.tenants", "priority.policy", "fence")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from workbench.config.model import (
    ChildTemplate,
    Limit,
    NodeSorting,
    PartitionConfig,
    PlacementRule,
    PreemptionSwitches,
    QueueConfig,
    SchedulerConfig,
)
from workbench.values.arguments import Parameters, Result, guarded
from workbench.values.errors import ConfigError
from workbench.values.found import found

MOST_APPLICATIONS = 2**64 - 1
LONGEST_NAME = 64

FIELDS: Mapping[str, str] = {
    "parent": "parent",
    "maxapplications": "max_applications",
    "adminacl": "admin_acl",
    "submitacl": "submit_acl",
    "childtemplate": "child_template",
    "limits": "limits",
}
"""Configuration keys that `with_field` sets -> attribute of `QueueConfig`; both names are accepted."""


def _told(change: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """A wrong kind of argument is a ConfigError."""
    return guarded(change, lambda _, text: ConfigError(text))


# --- Looking ---


@_told
def paths(config: SchedulerConfig, partition: str = "default") -> tuple[str, ...]:
    """Lower-case paths of all configured queues, parents first, siblings in written order."""
    return tuple(path for path, _ in walk(_partition(config, partition).root))


@_told
def queue_at(config: SchedulerConfig, path: str, partition: str = "default") -> QueueConfig:
    """The configured queue of that path. ConfigError naming the nearest known path if there is none."""
    wanted = path.lower()
    for known, queue in walk(_partition(config, partition).root):
        if known == wanted:
            return queue
    raise _unknown_queue(config, path, partition)


def walk(queue: QueueConfig, parent_path: str = "") -> Iterator[tuple[str, QueueConfig]]:
    """(lower-case path, queue) of a queue and everything below it, parents first, siblings in written order."""
    path = f"{parent_path}.{queue.name.lower()}" if parent_path else queue.name.lower()
    yield path, queue
    for child in queue.queues:
        yield from walk(child, path)


# --- Settings of one queue ---


@_told
def with_property(
    config: SchedulerConfig, path: str, key: str, value: str | int | float | bool | None, partition: str = "default"
) -> SchedulerConfig:
    """One property of a queue set, or removed with None. Any key and text is legal (C-55)."""
    return _with_queue(config, path, partition, lambda queue: replace(
        queue, properties=_with_entry(queue.properties, key, None if value is None else _text(key, value))
    ))  # fmt: skip


@_told
def with_max(
    config: SchedulerConfig, path: str, quantities: Mapping[str, str | int] | None, partition: str = "default"
) -> SchedulerConfig:
    """The maximum of a queue as quantity texts, `{"vcore": "10", "memory": "8Gi"}`; None removes it."""
    return _with_queue(config, path, partition, lambda queue: replace(
        queue, resources=replace(queue.resources, max=_texts("max", quantities))
    ))  # fmt: skip


@_told
def with_guaranteed(
    config: SchedulerConfig, path: str, quantities: Mapping[str, str | int] | None, partition: str = "default"
) -> SchedulerConfig:
    """The guaranteed resources of a queue as quantity texts; None removes them."""
    return _with_queue(config, path, partition, lambda queue: replace(
        queue, resources=replace(queue.resources, guaranteed=_texts("guaranteed", quantities))
    ))  # fmt: skip


@_told
def with_field(
    config: SchedulerConfig,
    path: str,
    field: str,
    value: bool | int | str | ChildTemplate | tuple[Limit, ...] | None,
    partition: str = "default",
) -> SchedulerConfig:
    """One of `FIELDS` of a queue set; None goes back to its default.

    Limits of the root take the place of those of the partition, which mean the same (C-85).

    Raises:
        ConfigError: unknown queue or field, or a value of the wrong type.
    """
    attribute = FIELDS.get(field, field)
    if attribute not in FIELDS.values():
        raise ConfigError(f"a queue has no field {field!r}", hint=_nearest(field, FIELDS))
    fields: dict[str, Any] = {attribute: _checked(attribute, value)}
    changed = _with_queue(config, path, partition, lambda queue: replace(queue, **fields))
    if attribute == "limits" and "." not in path:
        changed = _with_partition(changed, partition, lambda at: replace(at, limits=()))
    return changed


# --- The tree ---


@_told
def with_queue_added(
    config: SchedulerConfig,
    parent_path: str,
    queue: QueueConfig,
    partition: str = "default",
    *,
    index: int | None = None,
) -> SchedulerConfig:
    """A new child of the parent, with everything below it; last unless `index` says otherwise.

    A leaf that gets a child becomes a parent (C-120).

    Raises:
        ConfigError: unknown parent, a child of that name exists already, or the name has a dot.
    """
    if not isinstance(queue, QueueConfig):
        raise ConfigError(f"with_queue_added: queue must be a QueueConfig, found {found(queue)}")
    _refuse_taken(config, parent_path, queue.name, partition)

    def add(parent: QueueConfig) -> QueueConfig:
        at = len(parent.queues) if index is None else index
        return replace(parent, queues=(*parent.queues[:at], queue, *parent.queues[at:]))

    return _with_queue(config, parent_path, partition, add)


@_told
def without_queue(config: SchedulerConfig, path: str, partition: str = "default") -> SchedulerConfig:
    """The queue and everything below it removed. A parent without `parent: true` that loses its last child is a leaf.

    Raises:
        ConfigError: unknown queue, or the root.
    """
    name = queue_at(config, path, partition).name
    return _with_queue(config, _parent_of(path, "removed"), partition, lambda parent: replace(
        parent, queues=tuple(child for child in parent.queues if child.name.lower() != name.lower())
    ))  # fmt: skip


@_told
def with_queue_renamed(config: SchedulerConfig, path: str, name: str, partition: str = "default") -> SchedulerConfig:
    """The queue under another name, at the same place among its siblings.

    Raises:
        ConfigError: unknown queue, the root, a sibling of that name, or the name has a dot.
    """
    queue, parent_path = queue_at(config, path, partition), _parent_of(path, "renamed")
    if name.lower() != queue.name.lower():
        _refuse_taken(config, parent_path, name, partition)
    return _with_queue(config, path, partition, lambda at: replace(at, name=name))


@_told
def with_queue_moved(
    config: SchedulerConfig, path: str, parent_path: str, partition: str = "default", *, index: int | None = None
) -> SchedulerConfig:
    """The queue with everything below it under another parent; last unless `index` counts among the other children.

    With its present parent it changes its place among the siblings.

    Raises:
        ConfigError: unknown queue or parent, the root, a parent at or below the queue itself, or a child of that name.
    """
    queue = queue_at(config, path, partition)
    if f"{parent_path.lower()}.".startswith(f"{path.lower()}."):
        raise ConfigError(f"queue {path} cannot be moved below itself, to {parent_path}")
    queue_at(config, parent_path, partition)
    _parent_of(path, "moved")
    moved = with_queue_added(without_queue(config, path, partition), parent_path, queue, partition, index=index)
    return config if moved.partitions == config.partitions else moved


@_told
def with_queue_duplicated(
    config: SchedulerConfig, path: str, name: str | None = None, partition: str = "default"
) -> SchedulerConfig:
    """A copy of the queue and everything below it, right behind it; unnamed it is `a-copy`, `a-copy-2` and so on.

    Raises:
        ConfigError: unknown queue, the root, a sibling of that name, or the name has a dot.
    """
    queue, parent_path = queue_at(config, path, partition), _parent_of(path, "duplicated")
    names = [child.name.lower() for child in queue_at(config, parent_path, partition).queues]
    name = _free_name(queue.name, names) if name is None else name
    place = names.index(queue.name.lower()) + 1
    return with_queue_added(config, parent_path, replace(queue, name=name), partition, index=place)


# --- Settings of the partition ---


@_told
def with_placement_rules(config: SchedulerConfig, rules: tuple[PlacementRule, ...], partition: str = "default") -> SchedulerConfig:
    """All placement rules of a partition replaced, in the order they are tried; () means the implicit provided rule."""
    if not all(isinstance(rule, PlacementRule) for rule in rules):
        raise ConfigError("placementrules must be a list of placement rules")
    return _with_partition(config, partition, lambda at: replace(at, placement_rules=tuple(rules)))


@_told
def with_node_sorting(config: SchedulerConfig, sorting: NodeSorting, partition: str = "default") -> SchedulerConfig:
    """The node sort policy and its weights replaced; `NodeSorting()` goes back to the default."""
    if not isinstance(sorting, NodeSorting):
        raise ConfigError(f"nodesortpolicy must be a NodeSorting, found {sorting!r}")
    return _with_partition(config, partition, lambda at: replace(at, node_sorting=sorting))


@_told
def with_preemption(config: SchedulerConfig, switches: PreemptionSwitches, partition: str = "default") -> SchedulerConfig:
    """The preemption switches of a partition replaced; `PreemptionSwitches()` goes back to the defaults."""
    if not isinstance(switches, PreemptionSwitches):
        raise ConfigError(f"preemption must be PreemptionSwitches, found {switches!r}")
    return _with_partition(config, partition, lambda at: replace(at, preemption=switches))


# --- Replacing along a path ---


def _with_partition(config: SchedulerConfig, name: str, change: Callable[[PartitionConfig], PartitionConfig]) -> SchedulerConfig:
    partition = _partition(config, name)
    changed = change(partition)
    if changed == partition:
        return config
    partitions = tuple(changed if each is partition else each for each in config.partitions)
    return replace(config, partitions=partitions, checksum="", text="", origin=_text_of(config))


def _text_of(config: SchedulerConfig) -> str:
    """The latest text that there is for it."""
    written = config.late.get("written")
    return config.text or (written.text if written is not None else config.origin)


def _with_queue(
    config: SchedulerConfig, path: str, partition: str, change: Callable[[QueueConfig], QueueConfig]
) -> SchedulerConfig:
    root = _partition(config, partition).root
    first, *names = path.lower().split(".")
    changed = _changed(root, names, change) if first == root.name.lower() else None
    if changed is None:
        raise _unknown_queue(config, path, partition)
    return _with_partition(config, partition, lambda at: replace(at, queues=(changed,)))


def _changed(queue: QueueConfig, names: list[str], change: Callable[[QueueConfig], QueueConfig]) -> QueueConfig | None:
    """The queue with the change made at the end of `names` below it, None when that leads nowhere.

    What is replaced has no line any more: it is not what the text says there.
    """
    if not names:
        return replace(change(queue), line=None)
    for at, child in enumerate(queue.queues):
        if child.name.lower() == names[0]:
            changed = _changed(child, names[1:], change)
            if changed is None:
                return None
            return replace(queue, queues=(*queue.queues[:at], changed, *queue.queues[at + 1 :]), line=None)
    return None


def _with_entry(entries: Mapping[str, str], key: str, value: str | None) -> Mapping[str, str]:
    """The map with one entry set at its place or at the end, or removed."""
    changed = {**entries, key: value}
    return MappingProxyType({name: text for name, text in changed.items() if text is not None})


# --- Refusing ---


def _partition(config: SchedulerConfig, name: str) -> PartitionConfig:
    try:
        return config.partition(name)
    except KeyError:
        known = [partition.name for partition in config.partitions]
        raise ConfigError(f"no partition {name!r}", hint=_nearest(name, known)) from None


def _unknown_queue(config: SchedulerConfig, path: str, partition: str) -> ConfigError:
    return ConfigError(f"no queue {path!r} in partition {partition!r}", hint=_nearest(path, paths(config, partition)))


def _nearest(wanted: str, known: Iterable[str]) -> str:
    near = get_close_matches(wanted.lower(), known, n=1, cutoff=0.0)
    return f"nearest known: {near[0]}" if near else ""


def _parent_of(path: str, verb: str) -> str:
    parent, dot, _ = path.rpartition(".")
    if not dot:
        raise ConfigError(f"the root queue cannot be {verb}")
    return parent


def _refuse_taken(config: SchedulerConfig, parent_path: str, name: str, partition: str) -> None:
    """Refuse names that would leave a queue without a path of its own; all other names are for `validate`."""
    if "." in name or not name:
        raise ConfigError(f"{name!r} cannot name a queue", hint="dots separate the names in a path")
    if any(child.name.lower() == name.lower() for child in queue_at(config, parent_path, partition).queues):
        raise ConfigError(f"queue {parent_path} has a child {name.lower()!r} already", hint="names ignore case")


def _free_name(name: str, taken: list[str]) -> str:
    number = 1
    while True:
        ending = "-copy" if number == 1 else f"-copy-{number}"
        free = name[: LONGEST_NAME - len(ending)] + ending
        if free.lower() not in taken:
            return free
        number += 1


_WANTED = {
    "parent": "true or false",
    "max_applications": "a whole number from 0 up",
    "admin_acl": "text",
    "submit_acl": "text",
    "child_template": "a ChildTemplate",
    "limits": "a list of Limit",
}


def _checked(attribute: str, value: object) -> object:
    """The value in the form the model keeps it; None becomes the default of the field."""
    match attribute:
        case "parent" if value is None or isinstance(value, bool):
            return bool(value)
        case "max_applications" if value is None:
            return 0
        case "max_applications" if isinstance(value, int) and not isinstance(value, bool):
            if 0 <= value <= MOST_APPLICATIONS:
                return value
        case "admin_acl" | "submit_acl" if value is None or isinstance(value, str):
            return value or ""
        case "child_template" if value is None or isinstance(value, ChildTemplate):
            return value
        case "limits" if value is None:
            return ()
        case "limits" if isinstance(value, list | tuple) and all(isinstance(each, Limit) for each in value):
            return tuple(value)
    raise ConfigError(f"{attribute} must be {_WANTED[attribute]}, found {value!r}")


def _texts(what: str, entries: Mapping[str, str | int] | None) -> Mapping[str, str] | None:
    if entries is None:
        return None
    return MappingProxyType({name: _text(f"{what}.{name}", text) for name, text in entries.items()})


def _text(what: str, value: object) -> str:
    """Text as written; numbers and booleans as a configuration would read them (C-12)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise ConfigError(f"{what} must be text, found {value!r}")

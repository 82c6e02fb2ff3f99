"""What stays in force until a restart: where a scheduler that took a file as a reload differs from one that starts with it.

Found by asking both, queue by queue, so that every such surprise of a release is found that shows in a queue's settings. C-144,
C-153, C-154, C-157, R-941.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.config.model import ChildTemplate
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Cluster, Partition, Queue
from workbench.values.durations import format_duration
from workbench.values.errors import ConfigError

TEMPLATE = "childtemplate"
NO_LIMIT = "no limit"


@dataclass(frozen=True, slots=True)
class Stays:
    """A setting that is one value after a reload and would be another after a restart.

    Attributes:
        path: of the queue; empty for a setting of the partition.
        setting: its key, such as `priority.offset`.
        stays: what is in force after the reload, as text.
        wanted: what the file says.
    """

    partition: str
    path: str
    setting: str
    stays: str
    wanted: str


def stays(cluster: Cluster) -> tuple[Stays, ...]:
    """What in a running cluster is not as its own configuration would make it at a start."""
    try:
        fresh = Engine(cluster.config, release=cluster.profile.version, history=False).state
    except ConfigError:
        return ()  # there is no start to compare with
    found = list(_of_process(cluster, fresh))
    for name, partition in fresh.partitions.items():
        running = cluster.partitions.get(name)
        if running is not None:
            found += _of_partition(running, partition)
    return tuple(found)


def _of_process(running: Cluster, fresh: Cluster) -> Iterator[Stays]:
    if running.user_group_resolver != fresh.user_group_resolver:
        yield Stays("", "", "usergroupresolver.type", running.user_group_resolver, fresh.user_group_resolver)


def _of_partition(running: Partition, fresh: Partition) -> Iterator[Stays]:
    for wanted in tree.walk(fresh.root):
        here = tree.find(running, wanted.path)
        if here is not None:
            for setting, one, other in _differ(here, wanted, running):
                yield Stays(running.name, wanted.path, setting, one, other)


def _differ(here: Queue, wanted: Queue, partition: Partition) -> Iterator[tuple[str, str, str]]:
    """(setting, what is in force, what a start would make of it)"""
    for key, known in partition.profile.properties.items():
        if known.scope == "leaf" and not wanted.is_leaf:
            continue
        one, other = getattr(here.settings, known.field), getattr(wanted.settings, known.field)
        if one != other:
            yield key, _text(known.field, one), _text(known.field, other)
    if here.max_applications != wanted.max_applications:
        yield "maxapplications", str(here.max_applications or NO_LIMIT), str(wanted.max_applications or NO_LIMIT)
    if here.template != wanted.template:
        yield TEMPLATE, _is_set(here.template), _is_set(wanted.template)


def _is_set(template: ChildTemplate | None) -> str:
    return "not set" if template is None else "set"


def _text(field: str, value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "enabled" if value else "disabled"
    return format_duration(value) if isinstance(value, int) and field.endswith("_ns") else str(value)

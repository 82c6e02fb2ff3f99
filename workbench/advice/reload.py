"""What a reload would leave as it is: values that stay until a restart, although the text says otherwise (L-38)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.config.checks import Design, Finding
from workbench.config.properties import PROPERTIES, settings
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.durations import format_duration


def stays_until_restart(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-38: a reload evaluates only what a queue itself lists; what is removed or inherited keeps its last value (C-153)."""
    table = cluster.profile.properties
    for queue in design.queues.values():
        running = tree.find(partition, queue.path)
        if running is None or not running.is_managed:
            continue
        reloaded = settings(queue.config.properties, is_leaf=queue.is_leaf, base=running.settings, table=table)
        restarted = settings(queue.properties, is_leaf=queue.is_leaf, table=table)
        for key, known in PROPERTIES.items():
            stays, wanted = getattr(reloaded, known.field), getattr(restarted, known.field)
            if stays == wanted or not queue.is_leaf and known.scope == "leaf":
                continue
            text = queue.properties.get(key, known.default)
            listed = (design.edit("property", queue, key, text),) if _is_text_of(key, text, wanted) else None
            yield design.finding(
                "L-38",
                "warning",
                queue,
                f"properties.{key}",
                "C-153",
                "P-15",
                repairs=(listed,),
                property=key,
                stays=_text(known.field, stays),
                wanted=text,
            )


def number_of_the_root(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """C-157: the root's number of applications is looked at once, when the scheduler starts."""
    stays, wanted = partition.root.max_applications, design.root.config.max_applications
    if stays != wanted:
        yield design.finding("C-157", "warning", design.root, "maxapplications", "C-157", "C-121", stays=stays, wanted=wanted)


def _is_text_of(key: str, text: str, wanted: object) -> bool:
    """Whether listing the text on the queue itself gives the value in a reload."""
    known = PROPERTIES[key]
    try:
        return bool(known.parse(text) == wanted)
    except ValueError:
        return known.default == text


def _text(field: str, value: Any) -> str:
    if isinstance(value, bool):
        return "enabled" if value else "disabled"
    return format_duration(value) if field.endswith("_ns") else str(value)


CHECKS = (stays_until_restart, number_of_the_root)

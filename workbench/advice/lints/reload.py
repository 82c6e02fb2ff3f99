"""What a reload would leave as it is: values that stay until a restart, although the text says otherwise (L-38)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import SetProperty
from workbench.advice.lint import Finding, Lint, finding
from workbench.config.facts import Design
from workbench.config.properties import Property, settings
from workbench.explain.wording import name
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.durations import format_duration


@dataclass(frozen=True, slots=True)
class StaysUntilRestart(Lint):
    """A property that is `stays` now and goes on to be, although the text makes it `wanted`."""

    code = "L-38"
    rules = ("C-153", "P-15", "R-941")
    property: str
    stays: str
    wanted: str
    passes_on: bool = False

    def sentence(self, where: str) -> str:
        why = (
            "what neither the queue nor one above it lists any more stays until a restart"
            if self.passes_on
            else "only what a queue lists itself is looked at, and what is removed or inherited stays until a restart"
        )
        return (
            f"A reload leaves {name(self.property)} of {where} at {name(self.stays)}, although the configuration now "
            f"says {name(self.wanted)}: {why}. List it at the queue itself."
        )


def stays_until_restart(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-38: a reload evaluates only what a queue lists, up to 1.8 itself; the rest keeps its last value (C-153, R-940)."""
    table = cluster.profile.properties
    for queue in design.queues.values():
        running = tree.find(partition, queue.path)
        if running is None or not running.is_managed:
            continue
        listed_here = queue.properties if design.passes_on else queue.config.properties
        reloaded = settings(listed_here, is_leaf=queue.is_leaf, base=running.settings, table=table)
        restarted = settings(queue.properties, is_leaf=queue.is_leaf, table=table)
        for key, known in table.items():
            stays, wanted = getattr(reloaded, known.field), getattr(restarted, known.field)
            if stays == wanted or not queue.is_leaf and known.scope == "leaf":
                continue
            text = queue.properties.get(key, known.default)
            listed = (SetProperty(design.place(queue), key, text),) if _is_text_of(known, text, wanted) else None
            lint = StaysUntilRestart(key, _text(known.field, stays), text, design.passes_on)
            yield finding(design, queue, f"properties.{key}", lint, listed)


@dataclass(frozen=True, slots=True)
class NumberOfTheRoot(Lint):
    """The root may run so many applications, and goes on to; 0 is no limit."""

    code = "C-157"
    rules = ("C-157", "C-121")
    stays: int
    wanted: int

    def sentence(self, where: str) -> str:
        return (
            f"A reload leaves maxapplications of {where} at {self.stays or 'no limit'}, although the configuration now says "
            f"{self.wanted or 'no limit'}: it is looked at once, when the scheduler starts. Restart it."
        )


def number_of_the_root(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """C-157: the root's number of applications is looked at once, when the scheduler starts."""
    stays, wanted = partition.root.max_applications, design.root.config.max_applications
    if stays != wanted:
        yield finding(design, design.root, "maxapplications", NumberOfTheRoot(stays, wanted))


def _is_text_of(known: Property, text: str, wanted: object) -> bool:
    """Whether listing the text on the queue itself gives the value in a reload."""
    try:
        return bool(known.parse(text) == wanted)
    except ValueError:
        return known.default == text


def _text(field: str, value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "enabled" if value else "disabled"
    return format_duration(value) if isinstance(value, int) and field.endswith("_ns") else str(value)


CHECKS = (stays_until_restart, number_of_the_root)

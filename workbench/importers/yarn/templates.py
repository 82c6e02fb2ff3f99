"""Queues that are made when somebody needs them: YARN's two ways of creating queues as a template of children."""

from __future__ import annotations

from typing import Any

from workbench.importers.yarn import unsaid
from workbench.importers.yarn.capacities import parse_capacity
from workbench.importers.yarn.document import Property
from workbench.importers.yarn.report import Report
from workbench.importers.yarn.shares import Share, guaranteed_of, most_of, rounded
from workbench.importers.yarn.tree import Queue
from workbench.importers.yarn.values import switch, whole
from workbench.importers.yarn.written import told, written

MANAGED, FLEXIBLE = "auto-create-child-queue.enabled", "auto-queue-creation-v2.enabled"
TEMPLATES = ("leaf-queue-template.", "auto-queue-creation-v2.leaf-template.", "auto-queue-creation-v2.template.")
"""Beginnings of keys that are about the queues that are made; of two that say the same, the first counts."""


def makes_queues(queue: Queue, report: Report) -> bool | None:
    """Whether queues are made below a queue when an application names them; None if none are made there at all."""
    found = None
    for key, by_name in ((MANAGED, False), (FLEXIBLE, True)):
        property = queue.properties.pop(key, None)
        if property is None:
            continue
        if not switch(property):
            report.add("exact", property, f"no queues are made below {queue.path}.")
            continue
        found = by_name
        report.add(
            "near",
            property,
            f"queues are made below {queue.path} by placement rules, and go when they are empty.",
        )
    return found


def template(queue: Queue, share: Share, report: Report) -> dict[str, Any]:
    """The childtemplate of a queue below which others are made; takes out of it what the template says."""
    given: dict[str, Property] = {}
    for start in TEMPLATES:
        for key in [each for each in queue.properties if each.startswith(start)]:
            property = queue.properties.pop(key)
            if given.setdefault(key.removeprefix(start), property) is not property:
                report.add("dropped", property, f"{given[key.removeprefix(start)].name} says it otherwise.")
    made: dict[str, Any] = {}
    resources = _resources(given, share, report)
    if resources:
        made["resources"] = resources
    properties: dict[str, str] = {}
    for key, property in given.items():
        if key == "max-parallel-apps":
            made["maxapplications"] = whole(property, 0)
            report.add("exact", property, f"maxapplications of each queue that is made is {made['maxapplications']}.")
        elif key == "ordering-policy" and property.value in ("fifo", "fair"):
            properties["application.sort.policy"] = property.value
            report.add("exact", property, f"application.sort.policy of each queue that is made is {property.value}.")
        elif key == "disable_preemption":
            properties["preemption.policy"] = "disabled" if switch(property) else "default"
            report.add("exact", property, f"preemption.policy of each queue that is made is {properties['preemption.policy']}.")
        elif key == "user-limit-factor":
            report.add("dropped", property, "a template has no limits; the bound of each user is that of the queue that is made.")
        else:
            report.add("dropped", property, unsaid.of_queue(key))
    if properties:
        made["properties"] = properties
    return made


def _resources(given: dict[str, Property], share: Share, report: Report) -> dict[str, Any]:
    found: dict[str, Any] = {}
    capacity, most = given.pop("capacity", None), given.pop("maximum-capacity", None)
    if capacity is not None:
        parsed = parse_capacity(capacity)
        if "weight" in parsed.kinds:
            report.add("dropped", capacity, "they are guaranteed nothing: what a weight is depends on how many there are.")
        else:
            amounts = rounded(guaranteed_of(capacity, parsed, share, {}))
            found["guaranteed"] = written(amounts)
            report.add("near", capacity, f"each queue that is made is guaranteed {told(amounts)}.")
    if most is not None and most.value != "-1":
        amounts = rounded(most_of(most, share))
        found["max"] = written(amounts)
        report.add("near", most, f"each queue that is made has at most {told(amounts, 'all that the queue above it may have')}.")
    return {key: each for key, each in found.items() if each}

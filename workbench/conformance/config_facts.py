"""Facts about whole configurations: refused with which text, loaded into which queues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.config import load_config
from workbench.config.model import ChildTemplate
from workbench.conformance.fact import Fact, Finding, difference
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Partition, Queue
from workbench.scheduler.releases.profiles import V1_8, profile_of
from workbench.values.durations import format_duration
from workbench.values.errors import ConfigError
from workbench.values.resources import Resource, from_config

DEFAULT_RULES = ["provided", "recovery"]
LIBRARY_ERROR = "yaml:"
"""Begins an error of the YAML library, whose wording is not part of the fact."""


def configs(facts: list[Fact]) -> Iterator[Finding]:
    """The error of a refused text; partitions, queues and placement rules of an accepted one."""
    for fact in facts:
        expected = {key: value for key, value in fact.items() if key not in ("name", "config")}
        if "error_1_8" in fact:
            yield difference(fact["name"], expected, _in_two_releases(fact["config"]))
            continue
        got = _loaded(fact["config"])
        if expected.get("error", "").startswith(LIBRARY_ERROR) and "error" in got:
            got = expected
        if "tree" not in expected:
            got.pop("tree", None)
        if "active_rules" not in expected and all(rules == DEFAULT_RULES for rules in got.get("active_rules", {}).values()):
            got.pop("active_rules", None)
        yield difference(fact["name"], expected, got)


def _in_two_releases(text: str) -> Fact:
    """What 1.9 says to a text, and what 1.8 does. R-950."""
    older = _loaded(text).get("error")
    newer = _loaded(text, release="1.9")
    return {**({"error": newer["error"]} if "error" in newer else {"accepted": True}), "error_1_8": older}


def _loaded(text: str, *, release: str = V1_8.version) -> Fact:
    try:
        config = load_config(text, limits_by_path=profile_of(release).limits_by_path)
    except ConfigError as error:
        return {"error": error.text}
    got: Fact = {"accepted": True}
    try:
        engine = Engine(config, release=release, history=False)
    except ConfigError as error:
        return {**got, "load_error": error.text}
    partitions = engine.state.partitions
    got["partitions"] = [partition.name for partition in config.partitions]
    got["active_rules"] = {name: _rules(partition) for name, partition in partitions.items()}
    got["tree"] = {name: [queue_fact(queue) for queue in tree.walk(partition.root)] for name, partition in partitions.items()}
    return got


def _rules(partition: Partition) -> list[str]:
    """Names of the rules in force, the recovery rule last; none if the rule set could not be built."""
    if partition.placement_rules is None:
        return []
    return [rule.name for rule in partition.placement_rules] + ["recovery"]


def queue_fact(queue: Queue) -> Fact:
    """The queue as recorded: attributes at their default are left out."""
    settings = queue.settings
    shown: list[tuple[str, Any, Any]] = [
        ("managed", queue.is_managed, True),
        ("state", queue.status, "Active"),
        ("max", _amounts(queue.maximum), None),
        ("guaranteed", _amounts(queue.guaranteed), None),
        ("max_applications", queue.max_applications, 0),
        ("priority_sorting", settings.priority_sorting, True),
        ("priority_policy", settings.priority_policy, "default"),
        ("priority_offset", settings.priority_offset, 0),
        ("preemption_policy", settings.preemption_policy, "default"),
        ("preemption_delay", format_duration(settings.preemption_delay_ns), "30s"),
        ("quota_preemption_delay", format_duration(settings.quota_preemption_delay_ns), "0s"),
        ("properties", dict(queue.properties), {}),
        ("template", _template(queue.template), None),
    ]
    return {
        "path": queue.path,
        "leaf": queue.is_leaf,
        "sort_policy": settings.application_sort_policy if queue.is_leaf else "fair",
        **{name: value for name, value, default in shown if value != default},
    }


def _template(template: ChildTemplate | None) -> Fact | None:
    if template is None:
        return None
    shown: list[tuple[str, Any, Any]] = [
        ("guaranteed", _amounts(tree.set_or_none(from_config(template.resources.guaranteed))), None),
        ("max", _amounts(tree.set_or_none(from_config(template.resources.max))), None),
        ("max_applications", template.max_applications, 0),
        ("properties", dict(template.properties), {}),
    ]
    return {name: value for name, value, default in shown if value != default}


def _amounts(resource: Resource | None) -> dict[str, int] | None:
    return None if resource is None else dict(resource)

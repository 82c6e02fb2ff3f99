"""What a check found, as data: where, what, with which numbers, and the edits that would mend it. No sentences (U-26).

A finding names its place in words of the configuration: partition, queue path, key and the line of the YAML text. Its
mending is a list of repairs, each a tuple of edits that belong together; they are applied as the pure edits of
`workbench.config.edit`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from workbench.config import edit
from workbench.config.model import ChildTemplate, SchedulerConfig

Severity = Literal["error", "warning", "hint"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "hint")
"""Most urgent first. An error is what the real loader reports; a warning what is ignored or cannot work as it is written."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a configuration.

    Attributes:
        kind: what is changed, a key of `KINDS`.
        path: the queue; "" for a setting of the partition.
        key: the property or field, for the kinds that have several.
        value: what it becomes; None removes it.
    """

    kind: str
    path: str = ""
    key: str = ""
    value: Any = None
    partition: str = "default"

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        """The configuration with the change made. ConfigError if its place is not there."""
        return KINDS[self.kind](config, self)


Repair = tuple[Edit, ...]
"""Edits that make one remedy, in the order in which they are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a check found.

    Attributes:
        code: of the lint, such as "L-13"; of the rule for what section 6 of chapter 09 has no number for.
        path: lower-case path of the queue; "" for a setting of the partition.
        key: place below the queue or partition, such as "properties.priority.offset"; "" for the whole.
        line: of that key in the YAML text; None when the configuration has no text any more.
        numbers: what was compared, by name. "case" tells apart what one lint says of different situations.
        rules: the rules that say so, the most telling first.
        repairs: what would mend it, best first.
    """

    code: str
    severity: Severity
    partition: str = "default"
    path: str = ""
    key: str = ""
    line: int | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()


def applied(repair: Repair, config: SchedulerConfig) -> SchedulerConfig:
    """The configuration with all edits of a repair made."""
    for each in repair:
        config = each.apply(config)
    return config


def _property_renamed(config: SchedulerConfig, made: Edit) -> SchedulerConfig:
    text = edit.queue_at(config, made.path, made.partition).properties.get(made.key)
    without = edit.with_property(config, made.path, made.key, None, made.partition)
    return edit.with_property(without, made.path, made.value, text, made.partition)


def _template_property(config: SchedulerConfig, made: Edit) -> SchedulerConfig:
    """One property of the child template set, removed with None, or, as (new key, text), under another key."""
    template = edit.queue_at(config, made.path, made.partition).child_template or ChildTemplate()
    key, text = made.value if isinstance(made.value, tuple) else (made.key, made.value)
    properties = {name: value for name, value in template.properties.items() if name != made.key}
    if text is not None:
        properties[key] = text
    changed = replace(template, properties=properties)
    return edit.with_field(config, made.path, "childtemplate", changed, made.partition)


def _template_max_removed(config: SchedulerConfig, made: Edit) -> SchedulerConfig:
    template = edit.queue_at(config, made.path, made.partition).child_template or ChildTemplate()
    changed = replace(template, resources=replace(template.resources, max=made.value))
    return edit.with_field(config, made.path, "childtemplate", changed, made.partition)


def _weights(config: SchedulerConfig, made: Edit) -> SchedulerConfig:
    sorting = config.partition(made.partition).node_sorting
    return edit.with_node_sorting(config, replace(sorting, weights=made.value or {}), made.partition)


def _quota_switch(config: SchedulerConfig, made: Edit) -> SchedulerConfig:
    switches = config.partition(made.partition).preemption
    return edit.with_preemption(config, replace(switches, quota_enabled=made.value), made.partition)


def _filter_type(config: SchedulerConfig, made: Edit) -> SchedulerConfig:
    """The type of the filter of one placement rule; `key` is its position."""
    rules = list(config.partition(made.partition).placement_rules)
    rule = rules[int(made.key)]
    rules[int(made.key)] = replace(rule, filter=replace(rule.filter, type=made.value))
    return edit.with_placement_rules(config, tuple(rules), made.partition)


KINDS: Mapping[str, Callable[[SchedulerConfig, Edit], SchedulerConfig]] = {
    "property": lambda config, made: edit.with_property(config, made.path, made.key, made.value, made.partition),
    "property-name": _property_renamed,
    "template-property": _template_property,
    "template-max": _template_max_removed,
    "max": lambda config, made: edit.with_max(config, made.path, made.value, made.partition),
    "guaranteed": lambda config, made: edit.with_guaranteed(config, made.path, made.value, made.partition),
    "field": lambda config, made: edit.with_field(config, made.path, made.key, made.value, made.partition),
    "limits": lambda config, made: edit.with_field(config, made.path, "limits", made.value, made.partition),
    "name": lambda config, made: edit.with_queue_renamed(config, made.path, made.value, made.partition),
    "weights": _weights,
    "quota-switch": _quota_switch,
    "filter-type": _filter_type,
    "rules": lambda config, made: edit.with_placement_rules(config, made.value, made.partition),
}
"""Kind of edit -> how it is made."""

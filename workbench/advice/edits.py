"""Changes of a configuration that mend what a check found: one class for each kind, with what it does and its words.

They are made with the pure edits of `workbench.config.edit`, and several that belong together are a repair.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.config import edit
from workbench.config.facts import Design, Place
from workbench.config.model import ChildTemplate, Limit, PlacementRule, SchedulerConfig
from workbench.config.validation.validate import validate
from workbench.explain.wording import listing, name
from workbench.values.errors import ConfigError

Texts = Mapping[str, str]
"""Quantities as written in a configuration, by type."""


@dataclass(frozen=True, slots=True)
class Edit(ABC):
    """One change of a configuration, at a queue or at a partition."""

    place: Place

    @abstractmethod
    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        """The configuration with the change made. ConfigError if its place is not there."""

    @abstractmethod
    def phrase(self) -> str:
        """What it does, in the imperative."""

    @property
    def where(self) -> str:
        """Its place in a phrase."""
        return where(self.place.path)


Repair = tuple[Edit, ...]
"""Edits that make one remedy, in the order in which they are made."""


def where(path: str) -> str:
    """A queue in a sentence, or the partition for ""."""
    return name(path) if path else "the partition"


def applied(repair: Repair, config: SchedulerConfig) -> SchedulerConfig:
    """The configuration with all edits of a repair made."""
    for each in repair:
        config = each.apply(config)
    return config


def accepted(design: Design, *edits: Edit) -> Repair | None:
    """The edits as a repair if the scheduler would accept the result, else None."""
    try:
        validate(applied(edits, design.config))
    except ConfigError:
        return None
    return edits


def repair_text(repair: Repair) -> str:
    """What a remedy changes, in one sentence."""
    said = listing([each.phrase() for each in repair], most=3)
    return f"{said[:1].upper()}{said[1:]}."


def _set_or_removed(what: str, where: str, value: str | int | None) -> str:
    return f"remove {what} of {where}" if value is None else f"set {what} of {where} to {name(str(value))}"


def _quantities(what: str, where: str, texts: Texts | None) -> str:
    if not texts:
        return f"remove {what} of {where}"
    return f"set {what} of {where} to {', '.join(f'{name(kind)} {name(text)}' for kind, text in texts.items())}"


def _key(key: str) -> str:
    return name(key, 80)


# ---- properties -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetProperty(Edit):
    """A property of a queue; None removes it."""

    key: str
    text: str | None

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return edit.with_property(config, self.place.path, self.key, self.text, self.place.partition)

    def phrase(self) -> str:
        return _set_or_removed(_key(self.key), self.where, self.text)


@dataclass(frozen=True, slots=True)
class RenameProperty(Edit):
    """A property of a queue gets another key and keeps its text."""

    key: str
    new: str

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        path, partition = self.place.path, self.place.partition
        text = edit.queue_at(config, path, partition).properties.get(self.key)
        without = edit.with_property(config, path, self.key, None, partition)
        return edit.with_property(without, path, self.new, text, partition)

    def phrase(self) -> str:
        return f"rename {_key(self.key)} of {self.where} to {name(self.new)}"


# ---- child templates --------------------------------------------------------------------------------------------------


def _template(config: SchedulerConfig, place: Place) -> ChildTemplate:
    return edit.queue_at(config, place.path, place.partition).child_template or ChildTemplate()


def _with_template(config: SchedulerConfig, place: Place, template: ChildTemplate) -> SchedulerConfig:
    return edit.with_field(config, place.path, "childtemplate", template, place.partition)


def _with_template_property(config: SchedulerConfig, place: Place, old: str, new: str, text: str | None) -> SchedulerConfig:
    template = _template(config, place)
    properties = {key: value for key, value in template.properties.items() if key != old}
    if text is not None:
        properties[new] = text
    return _with_template(config, place, replace(template, properties=properties))


@dataclass(frozen=True, slots=True)
class SetTemplateProperty(Edit):
    """A property of the child template of a queue; None removes it."""

    key: str
    text: str | None

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return _with_template_property(config, self.place, self.key, self.key, self.text)

    def phrase(self) -> str:
        return _set_or_removed(f"{_key(self.key)} in the child template", self.where, self.text)


@dataclass(frozen=True, slots=True)
class RenameTemplateProperty(Edit):
    """A property of the child template of a queue gets another key."""

    key: str
    new: str
    text: str

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return _with_template_property(config, self.place, self.key, self.new, self.text)

    def phrase(self) -> str:
        return f"rename {_key(self.key)} in the child template of {self.where} to {name(self.new)}"


@dataclass(frozen=True, slots=True)
class RemoveTemplateMaximum(Edit):
    """The child template of a queue says nothing of a maximum."""

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        template = _template(config, self.place)
        return _with_template(config, self.place, replace(template, resources=replace(template.resources, max=None)))

    def phrase(self) -> str:
        return f"remove the maximum in the child template of {self.where}"


# ---- fields of a queue ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetMaximum(Edit):
    """The maximum of a queue; None removes it."""

    texts: Texts | None

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return edit.with_max(config, self.place.path, self.texts, self.place.partition)

    def phrase(self) -> str:
        return _quantities("max", self.where, self.texts)


@dataclass(frozen=True, slots=True)
class SetGuaranteed(Edit):
    """The guarantee of a queue; None removes it."""

    texts: Texts | None

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return edit.with_guaranteed(config, self.place.path, self.texts, self.place.partition)

    def phrase(self) -> str:
        return _quantities("guaranteed", self.where, self.texts)


@dataclass(frozen=True, slots=True)
class SetField(Edit):
    """Another key of a queue, such as maxapplications; None removes it."""

    field: str
    value: bool | int | str | None

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return edit.with_field(config, self.place.path, self.field, self.value, self.place.partition)

    def phrase(self) -> str:
        return _set_or_removed(
            _key(self.field), self.where, str(self.value).lower() if isinstance(self.value, bool) else self.value
        )


@dataclass(frozen=True, slots=True)
class SetLimits(Edit):
    """The limits of users and groups of a queue."""

    limits: tuple[Limit, ...]

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return edit.with_field(config, self.place.path, "limits", self.limits, self.place.partition)

    def phrase(self) -> str:
        if len(self.limits) > 1:
            return f"write the limits of {self.where} as {len(self.limits)} separate entries"
        return f"keep one entry of the limits of {self.where}" if self.limits else f"remove the limits of {self.where}"


@dataclass(frozen=True, slots=True)
class RenameQueue(Edit):
    """A queue gets another name."""

    name: str

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return edit.with_queue_renamed(config, self.place.path, self.name, self.place.partition)

    def phrase(self) -> str:
        return f"rename {self.where} to {name(self.name)}"


# ---- settings of a partition ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetWeights(Edit):
    """The weights of resource types in the order of nodes; none are the defaults."""

    weights: Mapping[str, float]

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        sorting = config.partition(self.place.partition).node_sorting
        return edit.with_node_sorting(config, replace(sorting, weights=self.weights), self.place.partition)

    def phrase(self) -> str:
        if not self.weights:
            return "remove nodesortpolicy.resourceweights"
        told = ", ".join(f"{name(kind)} {weight:g}" for kind, weight in self.weights.items())
        return f"set nodesortpolicy.resourceweights to {told}"


@dataclass(frozen=True, slots=True)
class SetQuotaSwitch(Edit):
    """Preemption for quotas, on, off, or not mentioned."""

    on: bool | None

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        switches = config.partition(self.place.partition).preemption
        return edit.with_preemption(config, replace(switches, quota_enabled=self.on), self.place.partition)

    def phrase(self) -> str:
        return _set_or_removed("preemption.quotapreemptionenabled", self.where, None if self.on is None else str(self.on).lower())


@dataclass(frozen=True, slots=True)
class SetFilterType(Edit):
    """The type of the filter of one placement rule; `rule` is its position from 0."""

    rule: int
    type: str

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        rules = list(config.partition(self.place.partition).placement_rules)
        chosen = rules[self.rule]
        rules[self.rule] = replace(chosen, filter=replace(chosen.filter, type=self.type))
        return edit.with_placement_rules(config, tuple(rules), self.place.partition)

    def phrase(self) -> str:
        return f"set filter.type of placement rule {self.rule + 1} to {name(self.type)}"


@dataclass(frozen=True, slots=True)
class SetRules(Edit):
    """The placement rules of the partition."""

    rules: Sequence[PlacementRule]

    def apply(self, config: SchedulerConfig) -> SchedulerConfig:
        return edit.with_placement_rules(config, tuple(self.rules), self.place.partition)

    def phrase(self) -> str:
        return f"let the placement rules be {listing([name(rule.name) for rule in self.rules], most=8)}"

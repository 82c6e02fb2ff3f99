"""The rules in force, made from a configuration once, when it is loaded. PL-20 to PL-23."""

from __future__ import annotations

from workbench.config.model import PartitionConfig, PlacementRule
from workbench.config.validation.names import INVALID_QUEUE_NAME, is_queue_name
from workbench.config.validation.regexp import RegexpError
from workbench.scheduler.placement import filters
from workbench.scheduler.placement.rule import Rule
from workbench.scheduler.placement.rules import KINDS, ROOT, canonical_name
from workbench.values.errors import ConfigError

IMPLICIT = (Rule("provided"),)
"""The rules of a partition that configures none."""


def build_rules(config: PartitionConfig) -> tuple[Rule, ...]:
    """The rules of a partition in order, the implicit one if none are configured; recovery is not among them. PL-20.

    Raises:
        ConfigError: with the core's text, for the first rule that cannot be built (PL-21, PL-22).
    """
    return tuple(map(_built, config.placement_rules)) or IMPLICIT


def _built(config: PlacementRule) -> Rule:
    name = canonical_name(config.name)
    if name is None:
        known = ", ".join(sorted(KINDS.keys() - {"recovery", "test"}))
        raise ConfigError(
            f"unknown rule name specified {config.name}, failing placement rule config",
            line=config.line,
            hint=f"the rules are {known}",
        )
    if name == "recovery":
        raise ConfigError(
            "recovery rule cannot be part of the config, failing placement rule config",
            line=config.line,
            hint="it always runs last, without being listed",
        )
    value = config.value.lower()
    _check_value(name, value, config)
    try:
        chosen = filters.build(config.filter)
    except RegexpError as error:
        raise ConfigError(str(error), line=config.line) from error
    parent = _built(config.parent) if config.parent is not None else None
    return Rule(name, config.create, value, chosen, parent)


def _check_value(name: str, value: str, config: PlacementRule) -> None:
    """A tag rule names a tag, a fixed rule a queue whose levels have valid names. PL-22."""
    if name == "tag" and not value:
        raise ConfigError("a tag queue rule must have a tag name set", line=config.line, hint="for example value: namespace")
    if name != "fixed":
        return
    if not value:
        raise ConfigError("a fixed queue rule must have a queue name set", line=config.line, hint="for example value: root.default")
    if not all(map(is_queue_name, value.split("."))):
        raise ConfigError(INVALID_QUEUE_NAME, line=config.line)
    if value.startswith(ROOT) and config.parent is not None:
        raise ConfigError(
            f"cannot have a fixed queue rule with qualified queue getName and a parent rule: {config.value}",
            line=config.line,
            hint="with a parent rule the value is the part of the path below it",
        )

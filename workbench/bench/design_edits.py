"""Edits of a design as the workbench accepts them, and what an edit changed.

The scheduler ignores a property value it does not understand and takes the default (C-131). A person who types one
means something else, so here it is refused with the values that are allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from workbench.bench import schema, texts
from workbench.bench.schema import Setting
from workbench.config import snippets
from workbench.config.model import SchedulerConfig
from workbench.config.properties import Property
from workbench.config.write.export import accepted
from workbench.scheduler.records.state import Partition
from workbench.simulation.simulation import Step
from workbench.values.errors import ConfigError


def with_setting(config: SchedulerConfig, path: str, key: str, text: str | None, partition: Partition) -> SchedulerConfig:
    """`config` with one setting of one queue, or of the partition, set, or removed with None.

    Args:
        partition: the running one; its release says which properties and values are known.

    Raises:
        ConfigError: unknown queue or key, a value that would be ignored, or a design that is not valid.
    """
    of_partition = path.lower() == schema.PARTITION
    table = schema.OF_PARTITION if of_partition else schema.SETTINGS
    if key not in table:
        raise ConfigError(texts.unknown_property(key, get_close_matches(key, table, n=1)))
    setting = table[key]
    if text is not None:
        text = _trimmed(text, setting.kind)
        _check(path, setting, text, partition.profile.properties)
    changed = setting.write(config, partition.name, path, text)
    if changed != config:
        try:
            return accepted(changed)
        except ConfigError as error:
            # Lines of the whole text would be read as lines of what was typed.
            error.line = snippets.line_in_piece(error.line)
            raise
    return changed


def _trimmed(text: str, kind: str) -> str:
    """The text without blanks around it where they mean nothing. An ACL that begins with a blank names groups only (C-100)."""
    if kind == "block":
        return text
    leading = " " if kind == "text" and text[:1] == " " and text.strip() else ""
    return leading + text.strip()


def _check(path: str, setting: Setting, text: str, properties: Mapping[str, Property]) -> None:
    known = properties.get(setting.key)
    if known is not None:
        if text == known.default:
            return  # as good a way to say it as leaving it out, also where the scheduler would call it bad
        try:
            known.parse(text)
        except ValueError as error:
            raise ConfigError(texts.value_refused(path, setting.key, str(error), known.allowed)) from None
    elif setting.allowed and text not in setting.allowed:
        raise ConfigError(texts.value_refused(path, setting.key, f"{text!r} is not one of them", setting.allowed))


def first_difference(before: Sequence[Step], after: Sequence[Step], asked: int) -> int:
    """The first of the steps 1..`asked` that two runs decided differently, a missing one included; 0 when none."""
    for number in range(1, asked + 1):
        old, new = (_served(steps, number) for steps in (before, after))
        if old != new:
            return number
    return 0


def _served(steps: Sequence[Step], number: int) -> tuple[str, ...] | None:
    if number > len(steps):
        return None
    decision = steps[number - 1].decision
    return decision.outcome, decision.application_id, decision.key, decision.node_id

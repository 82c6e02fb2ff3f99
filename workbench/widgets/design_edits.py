"""Edits of a design as the workbench accepts them, and what an edit changed.

The scheduler ignores a property value it does not understand and takes the default (C-131). A person who types one
means something else, so here it is refused with the values that are allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from workbench.config import edit, validate
from workbench.config.model import SchedulerConfig
from workbench.config.properties import PROPERTIES, Property
from workbench.errors import ConfigError
from workbench.simulation.simulation import Step
from workbench.widgets import texts


def with_property(config: SchedulerConfig, path: str, key: str, text: str | None,
                  table: Mapping[str, Property] = PROPERTIES) -> SchedulerConfig:
    """`config` with one property of one queue set, or removed with None. `table`: the properties that the engine knows.

    Raises:
        ConfigError: unknown queue or property, a value that would be ignored, or a design that is not valid.
    """
    _check(path, key, text, table)
    changed = edit.with_property(config, path, key, text)
    validate(changed)
    return changed


def _check(path: str, key: str, text: str | None, table: Mapping[str, Property]) -> None:
    if key not in table:
        raise ConfigError(texts.unknown_property(key, get_close_matches(key, table, n=1)))
    if text is None:
        return
    try:
        table[key].parse(text)
    except ValueError as error:
        raise ConfigError(texts.value_refused(path, key, str(error), table[key].allowed)) from None


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

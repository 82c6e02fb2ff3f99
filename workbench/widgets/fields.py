"""The editable properties of a queue as data: value, default, choices, and why one cannot be edited here (U-14).

The editor shows these fields; tests read them without a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.config.properties import (
    APPLICATION_SORT_POLICY,
    PRIORITY_OFFSET,
    PRIORITY_POLICY,
    PROPERTIES,
    Property,
)
from workbench.scheduler.state import Queue
from workbench.widgets import texts


@dataclass(frozen=True, slots=True)
class Field:
    """One property of one queue.

    Attributes:
        key: the configuration key.
        value: the text in force: the queue's own, else what is inherited or the default.
        is_own: the queue's configuration sets it.
        default: what holds when nothing is set.
        choices: the allowed texts, empty when the value is typed.
        hint: what it does, in plain language.
        disabled: why it has no effect at this queue, "" when it has.
    """

    key: str
    value: str
    is_own: bool
    default: str
    choices: tuple[str, ...]
    hint: str
    disabled: str = ""


KEYS = (PRIORITY_POLICY, PRIORITY_OFFSET, APPLICATION_SORT_POLICY)
"""The properties of the editor, in display order."""


def fields(queue: Queue, table: Mapping[str, Property] = PROPERTIES) -> tuple[Field, ...]:
    """The fields of the editor for one queue; `table` holds the properties that the engine version knows."""
    return tuple(_field(queue, table[key]) for key in KEYS)


def _field(queue: Queue, known: Property) -> Field:
    own = queue.own_properties.get(known.key)
    in_force = str(getattr(queue.settings, known.field))
    # A typed value is shown as written, so that a text that the scheduler ignores can be seen and corrected.
    value = own if own is not None and not known.allowed else in_force
    return Field(known.key, value, own is not None, known.default, known.allowed, known.hint, _no_effect(queue, known))


def _no_effect(queue: Queue, known: Property) -> str:
    """Why the property has no effect at this queue, "" when it has."""
    if not queue.is_managed:
        return texts.NO_CONFIGURATION
    if known.scope == "leaf" and not queue.is_leaf:
        return texts.SORTS_NOTHING
    if known.key in (PRIORITY_POLICY, PRIORITY_OFFSET) and queue.parent is None:
        return texts.ROOT_COMPETES_WITH_NOBODY
    return ""

"""The editor's fields as data: value, default, choices, and why one cannot be edited here (U-14).

The editor shows these fields; tests read them without a browser. What there is comes from `schema`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.bench import schema
from workbench.bench.schema import Setting
from workbench.config import edit
from workbench.config.model import QueueConfig, SchedulerConfig
from workbench.scheduler.records.state import Partition, Queue
from workbench.values.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Field:
    """One setting at one queue, or of the partition.

    Attributes:
        setting: what it is.
        value: the text in force: the queue's own, else what is inherited or the default; "" for none of the choices.
        is_own: the queue's configuration sets it.
        choices: the allowed texts, empty when the value is typed.
        disabled: why it has no effect at this queue, "" when it has.
    """

    setting: Setting
    value: str
    is_own: bool
    choices: tuple[str, ...]
    disabled: str = ""

    @property
    def key(self) -> str:
        return self.setting.key

    @property
    def hint(self) -> str:
        inherited = self.setting.inherited if schema.PARTITION not in self.setting.scope else ""
        said = inherited_here(inherited) if inherited in ("yes", "disabled") else ""
        return f"{self.setting.hint} {said}".strip()


def queue_fields(queue: Queue, config: SchedulerConfig, partition: Partition) -> Iterator[Field]:
    """The fields of one queue, in display order."""
    written = _written(config, queue.path, partition.name)
    for setting in schema.queue_settings(partition.profile):
        yield _field(setting, queue, written, partition)


def partition_fields(config: SchedulerConfig, partition: Partition) -> Iterator[Field]:
    """The fields of the partition, in display order."""
    written = config.partition(partition.name)
    for setting in schema.PARTITION_SETTINGS:
        own = setting.read(written)
        disabled = schema.no_effect(setting, None, partition, partition.profile.version)
        yield Field(setting, setting.default if own is None else own, own is not None, setting.allowed, disabled)


def _written(config: SchedulerConfig, path: str, partition: str) -> QueueConfig | None:
    try:
        return edit.queue_at(config, path, partition)
    except ConfigError:
        return None


def _field(setting: Setting, queue: Queue, written: QueueConfig | None, partition: Partition) -> Field:
    own = setting.read(written) if written is not None else None
    known = partition.profile.properties.get(setting.key)
    in_force = setting.default if known is None else str(getattr(queue.settings, known.field))
    if known is not None and known.kind == "choice":
        in_force = {"True": "enabled", "False": "disabled"}.get(in_force, in_force)
    elif known is not None and known.kind == "duration":
        in_force = _inherited_text(queue, setting.key) or setting.default
    choices = known.allowed if known is not None else setting.allowed
    # A typed value is shown as written, so that a text that the scheduler ignores can be seen and corrected.
    value = own if own is not None and (not choices or own in choices) else in_force
    if own is None and choices and schema.position(queue) not in setting.scope:
        value = ""  # nothing is in force where nothing looks at it
    disabled = schema.no_effect(setting, queue, partition, partition.profile.version)
    return Field(setting, value, own is not None, choices, disabled)


def _inherited_text(queue: Queue, key: str) -> str:
    return queue.properties.get(key, "")


# ---- in words ---------------------------------------------------------------------------------------------------------


def inherited_here(how: str) -> str:
    """What configured children get of a property."""
    return {"yes": "Children inherit it.", "no": "Not inherited.", "disabled": "Children inherit only disabled."}.get(how, "")

"""The file that is to be rolled out: a queues.yaml, or the ConfigMap that carries one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from workbench.config.model import SchedulerConfig
from workbench.config.write.export import from_configmap, is_configmap, queues_key, text_of
from workbench.files.reading import read_text


@dataclass(frozen=True, slots=True)
class New:
    """Attributes:
    text: of the queues.yaml, with its comments; whether the scheduler would take it is another question.
    source: what it was read from, for people.
    key: under which its ConfigMap carries it; empty if it is in none.
    """

    text: str
    source: str = ""
    key: str = ""


def read_new(new: SchedulerConfig | str | os.PathLike[str]) -> New:
    """A loaded configuration, a text of several lines or with a colon, or what the file of that name holds.

    Raises:
        ConfigError: the file cannot be read, or it is a ConfigMap without a queue configuration.
    """
    if isinstance(new, SchedulerConfig):
        return New(text_of(new))
    if isinstance(new, str) and ("\n" in new or ":" in new and not Path(new).is_file()):
        return _within(new, "")
    return _within(read_text(new), str(new))


def _within(text: str, source: str) -> New:
    return New(from_configmap(text), source, queues_key(text)) if is_configmap(text) else New(text, source)

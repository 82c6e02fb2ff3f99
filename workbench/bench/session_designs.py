"""The designs in a session file: texts once each, and what was edited as what differs from the text that it was made from.

So no text has to be written to keep an edit, and a long row of edits stays short.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.config.read.known import known
from workbench.config.read.parse import parse_config
from workbench.config.read.tree_shape import completed
from workbench.config.write.changes import changed, changes
from workbench.config.write.export import accepted, plain_yaml, text_of
from workbench.scheduler.records.commands import UpdateConfig
from workbench.simulation.scenario import Scenario
from workbench.values.errors import ConfigError

Design = str | SchedulerConfig


class DesignPacker:
    """Gives every design a key and tells what it is. What was told of one it need not find out again."""

    def __init__(self) -> None:
        self._keys = 0
        self._texts: dict[str, str] = {}
        """Text -> its key."""
        self._edited: dict[int, tuple[SchedulerConfig, str, Any]] = {}
        """By identity, which holds as long as the configuration is kept here: its key, and what is told of it."""

    def key(self, design: Design) -> str:
        """The key of a design, always the same for the same one. ConfigError if nothing can be told of it."""
        if not isinstance(design, str):
            found = self._edited.get(id(design))
            if found is None:
                told = self._told(design)
                if told is None:
                    return self.key(text_of(design))
                found = self._edited[id(design)] = design, self._new_key(), told
            return found[1]
        if design not in self._texts:
            self._texts[design] = self._new_key()
        return self._texts[design]

    def packed(self, used: set[str]) -> dict[str, Any]:
        """What is told of the designs with these keys; all others are forgotten."""
        self._edited = {at: each for at, each in self._edited.items() if each[1] in used}
        needed = used | {told["of"] for _, _, told in self._edited.values()}
        self._texts = {text: key for text, key in self._texts.items() if key in needed}
        return {key: text for text, key in self._texts.items()} | {key: told for _, key, told in self._edited.values()}

    def _told(self, design: SchedulerConfig) -> dict[str, Any] | None:
        """What differs from the text that it was made from; None if that does not lead back to it."""
        if design.text or not design.origin:
            return None
        base = _read(design.origin)
        told = json.loads(json.dumps(changes(base, design)))
        if changed(base, told) != design:
            return None
        return {"of": self.key(design.origin), "changes": told}

    def _new_key(self) -> str:
        self._keys += 1
        return str(self._keys)


def unpacked(told: Mapping[str, Any]) -> dict[str, Design]:
    """Key -> the design.

    Raises:
        LookupError, TypeError, ValueError, ConfigError: what is told leads to none.
    """
    return {key: each if isinstance(each, str) else _edited(told[each["of"]], each["changes"]) for key, each in told.items()}


def without_designs(scenario: Scenario, packer: DesignPacker) -> tuple[Scenario, set[str]]:
    """The scenario with keys in the place of configurations, none in that of the first one; and the keys."""
    used: set[str] = set()

    def keyed(update: UpdateConfig) -> UpdateConfig:
        key = packer.key(update.config)
        used.add(key)
        return UpdateConfig(config=key)

    return _with_updates(replace(scenario, config=""), keyed), used


def with_designs(scenario: Scenario, design: Design, designs: Mapping[str, Design]) -> Scenario:
    """The scenario with a first configuration, and those that its keys stand for. LookupError if one stands for none."""
    return _with_updates(replace(scenario, config=design), lambda update: UpdateConfig(config=designs[update.text]))


def _with_updates(scenario: Scenario, change: Callable[[UpdateConfig], UpdateConfig]) -> Scenario:
    return replace(
        scenario,
        events=tuple(
            replace(each, command=change(each.command)) if isinstance(each.command, UpdateConfig) else each
            for each in scenario.events
        ),
        planned=tuple(
            replace(each, command=change(each.command)) if isinstance(each.command, UpdateConfig) else each
            for each in scenario.planned
        ),
    )


def _edited(text: str, told: Mapping[str, Any]) -> Design:
    design = changed(_read(text), told)
    try:
        return accepted(design)
    except ConfigError:
        # Another version wrote it. Who goes back to it is told why it cannot be, as with any text.
        return plain_yaml(design)


def _read(text: str) -> SchedulerConfig:
    """What a text says, be the scheduler to accept it or not. ConfigError if it says nothing."""
    return known(text) or completed(parse_config(text))

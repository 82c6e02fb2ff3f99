"""Queues from the words of another system: a pattern such as `root.{partition}.{account}`, filled with legal names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workbench.config.validation.names import is_queue_name
from workbench.values.errors import WorkloadError
from workbench.values.found import shown

NONE = "none"
"""The level of a queue for a field that is empty."""
LONGEST = 64

_FIELD = re.compile(r"\{([a-z_]*)\}")
_ILLEGAL = re.compile(r"[^a-zA-Z0-9_:#/@-]")


class QueuePattern:
    """A pattern whose fields stand in braces. It is empty for jobs whose queue the placement rules are to find.

    Names of other systems become legal levels: a point is written `_dot_`, as the scheduler does with names of users, other
    characters that no queue may have become `-`, capitals small, since the scheduler knows no capitals in queues, longer ones are
    cut, and an empty field is `none`. `notes` says what was changed.

    Raises:
        WorkloadError: the pattern has a field that is not in `fields`, or what stands around the fields is no path of queues.

    >>> pattern = QueuePattern("root.{partition}.{account}", ("partition", "account"))
    >>> pattern.path({"partition": "GPU", "account": "bio.lab"})
    'root.gpu.bio_dot_lab'
    >>> pattern.notes()
    ("The queue for account 'bio.lab' is called 'bio_dot_lab'.",)
    """

    def __init__(self, pattern: str, fields: tuple[str, ...]):
        self._pattern = pattern
        self._used = tuple(dict.fromkeys(_FIELD.findall(pattern)))
        self._known: dict[tuple[str, ...], str] = {}
        self._levels: dict[tuple[str, str], str] = {}
        allowed = ", ".join(f"{{{each}}}" for each in fields)
        for each in self._used:
            if each not in fields:
                raise WorkloadError(f"the pattern of queues {shown(pattern)} has no field {{{each}}}", hint=f"there are {allowed}")
        example = _FIELD.sub("x", pattern)
        if pattern and not (all(is_queue_name(each) for each in example.split(".")) and example.split(".")[0] == "root"):
            raise WorkloadError(
                f"{shown(pattern)} is no path of queues",
                hint=f"such as root.batch or root.{{{fields[0]}}}; the fields are {allowed}",
            )

    def path(self, values: Mapping[str, str]) -> str:
        """The path with the fields filled in."""
        key = tuple(values.get(each, "") for each in self._used)
        path = self._known.get(key)
        if path is None:
            path = _FIELD.sub(lambda field: self._level(field[1], values.get(field[1], "")), self._pattern)
            path = ".".join(each[:LONGEST] for each in path.split("."))
            self._known[key] = path
        return path

    def _level(self, field: str, value: str) -> str:
        level = self._levels.get((field, value))
        if level is None:
            level = _ILLEGAL.sub("-", value.replace(".", "_dot_")).lower()[:LONGEST] or NONE
            self._levels[field, value] = level
        return level

    def notes(self) -> tuple[str, ...]:
        """What had to be called otherwise, and what has come together under one name."""
        said = []
        by_level: dict[tuple[str, str], list[str]] = {}
        for (field, value), level in self._levels.items():
            by_level.setdefault((field, level), []).append(value)
            if not value:
                said.append(f"Jobs without {field} are in a queue {level!r}.")
            elif level != value.lower():
                said.append(f"The queue for {field} {shown(value)} is called {level!r}.")
        for (field, level), values in by_level.items():
            if len(values) > 1:
                said.append(f"Several of {field} share the queue {level!r}: {', '.join(shown(each) for each in values[:5])}.")
        return tuple(said)

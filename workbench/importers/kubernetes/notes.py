"""What an import left out, approximated or assumed: of each matter how often, with examples. K-50.

No sentences: `notes_texts` has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

EXAMPLES = 3


class Matter(Enum):
    """What a note is about, in the order in which notes are told."""

    NODES = auto()
    """Nodes that were read."""
    RUNNING = auto()
    """Pods of the scheduler that run."""
    WAITING = auto()
    """Pods of the scheduler that wait."""
    FOREIGN = auto()
    """Pods of others that occupy a node."""
    FOREIGN_WAITING = auto()
    """Pods of others that wait: they count for nothing. K-1."""
    ENDED = auto()
    """Pods that have ended. K-2."""
    RAN = auto()
    """Pods that have ended and say how long they ran, by queue; the examples are the median and the longest. K-2."""
    GATED = auto()
    """Pods that are held back by scheduling gates. K-2."""
    UNKNOWN_NODE = auto()
    """Bound pods on nodes that are not there. K-2."""
    AS_IF_OURS = auto()
    """Pods of others that are taken as the scheduler's. K-3."""
    TWICE = auto()
    """Objects that are there twice."""
    OTHER_KIND = auto()
    """Objects of kinds that are not read; one note for each kind."""
    OTHER_CONFIG_MAP = auto()
    """ConfigMaps that are not the scheduler's."""
    CONFIG_ELSEWHERE = auto()
    """ConfigMaps of the scheduler's names in another namespace."""
    NO_CONFIG = auto()
    """No queue configuration: the default one."""
    SETTINGS = auto()
    """Keys of the service configuration: they are not part of a scenario."""
    GANG_UNREAD = auto()
    """Pods whose task groups cannot be read. K-33."""
    PLACEHOLDERS = auto()
    """Placeholders of gangs that have none yet, made as the scheduler does."""
    NOT_FOLLOWED = auto()
    """Pods with a constraint that is not followed; one note for each. K-32."""
    AFFINITY_UNREAD = auto()
    """Pods whose affinity has an operator that there is not: no node will do."""
    CLASS_UNKNOWN = auto()
    """Pods of a priority class that is not there, and without a priority."""
    QUOTA_UNREAD = auto()
    """Namespaces whose quota cannot be read."""
    QUOTA = auto()
    """Namespaces that shape the queues that are made for their applications. K-14."""
    USER_LABEL = auto()
    """Pods that name their user by a label, which is deprecated. R-972."""
    DIFFERENT = auto()
    """Applications whose pods name different queues or users: the oldest pod speaks. K-11."""
    CORDONED = auto()
    """Cordoned nodes. K-22, R-971."""
    AGES = auto()
    """Ages count from now on."""


@dataclass(frozen=True, slots=True)
class Note:
    """Attributes:
    about: what the matter is about where there are several of its kind, such as the kind of an object.
    count: how many.
    examples: the names of the first ones.
    """

    matter: Matter
    count: int
    examples: tuple[str, ...] = ()
    about: str = ""


class Notebook:
    """Counts while something is read."""

    def __init__(self) -> None:
        self._counts: dict[tuple[Matter, str], int] = {}
        self._examples: dict[tuple[Matter, str], list[str]] = {}

    def note(self, matter: Matter, example: str = "", *, about: str = "", count: int = 1) -> None:
        """Count one more, or `count`."""
        key = matter, about
        self._counts[key] = self._counts.get(key, 0) + count
        kept = self._examples.setdefault(key, [])
        if example and len(kept) < EXAMPLES:
            kept.append(example)

    def put(self, matter: Matter, count: int, examples: tuple[str, ...], about: str) -> None:
        """Note what was counted elsewhere."""
        self._counts[matter, about] = count
        self._examples[matter, about] = list(examples)

    def notes(self) -> Iterator[Note]:
        """What was counted, in the order of the matters, then by what it is about."""
        for matter, about in sorted(self._counts, key=lambda key: (key[0].value, key[1])):
            yield Note(matter, self._counts[matter, about], tuple(self._examples[matter, about]), about)

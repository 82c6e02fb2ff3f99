"""What of a scenario Kubernetes has no place for: of each matter how much, with an example. K-50.

Nothing is guessed here: the objects are read back, and what comes out otherwise is counted.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """Attributes:
    count: how many.
    examples: the first ones.
    """

    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PodsCounted(Note):
    """Kubernetes counts pods: every request has one, and every node room for `count`, which the scenario does not say."""


@dataclass(frozen=True, slots=True)
class LeftOut(Note):
    """Inputs of a kind that objects cannot say, such as time that passes, or a release."""

    kind: str = ""


@dataclass(frozen=True, slots=True)
class NotThere(Note):
    """Nodes, applications or requests that no object can stand for, such as applications without any request."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class Different(Note):
    """A field that is another one when the objects are read again."""

    what: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class Reordered(Note):
    """Nodes, applications or requests come in another order."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class NoQueues(Note):
    """The configuration is another one when it is read again."""

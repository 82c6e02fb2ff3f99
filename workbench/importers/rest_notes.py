"""What saved answers of a REST API leave open, or what was left out of them: one class for each note, with what it is about.

No sentences: whoever shows a note has them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know about a cluster that was read."""


@dataclass(frozen=True, slots=True)
class QueuesOnly(Note):
    """There is no configuration: the queues are those of the answer."""


@dataclass(frozen=True, slots=True)
class ServiceLeftOut(Note):
    """So many settings are of the service and not of its queues."""

    settings: int


@dataclass(frozen=True, slots=True)
class EndedLeftOut(Note):
    """So many applications had ended."""

    applications: int


@dataclass(frozen=True, slots=True)
class GangsSoft(Note):
    """There are gangs, of which it is not known whether they are soft or hard."""


@dataclass(frozen=True, slots=True)
class AgesFromNow(Note):
    """It is not known since when requests and allocations are there."""


@dataclass(frozen=True, slots=True)
class ConstraintsUnknown(Note):
    """It is not known which nodes a request accepts."""


@dataclass(frozen=True, slots=True)
class Elsewhere(Note):
    """The placement rules would put these applications into another queue than the answer says."""

    applications: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotAccepted(Note):
    """The scheduler would not accept these applications again."""

    applications: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Missing(Note):
    """This could not be asked, for this reason."""

    word: str
    why: str


@dataclass(frozen=True, slots=True)
class OtherPartitions(Note):
    """There are other partitions, which are left out."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutOfStep(Note):
    """So much ran on nodes that were not told, since the cluster went on while it was asked."""

    allocations: int

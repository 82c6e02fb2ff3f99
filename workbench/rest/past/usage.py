"""What an application used of the cluster until now: amounts times whole seconds, by what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.values.resources import Resource


@dataclass(slots=True)
class Usage:
    """Of what has ended. None: nothing of that kind has ended.

    Attributes:
        real: of real allocations.
        preempted: of those that were preempted.
        placeholders: of placeholders.
    """

    real: Resource | None = None
    preempted: Resource | None = None
    placeholders: Resource | None = None

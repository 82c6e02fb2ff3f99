"""What makes workloads of seeds: the same description, another draw of arrivals and durations."""

from __future__ import annotations

from typing import Protocol, TypeAlias, Union, runtime_checkable

from workbench.workloads.model import Workload


@runtime_checkable
class Seeded(Protocol):
    """A description of a workload that chance makes: the same seed, the same workload."""

    def workload(self, seed: int = 0) -> Workload:
        """The workload of a seed."""
        ...


AnyWorkload: TypeAlias = Union[Workload, Seeded]
"""What whoever takes a workload understands."""


def of_seed(given: AnyWorkload, seed: int = 0) -> Workload:
    """The workload itself, or the one that its description makes of the seed."""
    return given if isinstance(given, Workload) else given.workload(seed)

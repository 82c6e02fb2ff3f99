"""What every executor is given and gives back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from workbench.measures import Measure
from workbench.sweeps.cells import CellFunction, CellResult, CellSpec

Results: TypeAlias = Generator[CellResult, None, None]
"""Results as they are there; whoever does not want the rest closes it."""


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to do.

    Attributes:
        function: computes a cell; importable by name where other processes are asked.
        take: the next cell, None if there is none at this moment; there may be again after a result was given back.
        workloads: digest -> workload, for cells that travel without theirs.
        stopped: True as soon as nothing more is wanted.
        own: measures that the cells bring with them.
    """

    function: CellFunction
    take: Callable[[], CellSpec | None]
    workloads: Mapping[str, Any] = field(default_factory=dict)
    stopped: Callable[[], bool] = lambda: False
    own: tuple[Measure, ...] = ()


class Executor(Protocol):
    """Computes cells.

    Attributes:
        name: where that is, for people.
        at_once: how many at the same time.
    """

    @property
    def name(self) -> str: ...

    @property
    def at_once(self) -> int: ...

    def results(self, work: Work) -> Results:
        """The results, each as soon as it is there, until there is no cell left or the work is stopped.

        Whoever does not want the rest closes the iterator; whatever runs is then given up.

        Raises:
            CommandError: cells cannot be computed there any more.
        """
        ...

    def close(self) -> None:
        """Let go of whatever it made to compute cells."""
        ...

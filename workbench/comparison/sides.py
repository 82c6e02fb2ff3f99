"""One of the designs that are compared, with its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workbench.config.model import SchedulerConfig
from workbench.measures import MeasureTable, Scope, measure
from workbench.runs import Run
from workbench.values.errors import CommandError

LETTERS = "ABCD"
MOST = len(LETTERS)
"""Designs in one comparison; more are a sweep."""


@dataclass(frozen=True, eq=False)
class Side:
    """A design and what it did.

    Attributes:
        name: what it is called in sentences, such as "B".
        source: where it came from, such as the name of a file; empty if it has none.
        config: the design.
        runs: one for each seed.
    """

    name: str
    source: str
    config: SchedulerConfig
    runs: tuple[Run, ...]

    @cached_property
    def tables(self) -> tuple[MeasureTable, ...]:
        """The measures of each run."""
        return tuple(measure(run) for run in self.runs)

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """Equal for sides in whose runs the same happened."""
        return tuple(run.digest() for run in self.runs)

    def values(self, name: str, scope: str | Scope) -> list[float | None]:
        """One measure by seed; None where there is nothing to measure, or no such queue or user."""
        return [_value(table, name, scope) for table in self.tables]


def _value(table: MeasureTable, name: str, scope: str | Scope) -> float | None:
    try:
        return table[name, scope]
    except CommandError:
        return None  # the other design has it


def names_of(sources: Sequence[object], names: Sequence[str] | None) -> list[str]:
    """What the designs are called: as somebody wants, or A, B, C and D.

    Raises:
        CommandError: fewer than two designs or more than four, or the names do not tell them apart.
    """
    if not 2 <= len(sources) <= MOST:
        raise CommandError(f"two to {MOST} designs are compared, not {len(sources)}; more of them are a sweep")
    if names is None:
        return list(LETTERS[: len(sources)])
    chosen = [str(each).strip() for each in names]
    if len(chosen) != len(sources) or len(set(chosen)) != len(chosen) or not all(chosen):
        raise CommandError(f"{len(sources)} designs need as many different names, found {', '.join(map(repr, chosen)) or 'none'}")
    return chosen


def source_of(design: object) -> str:
    """The name of the file that a design comes from; empty for one that was made otherwise."""
    if isinstance(design, Path) or isinstance(design, str) and "\n" not in design and ":" not in design:
        return Path(design).name
    return ""

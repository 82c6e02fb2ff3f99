"""One cell of a sweep: one design, one workload, one seed; run, measured, and named by the digest of all that decides its numbers.

`run_cell` is a pure function of its `CellSpec`, importable by name, so that any process on any machine can be asked for a cell.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from workbench import __version__
from workbench.sweeps.fingerprint import digest_of
from workbench.sweeps.loads import with_load
from workbench.values.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.measures import Measure, MeasureTable

Values: TypeAlias = Mapping[str, Mapping[str, float | None]]
"""Measure -> scope -> its number; None where there was nobody to measure."""

Wanted: TypeAlias = tuple[str, str]
"""(measure, scope) of a number that is wanted."""
HEADLINES: Wanted = ("", "")
LONGEST_ERROR = 2000


class Outcome(Enum):
    """How a cell ended."""

    DONE = "done"
    """It has numbers."""
    INVALID = "invalid"
    """Its design, workload or measures make no sense; it would be so every time."""
    FAILED = "failed"
    """Something else went wrong; another time it may not."""
    LOST = "lost"
    """The processes that ran it ended without a word, again and again."""


@dataclass(frozen=True, kw_only=True)
class CellSpec:
    """All that decides the numbers of a cell.

    Attributes:
        design: text of a queues.yaml.
        workload: what arrives, or a description with a method `workload(seed)`. It is left out, None, on the way to a process that
            has got it already.
        workload_digest: the digest of its content.
        seed: for everything that chance decides.
        nodes, until, release, rate: as `workbench.simulate` takes them; None for what the workload or the release says itself.
        load: so many times as much arrives; None for the workload as it is.
        wanted: (measure, scope) of each number that is wanted. Without a scope it is that of the cluster and of every queue, and
            without a measure, those that are shown first.
        own: those of the measures wanted that do not come with this package; they go where the cell goes.
        version: of this package.
    """

    design: str
    workload: Any = field(compare=False, repr=False)
    workload_digest: str
    seed: int = 0
    nodes: str | int | None = None
    load: float | None = None
    release: str | None = None
    until: str | float | None = None
    rate: float | None = None
    wanted: tuple[Wanted, ...] = (HEADLINES,)
    own: tuple[Measure, ...] = field(default=(), compare=False, repr=False)
    version: str = __version__

    @cached_property
    def digest(self) -> str:
        """Hexadecimal SHA-256 of all of it: equal digests have equal numbers."""
        parts = [
            self.design,
            self.workload_digest,
            self.seed,
            self.nodes,
            self.load,
            self.release,
            self.until,
            self.rate,
            sorted(self.wanted),
            self.version,
        ]
        if self.own:
            from workbench.measures.own import code_of

            parts.append([code_of(each) for each in self.own])
        return digest_of(json.dumps(parts).encode())

    def without_workload(self) -> CellSpec:
        """The same to be sent to where the workload is."""
        return replace(self, workload=None)


@dataclass(frozen=True, slots=True)
class CellResult:
    """What became of a cell. `error` is a sentence, empty for one that is done."""

    digest: str
    values: Values = field(default_factory=dict)
    outcome: Outcome = Outcome.DONE
    error: str = ""


CellFunction: TypeAlias = Callable[[CellSpec], CellResult]


def run_cell(spec: CellSpec) -> CellResult:
    """The numbers of a cell. What makes no sense in it is told in the result; a fault of the workbench itself is raised."""
    from workbench.measures import measure
    from workbench.measures.own import make_known
    from workbench.runs import simulate

    make_known(spec.own)
    return run_with(spec, simulate, measure)


def run_with(spec: CellSpec, simulate: Callable[..., Any], measure: Callable[[Any], MeasureTable]) -> CellResult:
    """As `run_cell`, with the functions that run and measure."""
    try:
        run = simulate(
            spec.design,
            spec.workload if spec.load is None else with_load(spec.workload, spec.load),
            nodes=spec.nodes,
            until=spec.until,
            seed=spec.seed,
            release=spec.release,
            rate=spec.rate,
            reasons=any(name.startswith("waited") for name, _ in spec.wanted),
        )
        return CellResult(spec.digest, taken(measure(run), spec.wanted))
    except WorkbenchError as error:
        return CellResult(spec.digest, {}, Outcome.INVALID, sentence(error))


def taken(table: MeasureTable, wanted: Sequence[Wanted]) -> Values:
    """The numbers that are wanted of a run, sorted by measure and scope.

    Raises:
        CommandError: there is no such measure or scope in the run.
    """
    rows = [row for name, _ in wanted if not name for row in table.headlines()]
    taken = {(row.measure, row.scope): row.value for row in rows}
    for name, scope in wanted:
        if name and scope:
            taken[name, scope] = table[name, scope]
        elif name:
            for row in table.rows([name], table.scopes("cluster", "queue")):
                taken[row.measure, row.scope] = row.value
    values: dict[str, dict[str, float | None]] = {}
    for (name, scope), value in sorted(taken.items()):
        values.setdefault(name, {})[scope] = value
    return values


def attempted(function: CellFunction, spec: CellSpec) -> CellResult:
    """The result of a cell, whatever happens in it: an exception is a cell that failed."""
    try:
        return function(spec)
    except Exception as error:
        return CellResult(spec.digest, {}, Outcome.FAILED, sentence(error))


def sentence(error: BaseException) -> str:
    """What went wrong, in a line."""
    if isinstance(error, WorkbenchError):
        return " ".join(str(error).split())[:LONGEST_ERROR]
    if isinstance(error, MemoryError):
        return "there was not enough memory for it"
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:LONGEST_ERROR]

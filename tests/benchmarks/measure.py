"""How things are compared: in turn, freshly built every time, in one process or in pairs of processes.

Absolute times lie on shared machines, so most figures are ratios of two measurements that alternate: A B, B A, A B, ... The
medians of both sides are divided. What is built before the clock starts is timed apart. The garbage is collected before each
measurement and the collector stays on during it, for both sides alike. Comparisons inside this process count its own
processor time, so that other programs do not show; comparisons with another program count wall time on both sides.
"""

from __future__ import annotations

import gc
import operator
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

COMPARISONS = {"<=": operator.le, ">=": operator.ge}


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure should be."""

    relation: str
    value: float

    def met_by(self, value: float) -> bool:
        return COMPARISONS[self.relation](value, self.value)

    def __str__(self) -> str:
        return f"{self.relation} {self.value:g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report.

    Attributes:
        section: the module that measured it.
        name: what was measured, or compared.
        value: None: not measured, and `note` says why.
        unit: "x" for a ratio.
        note: what a reader must know to trust it.
        details: the measurements it was made from.
    """

    section: str
    name: str
    value: float | None
    unit: str = "x"
    target: Target | None = None
    note: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """ "yes" or "no" where there is a target and a value, else ""."""
        if self.value is None or self.target is None:
            return ""
        return "yes" if self.target.met_by(self.value) else "no"


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for.

    Attributes:
        peer: the program that replays on the real core (see `peer`), or None.
        trace: folder with the tables of the trace, or None.
        rounds: how often each pair is measured.
        scale: sizes are multiplied by this; 1 for the published figures.
        allocations: in each measurement of one allocation.
        limit_s: a single measurement stops after so long and counts what it has done.
        requests: of the core's own benchmark.
        trace_tasks: how many tasks of the trace; None for all.
    """

    peer: Path | None = None
    trace: Path | None = None
    rounds: int = 3
    scale: float = 1.0
    allocations: int = 1000
    limit_s: float = 60.0
    requests: int = 10_000
    trace_tasks: int | None = None

    def scaled(self, size: int, least: int = 1) -> int:
        return max(least, round(size * self.scale))


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement: how much was done in how many seconds, and how long it took to get ready."""

    count: int
    seconds: float
    setup_s: float

    @property
    def each_us(self) -> float:
        """Microseconds for each thing done."""
        return self.seconds / self.count * 1e6


Work = Callable[[float], int]
"""Does what is measured, for at most so many seconds; how much it did, at least 1."""
Setup = Callable[[], Work]


def measured(setup: Setup, limit_s: float) -> Measured:
    """Get ready, then measure once, in processor time of this process."""
    gc.collect()
    started = time.process_time()
    work = setup()
    ready = time.process_time()
    gc.collect()
    begin = time.process_time()
    count = work(limit_s)
    seconds = time.process_time() - begin
    assert count > 0, "nothing was done"
    return Measured(count, seconds, ready - started)


def in_turn(first: Callable[[], Any], second: Callable[[], Any], rounds: int) -> tuple[list[Any], list[Any]]:
    """The results of both, called in turn; who goes first alternates."""
    results: tuple[list[Any], list[Any]] = ([], [])
    for number in range(rounds):
        for which in ((0, 1), (1, 0))[number % 2]:
            results[which].append((first, second)[which]())
    return results


def compared(
    section: str, name: str, one: Setup, other: Setup, options: Options, *, target: Target | None, note: str = ""
) -> Figure:
    """Time for each thing done by `one`, divided by that of `other`."""
    ones, others = in_turn(lambda: measured(one, options.limit_s), lambda: measured(other, options.limit_s), options.rounds)
    mine, yours = (median(each.each_us for each in runs) for runs in (ones, others))
    notes = [f"{mine:,.0f} / {yours:,.0f} us", *([note] if note else [])]
    counts = {each.count for each in (*ones, *others)}
    if len(counts) > 1:
        notes.append(f"stopped early: {min(counts)} instead of {max(counts)}")
    return Figure(section, name, mine / yours, "x", target, "; ".join(notes), {"one": _told(ones), "other": _told(others)})


def _told(runs: Sequence[Measured]) -> dict[str, Any]:
    return {
        "each_us": [round(run.each_us, 2) for run in runs],
        "median_us": round(median(run.each_us for run in runs), 2),
        "count": [run.count for run in runs],
        "setup_s": [round(run.setup_s, 3) for run in runs],
    }


def until(limit_s: float, count: int) -> Iterator[int]:
    """Numbers below `count`, as long as less than `limit_s` of processor time has passed."""
    end = time.process_time() + limit_s
    for number in range(count):
        if number % 64 == 63 and time.process_time() > end:
            return
        yield number


def spread(values: Sequence[float]) -> str:
    return f"{min(values):.3g} to {max(values):.3g}"


def python(*arguments: str) -> str:
    """What a fresh interpreter with the same packages prints. CalledProcessError, with its complaint shown, if it fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout

"""Cells for the tests of sweeps: functions that answer like `run_cell` but compute next to nothing, importable in other processes.

A `Script` stands for a workload. It says what the cells do, and where they write down that they were computed.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from workbench.sweeps.cells import CellResult, CellSpec, Outcome
from workbench.values.errors import ConfigError


@dataclass(frozen=True)
class Script:
    """What arrives: nothing, but a note of every cell in `folder`, and harm at the seeds named."""

    folder: str = ""
    raises_at: tuple[int, ...] = ()
    invalid_at: tuple[int, ...] = ()
    dies_at: tuple[int, ...] = ()
    dies_once_at: tuple[int, ...] = ()
    waits_at: tuple[int, ...] = ()


PLAIN = Script()


def number(spec: CellSpec) -> float:
    """A number that hangs on all of the cell."""
    return int(spec.digest[:8], 16) / 16.0**8 + spec.seed / 3


def cell(spec: CellSpec) -> CellResult:
    """The number of a cell, after what its script says."""
    script: Script = spec.workload
    first = note(script.folder, spec) == 1
    if spec.seed in script.raises_at:
        raise RuntimeError(f"seed {spec.seed} cannot be computed")
    if spec.seed in script.invalid_at:
        return CellResult(spec.digest, {}, Outcome.INVALID, str(ConfigError("no such queue")))
    if spec.seed in script.dies_at or first and spec.seed in script.dies_once_at:
        os.kill(os.getpid(), signal.SIGKILL)
    if spec.seed in script.waits_at:
        wait_for_ever(script.folder)
    return CellResult(spec.digest, {"wait.p95": {"cluster": number(spec), "root.prod": None}})


def note(folder: str, spec: CellSpec) -> int:
    """Write down that a cell is computed. How often it was by now."""
    if not folder:
        return 1
    place = Path(folder) / f"{spec.seed}-{spec.digest[:12]}"
    with place.open("a") as file:
        file.write(f"{os.getpid()}\n")
    return len(place.read_text().splitlines())


def wait_for_ever(folder: str) -> None:
    """Say that this process waits, then wait until it is killed."""
    (Path(folder) / f"waiting-{os.getpid()}").touch()
    signal.pause()


def computed(folder: Path) -> dict[str, int]:
    """Cell -> how often it was computed."""
    return {each.name: len(each.read_text().splitlines()) for each in folder.iterdir() if not each.name.startswith("waiting")}

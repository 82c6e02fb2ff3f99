"""The program that plays scenarios on the real core, built from the folder `core` against the core's published module."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.simulation.scenario import Scenario, scenario_to_json

CORE = Path(__file__).parent / "core"
CORES = {"1.8": ("v1.8.0", "go.mod"), "1.9": ("v1.9.0", "go-1.9.mod")}
"""Release -> version of the core's module, and the file that names what it is built with."""
LONGEST_S = 120


class PlayFailed(RuntimeError):
    """The core did not play a scenario to its end, or the program could not be built. The message is its own."""


def build(program: Path, *, release: str = "1.8") -> Path:
    """Build the program; the first time Go fetches what it needs, which takes minutes. PlayFailed if it cannot be built."""
    command = ["go", "test", "-c", f"-modfile={CORES[release][1]}", "-o", str(program.resolve()), "."]
    try:
        done = subprocess.run(command, cwd=CORE, capture_output=True, text=True)
    except OSError as error:
        raise PlayFailed(f"Go 1.25 or newer is needed to build the program: {error}") from None
    if done.returncode:
        raise PlayFailed(done.stderr)
    return program


def play(program: Path, scenario: Scenario, *, release: str = "1.8") -> dict[str, Any]:
    """What the core did, in the form of `expect`.

    Raises:
        PlayFailed: the core refused the configuration, or ended early.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder) / "scenario.json", Path(folder) / "recording.json"
        given.write_text(scenario_to_json(replace(scenario, expect=None)), encoding="utf-8")
        environment = {"ORACLE_IN": str(given), "ORACLE_OUT": str(written), "ORACLE_CORE": CORES[release][0]}
        done = subprocess.run(
            [program.resolve()], env={**os.environ, **environment}, capture_output=True, text=True, timeout=LONGEST_S
        )
        if not written.exists():
            raise PlayFailed(f"{scenario.name}: {done.stdout[-500:]}{done.stderr[-2000:]}")
        found: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
    if found.get("error"):
        raise PlayFailed(f"{scenario.name}: {found['error']}")
    return {key: found[key] for key in ("core", "trace", "snapshots", "final") if key in found}

"""The program that plays scenarios on the real core, built from the folder `core` against the core's published module."""

from __future__ import annotations

import hashlib
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


def build(program: Path, *, release: str = "1.8", within_s: float | None = None) -> Path:
    """Build the program; the first time Go fetches what it needs, which takes minutes.

    Raises:
        PlayFailed: it cannot be built, or not in time.
    """
    command = ["go", "test", "-c", f"-modfile={CORES[release][1]}", "-o", str(program.resolve()), "."]
    try:
        done = subprocess.run(command, cwd=CORE, capture_output=True, text=True, timeout=within_s)
    except subprocess.TimeoutExpired:
        raise PlayFailed(f"the program for {release} was not built within {within_s:.0f} s") from None
    except OSError as error:
        raise PlayFailed(f"Go 1.25 or newer is needed to build the program: {error}") from None
    if done.returncode:
        raise PlayFailed(done.stderr)
    return program


def cache_folder() -> Path:
    """Where programs that are built, and what was found with them, are kept: in the user's cache, outside of the repository."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "policy-workbench" / "oracle"


def cached(*, release: str = "1.8", within_s: float | None = None) -> Path:
    """The program as it was built for the sources that are there now; built if it was not. PlayFailed as `build`."""
    sources = hashlib.sha256()
    for path in sorted(CORE.iterdir()):
        sources.update(path.name.encode() + b"\0" + path.read_bytes())
    program = cache_folder() / f"core-{CORES[release][0]}-{sources.hexdigest()[:16]}"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        under_way = program.with_name(f"{program.name}.{os.getpid()}")  # whoever is interrupted leaves no half of a program
        try:
            build(under_way, release=release, within_s=within_s).replace(program)
        finally:
            under_way.unlink(missing_ok=True)
    return program


def play(program: Path, scenario: Scenario, *, release: str = "1.8", longest_s: float = LONGEST_S) -> dict[str, Any]:
    """What the core did, in the form of `expect`.

    Raises:
        PlayFailed: the core refused the configuration, ended early, or did not end in time.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder) / "scenario.json", Path(folder) / "recording.json"
        given.write_text(scenario_to_json(replace(scenario, expect=None)), encoding="utf-8")
        environment = {"ORACLE_IN": str(given), "ORACLE_OUT": str(written), "ORACLE_CORE": CORES[release][0]}
        try:
            done = subprocess.run(
                [program.resolve()], env={**os.environ, **environment}, capture_output=True, text=True, timeout=longest_s
            )
        except subprocess.TimeoutExpired:
            raise PlayFailed(f"{scenario.name}: the core did not end within {longest_s:.0f} s") from None
        if not written.exists():
            raise PlayFailed(f"{scenario.name}: {_complaint(done.stdout + done.stderr)}")
        found: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
    if found.get("error"):
        raise PlayFailed(f"{scenario.name}: {found['error']}")
    return {key: found[key] for key in ("core", "trace", "snapshots", "final") if key in found}


def _complaint(said: str) -> str:
    """What the core said at its end: of a panic, what it was and in which functions."""
    at = said.find("panic:")
    if at < 0:
        return said[-1500:]
    first, *rest = said[at:].splitlines()
    return "\n".join([first, *[f"  in {line.partition('(0x')[0]}" for line in rest if line.startswith("github.com/apache")][:4]])

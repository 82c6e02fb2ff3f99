"""The command as a process of its own, with what surrounds a process: encodings, signals, outputs that are full or closed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CONSOLE_SCRIPT = "import sys; from workbench.cli import program; sys.exit(program())"
"""What the script that an installer writes comes to."""


def environment(**more: str) -> Mapping[str, str]:
    """Ours, with the package under test also where it is not installed."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))} | more


def default_signals() -> None:
    """A shell that started the tests in the background may have them, and all they start, ignore the interrupt."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def started(*arguments: object, python: tuple[str, ...] = ("-m", "workbench"), **given: Any) -> subprocess.Popen[Any]:
    """The command, running."""
    return subprocess.Popen(
        [sys.executable, *python, *map(str, arguments)],
        **{"env": environment(), "stdin": subprocess.DEVNULL, "preexec_fn": default_signals} | given,
    )


def done(*arguments: object, **given: Any) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    process = started(*arguments, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | given)
    output, errors = process.communicate(timeout=120)
    return process.returncode, *((each or b"").decode("utf-8", "surrogateescape") for each in (output, errors))

"""The command `workbench`: one subcommand each in `workbench.commands`, errors as one line, exit codes that scripts can use.

Exit codes: 0 all is well; 1 a check found something, or the reader of our output went away; 2 the input could not be
read or makes no sense; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import metadata

from workbench.commands import import_trace, lab, replay, run, tables, validate
from workbench.errors import WorkbenchError

DISTRIBUTION = "policy-workbench"
COMMANDS = (lab, run, validate, import_trace, replay, tables)
"""Modules with `add(subcommands)`, which describes the command and sets the default `execute`, in the order of the help."""

FOUND, MISUSED, INTERRUPTED = 1, 2, 130


def parser() -> argparse.ArgumentParser:
    """The whole command line: `execute` of what it parses is a function of the parsed arguments to an exit code."""
    top = argparse.ArgumentParser(
        prog="workbench",
        description="Design, step through and explain queue policies of a YuniKorn-style scheduler.",
        epilog="'workbench COMMAND --help' says more about a command.")
    top.add_argument("--version", action="version", version=f"workbench {version()}")
    subcommands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(subcommands)
    return top


def version() -> str:
    """The installed version; "(not installed)" when run from a bare source tree."""
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "(not installed)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code; argparse's own SystemExit passes through."""
    arguments = parser().parse_args(argv)
    try:
        code = arguments.execute(arguments)
        sys.stdout.flush()
        return code
    except WorkbenchError as error:
        print(f"workbench: {error}", file=sys.stderr)
        return MISUSED
    except BrokenPipeError:
        # `workbench run ... | head`: nobody reads on. Python would complain once more when it closes the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED

"""The command line: which subcommands there are, errors as one line, exit codes that scripts can use.

Exit codes: 0 all is well; 1 a check found something, or the reader of our output went away; 2 the input could not be
read or makes no sense; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from workbench import __version__
from workbench.cli import import_trace, lab, replay, run, tables, validate
from workbench.values.errors import WorkbenchError

SUBCOMMANDS = (lab, run, validate, import_trace, replay, tables)
"""Modules with `add(subcommands)`, which describes the command and sets the default `execute`, in the order of the help."""

FOUND, MISUSED, INTERRUPTED = 1, 2, 130


def parser() -> argparse.ArgumentParser:
    """The whole command line. `execute` of what it parses takes the parsed arguments and returns the exit code."""
    top = argparse.ArgumentParser(
        prog="workbench",
        description="Design, step through and explain queue policies of a YuniKorn-style scheduler.",
        epilog="'workbench COMMAND --help' says more about a command.",
    )
    top.add_argument("--version", action="version", version=f"workbench {__version__}")
    subcommands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for subcommand in SUBCOMMANDS:
        subcommand.add(subcommands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code; argparse's own SystemExit passes through."""
    arguments = parser().parse_args(argv)
    try:
        code: int = arguments.execute(arguments)
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

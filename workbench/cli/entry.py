"""The command line: which subcommands there are, and the frame around each of them.

Whatever happens inside the frame ends in one sentence and an exit code that scripts can use, never in a traceback:
0 all is well; 1 a check found something, or the reader of our output went away; 2 the input could not be read or makes no
sense, or the output could not be written; 70 the workbench itself is wrong; 130, 143, 129 stopped by Ctrl-C, by SIGTERM, by the
end of the terminal.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Never

from workbench import __version__
from workbench.cli import (
    answers,
    classes,
    compare,
    exporting,
    importing,
    lab,
    record,
    replay,
    rollout,
    run,
    serve,
    simulate,
    sweep,
    tables,
    testing,
    validate,
    workload,
)
from workbench.cli.output import OutputLost, PrintableStream, one_line, printable_streams
from workbench.cli.stopping import exit_code, stoppable
from workbench.explain.wording import name
from workbench.values.errors import WorkbenchError

SUBCOMMANDS = (
    lab,
    run,
    serve,
    simulate,
    validate,
    workload,
    compare,
    sweep,
    testing,
    rollout,
    importing,
    exporting,
    record,
    replay,
    classes,
    answers,
    tables,
)
"""Modules with `add(subcommands)`, which describes the command and sets the default `execute`, in the order of the help."""

FOUND, MISUSED, OUR_FAULT = 1, 2, 70
TRACEBACK = "WORKBENCH_TRACEBACK"
"""Set in the environment, it has a fault of the workbench itself told with its traceback."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in lines of a length to be read, whatever was typed."""

    def error(self, message: str) -> Never:
        super().error(one_line(message if len(message) < 400 else name(message, 400)))


def parser() -> argparse.ArgumentParser:
    """The whole command line. `execute` of what it parses takes the parsed arguments and returns the exit code."""
    top = Parser(
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
    try:
        with printable_streams() as (output, errors), stoppable():
            try:
                return _framed(argv, output)
            except OutputLost as lost:
                output.silence()
                return _lost(lost)
            except BrokenPipeError:
                # `workbench run ... | head`: nobody reads on.
                output.silence()
                errors.silence()
                return FOUND
    except OutputLost as lost:
        return _lost(lost)


def _framed(argv: Sequence[str] | None, output: PrintableStream) -> int:
    """The exit code of the command, its output written to the end."""
    try:
        arguments = parser().parse_args(argv)
        code: int = arguments.execute(arguments)
    except SystemExit:
        output.flush()
        raise
    except (OutputLost, BrokenPipeError):
        raise
    except KeyboardInterrupt as stop:
        _tell("stopped", fresh_line=True)
        code = exit_code(stop)
    except WorkbenchError as error:
        code = _tell(str(error))
    except ModuleNotFoundError as error:
        code = _tell(f"this needs {error.name}, which is not installed here; 'pip install {error.name}' adds it")
    except MemoryError:
        code = _tell("there is not enough memory for this")
    except OSError as error:
        what = f"{name(os.fsdecode(error.filename), 120)}: " if isinstance(error.filename, str | bytes) else ""
        code = _tell(f"{what}{error.strerror or error}")
    except Exception as error:
        if os.environ.get(TRACEBACK):
            traceback.print_exc()
        _tell(
            f"this is a fault of the workbench and not of what it was given: {type(error).__name__}: {name(str(error), 200)}; "
            f"with {TRACEBACK}=1 set it says where"
        )
        code = OUR_FAULT
    with contextlib.suppress(KeyboardInterrupt):
        output.flush()
    return code


def _lost(lost: OutputLost) -> int:
    return _tell(f"cannot write to the output: {lost}")


def _tell(sentence: str, *, fresh_line: bool = False) -> int:
    """Say it on standard error, which may be lost, too. Returns the exit code for input that makes no sense."""
    try:
        print("\n" * fresh_line + f"workbench: {one_line(sentence)}", file=sys.stderr, flush=True)
    except (OutputLost, OSError):
        if isinstance(sys.stderr, PrintableStream):
            sys.stderr.silence()
    return MISUSED

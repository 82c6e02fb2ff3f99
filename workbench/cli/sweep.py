"""`workbench sweep`: a study of many variants of a design, kept in a file, so that it can be ended and gone on with."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.cli.subcommands import Subcommands
from workbench.cli.writable import check_writable
from workbench.files.writing import write_file
from workbench.values.errors import CommandError, WorkbenchError

if TYPE_CHECKING:
    from workbench.sweeps import Sweep
    from workbench.sweeps.driving import Stand

ENDING = ".db"


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "sweep",
        help="try many variants of a design on a workload, and say which is best",
        description="Runs every combination of settings that a study file names, or a sample, or searches for the best, and prints "
        "them, the best first. Every run is kept in a file as soon as it is done: ended in any way, the command goes on there. "
        "Exit code 1 if a combination could not be run.",
    )
    command.add_argument("study", type=Path, metavar="STUDY", help="what to vary, on which design and workload (.yaml)")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--processes", type=_count, metavar="N", help="so many processes; without it, as many as there are cores")
    where.add_argument("--serial", action="store_true", help="one run after the other, in this process")
    where.add_argument("--dask", metavar="ADDRESS", help="on a Dask cluster, by the address of its scheduler")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help=f"keeps the runs; without it STUDY{ENDING}")
    command.add_argument("--csv", type=Path, metavar="FILE", help="also write a row for each combination")
    command.add_argument(
        "--html", type=Path, metavar="FILE", help="also write tables and pictures into a page that needs no network"
    )
    command.add_argument("--progress", action="store_true", help="show how far it is even if errors go to no terminal")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Run, print, write. 0, or 1 if a combination could not be run."""
    # Here, since other commands do not need what sweeps need.
    from workbench.sweeps.progress import Meter
    from workbench.sweeps.study_file import load_study

    for path in (arguments.csv, arguments.html):
        if path is not None:
            check_writable(path)
    study = load_study(arguments.study)
    file = arguments.output if arguments.output is not None else arguments.study.with_suffix(ENDING)
    stands: list[Stand] = []
    try:
        with Progress(sys.stderr, shown=arguments.progress or sys.stderr.isatty()) as progress:
            meter = Meter(_clock())

            def tell(stand: Stand) -> None:
                stands[:] = [stand]
                progress.show(meter.fraction(stand), meter.text(stand))

            sweep = study.run(file=file, executor=_executor(arguments), progress=tell)
    except KeyboardInterrupt:
        _tell_kept(stands, file, arguments)
        raise
    except WorkbenchError:
        if stands and stands[-1].done:
            _tell_kept(stands, file, arguments)
        raise
    if arguments.csv is not None:
        sweep.rows().write_csv(arguments.csv)
    if arguments.html is not None:
        write_file(arguments.html, _page(sweep, arguments.study))
    print(sweep)
    return 1 if sweep.errors else 0


def _executor(arguments: argparse.Namespace) -> Any:
    if arguments.dask is not None:
        if ":" not in arguments.dask:
            raise CommandError(f"{arguments.dask!r} is no address of a Dask scheduler; it looks like tcp://host:8786")
        return arguments.dask
    return "serial" if arguments.serial else arguments.processes


def _tell_kept(stands: list[Stand], file: Path, arguments: argparse.Namespace) -> None:
    """What is there, and how to go on."""
    done, total = (stands[-1].done, stands[-1].total) if stands else (0, 0)
    command = f"workbench sweep {shlex.quote(str(arguments.study))}"
    if arguments.output is not None:
        command += f" -o {shlex.quote(str(arguments.output))}"
    print(one_line(f"{done:,} of {total:,} runs are kept in {file}; '{command}' goes on there"), file=sys.stderr)


def _page(sweep: Sweep, study: Path) -> str:
    from workbench.sweeps.page import page

    return page(sweep, study.stem)


def _clock() -> Any:
    import time

    return time.monotonic


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return int(text)

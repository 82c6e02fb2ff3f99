"""`workbench test`: whether designs keep what is expected of them, and who broke it, and why."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.cli.stopping import asked_to_stop
from workbench.cli.subcommands import Subcommands
from workbench.cli.writable import check_writable
from workbench.expectations import ENDINGS
from workbench.files.writing import write_file
from workbench.values.errors import CommandError, PlacedError

if TYPE_CHECKING:
    from workbench.expectations import Suite
    from workbench.expectations.result import Expectations

FAILED, ERRORS = 1, 2


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "test",
        help="say whether a design keeps what is expected of it",
        description="Judges files of expectations (*.expect.yaml): plays their workloads under their designs and prints a line for "
        "each expectation, passed or failed, with the number, whoever broke it, and why. Exit code 0 if all passed, 1 if one "
        "failed, 2 if one could not be judged or a file not be read. Ctrl-C ends it early and keeps what was judged.",
    )
    command.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="files of expectations, or folders with *.expect.yaml somewhere below"
    )
    command.add_argument("--only", action="append", default=[], metavar="NAME", help="only the one of this name; may be repeated")
    command.add_argument("--list", action="store_true", help="only print the names, and play nothing")
    command.add_argument("--junit", type=Path, metavar="FILE", help="also write the results as JUnit XML, for a build server")
    command.add_argument("--html", type=Path, metavar="FILE", help="also write them as a page that needs no network")
    command.add_argument("--progress", action="store_true", help="show how far it is even if errors go to no terminal")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Judge, print, write. 0, 1, 2, or what a shell reports of a process that was stopped."""
    # Here, since other commands do not need what runs need.
    from workbench.expectations.judging import Judge
    from workbench.expectations.junit import junit
    from workbench.expectations.page import page

    for path in (arguments.junit, arguments.html):
        if path is not None:
            check_writable(path)
    suites, unread = _suites(arguments.files)
    chosen = _chosen(suites, arguments.only)
    if arguments.list:
        for suite, names in chosen:
            for expectation in suite.chosen(names):
                print(one_line(f"{suite.name}: {expectation.name} ({expectation.kind})"))
        return ERRORS if unread else 0
    found: list[Expectations] = []
    shown = arguments.progress or sys.stderr.isatty()
    with asked_to_stop() as asked, Progress(sys.stderr, shown=shown) as progress:
        for suite, names in chosen:
            judge = Judge(suite, only=names, progress=progress.show, stop=asked)
            for result in judge.results():
                lines = result.lines
                progress.clear()
                print("\n".join(map(one_line, lines)), flush=True)
            found.append(judge.found())
            progress.clear()
            print(one_line(found[-1].sentence), flush=True)
    if arguments.junit is not None:
        write_file(arguments.junit, junit(found))
    if arguments.html is not None:
        write_file(arguments.html, page(found))
    if asked():
        return asked.exit_code
    if any(each.failed for each in found):
        return FAILED
    return ERRORS if unread or not all(each.passed for each in found) else 0


def _suites(paths: Sequence[Path]) -> tuple[list[Suite], bool]:
    """The files, and whether one could not be read; that is told, and the others are judged all the same."""
    from workbench.expectations.suite import load_suite

    suites, unread = [], False
    for path in _files(paths):
        try:
            suites.append(load_suite(path))
        except PlacedError as error:
            print(one_line(f"workbench: {error}"), file=sys.stderr)
            unread = True
    return suites, unread


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        below = sorted(each for each in path.rglob("*") if each.name.endswith(ENDINGS))
        if not below:
            raise CommandError(f"there is no file {' or '.join(f'*{each}' for each in ENDINGS)} in {path}")
        yield from below


def _chosen(suites: Sequence[Suite], only: Sequence[str]) -> list[tuple[Suite, tuple[str, ...]]]:
    """Each file with those of its names that are wanted; files without any are left out. CommandError if a name is in no file."""
    from workbench.expectations.suite import no_such

    if not only or not suites:
        return [(suite, ()) for suite in suites]
    names = [[each.name for each in suite.expectations] for suite in suites]
    everything = [each for some in names for each in some]
    for wanted in only:
        if wanted not in everything:
            raise CommandError(no_such(wanted, everything))
    parted = [(suite, tuple(each for each in only if each in mine)) for suite, mine in zip(suites, names)]
    return [(suite, mine) for suite, mine in parted if mine]

"""`workbench tables`: recorded facts about single functions of the real scheduler, checked here."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.conformance.tables import CHECKERS, LISTS, TableReport, check_table, is_table, known_tables
from workbench.values.errors import CommandError, WorkbenchError


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "tables",
        help="compare tables of recorded facts with what the workbench computes",
        description="Checks tables of recorded facts, or all those in a folder: a line for each, and below it the first "
        "facts that differ. Facts that the workbench does not cover yet are named and not counted. Exit code 0 "
        "only when all that were checked match.",
        epilog=f"Known tables: {', '.join(_known())}.",
    )
    command.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a table, or a folder with tables")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Check, print, and return 0 only if every table matches. CommandError for a path at which there is none."""
    matches = [check(path) for given in arguments.paths for path in _at(given)]
    return 0 if all(matches) else 1


def _at(path: Path) -> list[Path]:
    """The tables at a path, at least one."""
    if path.is_file():
        if not is_table(path):
            raise CommandError(f"{path}: its name is that of no table; there are {', '.join(_known())}")
        return [path]
    if not path.is_dir():
        raise CommandError(f"{path}: there is no such file or folder")
    found = known_tables(path)
    if not found:
        raise CommandError(f"{path}: none of the known tables is here ({', '.join(_known())})")
    return found


def _known() -> list[str]:
    return [*(f"{name}.yaml" for name in sorted(CHECKERS)), *(f"{name}.json" for name in sorted(LISTS))]


def check(path: Path) -> bool:
    """Check one table and print what came of it. Whether all of it matches."""
    try:
        report = check_table(path)
    except WorkbenchError as error:
        print(one_line(str(error)))
        return False
    print("\n    ".join(map(one_line, lines(report))))
    return report.agrees


def lines(report: TableReport) -> list[str]:
    """The line of a table, the facts that differ, and what was not checked."""
    found = [f"{report.name}: {report.matched}/{report.total} match", *report.differences]
    left = report.total - report.matched - len(report.differences)
    if left > 0:
        found.append(f"and {left} more")
    if report.unchecked:
        found.append(f"not checked yet: {report.unchecked} facts ({', '.join(report.open_parts)})")
    return found

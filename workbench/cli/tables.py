"""`workbench tables`: recorded facts about single functions of the real scheduler, checked here."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.conformance.tables import CHECKERS, LISTS, TableReport, check_table, known_tables
from workbench.values.errors import CommandError, WorkbenchError


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "tables",
        help="compare tables of recorded facts with what the workbench computes",
        description="Checks the tables of recorded facts in a folder and prints one line for each, and below it the first "
        "facts that differ. Facts that the workbench does not cover yet are named and not counted. Exit code 0 "
        "only when all that were checked match.",
        epilog=f"Known tables: {', '.join(_known())}.",
    )
    command.add_argument("folder", type=Path, metavar="DIR", help="folder with the tables")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Check, print, and return 0 only if there was a table and every one matches. CommandError for a missing folder."""
    folder: Path = arguments.folder
    if not folder.is_dir():
        raise CommandError(f"{folder}: there is no such folder")
    paths = known_tables(folder)
    if not paths:
        raise CommandError(f"{folder}: none of the known tables is here ({', '.join(_known())})")
    matches = [check(path) for path in paths]
    return 0 if all(matches) else 1


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

"""`workbench class`: who of a class is where, and which questions went wrong most, from the scores beside their notebooks."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.cli.writable import check_writable
from workbench.explain import render
from workbench.files.writing import write_file
from workbench.lessons.classroom import classroom


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "class",
        help="collect the scores of a class: who is where, and what went wrong most",
        description="Reads every *.scores.json in FOLDER and in the folders in it. A lesson keeps that file beside its notebook; "
        "collect the notebooks' folders of a class in one, each under the name of who it is. Exit code 0; 1 when a file was left "
        "out because it cannot be read; 2 when there is no such folder.",
    )
    command.add_argument("folder", type=Path, metavar="FOLDER", help="a folder for each member, or their files side by side")
    command.add_argument("--csv", type=Path, metavar="FILE", help="also write a line for each member and question")
    command.add_argument("--json", type=Path, metavar="FILE", help="also write the same as JSON")
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit code."""
    for path in (arguments.csv, arguments.json):
        if path is not None:
            check_writable(path)
    found = classroom(arguments.folder)
    print(render(found.member_table))
    if found.members:
        print()
        print(render(found.question_table))
    if arguments.csv is not None:
        found.rows.write_csv(arguments.csv)
    if arguments.json is not None:
        write_file(arguments.json, json.dumps(found.rows.to_dicts(), indent=1, ensure_ascii=False) + "\n")
    for problem in found.unread:
        print(one_line(problem), file=sys.stderr)
    return 1 if found.unread else 0

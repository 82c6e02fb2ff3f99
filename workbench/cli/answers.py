"""`workbench answers`: recorded answers of the real scheduler's web service, asked here again and compared."""

from __future__ import annotations

import argparse

from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.conformance.answers import ask, load_recording
from workbench.conformance.replay import scenario_files
from workbench.scheduler.releases.profiles import PROFILES
from workbench.values.errors import WorkbenchError

SHOWN = 5
"""So many differences of one recording are printed."""


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "answers",
        help="compare recorded answers of the real scheduler's web service with what is answered here",
        description="Plays recorded scenarios, asks at the places where the real scheduler was asked, and compares status, type "
        "and every field of every answer. Prints the first differences of each recording. Exit code 0 only when all match, 2 when "
        "one cannot be read.",
    )
    command.add_argument(
        "paths", nargs="+", metavar="PATH", help="a recording (.json, .json.gz), or a folder to search for rest-*.json and .json.gz"
    )
    command.add_argument("--family", metavar="NAME", help="only recordings of this family: the file name up to its number")
    command.add_argument(
        "--engine", metavar="RELEASE", choices=sorted(PROFILES), help="by the rules of this release, whatever they say"
    )
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Ask and print. 0 if something was asked and all of it matched, 2 if something was no recording, else 1."""
    files = scenario_files(arguments.paths, family=arguments.family, answers=True)
    asked = matching = unreadable = 0
    for path in files:
        different = 0
        try:
            for each in ask(load_recording(path, release=arguments.engine)):
                asked += 1
                if not each.difference:
                    matching += 1
                    continue
                different += 1
                if different <= SHOWN:
                    print(one_line(f"{path.name}: {each}"))
        except WorkbenchError as error:
            print(one_line(str(error)))
            unreadable += 1
        if different > SHOWN:
            print(f"{path.name}: {different - SHOWN} more")
    print(f"answered {asked} requests: {matching} match")
    return 2 if unreadable else 0 if asked and matching == asked else 1

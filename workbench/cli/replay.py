"""`workbench replay`: recorded scenarios played again and compared with what the real scheduler did."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.conformance.replay import replay, scenario_files
from workbench.simulation.scenario import load_scenario
from workbench.values.errors import WorkbenchError


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "replay",
        help="compare recorded scenarios with what the real scheduler did",
        description="Plays recorded scenarios and compares every outcome with the recording (the key expect). Prints the "
        "first difference of each that differs. Exit code 0 only when all match, 2 when one cannot be read.",
    )
    command.add_argument("paths", nargs="+", metavar="PATH", help="a scenario (.json, .json.gz), or a folder to search for them")
    command.add_argument(
        "--family", metavar="NAME", help="only scenarios of this family: the file name up to its number, e.g. preempt_tree"
    )
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Replay and print all of it. 0 if there was something and all of it matched, 2 if something was no recording, else 1."""
    files = scenario_files(arguments.paths, family=arguments.family)
    matching = unreadable = 0
    for path in files:
        try:
            told = difference(path)
        except WorkbenchError as error:
            told = str(error)
            unreadable += 1
        if told:
            print(one_line(told))
        else:
            matching += 1
    print(f"replayed {len(files)} scenarios: {matching} match")
    return 2 if unreadable else 0 if files and matching == len(files) else 1


def difference(path: Path) -> str:
    """The first difference of one recording, "" when it matches. WorkbenchError if it cannot be read, or is no recording."""
    report = replay(load_scenario(path))
    return "" if report.agrees else str(report)

"""`workbench replay`: recorded scenarios played again and compared with what the real scheduler did."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.conformance.replay import family_of, replay, scenario_files
from workbench.simulation.scenario import load_scenario
from workbench.values.errors import WorkbenchError


def add(subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "replay",
        help="compare recorded scenarios with what the real scheduler did",
        description="Plays recorded scenarios and compares every outcome with the recording (the key expect). Prints the "
        "first difference of each that differs. Exit code 0 only when all match.",
    )
    command.add_argument("paths", nargs="+", metavar="PATH", help="a scenario (.json, .json.gz), or a folder to search for them")
    command.add_argument(
        "--family", metavar="NAME", help="only scenarios of this family: the file name up to its number, e.g. preempt_tree"
    )
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Replay, print, and return 0 only if there was something to replay and all of it matched."""
    files = [path for path in scenario_files(arguments.paths) if arguments.family is None or family_of(path) == arguments.family]
    differing = [told for told in map(difference, files) if told]
    for told in differing:
        print(told)
    matching = len(files) - len(differing)
    print(f"replayed {len(files)} scenarios: {matching} match")
    return 0 if files and not differing else 1


def difference(path: Path) -> str:
    """What is wrong with one recording: its first difference, or why it cannot be played; "" when it matches."""
    try:
        report = replay(load_scenario(path))
    except WorkbenchError as error:
        return str(error)
    return "" if report.agrees else str(report)

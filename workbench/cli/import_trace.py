"""`workbench import`: a public trace as a scenario file."""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Callable
from pathlib import Path

from workbench.cli.subcommands import Subcommands
from workbench.files.writing import write_file
from workbench.importers import alibaba  # noqa: F401 - registers itself
from workbench.importers.registry import IMPORTERS
from workbench.simulation.scenario import Scenario, scenario_to_json, scenario_to_yaml
from workbench.values.errors import CommandError

WRITERS = {".json": scenario_to_json, ".yaml": scenario_to_yaml, ".yml": scenario_to_yaml}


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line, one subcommand for each kind of trace."""
    kinds = subcommands.add_parser(
        "import",
        help="make a scenario from a public trace",
        description="Makes a scenario file from a public trace.",
    ).add_subparsers(title="traces", metavar="TRACE", required=True)
    for name, importer in IMPORTERS.items():
        parser = kinds.add_parser(name, help=importer.summary, description=importer.description)
        for option in importer.options:
            flag = option.name if option.required else f"--{option.name.replace('_', '-')}"
            kind = _count if option.kind is int else option.kind
            parser.add_argument(flag, type=kind, metavar=option.metavar or None, help=option.help)
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            required=True,
            metavar="FILE",
            help="scenario to write: .json or .yaml, each also with .gz behind it",
        )
        parser.set_defaults(execute=import_trace, importer=name)


def import_trace(arguments: argparse.Namespace) -> int:
    """Read the trace, write the scenario, say what it holds. WorkbenchError if either cannot be done."""
    # Before the long work: a slip in the name of the output shows at once.
    writer(arguments.output)
    importer = IMPORTERS[arguments.importer]
    scenario = importer.read(**{option.name: getattr(arguments, option.name) for option in importer.options})
    write(scenario, arguments.output)
    print(f"{arguments.output}: {scenario.description}")
    return 0


def writer(path: Path) -> Callable[[Scenario], str]:
    """The function that turns a scenario into the text of a file of that name. CommandError for an unknown ending."""
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix not in WRITERS:
        raise CommandError(
            f"cannot tell the format of {path} from its name; it must end in .json, .yaml or .yml, or in one of them and .gz"
        )
    return WRITERS[suffix]


def write(scenario: Scenario, path: Path) -> None:
    """Write the scenario in the format that the name says. The same scenario gives the same bytes. FileError if it cannot be."""
    data = writer(path)(scenario).encode("utf-8")
    write_file(path, gzip.compress(data, mtime=0) if path.name.endswith(".gz") else data)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)

"""`workbench import`: what another system has, as a scenario file."""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable
from pathlib import Path

from workbench.cli.progress import Progress
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import tell_notes
from workbench.cli.writable import check_writable
from workbench.explain.wording import counted
from workbench.files.writing import write_file
from workbench.importers.registry import IMPORTERS, Option, import_from
from workbench.scheduler.records.commands import AddApplication, AddNode
from workbench.simulation.scenario import Scenario, scenario_to_json, scenario_to_yaml
from workbench.values.errors import CommandError

WRITERS = {".json": scenario_to_json, ".yaml": scenario_to_yaml, ".yml": scenario_to_yaml}


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line, one subcommand for each importer that makes something else of what it reads."""
    kinds = subcommands.add_parser(
        "import",
        help="make a scenario of what another system has",
        description="Makes a scenario file of what another system has: a live scheduler, a trace, a configuration of another kind. "
        "What was left out, approximated or assumed is told.",
    ).add_subparsers(title="kinds", metavar="KIND", required=True)
    for name, importer in IMPORTERS.items():
        if not importer.command:
            continue
        parser = kinds.add_parser(name, help=importer.summary, description=importer.description)
        for option in importer.options:
            _add_option(parser, option)
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            required=True,
            metavar="FILE",
            help="scenario to write: .json or .yaml, each also with .gz behind it"
            if importer.makes == "scenario"
            else "queues.yaml to write",
        )
        parser.add_argument("--report", type=Path, metavar="FILE", help="write what is not in it, as Markdown")
        parser.set_defaults(execute=execute, importer=name)


def _add_option(parser: argparse.ArgumentParser, option: Option) -> None:
    placed = option.required or option.many
    flag = option.name if placed else f"--{option.name.replace('_', '-')}"
    text = option.help.replace("%", "%%")
    if option.kind is bool:
        parser.add_argument(flag, action="store_true", default=None, help=text)
        return
    kind = _count if option.kind is int else option.kind
    if option.many:
        parser.add_argument(flag, type=kind, metavar=option.metavar or None, nargs="+", help=text)
    else:
        parser.add_argument(flag, type=kind, metavar=option.metavar or None, help=text)


def execute(arguments: argparse.Namespace) -> int:
    """Read it, write the file, say what it holds and what is not in it. WorkbenchError if either cannot be done."""
    importer = IMPORTERS[arguments.importer]
    # Before the long work: a slip in the name of the output shows at once.
    if importer.makes == "scenario":
        writer(arguments.output)
    for path in filter(None, (arguments.output, arguments.report)):
        check_writable(path)
    options = {option.name: getattr(arguments, option.name) for option in importer.options}
    with Progress(sys.stderr, shown=sys.stderr.isatty()) as progress:
        imported = import_from(arguments.importer, progress.show, **options)
    _, notes = imported.simulation() if imported.queues else (None, imported.notes)
    if importer.makes == "scenario":
        write(imported.scenario, arguments.output)
    else:
        write_file(arguments.output, imported.scenario.text)
    if arguments.report is not None:
        title = f"# {arguments.output.name}: {importer.summary}"
        write_file(arguments.report, imported.report or "\n".join((title, "", *(f"- {note}" for note in notes), "")))
    tell_notes(notes)
    print(f"{arguments.output}: {imported.scenario.description or held(imported.scenario)}")
    return 1 if imported.partial else 0


def held(scenario: Scenario) -> str:
    """What a scenario without a description has."""
    kinds = [type(event.command) for event in scenario.events]
    return f"{counted(kinds.count(AddNode), 'node')} and {counted(kinds.count(AddApplication), 'application')}"


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

"""Workloads as arguments of commands: the file with the options of all formats, and where the result goes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from workbench.cli.output import one_line
from workbench.cli.progress import Progress
from workbench.files.reading import is_folder
from workbench.values.errors import CommandError, WorkloadError
from workbench.workloads import SOURCES, AnyWorkload, Workload, of_seed, read, write
from workbench.workloads.sources.registry import as_text, written_as


def add_input(parser: argparse.ArgumentParser) -> None:
    """The argument FILE and everything that says how it is read."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the workload, in any of the formats, packed with gzip or not")
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The options that say how a workload is read, those of all formats among them."""
    group = parser.add_argument_group("reading")
    listed = ", ".join(f"{name} ({source.title})" for name, source in SOURCES.items())
    group.add_argument("--format", choices=list(SOURCES), metavar="NAME", help=f"instead of recognising the format: {listed}")
    group.add_argument("--skip-bad", action="store_true", help="leave out what cannot be read, and say how much that is")
    group.add_argument("--first", type=_count, metavar="N", help="take only the first N jobs")
    for name, option in _options().items():
        flag = f"--{name.replace('_', '-')}"
        of = ", ".join(each for each, source in SOURCES.items() if name in {other.name for other in source.options})
        text = f"{option.help} (format {of})".replace("%", "%%")
        if option.kind is bool:
            group.add_argument(flag, action="store_true", default=None, help=text)
        else:
            kind = _count if option.kind is int else option.kind
            group.add_argument(flag, type=kind, choices=option.choices or None, metavar=option.metavar or "TEXT", help=text)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where a workload goes that a command makes."""
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it there; without it, it is printed")
    writable = [name for name, source in SOURCES.items() if source.write is not None]
    parser.add_argument(
        "--to",
        choices=writable,
        metavar="NAME",
        help=f"format to write, {', '.join(writable)}; without it that of the file's name, or yaml for what is printed",
    )


def read_any(arguments: argparse.Namespace, path: Path | None = None) -> AnyWorkload:
    """The workload of the arguments, or that in another file read with the same options; its notes go to standard error."""
    path = arguments.file if path is None else path
    options: dict[str, Any] = {name: getattr(arguments, name) for name in _options()}
    with Progress(sys.stderr, shown=sys.stderr.isatty()) as progress:
        found = read(
            path,
            arguments.format,
            keep_going=arguments.skip_bad,
            first=arguments.first,
            progress=progress.show,
            **options,
        )
    return found


def read_workload(arguments: argparse.Namespace, path: Path | None = None) -> Workload:
    """The same; of a description of a synthetic workload, the one of the first seed."""
    return of_seed(read_any(arguments, path))


def check_output(arguments: argparse.Namespace) -> None:
    """Before the long work: a slip in the name of the output shows at once. WorkloadError if the name tells no format."""
    if arguments.output is None:
        return
    if arguments.to is None:
        written_as(arguments.output)
    if is_folder(arguments.output, error=WorkloadError):
        raise CommandError(f"{arguments.output} is a folder")


def put(workload: Workload, arguments: argparse.Namespace) -> int:
    """Write the workload where it is wanted, and its notes to standard error. The exit code."""
    tell_notes(workload.notes)
    if arguments.output is None:
        written = as_text(workload, arguments.to or "yaml")
        print(written.text, end="")
        tell_notes(written.notes)
        return 0
    tell_notes(write(workload, arguments.output, arguments.to))
    count = len(workload.jobs)
    print(one_line(f"{arguments.output}: {count:,} {'job' if count == 1 else 'jobs'}"))
    return 0


def tell_notes(notes: tuple[str, ...]) -> None:
    """What is to be said beside the result, a line each, on standard error."""
    for note in notes:
        print(one_line(f"note: {note}"), file=sys.stderr)


def _options() -> dict[str, Any]:
    """Name -> option, of all formats; formats that share a name mean the same by it."""
    return {option.name: option for source in SOURCES.values() for option in source.options}


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)

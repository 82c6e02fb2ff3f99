"""`workbench lab`: JupyterLab on the start page, or on the workbench notebook with a design."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from workbench.bench.designs import opened, read_to_mend
from workbench.bench.templates import TEMPLATE_NAMES
from workbench.bench.workbench import DESIGN_VARIABLE, STEP_VARIABLE
from workbench.cli.failing import NOT_WANTED, Failing, failing, is_expectations, told
from workbench.cli.subcommands import Subcommands
from workbench.cli.workload_files import tell_notes
from workbench.importers.look import is_url
from workbench.lab.folder import EXAMPLES, LESSONS, NOTEBOOK, START_PAGE, provide_notebook, provide_start
from workbench.lab.server import LOOPBACK, LabOptions, LabServer
from workbench.simulation.scenario import all_example_names, example_names
from workbench.values.errors import CommandError


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "lab",
        help="open the workbench in JupyterLab",
        description=f"Starts JupyterLab on a page that leads to the workbench, to the lessons and to the documented examples "
        f"({START_PAGE}); with a DESIGN, on the workbench itself ({NOTEBOOK}). What is missing is put into the "
        f"folder: the lessons in {LESSONS}/, the examples in {EXAMPLES}/. Files that are there are kept; to get a "
        "fresh copy of one, delete it and start again. Ctrl-C stops it. JupyterLab listens on this machine only and "
        "asks for the token that is part of the address; whoever has that address can run programs as you.",
        epilog=f"The examples are {', '.join(example_names())}.",
    )
    command.add_argument(
        "design",
        nargs="?",
        metavar="DESIGN",
        help="what to open: an example by name, or the path of a queues.yaml, a ConfigMap, a scenario, a folder of answers of the "
        "REST interface, or of anything else that 'workbench import' reads; "
        "with --failing a file of expectations",
    )
    command.add_argument(
        "--failing",
        nargs="?",
        const="",
        metavar="NAME",
        help="open the step at which the expectation of this name fails; without NAME the only one of the file that does",
    )
    command.add_argument("--no-browser", action="store_true", help="only print the address")
    command.add_argument("--port", type=_port, metavar="N", help="port to listen on (default: 8888, or the next free one)")
    command.add_argument("--ip", default=LOOPBACK, metavar="ADDRESS", help=f"address to listen on (default: {LOOPBACK})")
    command.add_argument(
        "--dir", type=Path, default=Path("."), metavar="FOLDER", help="folder to work in (default: the present one)"
    )
    command.add_argument("--yes", action="store_true", help="make the folder of --dir if it is not there, without asking")
    command.add_argument(
        "--jupyter",
        action="append",
        default=[],
        metavar="OPTION",
        help="an option for JupyterLab itself, written --jupyter=--OPTION=VALUE; may be repeated",
    )
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Serve until stopped. Returns 0, or JupyterLab's exit code if it ends by itself.

    Raises:
        WorkbenchError: the design cannot be read, the folder is not there and not wanted, or JupyterLab is missing or does not
            start.
    """
    failed = _failed(arguments)
    variables = {DESIGN_VARIABLE: chosen(arguments.design)} if arguments.design is not None and failed is None else {}
    if importlib.util.find_spec("jupyterlab") is None:
        raise CommandError("JupyterLab is not installed here; 'pip install jupyterlab' adds it")
    directory = absolute(arguments.dir)
    if not arguments.yes:
        _ask_before_making(directory)
    provided = provide_start(directory) if arguments.design is None else provide_notebook(directory)
    if failed is not None:
        variables |= {DESIGN_VARIABLE: str(failed.put(directory)), STEP_VARIABLE: str(failed.step)}
        print(told(failed))
    options = LabOptions(
        directory=directory,
        variables=variables,
        page=provided.page.name,
        ip=arguments.ip,
        port=arguments.port,
        open_browser=not arguments.no_browser,
        more=tuple(arguments.jupyter),
    )
    try:
        with LabServer(options) as server:
            if len(provided.copied) > 1:
                print(f"Copied    {len(provided.copied)} files that were not there, to {directory}")
            print(
                f"Page      {provided.page}\nAddress   {server.url}\nCtrl-C stops JupyterLab; below are its own messages.",
                flush=True,
            )
            return server.wait()
    except KeyboardInterrupt:
        return 0


def _failed(arguments: argparse.Namespace) -> Failing | None:
    """The expectation that failed and is to be looked at; None if that is not what is wanted.

    Raises:
        WorkbenchError: there is no such one.
    """
    if arguments.failing is not None:
        if arguments.design is None:
            raise CommandError("--failing needs a file of expectations: workbench lab FILE --failing NAME")
        return failing(Path(arguments.design), arguments.failing)
    if is_expectations(arguments.design):
        raise CommandError(f"{arguments.design}: {NOT_WANTED}")
    return None


def chosen(design: str) -> str:
    """The design as the notebook can open it from any folder. WorkbenchError, before anything is started, if it cannot be."""
    found = read_to_mend(design)
    if found.draft is not None:
        print(opened(found))
    tell_notes(found.notes)
    return design if design in (*TEMPLATE_NAMES, *all_example_names()) or is_url(design) else str(absolute(Path(design)))


def absolute(path: Path) -> Path:
    """The path from the root of the file system, links followed as far as they lead somewhere."""
    return Path(os.path.realpath(path))


def _ask_before_making(directory: Path) -> None:
    """A slip in the name of a folder is not to become a folder full of lessons. CommandError unless somebody says yes."""
    if directory.exists():
        return
    unwanted = CommandError(f"the folder {directory} is not there; make it, or have it made with --yes")
    if not sys.stdin or not sys.stdin.isatty() or not sys.stdout.isatty():
        raise unwanted
    print(f"The folder {directory} is not there. Make it? [y/N] ", end="", flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise unwanted


def _port(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number from 1 to 65535")
    return number

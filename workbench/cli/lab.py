"""`workbench lab`: JupyterLab on the start page, or on the workbench notebook with a design."""

from __future__ import annotations

import argparse
import importlib.util
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.bench.workbench import DESIGN_VARIABLE, read_design
from workbench.cli.subcommands import Subcommands
from workbench.lab.folder import EXAMPLES, LESSONS, NOTEBOOK, START_PAGE, provide_notebook, provide_start
from workbench.lab.server import LOOPBACK, LabOptions, LabServer
from workbench.simulation.scenario import all_example_names, example_names
from workbench.values.errors import CommandError

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that stop the server. Not every system has all of them."""


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
        help="what to open: an example by name, the path of a queues.yaml or a scenario, or a folder of answers of the REST API",
    )
    command.add_argument("--no-browser", action="store_true", help="only print the address")
    command.add_argument("--port", type=_port, metavar="N", help="port to listen on (default: 8888, or the next free one)")
    command.add_argument("--ip", default=LOOPBACK, metavar="ADDRESS", help=f"address to listen on (default: {LOOPBACK})")
    command.add_argument(
        "--dir", type=Path, default=Path("."), metavar="FOLDER", help="folder to work in (default: the present one)"
    )
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
        WorkbenchError: the design cannot be read, or JupyterLab is missing or does not start.
    """
    variables = {DESIGN_VARIABLE: chosen(arguments.design)} if arguments.design is not None else {}
    if importlib.util.find_spec("jupyterlab") is None:
        raise CommandError("JupyterLab is not installed here; 'pip install jupyterlab' adds it")
    directory = arguments.dir.resolve()
    provided = provide_start(directory) if arguments.design is None else provide_notebook(directory)
    options = LabOptions(
        directory=directory,
        variables=variables,
        page=provided.page.name,
        ip=arguments.ip,
        port=arguments.port,
        open_browser=not arguments.no_browser,
        more=tuple(arguments.jupyter),
    )
    with _stopped_by_signals():
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


def chosen(design: str) -> str:
    """The design as the notebook can open it from any folder. WorkbenchError, before anything is started, if it cannot be."""
    read_design(design)
    return design if design in all_example_names() else str(Path(design).resolve())


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Within it a request to end, or the end of the terminal, is as good as Ctrl-C: JupyterLab must not outlive us."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in STOPPING}
    # What whoever started us had us ignore, as nohup does, stays ignored.
    changed = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in changed:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, before[number])


def _port(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number from 1 to 65535")
    return number

"""`workbench serve`: a design or a scenario behind the REST interface of the scheduler, until Ctrl-C."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.bench.workbench import Workbench
from workbench.cli.output import one_line
from workbench.cli.subcommands import Subcommands
from workbench.scheduler.releases.profiles import PROFILES, release_names
from workbench.simulation.scenario import example_names
from workbench.values.errors import CommandError

if TYPE_CHECKING:
    from workbench.server.server import Options

PORT = 9080
"""Where the scheduler's own web service listens."""


def add(subcommands: Subcommands) -> None:
    """Describe the command on the command line."""
    command = subcommands.add_parser(
        "serve",
        help="answer as the scheduler's REST interface does, for a simulated cluster",
        description="Serves a design or a scenario over HTTP as the scheduler serves a cluster, so that what talks to the "
        "scheduler can talk to the workbench: its web interface, Prometheus, scripts. Simulated time stands still until somebody "
        "moves it: what is below /workbench/v1 steps, puts in applications and nodes, reloads the configuration and says why "
        "(/workbench/v1/openapi.json lists it). Ctrl-C ends it. It listens on this machine only and asks everybody for the "
        "token that is part of the address it prints: 'Authorization: Bearer TOKEN' or '?token=TOKEN'. WORKBENCH_TOKEN in the "
        "environment chooses the token.",
        epilog=f"The examples are {', '.join(example_names())}.",
    )
    command.add_argument(
        "design",
        nargs="?",
        metavar="DESIGN",
        help="an example by name, a scenario, a queues.yaml (to which a configuration that is sent is written back), or a "
        "folder of answers of the REST API; without it the first example",
    )
    command.add_argument(
        "--port", type=_port, default=PORT, metavar="N", help="port to listen on, 0 for any (default: %(default)s)"
    )
    command.add_argument("--ui", type=Path, metavar="DIR", help="folder with the built web interface, which is served at /")
    command.add_argument(
        "--release",
        "--engine",
        dest="release",
        choices=tuple(PROFILES),
        metavar="VERSION",
        help=f"the release of the core whose rules and answers hold: {release_names('or')}",
    )
    command.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on (default: %(default)s, this machine only); on another the token goes over the network as it is",
    )
    command.add_argument(
        "--no-token", action="store_true", help="ask nobody for a token; every program on this machine may then use it"
    )
    command.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="a further name by which this server may be called"
    )
    command.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="pages of another server that may use this one, such as http://localhost:4200",
    )
    command.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Serve until stopped. Returns 0.

    Raises:
        WorkbenchError: the design cannot be read, or the server cannot be started.
    """
    if importlib.util.find_spec("tornado") is None:
        raise CommandError("tornado is not installed here; 'pip install tornado' adds it")
    from workbench.server.design_file import DesignFile
    from workbench.server.server import Options

    file = DesignFile.of(arguments.design) if arguments.design is not None else None
    bench = Workbench.open(arguments.design)
    if arguments.release is not None and arguments.release != bench.simulation.release:
        bench.release(arguments.release)
    options = Options(
        port=arguments.port,
        host=arguments.host,
        no_token=arguments.no_token,
        allow_hosts=tuple(arguments.allow_host),
        allow_origins=tuple(arguments.allow_origin),
        ui=arguments.ui,
        file=file,
    )
    asyncio.run(serve(bench, options))
    return 0


async def serve(bench: Workbench, options: Options) -> None:
    """Serve until somebody asks to end it."""
    from workbench.server.server import Server

    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    noted = []
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, ended.set)
            noted.append(number)
        except (NotImplementedError, RuntimeError, ValueError):  # this system, or this thread, is told in another way
            break
    server = Server(bench, options)
    try:
        print(one_line(bench.status.text))
        print(f"Address   {server.url}")
        if options.file is not None:
            print(f"Writes    {one_line(str(options.file.path))} when a configuration is sent to /workbench/v1/config")
        print("Ctrl-C ends it.", flush=True)
        await ended.wait()
    finally:
        await server.stopped()
        for number in noted:
            loop.remove_signal_handler(number)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number from 1 to 65535, or 0 for any that is free")
    return int(text)

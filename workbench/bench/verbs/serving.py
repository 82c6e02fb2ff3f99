"""Serving: the very simulation of this workbench over HTTP, for whatever talks to the scheduler."""

from __future__ import annotations

from typing import Any

from workbench.bench import serving
from workbench.bench.controller import call_of
from workbench.bench.desk import Desk
from workbench.values.errors import CommandError

MOST_PORT = 65535


def serve(desk: Desk, port: int = 0, **options: Any) -> serving.Server:
    """Answer over HTTP as the scheduler's REST interface does, for what is on this screen; what is done there is seen here at once,
    and the other way round. On this machine only, and behind a token, unless the options say otherwise.

    Args:
        port: to listen on; 0 for any that is free. Called again, it gives the server that runs already.
        options: those of `workbench.server.Options`, such as `ui=FOLDER` or `no_token=True`.

    Raises:
        CommandError: the port is taken, no such port or option, or a server with other options runs already.
    """
    with desk.verb(call_of("serve", *([port] if port else []), **options), silent=True) as say:
        if not 0 <= port <= MOST_PORT:
            raise CommandError(no_such_port(port))
        running = desk.server
        if running is not None and running.running:
            if options or port not in (0, running.port):
                raise CommandError(serves_already(running.address))
        else:
            desk.server = running = serving.server_of(desk, port=port, **options)
        say(served_at(running.address))
    return running


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_such_port(port: int) -> str:
    return f"{port} is no port; a port is a number from 1 to {MOST_PORT}, or 0 for any that is free"


def serves_already(address: str) -> str:
    return f"this workbench is served at {address} already; stop that server first: bench.server.stop()"


def served_at(address: str) -> str:
    return f"Served at {address}"

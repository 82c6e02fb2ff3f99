"""A server of one workbench: where it listens, who may ask, and how it ends."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application

from workbench.bench.serving import register
from workbench.bench.workbench import Workbench
from workbench.rest import answer
from workbench.server.access import HERE, Access, is_loopback
from workbench.server.actions import PREFIX
from workbench.server.control_handler import ControlHandler
from workbench.server.design_file import DesignFile
from workbench.server.documents import Answering, Documents
from workbench.server.door import no_line
from workbench.server.limits import MOST_HEADERS, Limits
from workbench.server.own_thread import OwnThread
from workbench.server.scheduler_handler import SchedulerHandler
from workbench.server.served import Served
from workbench.server.ui import Interface, Welcome, interface_folder
from workbench.values.errors import CommandError

LOOPBACK = "127.0.0.1"
TURNS_TO_LEAVE = 5
"""Of the event loop, in which whoever follows the events is told that they end; who does not listen is not waited for."""
TOKEN_VARIABLE = "WORKBENCH_TOKEN"
"""Environment variable with the token to ask for, where it is to be the same each time."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a workbench is served.

    Attributes:
        port: 0 for any that is free.
        host: the address to listen on.
        token: what everybody must bring; None for that of the environment, or else a new one.
        no_token: nobody needs one; on this machine only.
        allow_hosts: further names by which requests may call this server.
        allow_origins: pages of other servers that may use it, such as "http://localhost:4200".
        ui: folder of the scheduler's web interface.
        file: the queues.yaml that a new design is written to.
        limits: what one client may ask for.
    """

    port: int = 0
    host: str = LOOPBACK
    token: str | None = None
    no_token: bool = False
    allow_hosts: tuple[str, ...] = ()
    allow_origins: tuple[str, ...] = ()
    ui: Path | None = None
    file: DesignFile | None = None
    limits: Limits = field(default_factory=Limits)


class _Bounded(HTTPServer):
    """At most so many connections at a time."""

    most = 0

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        if len(self._connections) >= self.most:
            stream.close()
            return
        super().handle_stream(stream, address)


class Server:
    """A workbench that is being served, until `stop`.

    It runs in the event loop of whoever starts it, as in a notebook, or else in a thread of its own; either way whatever is asked
    over HTTP takes its turn with what is done on the screen and in Python.

    Attributes:
        url: where it is, with the token: to be opened in a browser.
        address: the same without the token.
        token: what everybody must bring; "" if nobody needs one.

    Raises:
        CommandError: the port is taken, the address is not there, or options that do not go together.
    """

    def __init__(self, bench: Workbench, options: Options | None = None, *, answering: Answering = answer):
        options = options or Options()
        self.bench, self._options = bench, options
        self.token = _token(options)
        ui = None if options.ui is None else interface_folder(options.ui)
        sockets = _sockets(options.port, options.host)
        self.port: int = sockets[0].getsockname()[1]
        shown = f"[{options.host}]" if ":" in options.host else options.host or LOOPBACK
        self.address = f"http://{shown}:{self.port}/"
        self.url = self.address + (f"?token={self.token}" if self.token else "")
        local = is_loopback(options.host)
        hosts = frozenset(each.lower().strip("[]") for each in (*HERE, options.host, *options.allow_hosts)) if local else None
        # Cookies of all ports of a host are sent to each of them, so that two servers need two names.
        access = Access(self.token, hosts, frozenset(options.allow_origins), f"workbench-{self.port}")
        documents = Documents(bench, options.limits.kept_answers, answering)
        self._served = Served(bench, access, documents, file=options.file, ui=ui, limits=options.limits)
        running = _running_loop()
        self._own: OwnThread | None = None
        if running is not None:
            self._loop = running
            self._begin(sockets)
        else:
            self._own = OwnThread()
            self._loop = self._own.loop
            self._own.call(lambda: self._begin(sockets))
        bench.on_change(self._wake)
        self._stopped = False

    @property
    def running(self) -> bool:
        """It was not stopped, and the event loop in which it ran has not ended."""
        return not self._stopped and not self._loop.is_closed()

    def _begin(self, sockets: list[socket.socket]) -> None:
        served, limits = self._served, self._served.limits
        below: dict[str, Any] = {"served": served}
        rules: list[Any] = [(PREFIX + ".*", ControlHandler, below), ("/(?:ws|debug)(?:/.*)?", SchedulerHandler, below)]
        if served.ui is None:
            rules += [("/", Welcome, below), (".*", SchedulerHandler, below)]
        else:
            rules += [("/(.*)", Interface, {**below, "path": str(served.ui)})]
        self._http = _Bounded(
            Application(rules, log_function=no_line),
            idle_connection_timeout=limits.idle_s,
            body_timeout=limits.body_s,
            max_header_size=MOST_HEADERS,
            max_body_size=limits.thrown_away,
        )
        self._http.most = limits.connections
        self._http.add_sockets(sockets)

    def stop(self) -> None:
        """Listen no more, and let everybody go. Does nothing the second time."""
        if self._stopped:
            return
        self._stopped = True
        self.bench.no_longer_on_change(self._wake)
        if self._own is not None:
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
            self._own.end()
        elif self._loop.is_closed() or not self._loop.is_running():
            self._http.stop()
        else:
            self._call(self._leave)

    async def stopped(self) -> None:
        """Stop, and wait until the last connection is closed."""
        if not self._stopped:
            self._stopped = True
            self.bench.no_longer_on_change(self._wake)
            await self._end()

    def _leave(self) -> None:
        self._ending = self._loop.create_task(self._end())

    async def _end(self) -> None:
        self._http.stop()
        self._served.followers.send_away()
        for _ in range(TURNS_TO_LEAVE):
            await asyncio.sleep(0)
        await self._http.close_all_connections()

    def _wake(self) -> None:
        self._call(self._served.followers.wake)

    def _call(self, do: Callable[[], None]) -> None:
        """Call it in the event loop, whichever thread this is."""
        with suppress(RuntimeError):  # the loop has ended, and nobody listens there any more
            self._loop.call_soon_threadsafe(do)

    def __repr__(self) -> str:
        if not self.running:
            return f"The server at {self.address} is stopped."
        who = "whoever has that address can change what is here" if self.token else "every program on this machine can use it"
        return f"Served at {self.url}\n{who}; stop() ends it."


def served(bench: Workbench, **options: Any) -> Server:
    """The workbench, served; see `Options`. CommandError for an option that there is not, and as `Server`."""
    known = {each.name for each in fields(Options)}
    for name in options:
        if name not in known:
            raise CommandError(no_such_option(name, sorted(known)))
    if isinstance(options.get("ui"), str):
        options["ui"] = Path(options["ui"])
    return Server(bench, Options(**options))


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _token(options: Options) -> str:
    if options.no_token:
        if not is_loopback(options.host):
            raise CommandError(open_to_all(options.host))
        return ""
    given = options.token if options.token is not None else os.environ.get(TOKEN_VARIABLE, "")
    if given and not (given.isascii() and all(each.isalnum() or each in "-._~" for each in given)):
        raise CommandError(no_such_token())
    return given or secrets.token_urlsafe(24)


def _sockets(port: int, host: str) -> list[socket.socket]:
    try:
        return bind_sockets(port, host or None, reuse_port=False)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(port_taken(port)) from None
        raise CommandError(cannot_listen(host, port, error.strerror or str(error))) from None
    except OverflowError:
        raise CommandError(cannot_listen(host, port, "a port is a number from 0 to 65535")) from None


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_such_option(name: str, known: list[str]) -> str:
    return f"a server has no option {name!r}; the options are {', '.join(known)}"


def open_to_all(host: str) -> str:
    return (
        f"without a token everybody who reaches {host} could change what is served; leave --no-token out, or leave --host out so "
        "that only this machine is served"
    )


def no_such_token() -> str:
    return f"a token has letters, digits, and - . _ ~ only; {TOKEN_VARIABLE} holds another character"


def port_taken(port: int) -> str:
    return (
        f"port {port} is taken by another program, perhaps by a scheduler or another 'workbench serve'; end that one, or choose "
        "another port (--port N, 0 for any that is free)"
    )


def cannot_listen(host: str, port: int, why: str) -> str:
    return f"cannot listen at {host or 'all addresses'}, port {port}: {why}"


register(served)

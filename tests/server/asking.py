"""A plain client that asks a server, a connection for each request."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from workbench.bench.serving import Server

MOST_SECONDS = 60
"""A client that waits longer has found a server that hangs; no test waits for that."""


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> str:
        return str(self.document["message"])


class Client:
    """Asks one server, with its token unless told otherwise; a connection for each request."""

    def __init__(self, server: Server):
        self.server = server

    def ask(self, method: str, path: str, body: bytes | str | None = None, *, token: str | None = None, **headers: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=MOST_SECONDS)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        token = self.server.token if token is None else token
        if token:
            given["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, body.encode() if isinstance(body, str) else body, given)
            response = connection.getresponse()
            return Reply(response.status, response.headers, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def post(self, action: str, given: object = None) -> Reply:
        return self.ask("POST", f"/workbench/v1/{action}", None if given is None else json.dumps(given))

    def state(self) -> Any:
        return self.get("/workbench/v1/state").document

    def raw(self, sent: bytes, *, and_no_more: bool = False) -> bytes:
        """What comes back when just these bytes are sent, until the server ends the connection; `and_no_more` says that they end.

        Whoever says so may get no answer at all.
        """
        with self.connected() as connection:
            try:
                connection.sendall(sent)
                if and_no_more:
                    with suppress(OSError):  # the server has closed the connection already
                        connection.shutdown(socket.SHUT_WR)
                return b"".join(iter(lambda: connection.recv(65536), b""))
            except ConnectionError:  # it closed the connection while this was still sending
                return b""

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=MOST_SECONDS)

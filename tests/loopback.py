"""A web service on this machine for the tests: it answers what a table says, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

Handler: TypeAlias = Callable[[BaseHTTPRequestHandler], None]
Answer: TypeAlias = bytes | str | int | Handler
"""A body, a status, or whatever writes to the connection itself."""


@dataclass
class Service:
    """Attributes:
    url: where it listens.
    asked: method and address of each request, in order.
    headers: of the last one.
    answers: address -> answer; what is not there is 404.
    """

    url: str
    answers: dict[str, Answer]
    asked: list[tuple[str, str]] = field(default_factory=list)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def paths(self) -> list[str]:
        return [path for _, path in self.asked]


@contextmanager
def serving(answers: dict[str, Answer]) -> Iterator[Service]:
    """Serve until the block is left. A handler that waits is to wait for something that the test ends."""

    class Asked(BaseHTTPRequestHandler):
        def answer(self) -> None:
            service.asked.append((self.command, self.path))
            service.headers = dict(self.headers)
            given = service.answers.get(self.path, service.answers.get(self.path.partition("?")[0], 404))
            if callable(given):
                given(self)
                return
            body = given if isinstance(given, bytes) else given.encode() if isinstance(given, str) else b"{}"
            self.send_response(given if isinstance(given, int) else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Asked)
    server.daemon_threads = True
    service = Service(f"http://127.0.0.1:{server.server_port}", answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def sends(status: int, headers: Mapping[str, str], body: bytes = b"") -> Handler:
    """Answers with these headers and nothing else."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer

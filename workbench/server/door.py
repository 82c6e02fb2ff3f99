"""The door that every request passes: who asks, how long the body is, and how an error is told."""

from __future__ import annotations

import json
import logging
from http import HTTPStatus
from typing import Any

from tornado.web import HTTPError, RequestHandler, stream_request_body

from workbench.server.access import TOKEN
from workbench.server.served import Served

LOG = logging.getLogger(__name__)
JSON = "application/json; charset=UTF-8"
FAULT = "this is a fault of the workbench and not of the request; the terminal or the notebook in which it runs says more"


@stream_request_body
class Door(RequestHandler):
    """One request. What is below a door is only reached by who may, with a body that is bounded.

    Attributes:
        served: what all requests share.
        address: path and query of the request, without the token.
        body: what was sent.
    """

    def initialize(self, served: Served) -> None:
        self.served = served
        self.body = bytearray()
        self.too_long = False
        self.address, self.token_in_address = without_token(self.request.uri or "/")

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-store")

    def prepare(self) -> None:
        access, headers = self.served.access, self.request.headers
        refused = access.refusal(self.request.method or "", headers, self.token_in_address)
        if refused is not None:
            if refused.status == 401:
                self.set_header("WWW-Authenticate", 'Bearer realm="workbench"')
            self.refuse(refused.status, refused.text)
            return
        if (origin := access.allowed_origin(headers)) is not None:
            self.set_header("Access-Control-Allow-Origin", origin)
            self.set_header("Vary", "Origin")
            if access.is_preflight(self.request.method or "", headers):
                self.set_header("Access-Control-Allow-Methods", "GET, POST, PUT, OPTIONS")
                self.set_header("Access-Control-Allow-Headers", "Authorization, Content-Type")
                self.set_status(204)
                self.finish()
                return
        length = headers.get("Content-Length", "")
        if length.isdecimal() and int(length) > self.served.limits.thrown_away:
            self.refuse(413, too_long(self.served.limits.body))

    def data_received(self, chunk: bytes) -> None:
        if len(self.body) + len(chunk) > self.served.limits.body:
            self.too_long = True
            self.body.clear()
        if not self.too_long:
            self.body += chunk

    def refused_body(self) -> bool:
        """Whether the body was too long, and that was answered."""
        if self.too_long:
            self.refuse(413, too_long(self.served.limits.body))
        return self.too_long

    def compute_etag(self) -> None:
        """None: an answer is as large as a cluster, and nobody asks whether it changed."""

    def tell(self, document: Any, status: int = 200) -> None:
        """Answer with JSON."""
        self.set_status(status)
        self.set_header("Content-Type", JSON)
        self.finish(json.dumps(document, ensure_ascii=False) + "\n")

    def refuse(self, status: int, text: str, **more: Any) -> None:
        """Answer with an error as the scheduler's own (RE-2)."""
        self.tell({"status_code": status, "message": text, "description": text, **more}, status)

    def write_error(self, status_code: int, **given: Any) -> None:
        error = given.get("exc_info", (None, None, None))[1]
        told = isinstance(error, HTTPError)
        self.refuse(status_code, HTTPStatus(status_code).phrase if told else FAULT)

    def log_exception(self, typ: Any, value: BaseException | None, tb: Any) -> None:
        if not isinstance(value, HTTPError):
            LOG.error("%s %s", self.request.method, self.address, exc_info=(typ, value, tb))  # type: ignore[arg-type]


def without_token(address: str) -> tuple[str, str | None]:
    """A path with its query as it came, but without the token in it; and that token, None if there is none.

    >>> without_token("/ws/v1/events/batch?token=secret&start=3")
    ('/ws/v1/events/batch?start=3', 'secret')
    """
    path, mark, query = address.partition("?")
    if TOKEN not in query:
        return address, None
    parts = query.split("&")
    kept = [part for part in parts if part.partition("=")[0] != TOKEN]
    if len(kept) == len(parts):
        return address, None
    found = next(part.partition("=")[2] for part in parts if part.partition("=")[0] == TOKEN)
    return path + ("?" + "&".join(kept) if kept else ""), found


def no_line(handler: RequestHandler) -> None:
    """Says nothing about a request that was answered: its address may hold the token."""


# ---- in words ---------------------------------------------------------------------------------------------------------


def too_long(most: int) -> str:
    return f"the body is longer than {most:,} bytes, which is the most that is read"

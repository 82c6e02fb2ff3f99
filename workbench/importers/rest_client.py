"""Asking a scheduler's web service: only GET, each answer bounded in time and size, and never another host than the one named."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any

from workbench.files.reading import MOST_BYTES, read_text
from workbench.values.errors import CommandError, ScenarioError, WorkbenchError
from workbench.values.found import shown

API = "/ws/v1"
PORT = 9080
"""Where the real service listens."""
SECONDS = 30.0
MOST_REDIRECTS = 5
_CHUNK = 2**16


class RestError(WorkbenchError):
    """The scheduler could not be asked, or answered what cannot be taken.

    Attributes:
        status: of its answer; 0 if there was none.
        reached: somebody answered, so that asking for something else may do better.
    """

    def __init__(self, text: str, *, status: int = 0, reached: bool = True):
        super().__init__(text)
        self.status, self.reached = status, reached


@dataclass(frozen=True, slots=True)
class Client:
    """A scheduler's web service.

    Attributes:
        base: its address up to and without API.
        headers: sent with each request; what they say is never told.
        seconds: an answer may take.
        most_bytes: it may be long.
        clock: seconds that only grow.
    """

    base: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    seconds: float = SECONDS
    most_bytes: int = MOST_BYTES
    clock: Callable[[], float] = time.monotonic

    def get(self, path: str) -> bytes:
        """The body of an answer. RestError if there is none, it is no success, or it is too slow or too long."""
        end = self.clock() + self.seconds
        with self.asked(path) as answer:
            parts, size = [], 0
            while part := answer.read1(_CHUNK):
                parts.append(part)
                size += len(part)
                if size > self.most_bytes:
                    raise RestError(f"{path}: the answer is larger than {self.most_bytes} bytes")
                if self.clock() > end:
                    raise RestError(f"{path}: the answer is not whole after {self.seconds:g} s; --timeout gives it more")
            promised = answer.headers.get("Content-Length", "")
            if promised.isdecimal() and size < int(promised):
                raise RestError(f"{path}: the answer broke off after {size} of {promised} bytes")
            return b"".join(parts)

    @contextmanager
    def asked(self, path: str) -> Iterator[Any]:
        """The answer as it comes. RestError for whatever goes wrong while it is read, too."""
        url = f"{self.base}{API}{path}"
        request = urllib.request.Request(url, headers={"Accept": "*/*", **self.headers}, method="GET")
        try:
            with _opener(self.base).open(request, timeout=self.seconds) as answer:
                yield answer
        except urllib.error.HTTPError as error:
            with error:
                raise RestError(f"{path}: {_refusal(error)}", status=error.code) from None
        except TimeoutError:
            raise RestError(f"{path}: there is no answer within {self.seconds:g} s; --timeout gives it more") from None
        except urllib.error.URLError as error:
            why = error.reason
            if isinstance(why, TimeoutError):
                raise RestError(f"{path}: there is no answer within {self.seconds:g} s; --timeout gives it more") from None
            raise RestError(f"{path}: {self.base} cannot be reached: {_why(why)}", reached=False) from None
        except (OSError, HTTPException) as error:
            raise RestError(f"{path}: the answer broke off: {_why(error)}") from None


def client(url: str, *, token: str | None = None, headers: Mapping[str, str] | None = None, seconds: float = SECONDS) -> Client:
    """The service at an address such as `http://localhost:9080`, with or without API or `?token=TOKEN` behind it.

    Args:
        token: for a service that wants `Authorization: Bearer TOKEN`.
        headers: further ones.

    Raises:
        CommandError: the address or a header makes no sense.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError:
        raise CommandError(f"{shown(url)} is no address; such as http://localhost:{PORT}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise CommandError(f"{shown(url)} is no address; such as http://localhost:{PORT}")
    if parts.username is not None or parts.password is not None:
        raise CommandError("a name and a password do not belong into an address, which others see; use a token or a header")
    asked_with = urllib.parse.parse_qs(parts.query)
    if set(asked_with) == {"token"} and len(asked_with["token"]) == 1 and not token:
        token = asked_with["token"][0]  # as a server prints it that wants one; it goes on as a header, which is in no log
    elif parts.query or parts.fragment:
        raise CommandError(f"{shown(url)} has more behind it than the address of a service; such as http://localhost:{PORT}")
    path = parts.path.rstrip("/")
    sent = dict(headers or {}) | ({"Authorization": f"Bearer {token}"} if token else {})
    for name, value in sent.items():
        if not re.fullmatch(r"[A-Za-z0-9-]+", name) or not re.fullmatch(r"[ -~]*", value):
            raise CommandError(f"{shown(name)} is no header; such as 'X-Team: research'")
    base = f"{parts.scheme}://{parts.netloc}{path.removesuffix(API)}"
    return Client(base, sent, seconds)


def credentials(token_file: Path | None, header: str | None) -> dict[str, Any]:
    """The arguments `token` and `headers` of `client` from a file with a token, and a text such as "X-Team: research".

    Raises:
        ScenarioError: the file cannot be read.
        CommandError: the text is no header.
    """
    token = read_text(token_file, error=ScenarioError).strip() if token_file is not None else None
    if header is None:
        return {"token": token}
    name, sign, value = header.partition(":")
    if not sign or not name.strip():
        raise CommandError("a header is written 'NAME: VALUE', such as 'X-Team: research'")
    return {"token": token, "headers": {name.strip(): value.strip()}}


class _SameOrigin(urllib.request.HTTPRedirectHandler):
    """Follows a redirection within the service only: what is sent to it, such as a token, is for nobody else."""

    max_redirections = MOST_REDIRECTS

    def __init__(self, base: str):
        self.base = urllib.parse.urlsplit(base)

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        there = urllib.parse.urlsplit(newurl)
        if (there.scheme, there.netloc) != (self.base.scheme, self.base.netloc):
            fp.close()
            raise RestError(
                f"{self.base.geturl()} sends on to {there.scheme}://{there.hostname}, which is not followed; if that is the same "
                "scheduler, give its address",
                status=code,
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener(base: str) -> urllib.request.OpenerDirector:
    """Speaks http and https only, not the other schemes that a redirection could name."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _SameOrigin(base),
    ):
        opener.add_handler(handler)
    return opener


def _refusal(error: urllib.error.HTTPError) -> str:
    """A sentence on an answer that is no success."""
    if error.code in (401, 403):
        return f"the scheduler refuses with {error.code}; give a token (--token-file FILE) or a header (--header)"
    if 300 <= error.code < 400:
        return "the scheduler sends on, in a circle or to something else than a web service, which is not followed"
    return f"the scheduler answers {error.code}"


def _why(error: object) -> str:
    return str(getattr(error, "strerror", None) or error or type(error).__name__)[:200]

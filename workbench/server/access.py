"""Who may ask: the host that a request names, its token, and the page that it comes from (RE-42).

A server on this machine can be reached by every page in every browser on it. So a request must name a host that is this machine,
or a page could have its own name lead here (DNS rebinding); must bring the token; and must not change anything on behalf of another
page.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

HERE = ("127.0.0.1", "localhost", "::1")
"""Names of this machine for itself."""
TOKEN = "token"
"""The argument of an address that may carry the token."""
CHANGES_NOTHING = ("GET", "HEAD", "OPTIONS")

NO_TOKEN = (
    "this server asks for its token: the header 'Authorization: Bearer TOKEN', or ?token=TOKEN in the address; it was printed, or "
    "shown in the notebook, when the server was started"
)
WRONG_TOKEN = "this is not the token of this server; it has another one each time that it is started, unless WORKBENCH_TOKEN is set"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered: the status and a sentence for whoever asked."""

    status: int
    text: str


@dataclass(frozen=True, slots=True)
class Access:
    """The rule of one server.

    Attributes:
        token: that everybody must bring; "" where nobody needs one.
        hosts: names of hosts that a request may be meant for, in lower case; None for any.
        origins: pages of other servers, such as "http://localhost:8080", that may read and change what is here; "*" for any.
        cookie: the name of the cookie that carries the token for the pages of this server.
    """

    token: str
    hosts: frozenset[str] | None = frozenset(HERE)
    origins: frozenset[str] = frozenset()
    cookie: str = "workbench-token"

    def refusal(self, method: str, headers: Mapping[str, str], token: str | None) -> Refusal | None:
        """Why a request is refused, None if it is not. `token` is that of its address, None if there is none."""
        host = headers.get("Host", "")
        if self.hosts is not None and host_of(host) not in self.hosts:
            return Refusal(403, wrong_host(host))
        if not self.is_preflight(method, headers) and (found := self._token(headers, token)) is not None:
            return found
        if method not in CHANGES_NOTHING and (origin := headers.get("Origin")) is not None and not self.welcomes(origin, host):
            return Refusal(403, wrong_origin(origin))
        return None

    def allowed_origin(self, headers: Mapping[str, str]) -> str | None:
        """The page of another server that may read the answer, None if none may."""
        origin = headers.get("Origin")
        return origin if origin is not None and ("*" in self.origins or origin in self.origins) else None

    def is_preflight(self, method: str, headers: Mapping[str, str]) -> bool:
        """Whether a browser asks, for a page that was allowed, what that page may ask; it brings no token then."""
        return method == "OPTIONS" and "Access-Control-Request-Method" in headers and self.allowed_origin(headers) is not None

    def welcomes(self, origin: str, host: str) -> bool:
        """Whether what a page of that origin asks for may change something: a page of this very server, or one that was allowed."""
        if "*" in self.origins or origin in self.origins:
            return True
        return urlsplit(origin).netloc.lower() == host.lower() != ""

    def _token(self, headers: Mapping[str, str], in_address: str | None) -> Refusal | None:
        if not self.token:
            return None
        given = [each for each in (_bearer(headers), in_address, self._in_cookie(headers)) if each]
        if not given:
            return Refusal(401, NO_TOKEN)
        return None if any(self.opens(each) for each in given) else Refusal(401, WRONG_TOKEN)

    def opens(self, token: str) -> bool:
        """Whether it is the token; how long this takes tells nothing about it."""
        return bool(self.token) and hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode("utf-8", "replace"))

    def _in_cookie(self, headers: Mapping[str, str]) -> str:
        try:
            found = SimpleCookie(headers.get("Cookie", "")).get(self.cookie)
        except CookieError:
            return ""
        return "" if found is None else found.value


def _bearer(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() in ("bearer", "token") else ""


def host_of(header: str) -> str:
    """The name in a Host header, without the port and in lower case; "" for what is none.

    >>> host_of("LocalHost:9080"), host_of("[::1]:9080"), host_of("a:b:c")
    ('localhost', '::1', '')
    """
    try:
        split = urlsplit(f"//{header}")
        split.port  # noqa: B018  it is the access that finds out
    except ValueError:
        return ""
    return (split.hostname or "").rstrip(".") if split.netloc == header and "@" not in header else ""


def is_loopback(address: str) -> bool:
    """Whether an address to listen on can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, False, False)
    """
    if address.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


# ---- in words ---------------------------------------------------------------------------------------------------------


def wrong_host(host: str) -> str:
    found = f"the host {host[:80]!r}" if host else "no host"
    return f"the request names {found}, which is not this server; it is for {', '.join(HERE)}, and --allow-host NAME adds another"


def wrong_origin(origin: str) -> str:
    return f"a page of {origin[:80]!r} may not change anything here; --allow-origin ORIGIN allows it"

"""One request, one answer: finds who answers, and says what every answer says. RE-1, RE-2."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, unquote

from workbench.rest.answer import Answer, Refusal, of_document, of_redirect, of_refusal, of_text
from workbench.rest.compression import compressed
from workbench.rest.releases import manners_of
from workbench.rest.routes import Request, Route, allowed, corrected, shorter
from workbench.rest.source import Source
from workbench.rest.table import ROUTES

ORIGINS = "Access-Control-Allow-Origin"
METHODS = "Access-Control-Allow-Methods"
HEADERS = "Access-Control-Allow-Headers"


def answer(source: Source, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
    """What the scheduler answers. Never changes it, and never raises for what was asked.

    Args:
        source: who is asked.
        method: of HTTP, in capitals.
        path: as in the request line: percent signs not undone, with the query behind it.
        body: what was sent.
        headers: of the request, names in any case.
    """
    given = {name.lower(): value for name, value in (headers or {}).items()}
    raw, _, query = path.partition("?")
    address = unquote(raw)
    manners = manners_of(source.state.profile.version)
    routes = [route for route in ROUTES if route.path not in manners.without]
    for route in routes:
        names = route.names(address) if route.method == method else None
        if names is not None:
            asked = Request(names, _first_values(query), body, given)
            found = _answered(source, route, asked)
            return compressed(found, given) if manners.packs else found
    methods = allowed(routes, address)
    if methods:
        allow = (("Allow", ", ".join(methods)),)
        if method == "OPTIONS":
            return Answer(200, "", b"", allow)
        return of_text("Method Not Allowed\n", status=405, headers=allow)
    place = shorter(routes, method, address) or corrected(routes, method, address)
    if place is not None:
        return of_redirect(f"{place}?{query}" if query else place)
    return of_text("404", status=404)


def _answered(source: Source, route: Route, request: Request) -> Answer:
    try:
        result = route.handler(source, request)
    except Refusal as refusal:
        found = of_refusal(refusal)
    else:
        found = result if isinstance(result, Answer) else of_document(result)
    if not route.open or found.status == 301:
        return found
    methods = "OPTIONS, POST" if route.method == "POST" else f"{route.method}, OPTIONS"
    crossing = ((ORIGINS, "*"), (METHODS, methods), (HEADERS, "X-Requested-With,Content-Type,Accept,Origin"))
    return Answer(found.status, found.content_type, found.body, crossing + found.headers, found.document, found.following)


def _first_values(query: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        found.setdefault(name, value)
    return found

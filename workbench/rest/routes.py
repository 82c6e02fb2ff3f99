"""Which function answers which address: one table, and how an address is found in it. RE-2.

An address is compared after its percent signs are undone once. A part written `{name}` stands for whatever is there, but not
for nothing and not for a slash.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.rest.source import Source


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, taken apart.

    Attributes:
        names: what stands in the address for the parts in braces.
        query: the first value of each parameter behind the question mark; "" for one without a value.
        body: what was sent.
        headers: by lower-case name.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Source, Request], Any]
"""Gives a document, or an `Answer` where that is something else. Raises `Refusal`."""


@dataclass(frozen=True, slots=True)
class Route:
    """One address.

    Attributes:
        method, path: of the request, the path with names in braces.
        handler: who answers.
        open: the answer may be read by pages from elsewhere (RE-1).
    """

    method: str
    path: str
    handler: Handler
    open: bool = True

    def names(self, path: str) -> dict[str, str] | None:
        """What stands for the names when the path is that of this route, None if it is another."""
        wanted, given = self.path.split("/"), path.split("/")
        if len(wanted) != len(given):
            return None
        found: dict[str, str] = {}
        for pattern, part in zip(wanted, given, strict=True):
            if pattern.startswith("{"):
                if not part:
                    return None
                found[pattern[1:-1]] = part
            elif pattern != part:
                return None
        return found


def allowed(routes: Sequence[Route], path: str) -> tuple[str, ...]:
    """The methods with which the path can be asked, sorted; none if there is no such path."""
    methods = {route.method for route in routes if route.names(path) is not None}
    return tuple(sorted(methods | {"OPTIONS"})) if methods else ()


def corrected(routes: Sequence[Route], method: str, path: str) -> str | None:
    """The path as it should have been written, slashes and case of letters mended; None if that leads nowhere either."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    for route in routes:
        wanted = route.path.split("/")[1:]
        if route.method == method and len(wanted) == len(parts):
            mended = [part if pattern.startswith("{") else pattern for pattern, part in zip(wanted, parts, strict=True)]
            if [each.lower() for each in mended] == [part.lower() for part in parts]:
                return "/" + "/".join(mended)
    return None


def shorter(routes: Sequence[Route], method: str, path: str) -> str | None:
    """Where a path with a slash too many leads, or None. Quirk: to the place of a missing name as well, where nothing is."""
    if not path.endswith("/") or len(path) < 2:
        return None
    stripped = path[:-1]
    meant = stripped + "/{}"
    for route in routes:
        above, _, last = route.path.rpartition("/")
        missing = last.startswith("{") and route.names(meant.replace("{}", "x")) is not None and _has_siblings(routes, above)
        if route.method == method and (missing or route.names(stripped) is not None):
            return stripped
    return None


def _has_siblings(routes: Sequence[Route], above: str) -> bool:
    """Whether another address goes on from here with a letter, or ends here: only then the core notices the slash."""
    return any(route.path == above or (route.path.startswith(above) and route.path[len(above)] != "/") for route in routes)

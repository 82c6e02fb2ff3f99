"""Which function answers which address: one table, and how an address is found in it. RE-2.

An address is compared after its percent signs are undone once. A part written `{name}` stands for whatever is there, but not
for nothing and not for a slash.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.rest.answer import Answer
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
        until: the first release that no longer has it, "" for all.
        open: the answer may be read by pages from elsewhere (RE-1).
    """

    method: str
    path: str
    handler: Handler
    until: str = ""
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


def shorter(routes: Sequence[Route], method: str, path: str) -> str | None:
    """Where a path with a slash too many leads, or None. Quirk: to the place of a missing name as well, where nothing is."""
    if not path.endswith("/") or len(path) < 2:
        return None
    stripped = path[:-1]
    meant = stripped + "/{}"
    for route in routes:
        last = route.path.rpartition("/")[2]
        missing = last.startswith("{") and route.names(meant.replace("{}", "x")) is not None
        if route.method == method and (missing or route.names(stripped) is not None):
            return stripped
    return None


def answers_of(result: Any) -> Answer | None:
    """The result itself if it is an answer already."""
    return result if isinstance(result, Answer) else None

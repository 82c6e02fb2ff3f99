"""Limits of users and groups as they are told: queue by queue, those for anybody at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.rest.past.ring import REMOVE, SET
from workbench.scheduler.objects.users import LimitTable

DETAILS = {"users": 600, "groups": 601}


Place = tuple[str, str, str]
"""("users" or "groups", name, queue path)."""


class LimitsTold:
    """Gathers the limits that one configuration sets, and those that it no longer has."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {"root": 0}
        self._named: dict[str, set[tuple[str, str]]] = {"users": set(), "groups": set()}
        self._stored: dict[Place, dict[str, Any]] = {}

    def order(self, path: str) -> None:
        """A queue is there, after those before."""
        self._places.setdefault(path.lower(), len(self._places))

    def table(self, table: LimitTable) -> None:
        """The limits that are in force from now on."""
        for kind, limits in (("users", table.users), ("groups", table.groups)):
            self._named[kind] = {(path, name) for path, names in limits.items() for name in names}

    def stored(self, kind: str, name: str, path: str, field: str, value: Any) -> None:
        """One of the two parts of a limit was set: the last counts."""
        place = (kind, name, path)
        # What is set again is told again, after the rest.
        self._stored[place] = {**self._stored.pop(place, {}), field: value}

    def dropped(self, kind: str, name: str, path: str) -> None:
        """There is nothing any more that could be limited. Told only if the limit was lifted before."""
        if any(self._stored.get((kind, name, path), {}).values()):
            del self._stored[kind, name, path]

    def due(self) -> Iterator[tuple[int, int, str, str]]:
        """(change, detail, name, path) of everything gathered."""
        if not self._stored:
            return
        stored, self._stored = self._stored, {}
        named = [place for place in stored if (place[2], place[1]) in self._named[place[0]]]
        for kind, name, path in sorted(named, key=lambda place: self._places.get(place[2].lower(), len(self._places))):
            yield SET, DETAILS[kind], name, path
        others = [place for place in stored if (place[2], place[1]) not in self._named[place[0]]]
        lifted = [place for place in others if not any(stored[place].values())]
        for kind, name, path in sorted(lifted, key=lambda place: place[0]):
            yield REMOVE, DETAILS[kind], name, path
        for kind, name, path in others:
            if any(stored[kind, name, path].values()):
                yield SET, DETAILS[kind], name, path

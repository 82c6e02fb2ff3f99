"""Limits of users and groups as they are told: queue by queue, those for anybody at the end."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.scheduler.objects.users import LimitTable

DETAILS = {"users": 600, "groups": 601}


class LimitsTold:
    """Gathers the limits that one configuration sets."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {"root": 0}
        self._named: dict[str, set[tuple[str, str]]] = {"users": set(), "groups": set()}
        self._stored: list[tuple[str, str, str]] = []

    def order(self, path: str) -> None:
        """A queue is there, after those before."""
        self._places.setdefault(path.lower(), len(self._places))

    def table(self, table: LimitTable) -> None:
        """The limits that are in force from now on."""
        for kind, limits in (("users", table.users), ("groups", table.groups)):
            self._named[kind] = {(path, name) for path, names in limits.items() for name in names}

    def stored(self, kind: str, name: str, path: str) -> None:
        """A limit was set."""
        self._stored.append((kind, name, path))

    def due(self) -> Iterator[tuple[int, str, str]]:
        """(detail, name, path) of everything gathered."""
        if not self._stored:
            return
        stored, self._stored = self._stored, []
        named = [each for each in stored if (each[2], each[1]) in self._named[each[0]]]
        for kind, name, path in sorted(named, key=lambda each: self._places.get(each[2].lower(), len(self._places))):
            yield DETAILS[kind], name, path
        for kind, name, path in stored:
            if (path, name) not in self._named[kind]:
                yield DETAILS[kind], name, path

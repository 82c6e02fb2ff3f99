"""Things of one kind by name, in the order in which they were registered: the orders, rules, checks and so on that there are.

A registry is read as a dict. What is in it before anybody adds to it comes with the package; further things are added before
the first simulation is made, since what is kept by one is not told of a change.
"""

from __future__ import annotations

from typing import TypeVar

from workbench.values.errors import CommandError

T = TypeVar("T")


class Registry(dict[str, T]):
    """Name -> thing; `kind` is what one of them is called."""

    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind

    def register(self, name: str, thing: T) -> T:
        """Register a thing under a new name.

        Raises:
            CommandError: the name is no text, is empty, or is taken.
        """
        if not isinstance(name, str) or not name.strip():
            raise CommandError(f"a {self.kind} needs a name, found {name!r}")
        if name in self:
            raise CommandError(f"there is a {self.kind} {name!r} already; the names taken are {', '.join(self)}")
        self[name] = thing
        return thing

"""The history read again: what one write was, and how far somebody has read. Who reads cannot write."""

from __future__ import annotations

from typing import Any, NamedTuple


class Write(NamedTuple):
    """One write, as whoever reads the history again finds it.

    Attributes:
        mark: where the history stood after it.
        kind: "set" (a field), "put" or "dropped" (a key of a dict), "inserted" or "removed" (an item of a list), "raised" or
            "lowered" (a sum), "path raised" or "path lowered" (that of the record and all above it).
        record, field: what was written.
        key: of a dict, index in a list, the amount that went into a sum, else None.
        before, after: the values; None where there was nothing, and for items of a list.
    """

    mark: int
    kind: str
    record: Any
    field: str
    key: Any
    before: Any
    after: Any


class Reader:
    """Somebody who reads the history from time to time, and how far he has read. Unwinding moves him back.

    Attributes:
        position: the mark up to which he knows the history.
        lost: something that he had read was unwound since `take`.
    """

    __slots__ = ("__weakref__", "lost", "position")

    def __init__(self) -> None:
        self.position, self.lost = 0, False

    def cut(self, mark: int) -> None:
        """The history goes only up to `mark` now."""
        if mark < self.position:
            self.position, self.lost = mark, True

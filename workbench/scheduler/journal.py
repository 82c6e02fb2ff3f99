"""The only writer of scheduler state, and its memory.

Every change goes through one of the five writes below. While history is on, each appends what undoes it; values are
immutable, so unwinding to a mark restores the exact objects. With history off a write is a plain assignment.
"""

from __future__ import annotations

from typing import Any

_MISSING = object()
_FIELD, _PUT, _INSERT, _REMOVE = range(4)


class Journal:
    """Writes and, with `history`, remembers. A mark is a number of entries."""

    __slots__ = ("_log",)

    def __init__(self, *, history: bool = True):
        self._log: list[tuple] | None = [] if history else None

    @property
    def mark(self) -> int:
        """The present place in the history, to unwind to later. 0 without history."""
        return len(self._log) if self._log is not None else 0

    def set(self, record: Any, field: str, value: Any) -> None:
        """Assign `record.field`."""
        if self._log is not None:
            self._log.append((_FIELD, record, field, getattr(record, field)))
        setattr(record, field, value)

    def put(self, mapping: dict, key: Any, value: Any) -> None:
        """Store `mapping[key]`."""
        if self._log is not None:
            self._log.append((_PUT, mapping, key, mapping.get(key, _MISSING)))
        mapping[key] = value

    def drop(self, mapping: dict, key: Any) -> Any:
        """Delete `mapping[key]` and return it. KeyError if it is not there."""
        old = mapping.pop(key)
        if self._log is not None:
            self._log.append((_PUT, mapping, key, old))
        return old

    def insert(self, items: list, index: int, value: Any) -> None:
        """Insert `value` into a list before `index`, which is not negative."""
        if self._log is not None:
            self._log.append((_INSERT, items, index))
        items.insert(index, value)

    def remove_at(self, items: list, index: int) -> Any:
        """Take the item at `index` out of a list and return it."""
        old = items.pop(index)
        if self._log is not None:
            self._log.append((_REMOVE, items, index, old))
        return old

    def unwind(self, mark: int) -> None:
        """Undo, latest first, everything written since `mark`."""
        assert self._log is not None, "unwinding needs a history"
        while len(self._log) > mark:
            entry = self._log.pop()
            kind = entry[0]
            if kind == _FIELD:
                setattr(entry[1], entry[2], entry[3])
            elif kind == _PUT:
                if entry[3] is _MISSING:
                    del entry[1][entry[2]]
                else:
                    entry[1][entry[2]] = entry[3]
            elif kind == _INSERT:
                del entry[1][entry[2]]
            else:
                entry[1].insert(entry[2], entry[3])

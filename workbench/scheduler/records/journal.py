"""The only writer of scheduler state, and its memory.

Every change goes through one of the writes below, and each names the record it changes. While history is on, a write
appends what undoes it; values are immutable, so unwinding to a mark restores an equal state. With history off a write is a
plain assignment. Whoever keeps something derived from the state finds the records that changed, in either direction, in
`touched`.

The history is one flat list: the parts of an entry and then its kind, so that an entry costs a few pointers and no object.
A sum is remembered by the amount that went in, which the history shares with the ask it belongs to, and undone by taking
that out again; only where that would not restore the very same types, the old sum itself is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any
from weakref import WeakSet

from workbench.scheduler.records.reading import Reader, Write
from workbench.values.resources import Resource, add, lowered, prune, raised, sub

Quick = Callable[[Resource | None, Resource], Resource | None]
"""A sum that answers None where only the slow one is right."""
Sum = Callable[[Resource, Resource], Resource]

_MISSING = object()
_FIELD, _PUT, _INSERT, _REMOVE, _RAISED, _LOWERED, _PATH_RAISED, _PATH_LOWERED = range(8)
_SUMS = {_RAISED: "raised", _LOWERED: "lowered", _PATH_RAISED: "path raised", _PATH_LOWERED: "path lowered"}


class Journal:
    """Writes and, with `history`, remembers. A mark is a place in the memory.

    Attributes:
        touched: the records written or restored, and those put into lists or taken out, since whoever watches last emptied
            it; None if nobody watches.
        readers: those who are told when what they have read is unwound.
    """

    __slots__ = ("_log", "readers", "touched")

    def __init__(self, *, history: bool = True, watched: bool = False):
        self._log: list[Any] | None = [] if history else None
        self.readers: WeakSet[Reader] = WeakSet()
        self.touched: dict[Any, None] | None = {} if watched else None

    @property
    def remembers(self) -> bool:
        """Whether there is a history to unwind."""
        return self._log is not None

    @property
    def mark(self) -> int:
        """The present place in the history, to unwind to later. 0 without history."""
        return len(self._log) if self._log is not None else 0

    def set(self, record: Any, field: str, value: Any) -> None:
        """Assign `record.field`."""
        if self._log is not None:
            self._log += (record, field, getattr(record, field), _FIELD)
        if self.touched is not None:
            self.touched[record] = None
        setattr(record, field, value)

    def set_all(self, record: Any, **values: Any) -> None:
        """Assign several fields of one record."""
        log = self._log
        for field, value in values.items():
            if log is not None:
                log += (record, field, getattr(record, field), _FIELD)
            setattr(record, field, value)
        if self.touched is not None:
            self.touched[record] = None

    def put(self, record: Any, field: str, key: Any, value: Any) -> None:
        """Store `value` under `key` in the dict `record.field`."""
        mapping = getattr(record, field)
        if self._log is not None:
            self._log += (record, field, key, mapping.get(key, _MISSING), _PUT)
        if self.touched is not None:
            self.touched[record] = None
        mapping[key] = value

    def drop(self, record: Any, field: str, key: Any) -> Any:
        """Delete `key` from the dict `record.field` and return its value. KeyError if it is not there."""
        mapping = getattr(record, field)
        old = mapping[key]
        if self._log is not None:
            self._log += (record, field, key, old, _PUT)
        if self.touched is not None:
            self.touched[record] = None
        del mapping[key]
        return old

    def take_out(self, record: Any, field: str, key: Any) -> Any:
        """`drop` of what is a record itself, which is touched as well."""
        old = self.drop(record, field, key)
        if self.touched is not None:
            self.touched[old] = None
        return old

    def insert(self, record: Any, field: str, index: int, value: Any) -> None:
        """Insert the record `value` into the list `record.field` before `index`, which is not negative."""
        if self._log is not None:
            self._log += (record, field, index, _INSERT)
        if self.touched is not None:
            self.touched[record] = self.touched[value] = None
        getattr(record, field).insert(index, value)

    def remove_at(self, record: Any, field: str, index: int) -> Any:
        """Take the record at `index` out of the list `record.field` and return it."""
        values = getattr(record, field)
        old = values[index]
        if self._log is not None:
            self._log += (record, field, index, old, _REMOVE)
        if self.touched is not None:
            self.touched[record] = self.touched[old] = None
        del values[index]
        return old

    def raise_sum(self, record: Any, field: str, amount: Resource) -> None:
        """Add `amount` to the vector `record.field`; zero quantities are dropped."""
        old = getattr(record, field)
        total = raised(old, amount)
        if total is None:
            self.set(record, field, prune(add(old, amount)))
            return
        if self._log is not None:
            self._log += (record, field, amount, _RAISED)
        if self.touched is not None:
            self.touched[record] = None
        setattr(record, field, total)

    def raise_to(self, record: Any, field: str, total: Resource, amount: Resource) -> None:
        """The same, for who knows the total that `raised` gives."""
        if self._log is not None:
            self._log += (record, field, amount, _RAISED)
        if self.touched is not None:
            self.touched[record] = None
        setattr(record, field, total)

    def lower_sum(self, record: Any, field: str, amount: Resource) -> None:
        """Take `amount` out of the vector `record.field`; zero quantities are dropped."""
        old = getattr(record, field)
        rest = lowered(old, amount)
        if rest is None:
            self.set(record, field, prune(sub(old, amount)))
            return
        if self._log is not None:
            self._log += (record, field, amount, _LOWERED)
        if self.touched is not None:
            self.touched[record] = None
        setattr(record, field, rest)

    def raise_path(self, record: Any, field: str, amount: Resource) -> None:
        """Add `amount` to the vector `field` of the record, its parent, and so on; zero quantities stay."""
        self._along(record, field, amount, raised, add, _PATH_RAISED)

    def lower_path(self, record: Any, field: str, amount: Resource) -> None:
        """Take `amount` out of the vector `field` of the record, its parent, and so on; zero quantities are dropped."""
        self._along(record, field, amount, lowered, _taken, _PATH_LOWERED)

    def move_path(self, record: Any, source: str, target: str, amount: Resource) -> None:
        """Take `amount` out of the vector `source` of the record, its parent, and so on, and add it to `target`."""
        touched, at = self.touched, record
        moved = []
        while at is not None:
            less, more = lowered(getattr(at, source), amount), raised(getattr(at, target), amount)
            if less is None or more is None or not amount.amounts.keys() <= more.amounts.keys():
                self.raise_path(record, target, amount)
                self.lower_path(record, source, amount)
                return
            moved.append((less, more))
            at = at.parent
        if self._log is not None:
            self._log += (record, target, amount, _PATH_RAISED, record, source, amount, _PATH_LOWERED)
        at = record
        for less, more in moved:
            setattr(at, source, less)
            setattr(at, target, more)
            if touched is not None:
                touched[at] = None
            at = at.parent

    def _along(self, record: Any, field: str, amount: Resource, quick: Quick, change: Sum, kind: int) -> None:
        touched, at = self.touched, record
        totals = []
        while at is not None:
            total = quick(getattr(at, field), amount)
            # What is raised to zero stays, as a type with nothing; the quick sum would have dropped it.
            if total is None or (kind == _PATH_RAISED and not amount.amounts.keys() <= total.amounts.keys()):
                self._one_by_one(record, field, amount, change)
                return
            totals.append(total)
            at = at.parent
        if self._log is not None:
            self._log += (record, field, amount, kind)
        at = record
        for total in totals:
            setattr(at, field, total)
            if touched is not None:
                touched[at] = None
            at = at.parent

    def _one_by_one(self, record: Any, field: str, amount: Resource, change: Sum) -> None:
        at = record
        while at is not None:
            self.set(at, field, change(getattr(at, field), amount))
            at = at.parent

    def unwind(self, mark: int) -> None:
        """Undo, latest first, everything written since `mark`."""
        log = self._log
        assert log is not None, "unwinding needs a history"
        for reader in self.readers:
            reader.cut(mark)
        while len(log) > mark:
            kind = log.pop()
            if kind in (_PUT, _REMOVE):
                record, field, key, old = log[-4:]
                del log[-4:]
                values = getattr(record, field)
                if kind == _REMOVE:
                    values.insert(key, old)
                    self._touch(old)
                elif old is _MISSING:
                    del values[key]
                else:
                    values[key] = old
            else:
                record, field, value = log[-3:]
                del log[-3:]
                if kind == _FIELD:
                    setattr(record, field, value)
                elif kind == _INSERT:
                    self._touch(getattr(record, field).pop(value))
                else:
                    self._take_back(record, field, value, kind)
            self._touch(record)

    def writes(self, since: int, fields: Set[str]) -> list[Write]:
        """Every write to one of the fields since that mark, in order, with the values that they had then. None without history."""
        log = self._log or ()
        found: list[Write] = []
        # From the end backwards, as unwinding goes; what a field held after a write is what the next one found.
        later: dict[tuple[Any, str], Any] = {}
        later_keys: dict[tuple[Any, str], dict[Any, Any]] = {}
        end = len(log)
        while end > since:
            kind, mark = log[end - 1], end
            keyed = kind in (_PUT, _REMOVE)
            end -= 5 if keyed else 4
            record, field = log[end], log[end + 1]
            if field not in fields:
                continue
            at = (record, field)
            if kind == _FIELD:
                after = later[at] if at in later else getattr(record, field)
                later[at] = log[end + 2]
                later_keys.pop(at, None)
                found.append(Write(mark, "set", record, field, None, log[end + 2], after))
            elif kind == _PUT:
                key, before = log[end + 2], log[end + 3]
                known = later_keys.setdefault(at, {})
                after = known[key] if key in known else (later[at] if at in later else getattr(record, field)).get(key, _MISSING)
                known[key] = before
                name = "dropped" if after is _MISSING else "put"
                values = (None if each is _MISSING else each for each in (before, after))
                found.append(Write(mark, name, record, field, key, *values))
            elif kind == _REMOVE:
                found.append(Write(mark, "removed", record, field, log[end + 2], log[end + 3], None))
            elif kind == _INSERT:
                found.append(Write(mark, "inserted", record, field, log[end + 2], None, None))
            else:
                amount = log[end + 2]
                after = later[at] if at in later else getattr(record, field)
                self._before_sum(later, record, field, amount, kind)
                found.append(Write(mark, _SUMS[kind], record, field, amount, later[at], after))
        found.reverse()
        return found

    @staticmethod
    def _before_sum(later: dict[tuple[Any, str], Any], record: Any, field: str, amount: Resource, kind: int) -> None:
        """Note what the sums were before the amount went in."""
        inverse = sub if kind in (_RAISED, _PATH_RAISED) else add
        at = record
        while at is not None:
            known = (at, field)
            later[known] = prune(inverse(later[known] if known in later else getattr(at, field), amount))
            at = at.parent if kind in (_PATH_RAISED, _PATH_LOWERED) else None

    def _touch(self, record: Any) -> None:
        if self.touched is not None:
            self.touched[record] = None

    def _take_back(self, record: Any, field: str, amount: Resource, kind: int) -> None:
        inverse = sub if kind in (_RAISED, _PATH_RAISED) else add
        setattr(record, field, prune(inverse(getattr(record, field), amount)))
        if kind in (_PATH_RAISED, _PATH_LOWERED):
            at = record.parent
            while at is not None:
                setattr(at, field, prune(inverse(getattr(at, field), amount)))
                self._touch(at)
                at = at.parent


def _taken(old: Resource, amount: Resource) -> Resource:
    return prune(sub(old, amount))

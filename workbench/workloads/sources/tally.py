"""What a reader left out or had to assume, counted: one sentence for each kind, with the line where it came first."""

from __future__ import annotations

NOBODY = "nobody"
"""The user of jobs whose user is not known; the scheduler takes none without."""


class Tally:
    """Counts by sentence.

    >>> tally = Tally()
    >>> tally.add("Left out since they were cancelled before they ran", line=7)
    >>> tally.add("Left out since they were cancelled before they ran", line=9)
    >>> print(*tally.notes())
    Left out since they were cancelled before they ran: 2 jobs (first in line 7).
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._things: dict[str, str] = {}
        self._lines: dict[str, int | None] = {}

    def add(self, what: str, *, line: int | None = None, count: int = 1, of: str = "job") -> None:
        """One more job (or `count`, or another thing) of which the sentence is true."""
        if what not in self._counts:
            self._lines[what], self._things[what] = line, of
        self._counts[what] = self._counts.get(what, 0) + count

    def count(self, what: str) -> int:
        """How many there are of it so far."""
        return self._counts.get(what, 0)

    def notes(self) -> tuple[str, ...]:
        """The sentences, in the order in which each came first."""
        return tuple(
            f"{what}: {count:,} {self._things[what]}{'s' * (count != 1)}{self._place(what)}."
            for what, count in self._counts.items()
        )

    def _place(self, what: str) -> str:
        line = self._lines[what]
        return f" (first in line {line})" if line is not None else ""

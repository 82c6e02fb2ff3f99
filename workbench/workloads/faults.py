"""Rows that cannot be read: the first ends the reading, or all are left out, counted and said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from workbench.values.errors import WorkloadError

T = TypeVar("T")

SHOWN = 3
"""So many of the faults are told in the notes."""


class Faults:
    """What was wrong with rows of a file.

    >>> faults = Faults(keep_going=True)
    >>> faults.meet(WorkloadError("column submit: is negative", line=7))
    >>> print(*faults.notes("row"))
    1 row could not be read and was left out: line 7: column submit: is negative.
    """

    def __init__(self, *, keep_going: bool = False):
        self.keep_going = keep_going
        self.count = 0
        self._first: list[str] = []

    def meet(self, error: WorkloadError) -> None:
        """Remember the fault and go on, or raise it where nothing may be left out."""
        if not self.keep_going:
            raise error
        self.count += 1
        if len(self._first) < SHOWN:
            place = f"line {error.line}: " if error.line else ""
            self._first.append(f"{place}{error.text}")

    def over(self, found: Iterable[T]) -> Iterator[T]:
        """The same, as far as it goes: a file that is cut off or damaged further on is a fault at that line, and what stands before
        is kept where rows may be left out. What has no line, such as a file that is not there, is always raised.
        """
        try:
            yield from found
        except WorkloadError as error:
            if error.line is None:
                raise
            self.meet(error)

    def notes(self, what: str = "row") -> tuple[str, ...]:
        """A sentence about all that was left out; none if nothing was."""
        if not self.count:
            return ()
        some = f"{self.count} {what}s could not be read and were" if self.count > 1 else f"1 {what} could not be read and was"
        told = "; ".join(self._first)
        more = f"; and {self.count - SHOWN} more" if self.count > SHOWN else ""
        return (f"{some} left out: {told}{more}.",)

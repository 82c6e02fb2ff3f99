"""Who follows the events as they happen: a limited number of them, woken whenever something was done."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from workbench.rest.stream import MOST_LISTENERS, MOST_OF_A_HOST

NO_SEAT = f"{MOST_LISTENERS} follow the events already, or {MOST_OF_A_HOST} from this host"


class Seat:
    """The place of one follower.

    Attributes:
        host: where it is.
        woken: something may have happened since.
        left: nothing more is wanted, or there is nothing more to come.
    """

    def __init__(self, host: str):
        self.host, self.woken, self.left = host, asyncio.Event(), False

    def leave(self) -> None:
        self.left = True
        self.woken.set()


class Followers:
    """The seats that are taken. Belongs to one event loop."""

    def __init__(self) -> None:
        self._seats: list[Seat] = []

    def __len__(self) -> int:
        return len(self._seats)

    @contextmanager
    def seat(self, host: str) -> Iterator[Seat | None]:
        """Within it a seat; None if none is left."""
        of_host = sum(each.host == host for each in self._seats)
        if len(self._seats) >= MOST_LISTENERS or of_host >= MOST_OF_A_HOST:
            yield None
            return
        seat = Seat(host)
        self._seats.append(seat)
        try:
            yield seat
        finally:
            self._seats.remove(seat)

    def wake(self) -> None:
        """Something was done: let everybody look."""
        for seat in self._seats:
            seat.woken.set()

    def send_away(self) -> None:
        """There is nothing more to come."""
        for seat in self._seats:
            seat.leave()

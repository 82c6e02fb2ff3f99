"""Requests to end: Ctrl-C, `kill`, a terminal that is closed. Each unwinds the command, so that what it began is cleared away."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Not every system has all of them."""


class Stopped(KeyboardInterrupt):
    """Somebody wants the command to end. `number` is the signal."""

    def __init__(self, number: int = signal.SIGINT):
        super().__init__()
        self.number = number


def exit_code(stop: KeyboardInterrupt) -> int:
    """What a shell reports of a process that a signal ended."""
    return 128 + int(getattr(stop, "number", signal.SIGINT))


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it a request to end raises `Stopped`, as good as Ctrl-C."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped(number)

    with _handled_by(stop):
        yield


class Asked:
    """Whether somebody asked to end. Called, it tells; the work looks now and then and ends in order."""

    def __init__(self) -> None:
        self.number: int | None = None

    def __call__(self) -> bool:
        return self.number is not None

    @property
    def exit_code(self) -> int:
        """0, or what a shell reports of a process that the signal ended."""
        return 0 if self.number is None else 128 + self.number


@contextmanager
def asked_to_stop() -> Iterator[Asked]:
    """Within it the first request to end is noted, for work that keeps what was finished; a second one raises `Stopped`."""
    asked = Asked()

    def note(number: int, frame: FrameType | None) -> None:
        if asked.number is not None:
            raise Stopped(number)
        asked.number = number

    with _handled_by(note):
        yield asked


@contextmanager
def _handled_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    # What whoever started us had us ignore, as nohup does, stays ignored.
    changed = [number for number, was in before.items() if was not in (signal.SIG_IGN, None)]
    try:
        for number in changed:
            signal.signal(number, handler)
    except ValueError:  # Python tells signals to the main thread only, and this is another one
        changed = []
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, before[number])

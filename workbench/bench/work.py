"""Long verbs as work in small pieces, so that a screen can show progress and Stop is answered within 0.3 s (U-18).

A long verb is a generator: after every completed step it yields its `Progress`, and what comes back says whether to stop. A
script finishes the work at once; a screen lets it run for a moment and leaves the rest to the event loop.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from inspect import GEN_CLOSED, getgeneratorstate
from types import FrameType
from typing import TypeVar

AT_ONCE_SECONDS = 0.2
"""Work of a screen that takes no longer than this is finished before the browser hears of it."""
CHUNK_SECONDS = 0.1
PAUSE_SECONDS = 0.01
"""Longer work goes on this long between two looks at Stop."""
SLICE_SECONDS = 0.05
"""A pause between two played steps is slept in slices of this length."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What is told while work goes on.

    Attributes:
        text: a sentence for the status line.
        pause: seconds to wait before the next piece, for whoever plays to be watched.
        show: the state after this piece is to be seen.
    """

    text: str
    pause: float = 0.0
    show: bool = False


Result = TypeVar("Result")
Work = Generator[Progress, bool, Result]


def finish(work: Work[Result], pulse: Callable[[], None] = lambda: None) -> Result:
    """Do all of the work now, without pauses. Its result. An interrupt (Ctrl-C, Kernel > Interrupt) stops it between two steps.

    `pulse()` is called between two steps.
    """
    with _interrupts() as interrupted:
        try:
            next(work)
            while True:
                pulse()
                work.send(bool(interrupted))
        except StopIteration as end:
            result: Result = end.value
            return result
        except BaseException as error:
            if getgeneratorstate(work) != GEN_CLOSED:  # it broke between two pieces: the work is told, to leave nothing half done
                work.throw(error)
            raise


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """A list to which a first interrupt is added instead of breaking into a step; a second one breaks in."""
    seen: list[int] = []
    usual = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        if seen and callable(usual):
            usual(number, frame)
        seen.append(number)

    try:
        signal.signal(signal.SIGINT, note)
    except (ValueError, OSError):  # not the main thread, or no signals here
        yield seen
        return
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, usual)


class Player:
    """Carries out one piece of work at a time, in the event loop when there is one; `pulse()` is called now and then meanwhile.

    Attributes:
        progress: what was told last.
    """

    def __init__(
        self,
        tell: Callable[[Progress | None], None],
        turn: AbstractContextManager[object],
        pulse: Callable[[], None] = lambda: None,
    ):
        self._tell, self._turn, self._pulse = tell, turn, pulse
        self._stopping = self._under_way = False
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.progress: Progress | None = None

    @property
    def busy(self) -> bool:
        """Work is under way. Work whose event loop has ended, with the page that started it, is not."""
        return self._under_way and self._loop is not None and self._loop.is_running()

    def stop(self) -> None:
        """Let the work end after the step it is at."""
        self._stopping = True

    def start(self, work: Work[object]) -> None:
        """Carry out the work: at once if it is short or nobody could stop it, else bit by bit.

        Failures of the work are raised while it is done at once; later they are in the status line, and raised by `ended`.
        """
        if not self.busy:
            self._task = None
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            with self._turn:
                finish(work, self._pulse)
            return
        with self._turn:
            try:
                progress = self._begin(work)
            except StopIteration:
                return
            self._stopping, self._under_way, self._loop, self.progress = False, True, loop, progress
            self._task = loop.create_task(self._go_on(work, progress))

    async def ended(self) -> None:
        """Wait until what this event loop carries out has ended. What it failed with is raised, once it was told."""
        if self._task is not None:
            await asyncio.shield(self._task)

    def _begin(self, work: Work[object]) -> Progress:
        """Work for a moment. StopIteration when all is done."""
        until = time.monotonic() + AT_ONCE_SECONDS
        progress = next(work)
        while not progress.pause and time.monotonic() < until:
            progress = work.send(False)
        return progress

    async def _go_on(self, work: Work[object], progress: Progress) -> None:
        try:
            while True:
                with self._turn:
                    self.progress = progress
                    self._pulse()
                    self._tell(progress)
                await self._pause(progress.pause)
                with self._turn:
                    until = time.monotonic() + CHUNK_SECONDS
                    progress = work.send(self._stopping)
                    while not progress.pause and time.monotonic() < until:
                        progress = work.send(self._stopping)
        except StopIteration:
            pass
        finally:
            with self._turn:
                self._under_way, self.progress = False, None
                self._tell(None)

    async def _pause(self, seconds: float) -> None:
        """Wait, but not after Stop. The clock on the wall decides only when to look up."""
        until = time.monotonic() + seconds
        await asyncio.sleep(PAUSE_SECONDS)
        while not self._stopping and time.monotonic() < until:
            await asyncio.sleep(min(SLICE_SECONDS, max(0.0, until - time.monotonic())))

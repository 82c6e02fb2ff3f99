"""Work that nobody has to wait for: done once the screen has been quiet for a moment."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

LOG = logging.getLogger(__name__)
QUIET_SECONDS = 0.3
"""So long after the last wish the work begins; every wish before that begins the wait anew."""


class Later:
    """Does `work()` after the last of a row of wishes; at once where no event loop would come back to it."""

    def __init__(self, work: Callable[[], None]):
        self._work = work
        self._handle: asyncio.TimerHandle | None = None

    def wish(self) -> None:
        """Do the work soon."""
        self.drop()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._work()
            return
        self._handle = loop.call_later(QUIET_SECONDS, self._now)

    def drop(self) -> None:
        """Do not do it, as far as it has not begun."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _now(self) -> None:
        self._handle = None
        try:
            self._work()
        except Exception:  # nobody waits for it who could be told
            LOG.exception("later")

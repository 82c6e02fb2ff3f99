"""An event loop in a thread of its own, for a server where nobody runs one: in a script, or at the prompt of Python."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class OwnThread:
    """A thread that runs an event loop until it is ended. It does not keep the process alive."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="workbench-server", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.run_until_complete(self.loop.shutdown_default_executor())
            self.loop.close()

    def call(self, do: Callable[[], Result]) -> Result:
        """What `do` returns, called in the thread; what it raises is raised here."""

        async def done() -> Result:
            return do()

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result()

    def end(self) -> None:
        """End the loop and wait for the thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join()

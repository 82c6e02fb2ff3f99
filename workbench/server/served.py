"""What all requests to one server share: the workbench, who may ask, and the turn in which it is read or changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from workbench.bench.workbench import Workbench
from workbench.server.access import Access
from workbench.server.design_file import DesignFile
from workbench.server.documents import Documents
from workbench.server.followers import Followers
from workbench.server.limits import Limits
from workbench.simulation.waiting import Waiting

Result = TypeVar("Result")
TURN_SECONDS = 0.002
"""Between two looks whether a verb of another thread has ended."""


@dataclass(eq=False)
class Served:
    """One workbench that is served.

    Attributes:
        bench: the very one that may be on a screen, too.
        access: who may ask.
        documents: what the scheduler answers.
        followers: who follows the events as they happen.
        file: the queues.yaml that a new design is written to; None if the design came from none.
        ui: folder of the scheduler's web interface, None if it is not served.
        limits: what one client may ask for.
    """

    bench: Workbench
    access: Access
    documents: Documents
    followers: Followers = field(default_factory=Followers)
    file: DesignFile | None = None
    ui: Path | None = None
    limits: Limits = field(default_factory=Limits)

    _waiting: tuple[object, tuple[Waiting, ...]] = (None, ())

    def waiting(self) -> tuple[Waiting, ...]:
        """What waits, asked once as long as nothing happens: for each request it has to be found out why."""
        simulation = self.bench.simulation
        if self._waiting[0] != simulation.instant:
            self._waiting = simulation.instant, simulation.waiting()
        return self._waiting[1]

    async def in_turn(self, do: Callable[[], Result]) -> Result:
        """What `do` returns, called while no verb and no redraw is at work; others are answered while this waits for that."""
        turn = self.bench.turn
        while not turn.acquire(blocking=False):
            await asyncio.sleep(TURN_SECONDS)
        try:
            return do()
        finally:
            turn.release()

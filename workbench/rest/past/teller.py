"""Reads what was written, in order, and has it told to everybody who keeps something of it."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.rest.past.minutes import Minutes
from workbench.rest.past.ring import Ring
from workbench.rest.past.usages import Usages
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Command
from workbench.scheduler.records.event_log import Marked
from workbench.scheduler.records.reading import Write


class Teller:
    """What is kept of the past."""

    fields = frozenset({"now_ns"})

    def __init__(self) -> None:
        self.ring = Ring()
        self.usage = Usages()
        self.minutes = Minutes()

    def read(
        self, engine: Engine, commands: Sequence[tuple[int, Command]], writes: Sequence[Write], events: Sequence[Marked]
    ) -> None:
        """Go on with what came since the last time."""

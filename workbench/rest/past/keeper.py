"""What somebody who keeps something of the past is told."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Command
from workbench.scheduler.records.events import Event
from workbench.scheduler.records.reading import Write


@dataclass(slots=True)
class Moment:
    """When something was written or said.

    Attributes:
        engine: of which the history is read; its state is that of the end.
        now_ns: simulated time then.
        command: what was being carried out; None while the scheduler registered.
    """

    engine: Engine
    now_ns: int = 0
    command: Command | None = None


class Keeper:
    """Keeps something of the past. Everything comes in the order in which it happened."""

    fields: frozenset[str] = frozenset()
    """Names of the fields of records whose writes it wants to be told."""

    def begun(self, moment: Moment) -> None:
        """The registration is over (`command` None), or a command begins."""

    def wrote(self, moment: Moment, write: Write) -> None:
        """Something was written."""

    def said(self, moment: Moment, event: Event) -> None:
        """The scheduler said something."""

    def passes(self, moment: Moment, until_ns: int) -> None:
        """Time passes from `now_ns` on."""

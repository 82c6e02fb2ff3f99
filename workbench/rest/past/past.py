"""What happened until now, read from the engine's history whenever somebody asks, and forgotten when it is undone.

The scheduler keeps none of it: every event, counter and history is told from what the journal says was written, command by
command. What was read once is not read again, unless it was taken back since; then all is told anew.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.rest.past.minutes import Minute
from workbench.rest.past.ring import Ring
from workbench.rest.past.teller import Teller
from workbench.rest.past.usage import Usage
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.reading import Reader
from workbench.scheduler.records.state import Allocation, Application


class Past:
    """The past of one scheduler. Each question first reads on to the present."""

    def __init__(self, engine: Callable[[], Engine]):
        self._engine_of = engine
        self._engine: Engine | None = None
        self._reader = Reader()
        self._commands = 0
        self._said = 0
        self._teller = Teller()

    @property
    def events(self) -> Ring:
        """Every event that is still held."""
        return self.up_to_date().telling.ring

    def usage_of(self, application: Application) -> Usage:
        """What the application used until now."""
        return self.up_to_date().usage.of(application)

    def replaced(self, held: Allocation) -> Allocation | None:
        """The placeholder in whose place the allocation came, or None."""
        return self.up_to_date().replaced.of(held)

    def minutes(self) -> list[Minute]:
        """One entry for each full minute, the latest at the end."""
        return self.up_to_date().minutes.entries()

    def up_to_date(self) -> Teller:
        """What is told of everything that was written until now."""
        engine = self._engine_of()
        if engine is not self._engine or self._reader.lost:
            self._begin_anew(engine)
        log = engine.log
        if self._reader.position == engine.written and self._commands == engine.mark:
            return self._teller
        commands = engine.commands_since(self._commands)
        events = log.marked(self._said) if log is not None else []
        self._teller.read(engine, commands, engine.writes(self._reader, self._teller.fields), events)
        self._commands = engine.mark
        self._said = len(log) if log is not None else 0
        return self._teller

    def _begin_anew(self, engine: Engine) -> None:
        if engine is not self._engine:
            self._engine = engine
            self._reader = Reader()
            engine.follow(self._reader)
        self._reader.position, self._reader.lost = 0, False
        self._commands = self._said = 0
        self._teller = Teller()

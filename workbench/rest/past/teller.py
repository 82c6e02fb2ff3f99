"""Reads what was written and said, in order, and tells everybody who keeps something of it."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.rest.past.counters import Counters
from workbench.rest.past.health_checks import HealthChecks
from workbench.rest.past.keeper import Keeper, Moment
from workbench.rest.past.minutes import Minutes
from workbench.rest.past.node_use import NodeUse
from workbench.rest.past.replacing import Replaced
from workbench.rest.past.telling import Telling
from workbench.rest.past.usage import Usages
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Advance, Command
from workbench.scheduler.records.event_log import Marked
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Cluster


class Teller:
    """Everything that is kept of the past."""

    def __init__(self) -> None:
        self.telling = Telling()
        self.usage = Usages()
        self.replaced = Replaced()
        self.counters = Counters()
        self.minutes = Minutes(self.counters)
        self.health = HealthChecks(self.counters)
        self.node_use = NodeUse()
        # Who samples at an instant comes before those whose values it samples.
        self._keepers: tuple[Keeper, ...] = (
            self.minutes,
            self.health,
            self.telling,
            self.usage,
            self.replaced,
            self.counters,
            self.node_use,
        )
        self._by_field: dict[str, list[Keeper]] = {}
        for keeper in self._keepers:
            for field in keeper.fields:
                self._by_field.setdefault(field, []).append(keeper)
        self.fields = frozenset(self._by_field) | {"now_ns"}
        self._now_ns = 0
        self._command: Command | None = None
        self._registered = False

    def read(
        self, engine: Engine, commands: Sequence[tuple[int, Command]], writes: Sequence[Write], events: Sequence[Marked]
    ) -> None:
        """Go on with what came since the last time: where each command began, what was written and what was said."""
        moment = Moment(engine, self._now_ns, self._command)
        next_command = next_event = 0
        for write in writes:
            # What is written ends after its mark before; what is said at a mark was said after everything written up to it.
            while True:
                begin = commands[next_command][0] if next_command < len(commands) else None
                told = events[next_event].mark if next_event < len(events) else None
                command_first = begin is not None and begin < write.mark
                event_first = told is not None and told < write.mark
                if command_first and not (event_first and self._told_before(moment, told, begin)):
                    self._begin(moment, commands[next_command][1])
                    next_command += 1
                elif event_first:
                    self._say(moment, events[next_event])
                    next_event += 1
                else:
                    break
            if write.field == "now_ns" and isinstance(write.record, Cluster):
                for keeper in self._keepers:
                    keeper.passes(moment, write.after)
                moment.now_ns = write.after
            for keeper in self._by_field.get(write.field, ()):
                keeper.wrote(moment, write)
        while next_command < len(commands) or next_event < len(events):
            begin = commands[next_command][0] if next_command < len(commands) else None
            told = events[next_event].mark if next_event < len(events) else None
            if begin is not None and (told is None or not self._told_before(moment, told, begin)):
                self._begin(moment, commands[next_command][1])
                next_command += 1
            else:
                self._say(moment, events[next_event])
                next_event += 1
        self._now_ns, self._command = moment.now_ns, moment.command

    def _begin(self, moment: Moment, command: Command) -> None:
        if not self._registered:
            self._registered = True
            for keeper in self._keepers:
                keeper.begun(moment)
        moment.command = command
        for keeper in self._keepers:
            keeper.begun(moment)

    def _say(self, moment: Moment, event: Marked) -> None:
        for keeper in self._keepers:
            keeper.said(moment, event.event)

    @staticmethod
    def _told_before(moment: Moment, told: int | None, begin: int | None) -> bool:
        """Whether what was said comes before the command that begins. After time has passed nothing is said any more."""
        if told is None or begin is None:
            return told is not None
        return told < begin or (told == begin and not isinstance(moment.command, Advance | None))

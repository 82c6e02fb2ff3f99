"""The engine: commands in, events out. One dispatch table and no policy."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Set
from typing import Any

from workbench.config.model import SchedulerConfig
from workbench.scheduler import housekeeping, messages, reload
from workbench.scheduler.objects import partitions
from workbench.scheduler.objects.outstanding import outstanding_requests
from workbench.scheduler.objects.timers import TimerQueue
from workbench.scheduler.passes import cycle, descent
from workbench.scheduler.records import command_checks, commands
from workbench.scheduler.records.commands import Command
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.event_log import EventLog
from workbench.scheduler.records.events import Event, Ignored
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.reading import Reader, Write
from workbench.scheduler.records.state import Allocation, Application, Cluster, Partition
from workbench.scheduler.releases import profiles
from workbench.scheduler.search import Search
from workbench.values.errors import CommandError
from workbench.values.renamed import renamed_keyword

END_NS = 2**63 - 1
"""The last instant of the clock, which counts 64-bit nanoseconds as the core does."""
TAKEN_BACK = "Nothing of this command was carried out: the scheduler is as it was before it."
BROKEN_OFF = "The command was carried out in part, and that cannot be taken back: begin again with a new engine."


class Engine:
    """The scheduler of one cluster, registered with a loaded configuration at time 0.

    Args:
        config: a loaded configuration.
        release: whose rules hold, "1.9", "1.8" or "1.4"; see `profiles`.
        history: remember every change, so that `unwind` works.
        search: "incremental", or "plain", which sorts and tries everything afresh; both decide the same.
        log: keep every event in `log`, as long as there is a history to take it back with.

    Raises:
        CommandError: there is no such release.
        ConfigError: the configuration is valid but cannot be loaded (C-125).
    """

    @renamed_keyword("version", "release")
    def __init__(
        self,
        config: SchedulerConfig,
        *,
        release: str = profiles.DEFAULT.version,
        history: bool = True,
        search: str = "incremental",
        log: bool = False,
    ):
        resolver = config.partitions[0].user_group_resolver if config.partitions else ""
        self.state = Cluster(config, profiles.profile_of(release), user_group_resolver=resolver)
        journal = Journal(history=history, watched=search == "incremental")
        self._ctx = Context(journal, self.state, log=EventLog() if log and history else None)
        for partition in config.partitions:
            made = partitions.create(self._ctx, partition)
            self._ctx.journal.put(self.state, "partitions", made.name, made)
        self._timers = TimerQueue(self.state)
        self._incremental = search == "incremental"
        self._search = self._new_search()
        self._broken = False
        self._begins = array("q")
        """Where the journal stood before each command, while there is a history."""
        self._commands: list[Command] = []
        """Those commands."""
        self.decisions: tuple[Decision, ...] = ()
        """Of the last `Cycle`, one per partition."""
        self._handlers: dict[type[Any], Callable[[Context, Any], None]] = {
            commands.AddNode: messages.add_node,
            commands.UpdateNode: messages.update_node,
            commands.DrainNode: messages.drain_node,
            commands.UndrainNode: messages.undrain_node,
            commands.RemoveNode: messages.remove_node,
            commands.AddApplication: messages.add_application,
            commands.RemoveApplication: messages.remove_application,
            commands.AddAsk: messages.add_ask,
            commands.AddAllocation: messages.add_allocation,
            commands.Release: messages.release,
            commands.UpdateConfig: reload.update,
            commands.Advance: self._advance,
            commands.Cycle: self._cycle,
        }

    def _new_search(self) -> cycle.Search:
        return Search(self._ctx) if self._incremental else descent

    @property
    def mark(self) -> int:
        """The present place in the history: how many commands lead there. 0 without history.

        Unwound, and given the same commands again, the engine is at the same marks again. Places in the journal are not: it
        keeps the asks' logs as well, and after undoing a search looks at an ask more often than before.
        """
        return len(self._begins)

    @property
    def stirred(self) -> int | None:
        """Grows whenever anything changed on which a decision could depend, but the clock; None if nobody counts that.

        An attempt to preempt in vain changes nothing of that kind. To be compared as long as nothing is unwound.
        """
        if not isinstance(self._search, Search):
            return None
        self._search.catch_up()
        return self._search.stirred

    @property
    def log(self) -> EventLog | None:
        """Every event so far, to read only; None if none is kept."""
        return self._ctx.log

    @property
    def written(self) -> int:
        """Where the history stands: grows with every write, falls when something is unwound. 0 without history."""
        return self._ctx.journal.mark

    def follow(self, reader: Reader) -> None:
        """The reader is told from now on when what he has read is unwound."""
        self._ctx.journal.readers.add(reader)

    def writes(self, reader: Reader, fields: Set[str]) -> list[Write]:
        """What was written to one of the fields since the reader last took it, in order."""
        found = self._ctx.journal.writes(reader.position, fields)
        reader.position = self._ctx.journal.mark
        return found

    def commands_since(self, mark: int) -> list[tuple[int, Command]]:
        """(where the journal stood before it, command) for each command from number `mark` on. None without history."""
        return list(zip(self._begins[mark:], self._commands[mark:], strict=True))

    def apply(self, command: Command, *, traced: bool = False) -> tuple[Event, ...]:
        """Carry out one command and return what it caused, in order. `traced` makes a cycle record its comparisons.

        Raises:
            CommandError: the command names no partition of this cluster, holds what it may not (`command_checks`), or asks for
                what this engine cannot do.

        After any exception, of whatever type, the state is as before the command. Without history, and after an interrupt, that
        cannot be promised: the engine is `broken` then and takes no more commands.
        """
        kind = type(command)
        handler = self._handlers.get(kind)
        if handler is None:
            raise CommandError(f"this engine does not handle {kind.__name__} commands")
        if kind is not commands.Cycle:  # nothing can be wrong with a cycle, and there are more of them than of all others
            command_checks.check(command)
        if self._broken:
            raise CommandError("an earlier command broke off in the midst of its writes; begin again with a new engine")
        ctx, decisions, mark = self._ctx, self.decisions, len(self._begins)
        journal, said = ctx.journal, len(ctx.log or ())
        remembers, begin = journal.remembers, journal.mark
        self._traced = traced
        ctx.outbox = []
        try:
            if remembers:
                self._begins.append(begin)
                self._commands.append(command)
            handler(ctx, command)
        except BaseException as error:
            # An interrupt can strike between the two halves of a write, which then cannot be taken back.
            self._broken = not isinstance(error, Exception if remembers else CommandError)
            try:
                self._take_back(mark, begin, said, decisions)
            except Exception:
                self._broken = True
            if not isinstance(error, CommandError):
                error.add_note(BROKEN_OFF if self._broken else TAKEN_BACK)
            raise
        return tuple(ctx.outbox)

    def ignore(self, why: str) -> tuple[Event, ...]:
        """Say that something was not even tried, as where the core only logs."""
        self._ctx.outbox = []
        self._ctx.emit(Ignored(why))
        return tuple(self._ctx.outbox)

    def outstanding(self, partition: Partition) -> tuple[tuple[Application, Allocation], ...]:
        """(application, ask) for every ask that waits only for a larger cluster, in scheduling order. R-585.

        Changes nothing: what the look makes known of users is kept in a journal of its own and taken back.
        """
        looking = Journal(history=True)
        try:
            return tuple(outstanding_requests(Context(looking, self.state), partition))
        finally:
            looking.unwind(0)

    def unwind(self, mark: int) -> None:
        """Restore exactly the state at an earlier mark."""
        begin = self._begins[mark] if mark < len(self._begins) else self._ctx.journal.mark
        self._ctx.journal.unwind(begin)
        if self._ctx.log is not None:
            self._ctx.log.cut(begin)
        del self._begins[mark:], self._commands[mark:]
        self._timers.rebuild()

    @property
    def broken(self) -> bool:
        """A command broke off where it could not be taken back."""
        return self._broken

    def _take_back(self, mark: int, begin: int, said: int, decisions: tuple[Decision, ...]) -> None:
        """A command broke off: what it wrote, said and left unfinished is as before it."""
        ctx = self._ctx
        ctx.outbox, ctx.over_quota, self.decisions = [], [], decisions
        if not ctx.journal.remembers:
            return  # commands are refused before they write
        ctx.journal.unwind(begin)
        if ctx.log is not None:
            ctx.log.cut_to(said)
        del self._begins[mark:], self._commands[mark:]
        self._timers.rebuild()
        self._search = self._new_search()

    def next_due_ns(self) -> int | None:
        """The instant at which the next timer falls due, or None."""
        return housekeeping.next_due_ns(self.state, self._timers)

    def _advance(self, ctx: Context, command: commands.Advance) -> None:
        if command.ns < 0:
            raise CommandError(f"time does not run backwards: {command.ns} ns; use back() to undo")
        if ctx.now_ns + command.ns > END_NS:
            raise CommandError(f"the clock ends at {END_NS} ns, 292 years after the start; {command.ns} ns from now is beyond that")
        housekeeping.advance(ctx, self._timers, command.ns)

    def _cycle(self, ctx: Context, command: commands.Cycle) -> None:
        ctx.journal.set(self.state, "cycle", self.state.cycle + 1)
        # Cycles that find nobody waiting, or are traced, do not search; what was touched would pile up.
        self._search.catch_up()
        # In configuration order; the core's order of partitions is unspecified.
        self.decisions = tuple(
            [cycle.run(ctx, partition, self._search, traced=self._traced) for partition in self.state.partitions.values()]
        )

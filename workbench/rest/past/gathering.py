"""Events that come together and are told in the core's order, whatever the order of the writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from workbench.rest.past.ring import Told
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Application, Tracker, UsageLevel, UserManager


@dataclass(slots=True)
class Gathering:
    """What happens to an allocation, its application and its user at once."""

    states: list[Told] = field(default_factory=list)
    users: list[Told] = field(default_factory=list)
    ends: list[Told] = field(default_factory=list)

    def goes_on(self, write: Write) -> bool:
        """Whether the write still belongs to it."""
        return isinstance(write.record, UserManager | Tracker | UsageLevel)

    def told(self) -> Iterator[Told]:
        """In the core's order."""
        raise NotImplementedError


@dataclass(slots=True)
class Joining(Gathering):
    """An allocation begins: the application's state, its user and group, the allocation. Placeholders change the state later."""

    users_first: bool = False

    def goes_on(self, write: Write) -> bool:
        # What already runs somewhere makes the application move on first, but that is told after the node took it.
        return Gathering.goes_on(self, write) or (not self.ends and write.field in ("allocations", "asks"))

    def told(self) -> Iterator[Told]:
        if self.users_first:
            before = [each for each in self.states if each.detail == 204]
            yield from before
            yield from self.users
            yield from (each for each in self.states if each.detail != 204)
        else:
            yield from self.states
            yield from self.users
        yield from self.ends


@dataclass(slots=True)
class Leaving(Gathering):
    """Allocations end: the user and group, the application's state, the allocation; where all end at once, these come first."""

    one_by_one: bool = True

    def goes_on(self, write: Write) -> bool:
        return Gathering.goes_on(self, write) or (
            not self.one_by_one
            and isinstance(write.record, Application)
            and write.field == "allocations"
            and write.kind == "dropped"
        )

    def told(self) -> Iterator[Told]:
        if self.one_by_one:
            yield from self.users
            yield from self.states
            yield from self.ends
        else:
            yield from self.ends
            yield from self.users
            yield from self.states

"""Following a scheduler that runs: its events batch by batch, and the answers that say whose they are. It is only asked. WL-12.

The scheduler holds its last events in a ring and numbers them. A number that is gone says how many were lost; another instance says
that the scheduler started anew, and counts from 0 again. After either, what is there now tells what ended meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.values.errors import CommandError
from workbench.workloads.recording.record import Record
from workbench.workloads.recording.seen import Told, Unreadable, event_of, node_of, told_of

if TYPE_CHECKING:
    from workbench.importers.rest_client import Client

BELOW = "/partition/default"
COUNT = 10_000
"""Events in one answer: the most that the scheduler gives."""
LONGEST_WAIT_S = 60.0
"""Between two questions to a scheduler that does not answer."""


@dataclass(slots=True)
class Following:
    """One recording.

    Attributes:
        client: asks the scheduler.
        wait: waits so many seconds, or until somebody wants to end.
        ended: whether the recording is to end.
        every_s: seconds between two batches.
        past: begin with what the ring still has, and not with what comes.
        kept: is called after each batch, to tell and to save.
        record: what was told so far.
    """

    client: Client
    wait: Callable[[float], None]
    ended: Callable[[], bool]
    every_s: float = 10.0
    past: bool = False
    kept: Callable[[Record], None] = lambda record: None
    record: Record = field(default_factory=Record)
    _next: int = 0
    _instance: str = ""
    _failures: int = 0

    def run(self) -> Record:
        """Record until it is to end. RestError or CommandError if there is nothing to be recorded from the first."""
        self._begin()
        self.kept(self.record)
        while not self.ended():
            if self._once():
                continue
            self.kept(self.record)
            self.wait(min(self.every_s * 2 ** min(self._failures, 10), max(LONGEST_WAIT_S, self.every_s)))
        return self.record

    @property
    def began(self) -> bool:
        """Whether there was a scheduler to be recorded."""
        return bool(self._instance)

    # -- the beginning ----------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        from workbench.importers.rest_client import RestError

        try:
            batch = self._batch(0, 1)
        except RestError as error:
            if not error.status or error.status in (401, 403):
                raise
            raise CommandError(
                f"{self.client.base} gives no events ({error}); with event.trackingEnabled: true in the service settings it does"
            ) from None
        self._instance = batch.instance
        for value in self._list(f"{BELOW}/nodes"):
            self._node(value)
        if self.past:
            self._next = batch.lowest
        else:
            self._next = batch.highest + 1
            for event in self._batch(batch.highest, 1).events:  # the scheduler's clock, as far as it is told
                self.record.zero_ns = self.record.last_ns = max(self.record.last_ns, _at(event))
        self._learn()

    def _node(self, value: Any) -> None:
        try:
            self.record.nodes.append(node_of(value))
        except Unreadable:
            self.record.unreadable += 1

    # -- batch by batch ---------------------------------------------------------------------------------------------------

    def _once(self) -> bool:
        """One batch. Whether there is more to be had at once."""
        from workbench.importers.rest_client import RestError

        record = self.record
        try:
            batch = self._batch(self._next, COUNT)
            missed = False
            if batch.instance != self._instance or batch.highest + 1 < self._next:
                record.restarts += 1
                self._instance, missed = batch.instance, True
                self._next = batch.lowest
                batch = self._batch(self._next, COUNT)
            elif batch.lowest > self._next:
                record.lost += batch.lowest - self._next
                missed = True
                self._next = batch.lowest
                batch = self._batch(self._next, COUNT)
            for value in batch.events:
                self._happened(value)
            self._next += len(batch.events)
            if missed:
                # First all that the ring still tells, then what is there: an end that is told counts more than one that is not.
                while batch.events and self._next <= batch.highest:
                    batch = self._batch(self._next, COUNT)
                    for value in batch.events:
                        self._happened(value)
                    self._next += len(batch.events)
                record.looked_again(self._active())
            elif batch.events and record.unknown:
                self._learn()
        except RestError:
            self._failures += 1
            if self._failures == 1:
                record.outages += 1
            return False
        self._failures = 0
        return bool(batch.events) and self._next <= batch.highest

    def _happened(self, value: Any) -> None:
        try:
            self.record.happened(event_of(value))
        except Unreadable:
            self.record.unreadable += 1

    def _learn(self) -> None:
        """Whose the applications are: of those that are there, and where that is not all, of those that ended or were rejected."""
        self.record.told(self._active())
        for state in ("completed", "rejected"):
            if self.record.unknown:
                self.record.told(each for each in self._of_state(state) if each.id in self.record.applications)
        for id in self.record.unknown:
            self.record.applications[id].known = True  # nobody knows any more

    def finish(self) -> None:
        """Priorities, users and groups of what came since the last time, if the scheduler still answers."""
        from workbench.importers.rest_client import RestError

        try:
            self._learn()
        except RestError:
            return

    # -- answers ----------------------------------------------------------------------------------------------------------

    def _active(self) -> list[Told]:
        return list(self._told(self._list(f"{BELOW}/applications/active")))

    def _of_state(self, state: str) -> list[Told]:
        """Those of an older release that cannot be asked for them are none."""
        from workbench.importers.rest_client import RestError

        try:
            return list(self._told(self._list(f"{BELOW}/applications/{state}")))
        except RestError as error:
            if not error.status:
                raise
            return []

    def _told(self, values: list[Any]) -> Iterator[Told]:
        for value in values:
            try:
                yield told_of(value)
            except Unreadable:
                self.record.unreadable += 1

    def _batch(self, start: int, count: int) -> Batch:
        return batch_of(self._json(f"/events/batch?start={start}&count={count}"))

    def _list(self, path: str) -> list[Any]:
        found = self._json(path)
        return found if isinstance(found, list) else []

    def _json(self, path: str) -> Any:
        from workbench.importers.rest_client import RestError

        try:
            return json.loads(self.client.get(path))
        except (ValueError, RecursionError):
            raise RestError(f"{path}: the answer is no JSON; is this the address of a scheduler?") from None


@dataclass(frozen=True, slots=True)
class Batch:
    """An answer of events/batch: the lowest and highest number that are held, of which instance, and the events."""

    lowest: int
    highest: int
    instance: str
    events: list[Any]


def batch_of(value: Any) -> Batch:
    """RestError if it is none."""
    from workbench.importers.rest_client import RestError

    events = value.get("EventRecords") if isinstance(value, dict) else None
    low, high = (value.get(key, 0) if isinstance(value, dict) else None for key in ("LowestID", "HighestID"))
    if not isinstance(value, dict) or not isinstance(events or [], list) or type(low) is not int or type(high) is not int:
        raise RestError("/events/batch: the answer is no batch of events; is this the address of a scheduler?")
    return Batch(low, high, str(value.get("InstanceUUID")), events or [])


def _at(value: Any) -> int:
    try:
        return event_of(value).at_ns
    except Unreadable:
        return 0

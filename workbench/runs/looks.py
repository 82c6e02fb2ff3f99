"""The instants at which a cycle could decide otherwise although nothing happened: a request has become old enough.

A cycle depends on the state and on the clock. Of the clock it asks whether a request may reserve a node (R-565), may preempt or be
tried again for that (P-21, P-23), may take the place of a stale reservation (P-67, R-931), whether a reservation ends (R-951),
whether the backoff of an application is over (R-571) and whether the time of a queue over its quota has come (P-133; where a
release looks at quotas beside the cycles, that is the engine's affair, R-900). Between these instants and those of the core's own
timers a cycle that changed nothing would change nothing again, so that time can jump. WL-5
"""

from __future__ import annotations

import heapq

from workbench.config.may_preempt import has_claim
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects.reservations import DELAY_NS
from workbench.scheduler.objects.tree import walk
from workbench.scheduler.preemption.general import CHECK_EVERY_NS, earliest_ns
from workbench.scheduler.preemption.quota import is_asked_in_cycles
from workbench.scheduler.records.state import Allocation, Application, Partition


class Looks:
    """When to look again; `until_ns`: what comes later is of no interest."""

    def __init__(self, engine: Engine, partition: Partition, until_ns: int | None = None):
        self._engine, self._partition, self._until_ns = engine, partition, until_ns
        self._heap: list[tuple[int, int, str, str]] = []
        """(when, number, application, key)"""
        self._pushed = 0
        self._asked: dict[tuple[str, str], None] = {}
        """Requests whose time has come at this instant."""
        self._firsts = 0
        """How many of the heap are no repeated attempts."""
        self._repeated: set[int] = set()
        self._has_backoff = any(leaf.is_leaf and leaf.settings.backoff_threshold > 0 for leaf in walk(partition.root))

    def waits(self, application_id: str, key: str) -> None:
        """A new request was not placed at once, and waits from now on."""
        found = self._waiting(application_id, key)
        if found is None:
            return
        application, ask = found
        self._push(ask.created_ns + DELAY_NS + 1, application_id, key)
        if not self._partition.preemption_enabled or not has_claim(application.leaf):
            return
        due = earliest_ns(ask, application.leaf)
        if due is not None:
            now_ns = self._engine.state.now_ns
            self._push(due if due > now_ns else now_ns + CHECK_EVERY_NS, application_id, key)
            self._push(ask.created_ns + self._partition.profile.stale_reservation_ns + 1, application_id, key)

    def next_ns(self, *, of_requests: bool = True) -> int | None:
        """The next instant; requests that no longer wait are forgotten. Without them it is that of a backoff, a quota or a node."""
        while self._heap and self._waiting(self._heap[0][2], self._heap[0][3]) is None:
            self._pop()
        due = self._heap[0][0] if self._heap and of_requests else None
        for other in (self._backoff_ns(), self._quota_ns(), self._reservation_ns()):
            if other is not None and (due is None or other < due):
                due = other
        return due

    def only_repeats(self, changed_ns: int) -> bool:
        """Whether all that is left are attempts to preempt that were in vain and would be again: nothing changed since."""
        return not self._firsts and self._engine.state.now_ns > changed_ns + CHECK_EVERY_NS

    def begin(self) -> None:
        """The clock was moved; whose time has come is asked in the cycles that follow."""
        now_ns = self._engine.state.now_ns
        while self._heap and self._heap[0][0] <= now_ns:
            _, _, application_id, key = self._pop()
            self._asked[application_id, key] = None

    def unfinished(self, since_ns: int) -> bool:
        """Whether a cycle since then tried some to preempt and had no more attempts for others. P-24."""
        late = tried = False
        for application_id, key in self._asked:
            found = self._waiting(application_id, key)
            if found is None:
                continue
            application, ask = found
            if ask.preemption_checked_ns is not None and ask.preemption_checked_ns >= since_ns:
                tried = True
            elif (due := earliest_ns(ask, application.leaf)) is not None and due <= since_ns and has_claim(application.leaf):
                late = True
        return late and tried

    def end(self) -> None:
        """The cycles have come to rest; who was asked in vain is asked again when he may preempt again."""
        now_ns = self._engine.state.now_ns
        for application_id, key in self._asked:
            found = self._waiting(application_id, key)
            if found is None or not self._partition.preemption_enabled:
                continue
            application, ask = found
            due = earliest_ns(ask, application.leaf) if has_claim(application.leaf) else None
            if due is not None:
                # One that could have been tried and was not waits for something else, and is looked at as often as others.
                self._push(due if due > now_ns else now_ns + CHECK_EVERY_NS, application_id, key, repeated=True)
        self._asked.clear()

    def _push(self, at_ns: int, application_id: str, key: str, *, repeated: bool = False) -> None:
        if self._until_ns is not None and at_ns > self._until_ns:
            return
        self._pushed += 1
        if repeated:
            self._repeated.add(self._pushed)
        else:
            self._firsts += 1
        heapq.heappush(self._heap, (at_ns, self._pushed, application_id, key))

    def _pop(self) -> tuple[int, int, str, str]:
        entry = heapq.heappop(self._heap)
        if entry[1] in self._repeated:
            self._repeated.discard(entry[1])
        else:
            self._firsts -= 1
        return entry

    def _waiting(self, application_id: str, key: str) -> tuple[Application, Allocation] | None:
        application = self._partition.applications.get(application_id)
        ask = application.asks.get(key) if application is not None else None
        return None if application is None or ask is None or ask.allocated else (application, ask)

    def _backoff_ns(self) -> int | None:
        if not self._has_backoff:
            return None
        now_ns = self._engine.state.now_ns
        times = [each.backoff_until_ns for each in self._partition.applications.values() if each.backoff_until_ns is not None]
        return min((each for each in times if each > now_ns), default=None)

    def _quota_ns(self) -> int | None:
        if not is_asked_in_cycles(self._partition):
            return None
        now_ns = self._engine.state.now_ns
        times = [queue.quota_start_ns + 1 for queue in walk(self._partition.root) if queue.quota_start_ns is not None]
        return min((each for each in times if each > now_ns), default=None)

    def _reservation_ns(self) -> int | None:
        """When the next reservation is old enough to end, or to be given up for others. R-931, R-951."""
        profile = self._partition.profile
        if not profile.reservations_age or not self._partition.reservation_count:
            return None
        now_ns = self._engine.state.now_ns
        times = [
            made + profile.stale_reservation_ns + 1 for node in self._partition.nodes.values() for made in node.reserved_ns.values()
        ]
        return min((each for each in times if each > now_ns), default=None)

"""What every handler writes with: the journal, the state it writes to, and the outbox of events."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.scheduler.records.event_log import EventLog
from workbench.scheduler.records.events import Event
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import Cluster, Queue
from workbench.scheduler.releases.profiles import Profile


@dataclass(slots=True)
class Context:
    """One per engine. `outbox` holds the events of the command being applied, in order; `over_quota` what a pass came across;
    `log` every event so far, None if none is kept."""

    journal: Journal
    cluster: Cluster
    outbox: list[Event] = field(default_factory=list)
    over_quota: list[Queue] = field(default_factory=list)
    log: EventLog | None = None

    @property
    def now_ns(self) -> int:
        return self.cluster.now_ns

    @property
    def profile(self) -> Profile:
        return self.cluster.profile

    def emit(self, event: Event) -> None:
        self.outbox.append(event)
        if self.log is not None:
            self.log.note(self.journal.mark, self.cluster.now_ns, event)

    def note_over_quota(self, queue: Queue) -> None:
        """A queue whose quota is to be enforced when the pass is over (P-133)."""
        self.over_quota.append(queue)

    def take_over_quota(self) -> list[Queue]:
        """The queues noted since the last time."""
        noted, self.over_quota = self.over_quota, []
        return noted

    def next_seq(self) -> int:
        """A new creation number; ties between objects end in it."""
        number = self.cluster.next_seq
        self.journal.set(self.cluster, "next_seq", number + 1)
        return number

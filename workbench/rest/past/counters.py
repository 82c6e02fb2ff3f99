"""What the core counts while it works, as its metrics tell it."""

from __future__ import annotations

from collections import Counter

from workbench.rest.past.keeper import Keeper, Moment
from workbench.scheduler.records import events
from workbench.scheduler.records.commands import DrainNode, UndrainNode
from workbench.scheduler.records.events import Event
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import Application, Node, Partition, Queue

SUMS = ("allocated", "pending", "preempting", "maximum", "guaranteed")
QueueKey = tuple[str, str]


class Counters(Keeper):
    """Counters and the gauges that are counted up and down.

    Attributes:
        submissions: "new", "accepted", "rejected" -> applications.
        applications: state -> applications of the scheduler; only states that were ever entered.
        queue_applications: (queue path, state) -> applications of a queue; the same.
        allocated, released, refused: containers so far.
        nodes: "draining", "decommissioned" -> nodes.
        touched: (queue path, one of `SUMS`) -> resource names that were ever counted there.
    """

    fields = frozenset(
        ("state", "applications", "allocations", "children", "own_properties", *SUMS, "schedulable", "nodes"),
    )

    def __init__(self) -> None:
        self.submissions: Counter[str] = Counter()
        self.applications: Counter[str] = Counter()
        self.queue_applications: Counter[QueueKey] = Counter()
        self.nodes: Counter[str] = Counter()
        self.allocated = self.released = self.refused = 0
        self._reloaded: set[Queue] = set()
        self._draining: set[Node] = set()
        self.touched: dict[QueueKey, set[str]] = {}

    @property
    def running(self) -> int:
        return self.applications["running"]

    @property
    def containers(self) -> int:
        return self.allocated - self.released

    def was_reloaded(self, queue: Queue) -> bool:
        """Whether the queue was configured once more since it is there."""
        return queue in self._reloaded

    def wrote(self, moment: Moment, write: Write) -> None:
        record = write.record
        if isinstance(record, Application):
            if write.field == "state":
                self._moved(record, write.before, write.after)
            elif write.field == "allocations":
                self._held(write)
        elif isinstance(record, Queue):
            self._queue(record, write)
        elif isinstance(record, Partition) and write.field == "applications" and write.kind == "put":
            application: Application = write.after
            self.submissions["new"] += 1
            self.queue_applications[application.queue_path, "new"] += 1
        elif write.field == "schedulable" and isinstance(moment.command, DrainNode | UndrainNode):
            self._drained(record, drained=not write.after)
        elif write.field == "nodes" and write.kind == "dropped":
            self.nodes["decommissioned"] += 1
            if write.before in self._draining:
                self._drained(write.before, drained=False)

    def _drained(self, node: Node, *, drained: bool) -> None:
        self.nodes["draining"] += 1 if drained else -1
        (self._draining.add if drained else self._draining.discard)(node)

    def said(self, moment: Moment, event: Event) -> None:
        if isinstance(event, events.ApplicationRejected):
            self.submissions["rejected"] += 1
        elif isinstance(event, events.AskRejected):
            self.refused += 1
        elif isinstance(event, events.Released):
            # Counted when the resource manager is told; what it confirms is not counted again.
            self.released += 1

    def _moved(self, application: Application, before: str, after: str) -> None:
        path = "" if after == "Rejected" and is_unplaced(application) else application.queue_path
        if after == "Accepted":
            self.submissions["accepted"] += 1
        for state, change in ((before.lower(), -1), (after.lower(), +1)):
            if state not in ("new", "accepted", "rejected", "expired"):
                self.applications[state] += change
            if state != "expired":
                self.queue_applications[path, state] += change

    def _held(self, write: Write) -> None:
        if write.kind == "put":
            self.allocated += 1

    def _queue(self, queue: Queue, write: Write) -> None:
        if write.field == "children":
            if write.kind == "dropped":
                self._forget(write.before.path)
            return
        if write.field == "own_properties":
            self._reloaded.add(queue)
        if write.field not in SUMS:
            return
        names = {name for value in (write.key, write.before, write.after) if value is not None for name in value}
        at: Queue | None = queue
        while at is not None:
            self.touched.setdefault((at.path, write.field), set()).update(names)
            at = at.parent if write.kind.startswith("path") else None

    def _forget(self, path: str) -> None:
        for table in (self.touched, self.queue_applications):
            for key in [key for key in table if key[0] == path]:
                del table[key]


def is_unplaced(application: Application) -> bool:
    """Refused because no queue was found: it has none then, whatever was asked for."""
    return application.rejection.startswith("failed to place application")

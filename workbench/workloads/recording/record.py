"""Everything that was told, put together by application: who asked for what and when, when it ran, and how it ended.

Events tell when something happens, answers tell whose it is: neither alone makes a workload. What was told once stays: a scheduler
that starts again tells what it has once more, and what it no longer has ended while nobody looked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from workbench.values.resources import EMPTY, Resource
from workbench.workloads.recording.seen import (
    ADDED,
    ALLOCATED,
    APPLICATION,
    ASKED,
    CANCELLED,
    IN_QUEUE,
    NEW,
    NODE,
    NODE_GONE,
    QUEUE,
    REJECTED,
    REMOVED,
    REPLACED,
    STOPPED_BY_OTHERS,
    TIMED_OUT,
    Event,
    NodeTold,
    Told,
)

COMES_BACK_NS = 60 * 10**9
"""What was stopped for others is asked for anew within this time, if it is: the same work, under another key."""


@dataclass(slots=True)
class Task:
    """One request of an application.

    Attributes:
        asked_ns: when it was asked for; of work that was stopped and came back, for the first time.
        placed_ns: when it was placed, the last time; None while it waits.
        ended_ns: when it ended; None while it did not.
        waited_only: it ended without having been placed.
        stopped: how often it was stopped for others, or lost its node.
        unseen_end: it ended while nobody looked.
    """

    key: str
    resource: Resource
    asked_ns: int
    placed_ns: int | None = None
    ended_ns: int | None = None
    waited_only: bool = False
    placeholder: bool = False
    group: str = ""
    priority: int = 0
    stopped: int = 0
    unseen_end: bool = False


@dataclass(slots=True)
class Application:
    """One application. `known` once an answer told whose it is."""

    id: str
    submitted_ns: int
    user: str = ""
    groups: tuple[str, ...] = ()
    queue: str = ""
    namespace: str = ""
    gang: bool = False
    known: bool = False
    rejected: bool = False
    tasks: dict[str, Task] = field(default_factory=dict)
    stopped: list[Task] = field(default_factory=list)
    """Those that may come back."""


@dataclass(slots=True)
class Record:
    """What was told so far.

    Attributes:
        zero_ns: where it begins, by the scheduler's clock; None until something was told.
        last_ns: the latest that was told.
        lost: events that were told before anybody asked for them.
        restarts: so often the scheduler started again.
        outages: so often it could not be asked.
        unreadable: events and applications that make no sense.
        node_changes: nodes that came or went, but for the coming of those that are there at the beginning.
    """

    applications: dict[str, Application] = field(default_factory=dict)
    nodes: list[NodeTold] = field(default_factory=list)
    zero_ns: int | None = None
    last_ns: int = 0
    events: int = 0
    lost: int = 0
    restarts: int = 0
    outages: int = 0
    unreadable: int = 0
    node_changes: int = 0

    @property
    def unknown(self) -> list[str]:
        """Ids of applications of which no answer told whose they are."""
        return [id for id, each in self.applications.items() if not each.known and not each.rejected]

    # -- events -----------------------------------------------------------------------------------------------------------

    def happened(self, event: Event) -> None:
        """Something happened."""
        self.events += 1
        if self.zero_ns is None:
            self.zero_ns = event.at_ns
        self.last_ns = max(self.last_ns, event.at_ns)
        if event.type == NODE and event.detail == 0 and event.change in (ADDED, REMOVED):
            if event.change == REMOVED or all(id != event.object for id, _, _ in self.nodes):
                self.node_changes += 1
        elif event.type == QUEUE and event.detail == IN_QUEUE and event.change == ADDED and event.reference in self.applications:
            queue = self.applications[event.reference].queue
            if len(event.object) > len(queue):  # the queues above it are told as well
                self.applications[event.reference].queue = event.object
        elif event.type == APPLICATION:
            self._of_application(event)

    def _of_application(self, event: Event) -> None:
        if event.detail == NEW and event.object not in self.applications:
            self.applications[event.object] = Application(event.object, event.at_ns)
        app = self.applications.get(event.object)
        if app is None:
            if not event.reference or event.change == REMOVED:
                return
            app = self.applications[event.object] = Application(event.object, event.at_ns)
        if event.detail == REJECTED:
            app.rejected = True
        elif event.detail == ASKED and event.change == ADDED:
            self._asked(app, event.reference, event.resource, event.at_ns)
        elif event.detail == ALLOCATED and event.change == ADDED:
            task = app.tasks.get(event.reference) or self._asked(app, event.reference, event.resource, event.at_ns)
            if task.placed_ns is None:  # a scheduler that starts again tells it once more
                task.placed_ns = event.at_ns
        elif event.change == REMOVED and event.reference in app.tasks:
            _ended(app, app.tasks[event.reference], event)

    def _asked(self, app: Application, key: str, resource: Resource, at_ns: int) -> Task:
        same = (each for each in app.stopped if each.resource == resource and at_ns - (each.ended_ns or 0) <= COMES_BACK_NS)
        back = next((each for each in app.stopped if each.key == key), None) or (None if key in app.tasks else next(same, None))
        if back is not None:
            app.stopped.remove(back)
            del app.tasks[back.key]
            back.key, back.placed_ns, back.ended_ns = key, None, None
            app.tasks[key] = back
        if key in app.tasks:
            return app.tasks[key]
        task = app.tasks[key] = Task(key, resource, at_ns)
        return task

    # -- answers ----------------------------------------------------------------------------------------------------------

    def told(self, applications: Iterable[Told]) -> None:
        """What the scheduler answers of applications that it has, or had."""
        for each in applications:
            app = self.applications.setdefault(each.id, Application(each.id, each.submitted_ns))
            app.known = True
            app.user, app.groups, app.gang = each.user or app.user, each.groups or app.groups, app.gang or each.gang
            app.queue = each.queue or app.queue
            app.rejected = app.rejected or each.state == "rejected"
            for ask in each.asks:
                task = app.tasks.get(ask.key)
                if task is None:
                    task = app.tasks[ask.key] = Task(ask.key, ask.resource, ask.asked_ns or each.submitted_ns)
                task.priority, task.group, task.placeholder = (
                    ask.priority,
                    ask.group or task.group,
                    ask.placeholder or task.placeholder,
                )
                task.resource = task.resource or ask.resource or EMPTY
                if task.placed_ns is None and ask.placed_ns is not None:
                    task.placed_ns = ask.placed_ns
                app.namespace = app.namespace or ask.namespace

    def looked_again(self, applications: Iterable[Told]) -> None:
        """All that is there now, after something was missed: what is not there any more ended while nobody looked."""
        there = list(applications)
        self.told(there)
        keys = {(each.id, ask.key) for each in there for ask in each.asks}
        for app in self.applications.values():
            for task in app.tasks.values():
                if task.ended_ns is None and (app.id, task.key) not in keys:
                    task.ended_ns, task.unseen_end, task.waited_only = self.last_ns, True, task.placed_ns is None


def _ended(app: Application, task: Task, event: Event) -> None:
    """The end of a request or an allocation: the first that is told counts, since a request goes with its allocation."""
    if event.detail in (REPLACED, TIMED_OUT):
        task.placeholder = True
    if task.ended_ns is not None:
        return
    task.ended_ns = event.at_ns
    task.waited_only = task.placed_ns is None and event.detail == CANCELLED
    if event.detail in (STOPPED_BY_OTHERS, NODE_GONE):
        task.stopped += 1
        app.stopped.append(task)

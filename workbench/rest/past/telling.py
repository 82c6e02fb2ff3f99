"""The events that the core tells observers, read from what was written. RE-23

Most events are one write each, in the order of the writes. What comes and goes together is gathered first: the core tells of an
allocation's node, then of the application's state, then of its user and group, and last of the allocation itself.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.rest.past.gathering import Gathering, Joining, Leaving
from workbench.rest.past.keeper import Keeper, Moment
from workbench.rest.past.limits_told import LimitsTold
from workbench.rest.past.ring import ADD, APPLICATION, NODE, NONE, QUEUE, REMOVE, REQUEST, SET, USER, Ring, Told
from workbench.rest.past.unschedulable import Unschedulable
from workbench.scheduler.records import events
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UpdateNode,
)
from workbench.scheduler.records.events import Event
from workbench.scheduler.records.reading import Write
from workbench.scheduler.records.state import (
    NO_GROUP,
    Allocation,
    Application,
    Cluster,
    Node,
    Partition,
    Queue,
    Tracker,
    UsageLevel,
    UserManager,
)
from workbench.values.resources import EMPTY, Resource, prune, sub

ASK_GONE, ASK_RAN_OUT = 100, 102
ALLOCATED, ASKED, NEW = 200, 201, 203
STATES = {
    "Rejected": 202,
    "Accepted": 204,
    "Starting": 205,
    "Running": 206,
    "Completing": 207,
    "Completed": 208,
    "Failing": 209,
    "Failed": 210,
    "Resuming": 211,
    "Expired": 212,
}
HELD = {("held_by_queue", True): 213, ("held_by_queue", False): 214, ("held_by_user", True): 215, ("held_by_user", False): 216}
DECOMMISSIONED, SCHEDULABLE, ON_NODE, CAPACITY, RESERVED = 300, 302, 303, 304, 306
DYNAMIC, MAXIMUM, GUARANTEED, OF_QUEUE, QUOTA_PREEMPTED = 401, 403, 404, 405, 407
ENDS = {
    "STOPPED_BY_RM": 500,
    "UNKNOWN_TERMINATION_TYPE": 500,
    "PREEMPTED_BY_SCHEDULER": 501,
    "TIMEOUT": 502,
    "PLACEHOLDER_REPLACED": 503,
}
BY_NODE = 504
RAN_OUT = "ResourceReservationTimeout"
LINKED = 602
USES = {"users": 603, "groups": 604}

Handler = Callable[[Moment, Write], None]


class Telling(Keeper):
    """Every event, in order.

    Attributes:
        ring: those that are held.
    """

    def __init__(self) -> None:
        self.ring = Ring()
        self._gathering: Gathering | None = None
        self._keys: dict[tuple[str, str], Allocation] = {}
        self._sizes: dict[Allocation, Resource] = {}
        self._new_total: Told | None = None
        self._left: tuple[Node, Told] | None = None
        self._finished = self._ran_out = self._departed = ""
        """The application that has just ended; whose placeholders ran out of time; that was removed and has left its queue."""
        self._removed = ""
        """The node that is leaving."""
        self._kinds: dict[Tracker, str] = {}
        self._levels: dict[UsageLevel, tuple[str, str, str]] = {}
        self._leaves: set[str] = set()
        self._queues: dict[str, str] = {}
        self._owners: dict[str, str] = {}
        self._victims: list[Allocation] = []
        self._roots: set[Queue] = set()
        self._limits = LimitsTold()
        self._unschedulable = Unschedulable()
        self._handlers: dict[tuple[type, str], Handler] = {
            (Queue, "children"): self._child,
            (Queue, "applications"): self._queue_application,
            (Queue, "maximum"): self._limit,
            (Queue, "guaranteed"): self._limit,
            (Cluster, "partitions"): self._partition,
            (Partition, "nodes"): self._node,
            (Node, "schedulable"): self._schedulable,
            (Node, "capacity"): self._capacity,
            (Node, "allocations"): self._on_node,
            (Node, "foreign"): self._on_node,
            (Application, "asks"): self._ask,
            (Application, "allocations"): self._allocation,
            (Application, "held_by_queue"): self._slots,
            (Application, "held_by_user"): self._slots,
            (Allocation, "preempted"): self._chosen,
            (Allocation, "resource"): self._resized,
            (Allocation, "log"): self._logged,
            (UserManager, "users"): self._tracker,
            (UserManager, "groups"): self._tracker,
            (UserManager, "group_of"): self._linked,
            (UserManager, "owner_of"): self._owner,
            (UserManager, "table"): self._table,
            (Tracker, "levels"): self._level,
            (UsageLevel, "usage"): self._used,
            (UsageLevel, "maximum"): self._user_limit,
            (UsageLevel, "max_applications"): self._user_limit,
        }

    fields = frozenset(
        """children applications max_applications maximum guaranteed partitions nodes schedulable capacity foreign allocations
        asks held_by_queue held_by_user preempted resource log users groups group_of owner_of table levels usage""".split()
    )

    # -- what is told ------------------------------------------------------------------------------------------------

    def begun(self, moment: Moment) -> None:
        self._end_of_command(moment)
        if isinstance(moment.command, AddApplication):
            # It is new before anybody looks for a queue.
            self._add(moment, APPLICATION, moment.command.application.id, ADD, NEW)

    def passes(self, moment: Moment, until_ns: int) -> None:
        self._end_of_command(moment)

    def _end_of_command(self, moment: Moment) -> None:
        self._tell_unschedulable(moment, None)
        self._tell_limits(moment)
        self._flush(moment)
        self._finished = self._ran_out = self._departed = ""
        removed, self._removed = self._removed, ""
        if removed:
            self._add(moment, NODE, removed, REMOVE, DECOMMISSIONED, message="Node removed from the scheduler")

    def wrote(self, moment: Moment, write: Write) -> None:
        handler = self._handlers.get((type(write.record), write.field))
        if handler is None:
            return
        if self._gathering is not None and not self._gathering.goes_on(write):
            self._flush(moment)
        if write.field != "allocations" and not self._replaces(moment):
            self._leave_node(moment)
        if write.field != "log" or not self._unschedulable.goes_on(write):
            self._tell_unschedulable(moment, write)
        if not isinstance(write.record, UserManager | Tracker | UsageLevel):
            self._tell_limits(moment)
        handler(moment, write)

    def said(self, moment: Moment, event: Event) -> None:
        if isinstance(event, events.ApplicationUpdated):
            self._moved(moment, event)
            return
        if isinstance(event, events.Surprised | events.QueueCreated | events.QueueRemoved):
            return
        self._tell_unschedulable(moment, None)
        self._flush(moment)
        match event:
            case events.NodeAccepted():
                if isinstance(moment.command, AddNode):
                    self._add(
                        moment, NODE, event.node_id, ADD, message="Node added to the scheduler", resource=moment.command.capacity
                    )
            case events.NodeRejected():
                # Quirk: the node that is there already is told once more.
                if isinstance(moment.command, AddNode) and "exist" in event.reason:
                    self._tell_schedulable(moment, event.node_id, moment.command.schedulable)
                    capacity = moment.command.capacity
                    self._add(moment, NODE, event.node_id, ADD, message="Node added to the scheduler", resource=capacity)
            case events.Reserved():
                self._reservation(moment, event.application_id, event.key, event.node_id, ADD)
            case events.Unreserved():
                self._reservation(moment, event.application_id, event.key, event.node_id, REMOVE)
            case events.Noticed():
                if event.key:
                    self._add(
                        moment, REQUEST, event.key, reference=event.application_id, message=event.text, resource=event.resource
                    )
            case events.Preempted():
                self._preempted(moment, event)
            case events.ApplicationRejected():
                self._add(moment, APPLICATION, event.application_id, SET, STATES["Rejected"], message=event.reason)
            case events.QuotaPreempted():
                self._add(moment, QUEUE, event.queue, SET, QUOTA_PREEMPTED, message=event.text, resource=event.maximum or EMPTY)

    def _add(
        self,
        moment: Moment,
        type: int,
        object: str,
        change: int = NONE,
        detail: int = 0,
        reference: str = "",
        message: str = "",
        resource: Resource = EMPTY,
    ) -> None:
        self.ring.add(Told(moment.now_ns, type, object, change, detail, reference, message, resource))

    def _flush(self, moment: Moment) -> None:
        gathered, self._gathering = self._gathering, None
        if gathered is not None:
            for event in gathered.told():
                self.ring.add(event)
        if not (self._replaces(moment) and isinstance(gathered, Leaving)):
            # What makes room for what takes its place elsewhere leaves last.
            self._leave_node(moment)

    # -- queues ------------------------------------------------------------------------------------------------------

    def _root(self, moment: Moment, queue: Queue) -> None:
        if queue not in self._roots:
            self._roots.add(queue)
            self._add(moment, QUEUE, queue.path, ADD)

    def _child(self, moment: Moment, write: Write) -> None:
        if write.record.parent is None:
            self._root(moment, write.record)
        queue: Queue = write.after if write.kind == "put" else write.before
        self._limits.order(queue.path)
        self._add(moment, QUEUE, queue.path, ADD if write.kind == "put" else REMOVE, 0 if queue.is_managed else DYNAMIC)

    def _partition(self, moment: Moment, write: Write) -> None:
        if write.kind == "put":
            self._root(moment, write.after.root)

    def _limit(self, moment: Moment, write: Write) -> None:
        """With what it is from now on. Quirk: the root tells what it was before."""
        if write.before != write.after:
            detail = MAXIMUM if write.field == "maximum" else GUARANTEED
            told_of = write.before if write.record.parent is None else write.after
            told = Told(moment.now_ns, QUEUE, write.record.path, SET, detail, resource=told_of or EMPTY)
            if isinstance(moment.command, UpdateNode):
                # The node tells first.
                self._new_total = told
            else:
                self.ring.add(told)

    def _queue_application(self, moment: Moment, write: Write) -> None:
        path, joined = write.record.path, write.kind == "put"
        self._leaves.add(path)
        self._queues[write.key] = path
        self._add(moment, QUEUE, path, ADD if joined else REMOVE, OF_QUEUE, write.key)
        if not joined:
            self._add(moment, APPLICATION, write.key, REMOVE)
            if isinstance(moment.command, RemoveApplication):
                self._departed = write.key

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _node(self, moment: Moment, write: Write) -> None:
        if write.kind == "put":
            command = moment.command
            is_open = command.schedulable if isinstance(command, AddNode) else write.after.schedulable
            self._tell_schedulable(moment, write.key, is_open)
        else:
            self._removed = write.key

    def _schedulable(self, moment: Moment, write: Write) -> None:
        self._tell_schedulable(moment, write.record.id, write.after)

    def _tell_schedulable(self, moment: Moment, node_id: str, is_open: bool) -> None:
        self._add(moment, NODE, node_id, SET, SCHEDULABLE, message=f"schedulable: {'true' if is_open else 'false'}")

    def _capacity(self, moment: Moment, write: Write) -> None:
        self._add(moment, NODE, write.record.id, SET, CAPACITY, resource=write.after)
        told, self._new_total = self._new_total, None
        if told is not None:
            self.ring.add(told)

    def _on_node(self, moment: Moment, write: Write) -> None:
        joined, node = write.kind == "put", write.record
        held: Allocation = write.after if joined else write.before
        if node.id == self._removed:
            return  # of a node that leaves only this is told
        told = Told(moment.now_ns, NODE, node.id, ADD if joined else REMOVE, ON_NODE, held.key, resource=self._size(held))
        if not joined:
            self._leave_node(moment)
            self._left = (node, told)
        elif self._left is not None and self._left[0] is node and self._replaces(moment):
            # What takes a placeholder's place on its node comes and goes unseen.
            self._left = None
        else:
            self._leave_node(moment)
            self.ring.add(told)

    @staticmethod
    def _replaces(moment: Moment) -> bool:
        return isinstance(moment.command, Release) and moment.command.type == "PLACEHOLDER_REPLACED"

    def _leave_node(self, moment: Moment) -> None:
        left, self._left = self._left, None
        if left is not None:
            self.ring.add(left[1])

    def _reservation(self, moment: Moment, application_id: str, key: str, node_id: str, change: int) -> None:
        ask = self._keys.get((application_id, key))
        size = self._size(ask) if ask is not None else EMPTY
        self._add(moment, NODE, node_id, change, RESERVED, key, resource=size)

    # -- applications ------------------------------------------------------------------------------------------------

    def _moved(self, moment: Moment, event: events.ApplicationUpdated) -> None:
        """A new state. What made it come is told only where it is not just the event of that name."""
        if event.state in ("Completed", "Failed"):
            self._finished = event.application_id
        message = "" if event.message.endswith("Application") else event.message
        if message == RAN_OUT:
            self._ran_out = event.application_id
        told = Told(moment.now_ns, APPLICATION, event.application_id, SET, STATES[event.state], message=message)
        if self._gathering is None and isinstance(moment.command, AddAllocation):
            # The node takes what already runs there before the application hears of it.
            self._gathering = Joining()
        if self._gathering is None and event.application_id == self._departed:
            # It is judged after its user, whether or not it held something.
            self._gathering = Leaving(one_by_one=False)
        if self._gathering is not None:
            self._gathering.states.append(told)
        else:
            self.ring.add(told)

    def _ask(self, moment: Moment, write: Write) -> None:
        joined = write.kind == "put"
        ask: Allocation = write.after if joined else write.before
        self._keys[ask.application_id, ask.key] = ask
        if joined and isinstance(moment.command, AddAsk | AddAllocation) and moment.command.ask.key == ask.key:
            self._sizes[ask] = moment.command.ask.resource
        if (joined and isinstance(moment.command, AddAllocation)) or (not joined and write.record.id == self._finished):
            return  # what runs already was never asked for, and what still waits ends with its application unseen
        detail = ASKED if joined else ASK_RAN_OUT if write.record.id == self._ran_out else ASK_GONE
        self._add(moment, APPLICATION, write.record.id, ADD if joined else REMOVE, detail, ask.key, resource=self._size(ask))

    def _allocation(self, moment: Moment, write: Write) -> None:
        joined = write.kind == "put"
        held: Allocation = write.after if joined else write.before
        told = Told(
            moment.now_ns,
            APPLICATION,
            write.record.id,
            ADD if joined else REMOVE,
            ALLOCATED if joined else self._end(moment),
            held.key,
            resource=self._size(held),
        )
        if joined:
            joining = self._gathering if isinstance(self._gathering, Joining) else Joining()
            joining.users_first = held.placeholder
            self._gathering = joining
        else:
            leaving = self._gathering if isinstance(self._gathering, Leaving) else Leaving()
            command = moment.command
            leaving.one_by_one = isinstance(command, RemoveNode) or (isinstance(command, Release) and command.key != "")
            self._gathering = leaving
        self._gathering.ends.append(told)

    @staticmethod
    def _end(moment: Moment) -> int:
        if isinstance(moment.command, RemoveNode):
            return BY_NODE
        return ENDS.get(moment.command.type, 500) if isinstance(moment.command, Release) else 500

    def _slots(self, moment: Moment, write: Write) -> None:
        self._add(moment, APPLICATION, write.record.id, NONE, HELD[write.field, write.after])

    # -- requests ----------------------------------------------------------------------------------------------------

    def _chosen(self, moment: Moment, write: Write) -> None:
        if write.after:
            self._victims.append(write.record)

    def _resized(self, moment: Moment, write: Write) -> None:
        self._sizes[write.record] = write.after

    def _size(self, allocation: Allocation) -> Resource:
        return self._sizes.get(allocation, allocation.resource)

    def _request(self, moment: Moment, ask: Allocation, message: str) -> None:
        self._add(moment, REQUEST, ask.key, reference=ask.application_id, message=message, resource=self._size(ask))

    def _preempted(self, moment: Moment, event: events.Preempted) -> None:
        path = self._queues.get(event.application_id, "")
        by = f"Preempted by {event.key} from application {event.application_id} in {path}"
        for victim in self._victims:
            self._request(moment, victim, by)
        self._victims.clear()

    def _logged(self, moment: Moment, write: Write) -> None:
        self._unschedulable.noted(write)

    def _tell_unschedulable(self, moment: Moment, write: Write | None) -> None:
        for ask, message in self._unschedulable.due(moment, write):
            self._request(moment, ask, message)

    # -- users and groups --------------------------------------------------------------------------------------------

    def _tracker(self, moment: Moment, write: Write) -> None:
        if write.kind == "put":
            self._kinds[write.after] = write.field

    def _level(self, moment: Moment, write: Write) -> None:
        tracker: Tracker = write.record
        at = (self._kinds[tracker], tracker.name, write.key)
        if write.kind == "put":
            self._levels[write.after] = at
        else:
            self._limits.dropped(*at)

    def _linked(self, moment: Moment, write: Write) -> None:
        if write.kind == "put" and write.after != NO_GROUP:
            self._add(moment, USER, write.after, SET, LINKED, write.key)
        elif write.kind == "dropped" and write.before != NO_GROUP:
            told = Told(moment.now_ns, USER, write.before, REMOVE, LINKED, write.key)
            if self._gathering is None:
                self.ring.add(told)
            else:
                self._unlink(self._gathering.users, told)

    def _owner(self, moment: Moment, write: Write) -> None:
        if write.kind == "put":
            self._owners[write.key] = write.after

    def _unlink(self, users: list[Told], unlinked: Told) -> None:
        """The link ends between user and group; the user is told even if the application held nothing of his."""
        if all(each.detail != USES["users"] for each in users):
            owner, path = self._owners[unlinked.reference], self._queues.get(unlinked.reference, "")
            users.insert(0, Told(unlinked.now_ns, USER, owner, REMOVE, USES["users"], path))
        users.insert(next((n for n, each in enumerate(users) if each.detail == USES["groups"]), len(users)), unlinked)

    def _table(self, moment: Moment, write: Write) -> None:
        self._limits.table(write.after)

    def _user_limit(self, moment: Moment, write: Write) -> None:
        self._limits.stored(*self._levels[write.record], write.field, write.after)

    def _tell_limits(self, moment: Moment) -> None:
        for change, detail, name, path in self._limits.due():
            self._add(moment, USER, name, change, detail, path)

    def _used(self, moment: Moment, write: Write) -> None:
        """Told once for the queue of the application, not for those above it."""
        kind, name, path = self._levels[write.record]
        if path not in self._leaves:
            return
        resized = isinstance(moment.command, AddAsk | AddAllocation)
        more = resized or write.kind == "raised" or (write.kind == "set" and _grew(write))
        amount = prune(write.key) if write.kind != "set" else _difference(write, signed=resized)
        if write.after is None:
            return  # the count starts anew
        told = Told(moment.now_ns, USER, name, ADD if more else REMOVE, USES[kind], path, resource=amount)
        if self._gathering is not None:
            self._gathering.users.append(told)
        else:
            self.ring.add(told)


def _grew(write: Write) -> bool:
    return any(amount > (write.before or EMPTY).get(name, 0) for name, amount in (write.after or EMPTY).items())


def _difference(write: Write, *, signed: bool) -> Resource:
    after, before = write.after or EMPTY, write.before or EMPTY
    return prune(sub(after, before) if signed or _grew(write) else sub(before, after))

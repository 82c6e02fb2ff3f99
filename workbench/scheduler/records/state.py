"""The scheduler's state: slotted records that only `journal.py` writes, so that every change can be undone.

Records hold no behaviour. A dict in a record is written through the journal too. No decision depends on the order of a
dict: whoever walks one sorts it, or knows that the order carries no meaning. `seq` fields number objects in creation
order and close every tie. Chapter 04 describes the objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.config.acl import Acl
from workbench.config.model import ChildTemplate, PartitionConfig, SchedulerConfig
from workbench.config.properties import QueueSettings
from workbench.scheduler.releases import profiles
from workbench.values.resources import EMPTY, Resource

if TYPE_CHECKING:
    from workbench.scheduler.placement.rule import Rule

RECOVERY_QUEUE = "root.@recovery@"
"""Path of the queue for applications that have to be taken whatever the rules say (PL-57)."""

NO_PRIORITY = -(2**31)
"""The value of a queue or application with nothing pending (R-602)."""


@dataclass(slots=True, eq=False)
class Allocation:
    """An ask while `node_id` is empty, an allocation once it has a node: one record, one key (R-470)."""

    key: str
    application_id: str
    seq: int
    resource: Resource
    priority: int
    created_ns: int
    task_group: str
    placeholder: bool
    originator: bool
    allow_preempt_self: bool
    allow_preempt_other: bool
    required_node: str
    allowed_nodes: frozenset[str] | None
    tags: Mapping[str, str]
    foreign: bool = False
    node_id: str = ""
    allocated: bool = False
    bound_ns: int | None = None
    """When it became an allocation."""
    released: bool = False
    preempted: bool = False
    preemption_triggered: bool = False
    preemption_checked_ns: int | None = None
    scheduling_attempted: bool = False
    scale_up_triggered: bool = False
    replacement: Allocation | None = None
    """Placeholder to its real allocation, and back (R-473)."""
    lacks_queue_room: bool = False
    lacks_user_room: bool = False
    """The last answers that observers were told (R-582)."""
    node_selector: Mapping[str, str] = field(default_factory=dict)
    tolerations: tuple[str, ...] = ()
    place: int = 0
    """Settles the request order among equals in priority and age; see `request_order` (R-550)."""
    log: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The core's own texts on why it was not placed: message -> (count, last time in ns), R-474."""


@dataclass(slots=True, eq=False)
class TaskGroup:
    """Placeholders of one name in one application (R-477, R-714)."""

    name: str
    size: Resource
    count: int = 0
    replaced: int = 0
    timed_out: int = 0


@dataclass(slots=True, eq=False)
class Application:
    id: str
    seq: int
    queue: Queue | None
    """None until it is placed, and for good when it is refused."""
    queue_path: str
    user: str
    groups: tuple[str, ...]
    tags: Mapping[str, str]
    placeholder_ask: Resource
    gang_style: str
    placeholder_timeout_ns: int
    submitted_ns: int
    state: str = "New"
    state_log: tuple[tuple[int, str], ...] = ()
    """(time in ns, state) for every state entered after New (R-454)."""
    asks: dict[str, Allocation] = field(default_factory=dict)
    """Every request the application knows, allocated ones included, by key."""
    ask_order: list[Allocation] = field(default_factory=list)
    """Those of them that wait or once waited, in request order (R-549)."""
    pending_priorities: dict[int, int] = field(default_factory=dict)
    """Priority -> how many pending asks have it (R-610)."""
    allocations: dict[str, Allocation] = field(default_factory=dict)
    task_groups: dict[str, TaskGroup] = field(default_factory=dict)
    reservations: dict[str, str] = field(default_factory=dict)
    """Ask key -> node id."""
    pending: Resource = EMPTY
    allocated: Resource = EMPTY
    placeholder_allocated: Resource = EMPTY
    peak: Resource = EMPTY
    priority: int = NO_PRIORITY
    backoff_until_ns: int | None = None
    held_by_queue: bool = False
    held_by_user: bool = False
    """The last answers that observers were told (R-543)."""
    state_timer: int | None = None
    placeholder_timer: int | None = None
    completing_timed_out: bool = False
    """The 30 s of Completing passed while placeholders were left (R-741)."""
    started_ns: int | None = None
    finished_ns: int | None = None
    rejection: str = ""
    astray: tuple[tuple[str, Resource], ...] = ()
    """Sums that are more than their parts hold, by so much: see `miscounts`."""

    @property
    def leaf(self) -> Queue:
        """The queue of an application that was placed in one; nobody asks another."""
        assert self.queue is not None
        return self.queue


@dataclass(slots=True, eq=False)
class Queue:
    name: str
    path: str
    parent: Queue | None
    seq: int
    is_leaf: bool
    is_managed: bool
    settings: QueueSettings
    """Typed values of the properties in force."""
    properties: Mapping[str, str]
    """Merged properties in force, as text (C-130)."""
    own_properties: Mapping[str, str]
    """Properties listed in the queue's own definition."""
    maximum: Resource | None
    guaranteed: Resource | None
    max_applications: int
    submit_acl: Acl
    admin_acl: Acl
    template: ChildTemplate | None
    status: str = "Active"
    children: dict[str, Queue] = field(default_factory=dict)
    """By short name, lower case."""
    applications: dict[str, Application] = field(default_factory=dict)
    allocated: Resource = EMPTY
    pending: Resource = EMPTY
    preempting: Resource = EMPTY
    running_applications: int = 0
    allocating_accepted: dict[str, None] = field(default_factory=dict)
    """Ids of Accepted applications that already hold something (R-427)."""
    reserved_applications: dict[str, int] = field(default_factory=dict)
    """Application id -> number of reservations; leaf only."""
    priority_inputs: dict[str, int] = field(default_factory=dict)
    """Last value received from each application or child queue (R-634)."""
    priority_tally: dict[int, int] = field(default_factory=dict)
    """Value -> how many of them have it."""
    raw_priority: int = NO_PRIORITY
    """The highest of them when one last arrived (R-620)."""
    priority: int = NO_PRIORITY
    """Current priority, after offset and fence (R-621)."""
    priority_settings: QueueSettings | None = None
    """The settings by which its value was last passed up; others than the present ones since a reload (R-644)."""
    quota_start_ns: int | None = None
    """When quota preemption may start; None while nothing is to be enforced (P-132)."""
    astray: tuple[tuple[str, Resource], ...] = ()
    """Sums that are more than their parts hold, by so much: see `miscounts`."""


@dataclass(slots=True, eq=False)
class Node:
    id: str
    seq: int
    attributes: Mapping[str, str]
    capacity: Resource
    available: Resource
    allocated: Resource = EMPTY
    occupied: Resource = EMPTY
    schedulable: bool = True
    taints: tuple[str, ...] = ()
    allocations: dict[str, Allocation] = field(default_factory=dict)
    """Of this scheduler, by key; foreign ones are in `foreign`. The core keeps one table for both: a key is in one of them."""
    foreign: dict[str, Allocation] = field(default_factory=dict)
    reservations: dict[str, str] = field(default_factory=dict)
    """Ask key -> application id."""
    reserved_ns: dict[str, int] = field(default_factory=dict)
    """Ask key -> when the node was reserved for it (R-931)."""
    score: float = 0.0
    """Sort score as stored at the last refreshing change (R-559)."""
    astray: tuple[tuple[str, Resource], ...] = ()
    """Sums that are more than their parts hold, by so much: see `miscounts`."""


NO_GROUP = ""
"""The group of an application that counts in none."""


@dataclass(slots=True, eq=False)
class UsageLevel:
    """What one user or group holds at one queue, and the limit in force there. PL-100."""

    maximum: Resource | None = None
    max_applications: int = 0
    usage: Resource | None = None
    """None until something is counted here; what is given back before that is not noticed."""
    applications: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Tracker:
    """One user or group: queue path -> level."""

    name: str
    levels: dict[str, UsageLevel] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class UserManager:
    """Users, groups and their limits in one partition."""

    table: Any
    """The configured limits, a `users.LimitTable`."""
    users: dict[str, Tracker] = field(default_factory=dict)
    groups: dict[str, Tracker] = field(default_factory=dict)
    group_of: dict[str, str] = field(default_factory=dict)
    """Application id -> the group it counts in, NO_GROUP for none (PL-110)."""
    owner_of: dict[str, str] = field(default_factory=dict)
    """Application id -> its user, for as long as its group is known."""


@dataclass(slots=True, eq=False)
class Partition:
    name: str
    config: PartitionConfig
    root: Queue
    node_policy: str
    node_weights: Mapping[str, float]
    preemption_enabled: bool
    quota_preemption_enabled: bool
    users: UserManager
    placement_rules: tuple[Rule, ...] | None
    """None: the rule set could not be built and every application is rejected (PL-23)."""
    profile: profiles.Profile = profiles.DEFAULT
    """The release, as in the cluster."""
    status: str = "Active"
    total: Resource = EMPTY
    """Sum of the node capacities (R-402)."""
    nodes: dict[str, Node] = field(default_factory=dict)
    applications: dict[str, Application] = field(default_factory=dict)
    """Active ones, by id."""
    completed: dict[str, Application] = field(default_factory=dict)
    """Completed and failed ones, by `<id>-<unix seconds>` (R-405)."""
    rejected: dict[str, Application] = field(default_factory=dict)
    foreign: dict[str, Allocation] = field(default_factory=dict)
    """By key, as first reported: on that node they are looked for when they are released (R-415)."""
    reservation_count: int = 0
    placeholder_count: int = 0


@dataclass(slots=True, eq=False)
class Timer:
    """Something that happens to an application at `due_ns`; `kind` is the event raised, or names the handler (R-452)."""

    id: int
    due_ns: int
    kind: str
    partition: Partition
    application: Application


@dataclass(slots=True, eq=False)
class Cluster:
    """Everything. The registration with the configuration happens at time 0."""

    config: SchedulerConfig
    profile: profiles.Profile = profiles.DEFAULT
    """The release: set once, never changed."""
    now_ns: int = 0
    cycle: int = 0
    """Cycles run so far."""
    next_seq: int = 0
    partitions: dict[str, Partition] = field(default_factory=dict)
    """By lower-case name."""
    timers: dict[int, Timer] = field(default_factory=dict)
    user_group_resolver: str = ""
    """Type of the resolver of the first partition, kept through every change of the configuration (PL-17, C-157)."""
    identities: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """User -> groups as last given or resolved; no groups: it failed; entries never expire (PL-15 to PL-17)."""

"""Small clusters and single records for facts about one question. Real records, made by hand or by the engine itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.config.acl import NOBODY
from workbench.config.model import EMPTY as NO_PROPERTIES
from workbench.config.model import NodeSorting, PartitionConfig, QueueConfig, SchedulerConfig
from workbench.config.properties import settings
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import Command
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Event
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import NO_PRIORITY, Allocation, Application, Partition, Queue
from workbench.scheduler.releases.profiles import DEFAULT, Profile
from workbench.values.resources import EMPTY, Resource

LEAF = "root.leaf"
NODE = "node"
DEFAULT_NODE_SORTING = NodeSorting()


class Cluster:
    """An engine with one partition, and a pen to write where no command leads.

    Args:
        queues: below root.
        properties: of root.
        node_sorting: policy and weights.
        release: of the engine.
    """

    def __init__(
        self,
        *queues: QueueConfig,
        properties: Mapping[str, str] = NO_PROPERTIES,
        node_sorting: NodeSorting = DEFAULT_NODE_SORTING,
        release: str = DEFAULT.version,
    ):
        root = QueueConfig(name="root", parent=True, submit_acl="*", queues=queues, properties=properties)
        # Not validated: the facts include texts that validation refuses.
        partition = PartitionConfig(queues=(root,), node_sorting=node_sorting)
        self.engine = Engine(SchedulerConfig(partitions=(partition,)), release=release, history=False)
        self.context = Context(Journal(history=False), self.engine.state)

    @property
    def partition(self) -> Partition:
        """The only one."""
        return self.engine.state.partitions["default"]

    def send(self, *commands: Command) -> list[Event]:
        """Apply commands in order; what they caused."""
        return [event for command in commands for event in self.engine.apply(command)]


def queue(
    name: str,
    *,
    parent: Queue | None = None,
    seq: int = 0,
    properties: Mapping[str, str] = NO_PROPERTIES,
    is_leaf: bool = True,
    maximum: Mapping[str, int] | None = None,
    guaranteed: Mapping[str, int] | None = None,
    allocated: Mapping[str, int] | None = None,
    pending: Mapping[str, int] | None = None,
    priority: int | None = None,
    status: str = "Active",
    profile: Profile = DEFAULT,
) -> Queue:
    """A queue record. `priority` None: nothing pending. `profile` says what the properties mean."""
    path = f"{parent.path}.{name}" if parent else name
    made = Queue(
        name=name,
        path=path,
        parent=parent,
        seq=seq,
        is_leaf=is_leaf,
        is_managed=True,
        settings=settings(properties, is_leaf=is_leaf, table=profile.properties),
        properties=properties,
        own_properties=properties,
        maximum=resource_or_none(maximum),
        guaranteed=resource_or_none(guaranteed),
        max_applications=0,
        submit_acl=NOBODY,
        admin_acl=NOBODY,
        template=None,
        status=status,
        allocated=Resource(allocated),
        pending=Resource(pending),
        priority=NO_PRIORITY if priority is None else priority,
    )
    if parent is not None:
        parent.children[name] = made
    return made


def application(id: str, leaf: Queue, *, seq: int = 0, submitted_ns: int = 0, **fields: Any) -> Application:
    """An application record in a leaf."""
    made = Application(
        id=id,
        seq=seq,
        queue=leaf,
        queue_path=leaf.path,
        user="user",
        groups=(),
        tags=NO_PROPERTIES,
        placeholder_ask=EMPTY,
        gang_style="",
        placeholder_timeout_ns=0,
        submitted_ns=submitted_ns,
        **fields,
    )
    leaf.applications[id] = made
    return made


def ask(key: str, application_id: str, *, seq: int = 0, priority: int = 0, created_ns: int = 0) -> Allocation:
    """A pending ask of one core."""
    return Allocation(
        key=key,
        application_id=application_id,
        seq=seq,
        resource=Resource(vcore=1000),
        priority=priority,
        created_ns=created_ns,
        task_group="",
        placeholder=False,
        originator=False,
        allow_preempt_self=True,
        allow_preempt_other=True,
        required_node="",
        allowed_nodes=None,
        tags=NO_PROPERTIES,
    )


def resource_or_none(amounts: Mapping[str, int] | None) -> Resource | None:
    """None stays None: not set."""
    return None if amounts is None else Resource(amounts)

"""What can be asked of the scheduler, as frozen data. A list of commands is a scenario; replayed, it gives the same result.

Times are integer nanoseconds of simulated time, resources are `Resource` (vcore in millicores, memory in bytes).
Chapter 04 section 8 describes the messages, conformance/scenarios/README.md the recorded form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Union

from workbench.config.model import SchedulerConfig
from workbench.config.write.export import text_of
from workbench.values.frozen import own_copies
from workbench.values.resources import Resource

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSpec:
    """One ask, or one allocation that already runs (R-472). `created_ns` None: created when it arrives.

    `allowed_nodes`, `node_selector` and `tolerations` are read by the predicates: None or nothing accepts every node,
    otherwise only listed nodes, nodes with these attributes, and nodes whose taints are tolerated will do.
    """

    application_id: str
    key: str
    resource: Resource
    priority: int = 0
    created_ns: int | None = None
    task_group: str = ""
    placeholder: bool = False
    originator: bool = False
    allow_preempt_self: bool = True
    allow_preempt_other: bool = True
    required_node: str = ""
    allowed_nodes: tuple[str, ...] | None = None
    node_selector: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    tolerations: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    def __post_init__(self) -> None:
        own_copies(self, "allowed_nodes", "node_selector", "tolerations", "tags")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationSpec:
    """An application as submitted (R-440). `execution_timeout_ns` is the placeholder time-out, 0 for the default."""

    id: str
    queue: str = ""
    user: str = ""
    groups: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    placeholder_ask: Resource | None = None
    gang_style: str = ""
    execution_timeout_ns: int = 0

    def __post_init__(self) -> None:
        own_copies(self, "groups", "tags")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddNode:
    """A node registers. `schedulable` false registers it draining (R-411). Taints read `key=value:NoSchedule`."""

    node_id: str
    capacity: Resource
    attributes: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    schedulable: bool = True
    taints: tuple[str, ...] = ()
    partition: str = "default"

    def __post_init__(self) -> None:
        own_copies(self, "attributes", "taints")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateNode:
    """The node's new capacity (R-410, R-411)."""

    node_id: str
    capacity: Resource
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrainNode:
    """The node takes no new placements by the node walk (R-412)."""

    node_id: str
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class UndrainNode:
    """The node becomes schedulable again."""

    node_id: str
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveNode:
    """The node leaves; what ran on it is released (R-413, R-414)."""

    node_id: str
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddApplication:
    """An application is submitted (R-445, PL-1)."""

    application: ApplicationSpec
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveApplication:
    """The resource manager removes an application (R-446)."""

    application_id: str
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAsk:
    """An ask arrives, or an update of a known key (R-475)."""

    ask: AskSpec
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAllocation:
    """Something that already runs on `node_id` is reported (R-476, R-415 when foreign)."""

    ask: AskSpec
    node_id: str
    foreign: bool = False
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The resource manager releases, or confirms the release of, one key; an empty key is all of them (R-490, R-491)."""

    application_id: str
    key: str
    type: str = "STOPPED_BY_RM"
    partition: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateConfig:
    """A new queue configuration (C-150).

    Attributes:
        config: text of the queues.yaml, as the resource manager sends it, "" for the default; or a loaded configuration, whose
            text is written when it is wanted.
    """

    config: str | SchedulerConfig

    @property
    def text(self) -> str:
        """Text of the queues.yaml."""
        return text_of(self.config)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """Simulated time passes; timers that fall due fire in it, at their instant."""

    ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """One scheduling cycle of every partition, at the present instant (R-505). No time passes."""


Command = Union[
    AddNode,
    UpdateNode,
    DrainNode,
    UndrainNode,
    RemoveNode,
    AddApplication,
    RemoveApplication,
    AddAsk,
    AddAllocation,
    Release,
    UpdateConfig,
    Advance,
    Cycle,
]
"""What the engine carries out."""

KINDS: Mapping[type, str] = {
    AddNode: "add_node",
    UpdateNode: "update_node",
    DrainNode: "drain_node",
    UndrainNode: "undrain_node",
    RemoveNode: "remove_node",
    AddApplication: "add_app",
    RemoveApplication: "remove_app",
    AddAsk: "add_ask",
    AddAllocation: "add_allocation",
    Release: "release",
    UpdateConfig: "update_config",
    Advance: "advance",
    Cycle: "cycle",
}
"""Command -> what it is called in scenario files, tables and errors."""

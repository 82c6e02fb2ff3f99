"""The queue configuration as frozen objects: what queues.yaml says, not yet what it means.

Quantities and property values stay the text that was written, so that a configuration can be exported again
unchanged and be validated in the core's own order. Rules C-10 to C-24; keys as in section 3 of chapter 02.
`line` fields hold the line of the YAML text that an object came from (None when it came from code) and take no
part in comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

EMPTY: Mapping[str, str] = MappingProxyType({})
NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})

_LINE = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcesConfig:
    """`resources` of a queue or template. None: the key is absent, which differs from an empty map on root (C-34)."""

    guaranteed: Mapping[str, str] | None = None
    max: Mapping[str, str] | None = None
    line: int | None = _LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildTemplate:
    """`childtemplate`: settings of the dynamic leaves created below a parent queue (C-140 to C-144)."""

    max_applications: int = 0
    properties: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    resources: ResourcesConfig = ResourcesConfig()
    line: int | None = _LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One entry of `limits`: for the listed users and groups, in this queue and everything below (C-86 to C-99)."""

    limit: str = ""
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    max_applications: int = 0
    max_resources: Mapping[str, str] | None = None
    line: int | None = _LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFilter:
    """`filter` of a placement rule (PL-60 to PL-66)."""

    type: str = ""
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementRule:
    """One placement rule; `parent` is the rule that yields the parent queue."""

    name: str = ""
    create: bool = False
    value: str = ""
    parent: PlacementRule | None = None
    filter: RuleFilter = RuleFilter()
    line: int | None = _LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSorting:
    """`nodesortpolicy`: `type` empty means fair; no weights means vcore 1.0 and memory 1.0 (R-556, R-561)."""

    type: str = ""
    weights: Mapping[str, float] = field(default_factory=lambda: NO_WEIGHTS)
    line: int | None = _LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class PreemptionSwitches:
    """`preemption` of a partition. None: the key is absent and the default holds (enabled true, quota false)."""

    enabled: bool | None = None
    quota_enabled: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueConfig:
    """One configured queue. `max_applications` 0 is unlimited; ACL texts empty allow nobody."""

    name: str
    parent: bool = False
    queues: tuple[QueueConfig, ...] = ()
    max_applications: int = 0
    resources: ResourcesConfig = ResourcesConfig()
    properties: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    admin_acl: str = ""
    submit_acl: str = ""
    child_template: ChildTemplate | None = None
    limits: tuple[Limit, ...] = ()
    line: int | None = _LINE


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionConfig:
    """One partition. After loading, `queues` holds exactly the root (C-20) and `name` is never empty (C-23).

    `queues` is None when the key is absent or null, which validation refuses (C-22).
    """

    name: str = "default"
    queues: tuple[QueueConfig, ...] | None = None
    placement_rules: tuple[PlacementRule, ...] = ()
    limits: tuple[Limit, ...] = ()
    node_sorting: NodeSorting = NodeSorting()
    preemption: PreemptionSwitches = PreemptionSwitches()
    user_group_resolver: str = ""
    line: int | None = _LINE

    @property
    def root(self) -> QueueConfig:
        """The root queue of a loaded partition."""
        assert self.queues is not None and len(self.queues) == 1
        return self.queues[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerConfig:
    """A whole queues.yaml.

    Attributes:
        text: what it was read from, "" when it was made in code or edited.
        origin: the text of what was edited to make it, so that comments and layout are kept when it is written.
    """

    partitions: tuple[PartitionConfig, ...] = ()
    checksum: str = ""
    text: str = field(default="", compare=False, repr=False)
    origin: str = field(default="", compare=False, repr=False)
    late: dict[str, SchedulerConfig] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What `written` made of it when it was first asked; of no other configuration, and it decides nothing."""

    def partition(self, name: str = "default") -> PartitionConfig:
        """The partition of that name. KeyError if there is none."""
        for partition in self.partitions:
            if partition.name.lower() == name.lower():
                return partition
        raise KeyError(name)

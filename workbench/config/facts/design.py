"""One partition of a valid configuration as checks look at it: the tree with what each queue will have in force.

What is computed here is what loading would give (C-120 to C-124, C-130): merged properties, typed settings, the
guaranteed and maximum that are really kept, and the maximum in force below all queues above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.config.acl import Acl
from workbench.config.facts.lines import KeyLines, key_lines
from workbench.config.facts.routes import Routes
from workbench.config.model import PartitionConfig, QueueConfig, ResourcesConfig, SchedulerConfig
from workbench.config.properties import PROPERTIES, Property, QueueSettings, merged, settings
from workbench.config.read.tree_shape import ROOT
from workbench.values.errors import ConfigError
from workbench.values.quantities import QuantityError, format_quantity
from workbench.values.resources import Resource, component_wise_min, from_config, strictly_greater_than_zero


class Place(NamedTuple):
    """A queue of a partition by its lower-case path; "" for the partition itself."""

    partition: str = "default"
    path: str = ""


@dataclass(slots=True, eq=False)
class QueueFacts:
    """A configured queue and what holds for it once it is loaded.

    `guaranteed` and `maximum` are None where nothing is kept of them (C-122); `limit` is the smallest maximum of each
    type from here to the top, without the root's.
    """

    config: QueueConfig
    path: str
    parent: QueueFacts | None
    is_leaf: bool
    properties: Mapping[str, str]
    settings: QueueSettings
    guaranteed: Resource | None
    maximum: Resource | None
    limit: Resource | None
    children: list[QueueFacts] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return self.path.count(".")

    def up(self) -> Iterator[QueueFacts]:
        """The queue itself and everything above it."""
        at: QueueFacts | None = self
        while at is not None:
            yield at
            at = at.parent

    def down(self) -> Iterator[QueueFacts]:
        """The queue itself and everything below it, parents first."""
        yield self
        for child in self.children:
            yield from child.down()

    def leaves(self) -> list[QueueFacts]:
        """The leaves at or below the queue."""
        return [at for at in self.down() if at.is_leaf]

    @property
    def acls(self) -> tuple[Acl, ...]:
        """Those of the queue itself that can be read."""
        found = []
        for text in (self.config.submit_acl, self.config.admin_acl):
            try:
                found.append(Acl.parse(text))
            except ConfigError:  # loading reports it (C-102)
                continue
        return tuple(found)

    @property
    def lets_everybody_in(self) -> bool:
        return any(acl.everybody for acl in self.acls)

    @property
    def lets_anybody_in(self) -> bool:
        return any(acl.everybody or acl.users or acl.groups for acl in self.acls)

    def has(self, key: str) -> bool:
        """Whether the queue itself lists the property."""
        return key in self.config.properties


@dataclass(slots=True, eq=False)
class Design:
    """A partition with its tree; `queues` by path, parents first, siblings in written order.

    `table` has the properties that the release knows; `passes_on`: a reload gives what a queue lists to those below, so that what
    is inherited counts as what is listed (R-940).
    """

    config: SchedulerConfig
    partition: PartitionConfig
    position: int
    queues: dict[str, QueueFacts]
    lines: KeyLines
    routes: Routes
    table: Mapping[str, Property] = field(default_factory=lambda: PROPERTIES)
    passes_on: bool = False

    @property
    def quota_key(self) -> str | None:
        """The property that gives the delay of quota preemption, in the release (P-131, R-901); None if it has none."""
        return next((key for key, known in self.table.items() if known.field == "quota_preemption_delay_ns"), None)

    @property
    def name(self) -> str:
        return self.partition.name

    @property
    def root(self) -> QueueFacts:
        return next(iter(self.queues.values()))

    @property
    def leaves(self) -> list[QueueFacts]:
        return [queue for queue in self.queues.values() if queue.is_leaf]

    @property
    def preempts(self) -> bool:
        """Whether general preemption is on; without the key it is (P-11)."""
        return self.partition.preemption.enabled is not False

    @property
    def preempts_for_quota(self) -> bool:
        return self.partition.preemption.quota_enabled is True

    def grows(self, queue: QueueFacts) -> bool:
        """Whether placement rules may create queues somewhere below this one."""
        return any(not at.is_leaf and self.routes.creates_in(at.path) for at in queue.down())

    def line_of(self, queue: QueueFacts | None, key: str = "") -> int | None:
        """The line of a key of a queue, or of the partition for None; else of the queue; None if there is no text."""
        line = self.lines.get((self.position, queue.path if queue is not None else "", key)) if key else None
        if line is not None:
            return line
        return queue.config.line if queue is not None else self.partition.line

    def place(self, queue: QueueFacts | None = None) -> Place:
        """Of a queue, or of the partition for None."""
        return Place(self.name, queue.path if queue is not None else "")


def designs(config: SchedulerConfig, *, table: Mapping[str, Property] = PROPERTIES, passes_on: bool = False) -> Iterator[Design]:
    """The partitions of a valid configuration, as a release takes them (see `Design`)."""
    lines = key_lines(config)
    for position, partition in enumerate(config.partitions):
        queues = queues_of(partition, table=table)
        parents = frozenset(path for path, queue in queues.items() if not queue.is_leaf)
        open_ = frozenset(path for path, queue in queues.items() if any(at.lets_everybody_in for at in queue.up()))
        routes = Routes(partition.placement_rules, parents, frozenset(queues) - parents, open_)
        yield Design(config, partition, position, queues, lines, routes, table, passes_on)


def queues_of(partition: PartitionConfig, *, table: Mapping[str, Property] = PROPERTIES) -> dict[str, QueueFacts]:
    """The configured queues of a partition by path, parents first, siblings in written order."""
    queues: dict[str, QueueFacts] = {}
    _add(queues, partition.root, None, table)
    return queues


def _add(queues: dict[str, QueueFacts], config: QueueConfig, parent: QueueFacts | None, table: Mapping[str, Property]) -> None:
    name = config.name.lower()
    is_leaf = not config.parent and not config.queues
    properties = merged(parent.properties if parent else {}, config.properties)
    # Quirk: every queue named root goes without resources, nested ones too. C-121
    resources = ResourcesConfig() if config.name == ROOT else config.resources
    maximum = kept(resources.max)
    queue = QueueFacts(
        config=config,
        path=f"{parent.path}.{name}" if parent else name,
        parent=parent,
        is_leaf=is_leaf,
        properties=properties,
        settings=settings(properties, is_leaf=is_leaf, table=table),
        guaranteed=kept(resources.guaranteed),
        maximum=maximum,
        limit=component_wise_min(maximum, parent.limit if parent else None),
    )
    queues[queue.path] = queue
    if parent is not None:
        parent.children.append(queue)
    for child in config.queues:
        _add(queues, child, queue, table)


def kept(texts: Mapping[str, str] | None) -> Resource | None:
    """The quantities that loading keeps: None unless one is positive (C-122), or when they cannot be read (templates)."""
    try:
        resource = from_config(texts)
    except QuantityError:
        return None
    return resource if strictly_greater_than_zero(resource) else None


def texts_with(texts: Mapping[str, str] | None, changed: Mapping[str, int | None]) -> dict[str, str] | None:
    """Quantity texts with some types changed, or removed with None; None when nothing is left."""
    result = dict(texts or {})
    for kind, amount in changed.items():
        if amount is None:
            result.pop(kind, None)
        else:
            result[kind] = format_quantity(amount, kind)
    return result or None

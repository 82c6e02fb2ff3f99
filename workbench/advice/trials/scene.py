"""The small workloads that trials are made of: designs without what is in the way, one node, what holds it and what is asked for.

The design is tried as it is, except for what would only be in the way: placement rules, access, limits and numbers of
applications, unless they are what is tried. Where the design has no queue to stand for the others, one is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from workbench.config.facts import Design, QueueFacts
from workbench.config.model import PartitionConfig, QueueConfig, SchedulerConfig
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec
from workbench.scheduler.records.events import Allocated, ApplicationRejected, Event, Released
from workbench.simulation.scenario import AdvanceMs, Happening, Schedule
from workbench.values.resources import EMPTY, Resource

NODE, OTHERS, HERE = "node-1", "others", "here"
PIECES = 4
CYCLES = 40
SECOND_MS, MS_NS = 1000, 10**6
PLENTY = 10**6


@dataclass(frozen=True, slots=True)
class Played:
    """The engine when all has happened, and everything that it answered."""

    engine: Engine
    events: tuple[Event, ...]

    def held(self, path: str, kind: str) -> int:
        queue = tree.find(self.engine.state.partitions["default"], path)
        return queue.allocated.get(kind, 0) if queue is not None else 0

    def placed(self, app: str) -> int:
        return sum(1 for event in self.events if isinstance(event, Allocated) and event.application_id == app)

    def stopped(self, app: str) -> int:
        return sum(
            1
            for event in self.events
            if isinstance(event, Released) and event.application_id == app and event.type == "PREEMPTED_BY_SCHEDULER"
        )

    def rejected(self, app: str) -> bool:
        return any(isinstance(event, ApplicationRejected) and event.application_id == app for event in self.events)


# ---- designs to try --------------------------------------------------------------------------------------------------


def opened(design: Design, *, rules: bool = False, counts: bool = False) -> PartitionConfig:
    """The partition by itself, without what has nothing to do with the trial."""
    partition = replace(design.partition, name="default", limits=())
    if rules:
        return partition
    root = _without_limits(partition.root) if not counts else partition.root
    return replace(partition, placement_rules=(), queues=(replace(root, submit_acl="*"),))


def _without_limits(queue: QueueConfig) -> QueueConfig:
    return replace(queue, limits=(), max_applications=0, queues=tuple(map(_without_limits, queue.queues)))


def alone(partition: PartitionConfig) -> SchedulerConfig:
    """A configuration of this partition only."""
    return SchedulerConfig(partitions=(partition,))


def with_others(partition: PartitionConfig, below: str) -> tuple[PartitionConfig, str]:
    """A further leaf below a queue, to stand for everybody else; its path."""

    def add(queue: QueueConfig, path: str) -> QueueConfig:
        if path != below:
            return replace(queue, queues=tuple(add(child, f"{path}.{child.name.lower()}") for child in queue.queues))
        return replace(queue, queues=(*queue.queues, QueueConfig(name=free)))

    taken = {child.name.lower() for queue in _walk(partition.root) for child in queue.queues}
    free = next(name for name in (f"{OTHERS}{'-' * number}" for number in range(len(taken) + 1)) if name not in taken)
    return replace(partition, queues=(add(partition.root, "root"),)), f"{below}.{free}"


def _walk(queue: QueueConfig) -> Iterator[QueueConfig]:
    yield queue
    for child in queue.queues:
        yield from _walk(child)


# ---- what happens in them --------------------------------------------------------------------------------------------


def node(**amounts: int) -> AddNode:
    """The node of a trial."""
    return AddNode(node_id=NODE, capacity=Resource(amounts))


def application(
    id: str, queue: str, *, user: str = "", groups: tuple[str, ...] = (), gang: Resource | None = None
) -> AddApplication:
    """An application of a user of the same name unless another is given; `gang` is what its placeholders need."""
    return AddApplication(application=ApplicationSpec(id=id, queue=queue, user=user or id, groups=groups, placeholder_ask=gang))


def _pieces(amount: int) -> list[int]:
    """The amount in a few parts, all of which are positive."""
    count = max(1, min(PIECES, amount))
    return [amount // count + (1 if number < amount % count else 0) for number in range(count)]


def holds(
    app: str, queue: str, kind: str, amount: int, *, besides: Mapping[str, int] | Resource = EMPTY, spared: bool = False
) -> list[Happening]:
    """An application that already holds so much of the node, and so much besides in each part; `spared`: not to be preempted."""
    specs = [
        AskSpec(
            application_id=app,
            key=f"{app}-{number}",
            resource=Resource({kind: part, **besides}),
            allow_preempt_self=not spared,
        )
        for number, part in enumerate(_pieces(amount))
        if part > 0
    ]
    return [application(app, queue), *(AddAllocation(ask=spec, node_id=NODE) for spec in specs)]


def wants(app: str, queue: str, kind: str, amount: int, *, each: int = 0) -> list[Happening]:
    """An application that asks for so much, in a few parts or in parts of one size."""
    parts = [each] * -(-amount // each) if each else _pieces(amount)
    specs = [
        AskSpec(application_id=app, key=f"{app}-{number}", resource=Resource({kind: part})) for number, part in enumerate(parts)
    ]
    return [application(app, queue), *(AddAsk(ask=spec) for spec in specs)]


def until_preemption(leaf: QueueFacts) -> list[Happening]:
    """Time enough for the asks of a leaf to preempt, and cycles enough to do so."""
    return [Schedule(2), AdvanceMs(leaf.settings.preemption_delay_ns // MS_NS + SECOND_MS), Schedule(CYCLES)]

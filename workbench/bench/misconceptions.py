"""Why somebody may have thought so: a wrong answer that another rule, or another design, would make right.

Each way of misreading a design is a design in which it would be no mistake: without fences, with the other policy. It is tried
on the present state, by the engine, as a reload of a running cluster; if then the answer would be right, that is what was
overlooked.
None of the replies names what is next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.bench import grading
from workbench.bench.prediction import NODE, NOTHING
from workbench.config.model import NodeSorting, PartitionConfig, QueueConfig, ResourcesConfig, SchedulerConfig
from workbench.explain import refusals
from workbench.explain.wording import listing, name
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.decision import Decision
from workbench.scheduler.records.refusals.taking_part import NothingPlaced, NotReached
from workbench.simulation.simulation import Simulation
from workbench.simulation.waiting import Waiting
from workbench.values.errors import ConfigError

MOST_WAITING, MOST_STEPS = 2000, 200
"""Where more waits nothing is tried, after more steps nothing from the start: this is for designs that one can look through."""

POLICY, OFFSET = "priority.policy", "priority.offset"
SORT, SORT_PRIORITY = "application.sort.policy", "application.sort.priority"
OTHER_SORT: Mapping[str, str] = {"fair": "fifo", "fifo": "fair", "": "fair", "stateaware": "fifo"}

Queues = Callable[[QueueConfig, bool], QueueConfig]
"""A queue, and whether it is inside a fence -> the queue as somebody misread it."""


@dataclass(frozen=True, slots=True)
class Misconception:
    """A design misread.

    Attributes:
        code: a word for it, as scores keep it.
        misread: the partition's configuration -> the one in which it would be no mistake.
        reply: what is told to whoever gave the answer, after that it would be next.
        from_the_start: it is also tried as the design from the start, where the answer would have been served by now.
    """

    code: str
    misread: Callable[[PartitionConfig], PartitionConfig]
    reply: str
    from_the_start: bool = False


def _each(change: Queues) -> Callable[[PartitionConfig], PartitionConfig]:
    def below(queue: QueueConfig, fenced: bool) -> QueueConfig:
        inside = fenced or queue.properties.get(POLICY) == "fence"
        return replace(change(queue, fenced), queues=tuple(below(child, inside) for child in queue.queues))

    return lambda partition: replace(partition, queues=(below(partition.root, False),))


def _with(**properties: str) -> Queues:
    named = {key.replace("_", "."): value for key, value in properties.items()}
    return lambda queue, _fenced: replace(queue, properties={**queue.properties, **named})


def _no_negative_offset(queue: QueueConfig, _fenced: bool) -> QueueConfig:
    offset = queue.properties.get(OFFSET, "")
    return replace(queue, properties={**queue.properties, OFFSET: "0"}) if offset.startswith("-") else queue


def _nothing_inside(queue: QueueConfig, fenced: bool) -> QueueConfig:
    return _with(priority_policy="default", priority_offset="0")(queue, fenced) if fenced else queue


def _other_sort(queue: QueueConfig, _fenced: bool) -> QueueConfig:
    other = OTHER_SORT.get(queue.properties.get(SORT, ""), "fifo")
    return queue if queue.queues else replace(queue, properties={**queue.properties, SORT: other})


def _other_sort_priority(queue: QueueConfig, _fenced: bool) -> QueueConfig:
    other = "enabled" if queue.properties.get(SORT_PRIORITY) == "disabled" else "disabled"
    return queue if queue.queues else replace(queue, properties={**queue.properties, SORT_PRIORITY: other})


def _without(kind: str) -> Queues:
    def change(queue: QueueConfig, _fenced: bool) -> QueueConfig:
        held: ResourcesConfig = (
            replace(queue.resources, guaranteed=None) if kind == "guaranteed" else replace(queue.resources, max=None)
        )
        return replace(queue, resources=held)

    return change


def _other_nodes(partition: PartitionConfig) -> PartitionConfig:
    other = "fair" if partition.node_sorting.type == "binpacking" else "binpacking"
    return replace(partition, node_sorting=replace(partition.node_sorting, type=other))


def _no_weights(partition: PartitionConfig) -> PartitionConfig:
    return replace(partition, node_sorting=NodeSorting(type=partition.node_sorting.type))


WAITING_MISREAD: Sequence[Misconception] = (
    Misconception(
        "fences",
        _each(_with(priority_policy="default")),
        "if no queue had a priority fence. What does a queue behind a fence show to its parent?",
    ),
    Misconception(
        "inside of fences",
        _each(_nothing_inside),
        "if requests inside a fence met directly. Inside, too, queues are compared by what they show.",
    ),
    Misconception(
        "negative offsets",
        _each(_no_negative_offset),
        "if no offset took anything away. An offset below 0 puts a queue behind others.",
        from_the_start=True,
    ),
    Misconception(
        "offsets",
        _each(_with(priority_offset="0")),
        "if no queue had an offset. An offset is added at every queue on the way up.",
    ),
    Misconception(
        "own priorities",
        _each(_with(priority_policy="default", priority_offset="0")),
        "if only the priorities of requests counted. But queues are compared first, by what they show.",
    ),
    Misconception(
        "order of applications",
        _each(_other_sort),
        "under the other application.sort.policy. Which one does the leaf have?",
    ),
    Misconception(
        "priority of applications",
        _each(_other_sort_priority),
        "if application.sort.priority were set the other way. Is priority compared before the policy here?",
    ),
    Misconception(
        "guarantees",
        _each(_without("guaranteed")),
        "if no queue had a guarantee. A share is what a queue uses divided by what it is guaranteed.",
    ),
    Misconception(
        "maxima",
        _each(_without("max")),
        "if no queue had a maximum. Is there room on the whole way up to root?",
    ),
    Misconception(
        "limits",
        lambda partition: _each(lambda queue, _fenced: replace(queue, limits=()))(replace(partition, limits=())),
        "if nobody had a limit. What may the user still take?",
    ),
    Misconception(
        "number of applications",
        _each(lambda queue, _fenced: replace(queue, max_applications=0)),
        "if any number of applications could run. How many do, and how many may?",
    ),
)
NODES_MISREAD: Sequence[Misconception] = (
    Misconception("order of nodes", _other_nodes, "under the other policy for nodes. Which node is tried first here?"),
    Misconception("weights", _no_weights, "if all resource types weighed the same."),
)


def recognised(
    answer: str, asked: str, simulation: Simulation, waiting: Sequence[Waiting], config: SchedulerConfig
) -> tuple[str, str]:
    """(code, reply) of what a wrong answer comes from; a code of "" where it is not recognised, with what can be said anyway."""
    partition = simulation.state.partitions[config.partitions[0].name.lower()]
    if answer.strip().lower() == NOTHING:
        return "nothing", NOT_NOTHING
    if asked == NODE:
        tried: Sequence[Misconception] = NODES_MISREAD
    else:
        stuck = _stuck(answer, simulation, waiting)
        if stuck:
            return "room", stuck
        tried = WAITING_MISREAD
    if len(waiting) <= MOST_WAITING:
        designs = [(each, misread_by(config, each)) for each in tried]
        for each, misread in designs:
            other = simulation.preview_under(misread) if misread.partitions != config.partitions else None
            if other is not None and grading.is_right(answer, asked, other, partition, waiting):
                return each.code, f"{name(answer)} {IN_FORCE[asked == NODE]} {each.reply}"
        # A reload does not hand an offset of its own up to the queues above, so that is tried from the start.
        for each, misread in designs if simulation.position <= MOST_STEPS else ():
            if each.from_the_start and misread.partitions != config.partitions:
                if any(grading.is_right(answer, asked, step, partition, waiting) for step in _served_under(misread, simulation)):
                    return each.code, f"{name(answer)} {FROM_THE_START} {each.reply}"
    return _where_it_lost(answer, simulation, waiting)


def misread_by(config: SchedulerConfig, by: Misconception) -> SchedulerConfig:
    """The configuration as somebody reads it who overlooks that."""
    return replace(config, partitions=(by.misread(config.partitions[0]), *config.partitions[1:]), text="")


def _served_under(config: SchedulerConfig, simulation: Simulation) -> tuple[Decision, ...]:
    """What would have been decided by the next step, had the design been that one from the start; nothing if it is refused."""
    try:
        other = simulation.with_config(config)
    except ConfigError:
        return ()
    other.run(max_steps=simulation.position + 1)
    return tuple(step.decision for step in other.steps)


def _stuck(answer: str, simulation: Simulation, waiting: Sequence[Waiting]) -> str:
    """Why everything that the answer stands for cannot be placed now, if that is what keeps it back."""
    found = _refused(answer, simulation, waiting)
    if not found or any(isinstance(each.refusal, (NotReached, NothingPlaced)) or each.refusal is None for each in found):
        return ""
    assert found[0].refusal is not None
    return f"{name(found[0].ask.key)} cannot be placed now: {refusals.reason(found[0].refusal)}"


def _where_it_lost(answer: str, simulation: Simulation, waiting: Sequence[Waiting]) -> tuple[str, str]:
    """(code, reply): where on its way the answer is behind something else, and what it passes there."""
    for each in _refused(answer, simulation, waiting):
        if isinstance(each.refusal, NotReached) and each.refusal.lost is not None:
            lost = each.refusal.lost
            if lost.field == "share":
                return "share", behind_in_share(lost.level, lost.loser)
            fences = [
                queue.name
                for queue in ancestry(each.application.leaf)
                if queue.settings.priority_policy == "fence" and queue.parent
            ]
            if fences and lost.field == "priority":
                return "way up", passes(each.ask.key, fences)
            return "", behind(lost.level, lost.loser)
    return "", ""


def _refused(answer: str, simulation: Simulation, waiting: Sequence[Waiting]) -> list[Waiting]:
    partition = next(iter(simulation.state.partitions.values()))
    meant = [(one.application.id, one.ask.key) for each in grading.readings(answer, partition, waiting) for one in each.requests]
    return [each for each in waiting if (each.application.id, each.ask.key) in meant]


# ---- in words ---------------------------------------------------------------------------------------------------------

IN_FORCE: Mapping[bool, str] = {False: "would be next", True: "would be first"}
FROM_THE_START = "would have been served by now"


def behind_in_share(level: str, loser: str) -> str:
    smaller = "Of equals the queue goes first that uses the smaller share."
    return f"At {name(level)} something shows the same priority as {name(loser)}. {smaller}"


def passes(key: str, fences: Sequence[str]) -> str:
    """What becomes of a priority on its way."""
    passed = listing([name(fence) for fence in fences])
    return f"On its way up {name(key)} passes the fence of {passed}. What is seen of it behind that?"


def behind(level: str, loser: str) -> str:
    return f"At {name(level)} something else comes before {name(loser)}. What is compared there?"


NOT_NOTHING = "Something can be placed: what cannot be placed does not hold up everything else."

"""What was made of every candidate victim, and why: the records of reasons of all three kinds of preemption.

Written down by traced cycles only, at the moment of the decision; nothing here decides anything. Chapter 09, section 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.scheduler.records.refusals.base import Refusal, Surprise
from workbench.scheduler.records.state import Allocation, Partition
from workbench.values.resources import EMPTY, Resource, add, sub, sub_only_existing


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one allocation, or of several in one queue.

    Attributes:
        refusal: what protected it (X-nn), or at which stage the attempt ended before it was its turn (V-nn); None if taken.
        queue: path of its queue.
        key, application_id, node_id: the allocation; "" for several.
        priority: its own priority; None for several.
        count: how many allocations the verdict is about.
    """

    refusal: Refusal | None
    queue: str
    key: str = ""
    application_id: str = ""
    node_id: str = ""
    priority: int | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Taken:
    """A victim, with what put it into its place and what its queue holds before and after it is gone (E-20).

    Attributes:
        position: place among the victims, from 1, in the order in which they are stopped.
        opted_out, originator, created_ns: the keys of the order (P-72).
        guaranteed: of its leaf; None without one.
        used_before, used_after: of its leaf, without what was already being stopped.
        surprises: known surprises of the real scheduler without which it would have been spared.
    """

    key: str
    application_id: str
    queue: str
    node_id: str
    position: int
    opted_out: bool
    originator: bool
    created_ns: int
    guaranteed: Resource | None
    used_before: Resource
    used_after: Resource
    surprises: tuple[Surprise, ...] = ()


@dataclass(frozen=True, slots=True)
class Stopping:
    """What required-node or quota preemption stopped, and what spared the others.

    Attributes:
        kind: "required-node" or "quota".
        subject: the node, or the path of the queue whose maximum is enforced.
        wanted: what is to be freed: the ask's size, or what the queue uses above its maximum.
        key, application_id: the ask that must run on the node; "" for a quota.
        verdicts: of every candidate, those taken first. `taken`: the particulars of these.
    """

    kind: str
    subject: str
    wanted: Resource
    key: str = ""
    application_id: str = ""
    verdicts: tuple[Verdict, ...] = ()
    taken: tuple[Taken, ...] = ()


def verdict_of(partition: Partition, allocation: Allocation, refusal: Refusal | None) -> Verdict:
    """The verdict on one allocation."""
    queue = partition.applications[allocation.application_id].queue_path
    return Verdict(refusal, queue, allocation.key, allocation.application_id, allocation.node_id, allocation.priority)


def taken_of(partition: Partition, victims: list[Allocation]) -> tuple[Taken, ...]:
    """The particulars of victims, asked before they are stopped."""
    found: list[Taken] = []
    gone: dict[str, Resource] = {}
    for position, victim in enumerate(victims, 1):
        leaf = partition.applications[victim.application_id].leaf
        before = sub(sub_only_existing(leaf.allocated, leaf.preempting) or EMPTY, gone.get(leaf.path, EMPTY))
        gone[leaf.path] = add(gone.get(leaf.path, EMPTY), victim.resource)
        found.append(
            Taken(
                victim.key,
                victim.application_id,
                leaf.path,
                victim.node_id,
                position,
                not victim.allow_preempt_self,
                victim.originator,
                victim.created_ns,
                leaf.guaranteed,
                before,
                sub(before, victim.resource),
            )
        )
    return tuple(found)

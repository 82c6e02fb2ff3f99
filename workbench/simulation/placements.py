"""Where a submission goes and why: the verdict of the engine, and every placement rule that was asked. J-nn, E-30.

The rules are asked once more, which changes nothing; what the engine makes of the submission is found by letting it happen
and taking it back.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.scheduler import placement
from workbench.scheduler.engine import Engine
from workbench.scheduler.objects import tree
from workbench.scheduler.placement import identity
from workbench.scheduler.policies import APPLICATION_ORDERS
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec
from workbench.scheduler.records.events import ApplicationAccepted, ApplicationRejected
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.placement import (
    Duplicate,
    GangNeedsFifo,
    GangTooLarge,
    NoLeaf,
    NoPartition,
    NoRule,
    NotCreated,
    PartitionStopped,
    Rejected,
    RuleError,
    RuleFailed,
    UnknownUser,
)
from workbench.scheduler.records.state import Partition


@dataclass(frozen=True, slots=True)
class Placing:
    """What becomes of one submission.

    Attributes:
        application: as submitted.
        queue: the leaf that accepts it; "" if it is rejected.
        refusal: why it is rejected: J-nn of chapter 09 with the core's own `text`; None if it is accepted.
        trace: what every rule came to that was asked, in order; none if the submission did not get that far.
        user, groups: who submits, as far as that could be found out.
        created: paths of the queues that are created for it.
    """

    application: ApplicationSpec
    queue: str = ""
    refusal: Refusal | None = None
    trace: tuple[placement.Attempt, ...] = ()
    user: str = ""
    groups: tuple[str, ...] = ()
    created: tuple[str, ...] = ()


def placing(engine: Engine, command: AddApplication) -> Placing:
    """What the engine would make of the submission now. The engine keeps history; its state stays as it is."""
    spec = command.application
    partition = engine.state.partitions.get(command.partition.lower())
    if partition is None:
        text = f"Failed to add application {spec.id} to partition {command.partition}, partition doesn't exist"
        return Placing(spec, refusal=NoPartition(spec.id, text))
    who = identity.preview(engine.state, spec)
    user, groups = (who.user, who.groups) if isinstance(who, identity.Identity) else (spec.user, ())
    result = None
    if isinstance(who, identity.Identity) and partition.status == "Active" and spec.id not in partition.applications:
        result = placement.place(partition, spec, who)
    trace = result.trace if result is not None else ()
    mark = engine.mark
    before = {queue.path for queue in tree.walk(partition.root)}
    try:
        verdict = next(event for event in engine.apply(command) if isinstance(event, ApplicationAccepted | ApplicationRejected))
        created = tuple(queue.path for queue in tree.walk(partition.root) if queue.path not in before)
        if isinstance(verdict, ApplicationAccepted):
            return Placing(spec, verdict.queue, None, trace, user, groups, created)
        refusal = _kind(partition, who, result)(spec.id, verdict.reason)
        return Placing(spec, "", refusal, trace, user, groups, created)
    finally:
        engine.unwind(mark)


def _kind(
    partition: Partition, who: identity.Identity | str, result: placement.Placed | placement.NotPlaced | None
) -> type[Rejected]:
    """The check that has just rejected the submission; they are those of `applications.submit`, in its order."""
    if isinstance(who, str):
        return UnknownUser
    if partition.status != "Active":
        return PartitionStopped
    if result is None:
        return Duplicate
    if isinstance(result, placement.NotPlaced):
        last = result.trace[-1].refusal if result.trace else None
        return RuleFailed if isinstance(last, RuleError) else NoRule
    leaf = tree.find(partition, result.path)
    if leaf is None:
        return NotCreated
    if not leaf.is_leaf:
        return NoLeaf
    return GangTooLarge if APPLICATION_ORDERS[leaf.settings.application_sort_policy].takes_gangs else GangNeedsFifo

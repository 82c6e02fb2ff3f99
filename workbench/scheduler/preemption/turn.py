"""An ask's turn to preempt within a pass: preconditions, the attempts left, the attempt, its log. Sections 4 and 14."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.scheduler.objects import reservations
from workbench.scheduler.objects.ask_log import note
from workbench.scheduler.preemption import general, protection
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Trace
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.preemption import AttemptsUsedUp, PreemptionOff
from workbench.scheduler.records.state import Allocation, Application, Node, Partition


@dataclass(slots=True)
class AttemptsLeft:
    """Of one visit to a leaf; only asks that pass the preconditions use them up. P-24.

    `kept` decides them in place of `general`, where nobody wants them explained.
    """

    count: int = general.ATTEMPTS_PER_LEAF
    kept: general.Attempts | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The node and victims of a success, or the refusal of a failure."""

    node: Node | None = None
    victims: tuple[Allocation, ...] = ()
    refusal: Refusal | None = None


def could_preempt(ctx: Context, partition: Partition, application: Application, ask: Allocation) -> bool:
    """Whether the ask may try general preemption now, whatever would come of it. P-21, P-23."""
    return partition.preemption_enabled and general.precondition(ask, application.leaf, ctx.now_ns) is None


def try_to_preempt(
    ctx: Context,
    partition: Partition,
    application: Application,
    ask: Allocation,
    left: AttemptsLeft,
    *,
    nodes_tried: bool,
    trace: Trace | None,
) -> Outcome:
    """Attempt general preemption for the ask, if the partition allows it. P-20 to P-25.

    What the attempt itself does is written here: the time of the check, stale reservations given up, the log.
    """
    if not partition.preemption_enabled:
        return Outcome(refusal=PreemptionOff(partition.name))
    leaf = application.leaf
    if left.count == 0:
        note(ctx, ask, general.EXHAUSTED)
        note(ctx, ask, general.NO_HELP)
        return Outcome(refusal=AttemptsUsedUp(leaf.path))
    failed = general.precondition(ask, leaf, ctx.now_ns)
    if failed is not None:
        note(ctx, ask, general.PRECONDITIONS)
        note(ctx, ask, general.NO_HELP)
        return Outcome(refusal=failed[1])
    left.count -= 1
    ctx.journal.set(ask, "preemption_checked_ns", ctx.now_ns)
    told: general.Answer
    if trace is not None:
        told = general.attempt(partition, leaf, ask, ctx.now_ns, nodes_tried=nodes_tried, traced=True)
        protection.write_down(partition, told)
        trace.preemptions.append((ask.key, told))
    else:
        told = general.without_claim(leaf, ask, nodes_tried=nodes_tried) or (left.kept or general).attempt(
            partition, leaf, ask, ctx.now_ns, nodes_tried=nodes_tried
        )
    for node, key in told.cancelled:
        reservations.unreserve(ctx, partition, partition.applications[node.reservations[key]], key)
    for message in told.log:
        note(ctx, ask, message)
    if not told.succeeded:
        note(ctx, ask, general.NO_HELP)
        return Outcome(refusal=told.refusal)
    return Outcome(told.node, tuple(told.victims))

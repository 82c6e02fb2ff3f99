"""One scheduling cycle of a partition: reserved, placeholder and regular pass; the first placement ends it. R-505 to R-515."""

from __future__ import annotations

from typing import Protocol

from workbench.scheduler.objects import allocations, reservations
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.passes import descent
from workbench.scheduler.passes.placing import Placement
from workbench.scheduler.preemption import effects, quota
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Change, Decision, Trace
from workbench.scheduler.records.events import Preempted, Released
from workbench.scheduler.records.observation import changes_between, observe
from workbench.scheduler.records.paths import prefixes
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.taking_part import NotScheduled
from workbench.scheduler.records.state import Allocation, Partition, Queue
from workbench.values.resources import strictly_greater_than_zero

Enforced = list[tuple[Queue, tuple[Allocation, ...]]]
"""(queue over its maximum, what is stopped for it)."""


class Search(Protocol):
    """Who looks for the placement: the module `descent`, plainly, or a `search.Search`, which keeps its orders."""

    def catch_up(self) -> None: ...

    def regular(self, ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None: ...

    def reserved(self, ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None: ...

    def placeholders(self, ctx: Context, partition: Partition, trace: Trace | None) -> Placement | None: ...


def run(ctx: Context, partition: Partition, search: Search = descent, *, traced: bool = False) -> Decision:
    """Run one cycle and say what came of it.

    With `traced` the decision holds every level visited and every change; the search is then always the plain one.
    """
    skipped = partition_refusal(partition)
    if skipped is not None:
        return Decision(ctx.cluster.cycle, ctx.now_ns, partition.name, skipped=skipped)
    trace = Trace() if traced else None
    before = observe(partition) if traced else None
    begin = len(ctx.outbox)  # other partitions have told theirs before
    phase, placement, enforced = _passes(ctx, partition, descent if traced else search, trace)
    changes: tuple[Change, ...] = changes_between(before, observe(partition)) if before is not None else ()
    levels = trace.closed() if trace is not None else ()
    preemptions = tuple(trace.preemptions) if trace is not None else ()
    surprises = tuple(trace.surprises) if trace is not None else ()
    stoppings = tuple(trace.stoppings) if trace is not None else ()
    told = ctx.outbox[begin:]
    stopped: tuple[tuple[str, str], ...] = ()
    for event in told:
        if type(event) is Released and event.type == effects.PREEMPTED:
            stopped += ((event.application_id, event.key),)
    if placement is None:
        on_the_way = next((event for event in told if type(event) is Preempted), None)
        if on_the_way is None:
            return Decision(
                ctx.cluster.cycle,
                ctx.now_ns,
                partition.name,
                levels=levels,
                changes=changes,
                preemptions=preemptions,
                surprises=surprises,
                stoppings=stoppings,
                outcome="enforced" if stopped else "nothing",
                phase="regular" if stopped else "",
                path=prefixes(next(queue.path for queue, those in enforced if those)) if stopped else (),
                stopped=stopped,
            )
        # Required-node preemption is no placement: the passes went on and found nothing else.
        phase, placement = (
            "reserved",
            Placement("preempted", partition.applications[on_the_way.application_id], on_the_way.key, on_the_way.node_id),
        )
    path = prefixes(placement.application.leaf.path)
    return Decision(
        ctx.cluster.cycle,
        ctx.now_ns,
        partition.name,
        placement.kind,
        phase,
        placement.ask_key,
        placement.application.id,
        placement.node_id,
        path,
        levels,
        changes,
        placeholder=placement.placeholder,
        stopped=stopped,
        preemptions=preemptions,
        surprises=surprises,
        instead_of_preempting=placement.instead_of_preempting,
        stoppings=stoppings,
    )


def partition_refusal(partition: Partition) -> Refusal | None:
    """Why the partition is not scheduled at all. R-505, W-01."""
    if partition.status == "Stopped":
        return NotScheduled(partition.name, partition.status)
    if partition.root.maximum is None:
        return NotScheduled(partition.name, "no node registered")
    return None


def _passes(ctx: Context, partition: Partition, search: Search, trace: Trace | None) -> tuple[str, Placement | None, Enforced]:
    """The passes in order, and what quota preemption stopped after them.

    A dropped reservation counts as nothing placed, so the regular pass still runs. R-507
    """
    dropped: Placement | None = None
    enforced: Enforced = []
    if partition.reservation_count and strictly_greater_than_zero(partition.root.pending):
        placement = search.reserved(ctx, partition, trace)
        if placement is not None:
            _carry_out(ctx, partition, placement)
            if placement.kind != "unreserved":
                return "reserved", placement, []
            dropped = placement
    if partition.placeholder_count and strictly_greater_than_zero(partition.root.pending):
        placement = search.placeholders(ctx, partition, trace)
        if placement is not None:
            _carry_out(ctx, partition, placement)
            return "placeholder", placement, []
    if strictly_greater_than_zero(partition.root.pending):
        placement = search.regular(ctx, partition, trace)
        if placement is not None:
            _carry_out(ctx, partition, placement)
        # The core looks for what has to go beside the pass, and gets to it when the cycle is over.
        if ctx.over_quota:
            enforced = [(queue, quota.enforce(ctx, partition, queue, trace)) for queue in ctx.take_over_quota()]
        if placement is not None:
            if placement.kind != "blocked":
                return "regular", placement, enforced
    return ("reserved", dropped, enforced) if dropped is not None else ("", None, enforced)


def _carry_out(ctx: Context, partition: Partition, placement: Placement) -> None:
    """Do what a pass found. R-508, R-515, R-568."""
    application, key = placement.application, placement.ask_key
    if placement.kind == "unreserved":
        reservations.unreserve(ctx, partition, application, key)
        return
    node, ask = partition.nodes[placement.node_id], application.asks[key]
    if placement.kind == "replaced":
        allocations.replace(ctx, partition, application, ask, application.allocations[placement.placeholder], node)
        return
    if placement.kind == "preempted":
        effects.stop_for_ask(ctx, partition, application, ask, node, placement.victims)
    elif placement.kind == "reserved":
        reservations.reserve(ctx, partition, application, node, ask)
    elif placement.kind == "allocated":
        allocations.place(ctx, partition, application, ask, node)
        if key in application.reservations:
            reservations.unreserve(ctx, partition, application, key)
    # Quirk: a mere reservation, even one that could not be made, takes up a slot of maxapplications.
    if application.state == "Accepted":
        for queue in ancestry(application.queue):
            if application.id not in queue.allocating_accepted:
                ctx.journal.put(queue, "allocating_accepted", application.id, None)

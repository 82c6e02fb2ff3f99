"""An application's requests: their order, and how they arrive, change and go. R-470 to R-477, R-549, R-550."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from workbench.scheduler.objects import accounting, priority
from workbench.scheduler.policies.request_order import rank
from workbench.scheduler.records.commands import AskSpec
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Allocation, Application, Queue, TaskGroup
from workbench.values.quantities import MAX_INT64
from workbench.values.resources import Resource, has_negative_value, is_zero, sub


def record(ctx: Context, spec: AskSpec, *, foreign: bool = False) -> Allocation:
    """A new pending ask for `spec`; it arrives now unless it says when it was created. R-472."""
    return Allocation(
        key=spec.key,
        application_id=spec.application_id,
        seq=ctx.next_seq(),
        resource=spec.resource,
        priority=spec.priority,
        created_ns=ctx.now_ns if spec.created_ns is None else spec.created_ns,
        task_group=spec.task_group,
        placeholder=spec.placeholder,
        originator=spec.originator,
        allow_preempt_self=spec.allow_preempt_self,
        allow_preempt_other=spec.allow_preempt_other,
        required_node=spec.required_node,
        allowed_nodes=None if spec.allowed_nodes is None else frozenset(spec.allowed_nodes),
        tags=spec.tags,
        foreign=foreign,
        node_selector=spec.node_selector,
        tolerations=spec.tolerations,
    )


def resource_fault(resource: Resource) -> str | None:
    """Why no ask can have this size, in the core's words, or None. R-472."""
    if is_zero(resource):
        return "allocation contains no resources"
    if has_negative_value(resource):
        return "allocation contains negative resources"
    return None


def overflow_fault(queue: Queue, resource: Resource) -> str | None:
    """Why so large an amount cannot be counted, or None. The core's sums would saturate and never be right again. R-20."""
    root = next(at for at in accounting.ancestry(queue) if at.parent is None)
    for name, amount in sorted(resource.items()):
        if amount + root.pending.get(name, 0) + root.allocated.get(name, 0) > MAX_INT64:
            return f"{amount} of {name} is too much: the sum of all asks and allocations would leave 64 bits"
    return None


def insertion_index(order: Sequence[Allocation], ask: Allocation) -> int:
    """Where a new ask goes among the requests. R-549.

    Quirk (R-550): behind equals when it is appended at the end, but before the first equal when anything of lower
    rank is already behind.
    """
    if not order or _seniority(ask) >= _seniority(order[-1]):
        return len(order)
    return bisect_left(order, _seniority(ask), key=_seniority)


def _seniority(ask: Allocation) -> tuple[int, int]:
    return -ask.priority, ask.created_ns


def join(ctx: Context, application: Application, ask: Allocation, *, waits: bool = True) -> None:
    """The application knows the request from now on: order, age, task group. R-442, R-549, R-714.

    What was running when it was reported never `waits`, and gets no place among the requests; so it plays no part in the
    order of others and in their backoff (R-550, R-572).
    """
    journal = ctx.journal
    journal.put(application, "asks", ask.key, ask)
    if waits:
        order = application.ask_order
        index = insertion_index(order, ask)
        journal.set(ask, "place", ask.seq if index == len(order) else -ask.seq)
        journal.insert(application, "ask_order", index, ask)
    if ctx.profile.old_asks_age_applications and ask.created_ns < application.submitted_ns:
        journal.set(application, "submitted_ns", ask.created_ns)
    if ask.placeholder:
        group = application.task_groups.get(ask.task_group)
        if group is None:
            group = TaskGroup(ask.task_group, ask.resource)
            journal.put(application, "task_groups", ask.task_group, group)
        journal.set(group, "count", group.count + 1)


def await_placement(ctx: Context, application: Application, ask: Allocation) -> None:
    """The joined request is pending: it counts in application, queues and priorities. R-630."""
    accounting.change_application(ctx.journal, application, "pending", ask.resource)
    ctx.journal.raise_path(application.queue, "pending", ask.resource)
    _count_pending(ctx, application, ask.priority, +1)
    priority.ask_added(ctx.journal, application, ask)


def bind(ctx: Context, application: Application, ask: Allocation, node_id: str) -> None:
    """The pending ask becomes allocated on a node: no longer pending, no longer counted in the priority. R-631."""
    ctx.journal.set_all(ask, allocated=True, node_id=node_id, bound_ns=ctx.now_ns)
    _give_up(ctx, application, ask)
    priority.ask_gone(ctx.journal, application, ask)


def place(ctx: Context, application: Application, ask: Allocation, node_id: str) -> None:
    """The scheduler itself does so, and the queues hold at once what was pending there."""
    journal = ctx.journal
    journal.set_all(ask, allocated=True, node_id=node_id, bound_ns=ctx.now_ns, scheduling_attempted=True)
    journal.lower_sum(application, "pending", ask.resource)
    journal.move_path(application.queue, "pending", "allocated", ask.resource)
    _count_pending(ctx, application, ask.priority, -1)
    priority.ask_gone(journal, application, ask)


def unbind(ctx: Context, application: Application, ask: Allocation) -> None:
    """An allocated ask becomes pending again. R-632."""
    journal = ctx.journal
    journal.set_all(ask, allocated=False, node_id="", bound_ns=None)
    await_placement(ctx, application, ask)


def forget(ctx: Context, application: Application, ask: Allocation) -> None:
    """The application no longer knows the request; what was pending of it is given up. R-631.

    The priority is passed up for an allocated one, too: it may change what a reload left stale (R-644).
    """
    journal = ctx.journal
    journal.drop(application, "asks", ask.key)
    order = application.ask_order
    index = bisect_left(order, rank(ask), key=rank)
    if index < len(order) and order[index] is ask:
        journal.remove_at(application, "ask_order", index)
    if not ask.allocated:
        _give_up(ctx, application, ask)
    priority.ask_gone(journal, application, ask)


def forget_all(ctx: Context, application: Application) -> None:
    """Drop every request at once. R-633."""
    journal = ctx.journal
    pending = application.pending
    while application.ask_order:
        journal.remove_at(application, "ask_order", len(application.ask_order) - 1)
    for key in sorted(application.asks):
        journal.drop(application, "asks", key)
    accounting.change_application(journal, application, "pending", pending, lower=True)
    journal.lower_path(application.queue, "pending", pending)
    journal.set(application, "pending_priorities", {})
    priority.all_asks_gone(journal, application)


def resize_pending(ctx: Context, application: Application, ask: Allocation, resource: Resource) -> None:
    """A known pending ask gets a new size, unchecked. R-475."""
    delta = sub(resource, ask.resource)
    ctx.journal.set(ask, "resource", resource)
    accounting.change_application(ctx.journal, application, "pending", delta)
    ctx.journal.raise_path(application.queue, "pending", delta)


def _give_up(ctx: Context, application: Application, ask: Allocation) -> None:
    """What was pending of the ask is no longer."""
    ctx.journal.lower_sum(application, "pending", ask.resource)
    ctx.journal.lower_path(application.queue, "pending", ask.resource)
    _count_pending(ctx, application, ask.priority, -1)


def _count_pending(ctx: Context, application: Application, priority_: int, change: int) -> None:
    count = application.pending_priorities.get(priority_, 0) + change
    if count:
        ctx.journal.put(application, "pending_priorities", priority_, count)
    else:
        ctx.journal.drop(application, "pending_priorities", priority_)

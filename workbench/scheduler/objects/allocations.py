"""Allocations: placing one, reporting one that already runs, releasing. Chapter 04 sections 7 to 9."""

from __future__ import annotations

from workbench.scheduler.objects import accounting, asks, gang, lifecycle, miscounts, nodes, reservations, timers, users
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Allocated, Ignored, Released, Surprised
from workbench.scheduler.records.state import Allocation, Application, Node, Partition
from workbench.values.resources import EMPTY, Resource, add, deep_equals, is_zero, prune, sub

STOPPED = "STOPPED_BY_RM"
TIMEOUT = gang.TIMEOUT
REPLACED = gang.REPLACED
PREEMPTED = "PREEMPTED_BY_SCHEDULER"
NOTHING_REPLACES = "it is said to be replaced, but nothing takes its place: the core crashes here; this engine just removes it"


def place(ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node) -> None:
    """The scheduler puts a pending ask on a node: node, ask and queues, application, in this order. Chapter 05 section 11."""
    _hold_on_node(ctx, partition, ask, node)
    asks.place(ctx, application, ask, node.id)
    _joined(ctx, partition, application, ask)
    ctx.emit(Allocated(ask.key, application.id, node.id))


def report(ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node) -> None:
    """Something that already runs on `node` is reported, unchecked: a recovered allocation. R-425, R-451."""
    # A Completing one runs again with a real allocation; with a placeholder it stays as it is.
    if application.state == "New":
        lifecycle.fire(ctx, partition, application, "runApplication")
    asks.join(ctx, application, ask, waits=False)
    ctx.journal.set_all(ask, allocated=True, node_id=node.id, bound_ns=ctx.now_ns)
    _hold(ctx, partition, application, ask, node)
    _joined(ctx, partition, application, ask)
    ctx.emit(Allocated(ask.key, application.id, node.id))


def replace(
    ctx: Context, partition: Partition, application: Application, ask: Allocation, placeholder: Allocation, node: Node
) -> None:
    """The ask takes the placeholder's place as soon as the resource manager confirms the end of the placeholder. R-732.

    On another node the ask holds its room at once; on the same node it uses the placeholder's. R-751
    """
    journal = ctx.journal
    if node.id != placeholder.node_id:
        _hold_on_node(ctx, partition, ask, node)
    asks.bind(ctx, application, ask, node.id)
    journal.set(ask, "replacement", placeholder)
    journal.set(placeholder, "replacement", ask)
    journal.set(placeholder, "released", True)
    ctx.emit(Released(placeholder.key, application.id, REPLACED, f"replacing allocationKey: {ask.key}"))


def confirm_replacement(
    ctx: Context, partition: Partition, application: Application, placeholder: Allocation, *, node: Node | None = None
) -> None:
    """The placeholder is gone and its real allocation counts from now on. R-736.

    `node` is the placeholder's, when it already left the partition.
    """
    journal, real = ctx.journal, _real(placeholder)
    _unlink(ctx, placeholder)
    _leave_application(ctx, partition, application, placeholder, REPLACED)
    _hand_over(ctx, partition, application, placeholder, real, node)
    journal.set(real, "bound_ns", ctx.now_ns)
    is_first = is_zero(application.allocated)
    journal.put(application, "allocations", real.key, real)
    accounting.raise_application(journal, application, "allocated", real.resource)
    _count_for_user(ctx, partition, application, real.resource)
    # A complete gang is Running already: its first real allocation changes nothing. R-737
    if not is_first or application.state == "Completing":
        lifecycle.fire(ctx, partition, application, "runApplication")
    # With its node the placeholder is gone unasked for: its record stays, as that of any lost allocation. R-413
    if node is None and placeholder.key in application.asks:
        asks.forget(ctx, application, placeholder)
    ctx.emit(Allocated(real.key, application.id, real.node_id))


def _hand_over(
    ctx: Context, partition: Partition, application: Application, placeholder: Allocation, real: Allocation, node: Node | None
) -> None:
    """Nodes and queues have the real allocation for the placeholder, which it may be smaller than. R-736."""
    if real.node_id == placeholder.node_id:
        on, more = partition.nodes[placeholder.node_id], sub(real.resource, placeholder.resource)
        accounting.change_node(ctx.journal, on, allocated=more)
        _list(ctx, partition, on, real, more, instead_of=placeholder.key)
        nodes.refresh_score(ctx, partition, on)
    else:
        _leave_node(ctx, partition, placeholder, node)
    shrink = sub(placeholder.resource, real.resource)
    if not is_zero(shrink):
        miscounts.lower_queue(ctx, application.leaf, shrink)


def _real(placeholder: Allocation) -> Allocation:
    """What takes the place of a placeholder that is being replaced."""
    assert placeholder.replacement is not None
    return placeholder.replacement


def undo_replacement(ctx: Context, application: Application, placeholder: Allocation) -> None:
    """The real ask of a pair waits again, unless the application dropped it; the placeholder keeps its released mark. R-414."""
    real = _real(placeholder)
    _unlink(ctx, placeholder)
    if application.asks.get(real.key) is real:
        asks.unbind(ctx, application, real)


def place_externally(
    ctx: Context, partition: Partition, application: Application, ask: Allocation, resource: Resource, node: Node
) -> None:
    """The resource manager itself put a pending ask on a node, unchecked, with the size that it says. R-475, R-476.

    A reservation of the ask stays until the next reserved pass finds it stale (R-555).
    """
    asks.resize_pending(ctx, application, ask, resource)
    _hold(ctx, partition, application, ask, node)
    asks.bind(ctx, application, ask, node.id)
    _joined(ctx, partition, application, ask)
    ctx.emit(Allocated(ask.key, application.id, node.id))


def resize(ctx: Context, partition: Partition, application: Application, ask: Allocation, resource: Resource) -> None:
    """What was placed once gets a new size, unchecked; the node's score is left as it is. R-475, R-559.

    Quirks: the application books the difference as real, even when a placeholder changes. What no longer runs, such as a
    placeholder that timed out, or does not yet, moves all sums just the same, below zero if need be. What is being preempted
    goes on to be counted as preempting with its old size, and is taken off with the new one.
    """
    journal, node = ctx.journal, partition.nodes[ask.node_id]
    delta = sub(resource, ask.resource)
    journal.set(ask, "resource", resource)
    if is_zero(delta):
        return
    accounting.change_application(journal, application, "allocated", delta)
    journal.raise_path(application.queue, "allocated", delta)
    accounting.change_node(journal, node, allocated=delta)
    _count_for_user(ctx, partition, application, delta)
    why = f"{ask.key!r} of {application.id!r} got another size"
    if application.allocations.get(ask.key) is not ask:
        miscounts.book(ctx, application, "allocated", delta, "R-475", f"{why}, though it does not run")
    if node.allocations.get(ask.key) is not ask:
        miscounts.book(ctx, node, "allocated", delta, "R-475", f"{why}, though it is not listed there")
    if ask.preempted:
        miscounts.book(ctx, application.leaf, "preempting", miscounts.less(delta), "R-475", f"{why} while it is being preempted")


def release(ctx: Context, partition: Partition, application: Application, key: str, type: str) -> None:
    """A release message for one key, or for all with an empty key, whatever its type. R-490 to R-493.

    Allocations go first, then, unless the type is TIMEOUT, the asks of the same keys.
    """
    known = application.allocations.get(key)
    if key and known is None and key not in application.asks and type != TIMEOUT:
        ctx.emit(Ignored(f"{application.id!r} has nothing of the key {key!r}"))
        return
    if type == REPLACED and known is not None and known.replacement is not None:
        confirm_replacement(ctx, partition, application, known)
        return
    gone: tuple[Allocation, ...] = ()
    if not key:
        gone = take_off_all(ctx, partition, application, type)
    elif known is not None:
        if type == REPLACED:
            ctx.emit(Surprised("R-494", f"{key!r} of {application.id!r}", NOTHING_REPLACES))
        take_off(ctx, partition, application, known, type)
        gone = (known,)
    if type in (STOPPED, "UNKNOWN_TERMINATION_TYPE"):
        for allocation in gone:
            ctx.emit(Released(allocation.key, application.id, STOPPED))
    if type == TIMEOUT or not application.asks or partition.applications.get(application.id) is not application:
        return
    if key:
        if key in application.asks:
            reservations.unreserve(ctx, partition, application, key)
            asks.forget(ctx, application, application.asks[key])
    else:
        reservations.unreserve_all(ctx, partition, application)
        asks.forget_all(ctx, application)
    complete_if_idle(ctx, partition, application)


def take_off(
    ctx: Context, partition: Partition, application: Application, allocation: Allocation, type: str, *, node: Node | None = None
) -> None:
    """Remove one allocation: application totals and state first, then node, then queue. R-493.

    `node` is given when it already left the partition.
    """
    _leave_application(ctx, partition, application, allocation, type)
    _leave_queue(ctx, application, allocation, known=_leave_node(ctx, partition, allocation, node))


def take_off_all(
    ctx: Context, partition: Partition, application: Application, type: str, *, from_queue: bool = True
) -> tuple[Allocation, ...]:
    """Remove all allocations, possibly none, and return them; the application is judged once. R-446, R-451, R-491, PL-127.

    Quirks: all of nothing is removed, too, so that a Completing application does not wait for its timer; the timer of the
    state is stopped, so that an application which completes now stays Completing; and while asks are pending, user and
    group go on counting what is gone.
    `from_queue` is false when the application left its queue before, taking its totals along.
    """
    gone = tuple(sorted(application.allocations.values(), key=lambda allocation: allocation.seq))
    held = add(application.allocated, application.placeholder_allocated)
    for allocation in gone:
        _drop(ctx, partition, application, allocation, type)
    # What changed its size as a placeholder was booked as real; with all of it gone, nothing is left of either.
    if from_queue:
        off = miscounts.off_by(application, "allocated")
        miscounts.book(ctx, application.leaf, "allocated", off, "R-491", f"{application.id!r} starts anew with its sums")
    miscounts.forget(ctx, application)
    for field in ("allocated", "placeholder_allocated"):
        ctx.journal.set(application, field, EMPTY)
    timers.cancel(ctx, application, "placeholder_timer")
    if is_zero(application.pending):
        lifecycle.fire(ctx, partition, application, "completeApplication")
        _discount_for_user(ctx, partition, application, held, ended=True)
    timers.cancel(ctx, application, "state_timer")
    for allocation in gone:
        if type == REPLACED:
            if allocation.replacement is not None:
                _hand_over_to_nobody(ctx, partition, application, allocation)
                continue
            ctx.emit(Surprised("R-494", f"{allocation.key!r} of {application.id!r}", NOTHING_REPLACES))
        known = _leave_node(ctx, partition, allocation)
        if from_queue:
            _leave_queue(ctx, application, allocation, known=known)
    return gone


def _hand_over_to_nobody(ctx: Context, partition: Partition, application: Application, placeholder: Allocation) -> None:
    """Everything of the application is released as replaced: the real allocation is there, but the application knows nothing of it.

    R-491. Quirk: nodes and queues hold it for ever; nobody can release it.
    """
    real = _real(placeholder)
    _unlink(ctx, placeholder)
    _hand_over(ctx, partition, application, placeholder, real, None)
    text = f"{real.key!r} of {application.id!r} takes the place of a placeholder, but belongs to no application any more"
    miscounts.book(ctx, application.leaf, "allocated", real.resource, "R-491", text)
    ctx.emit(Allocated(real.key, application.id, real.node_id))


def complete_if_idle(ctx: Context, partition: Partition, application: Application) -> None:
    """After asks were removed: with nothing pending and nothing allocated the application completes. R-451."""
    if (
        is_zero(application.pending)
        and is_zero(application.allocated)
        and is_zero(application.placeholder_allocated)
        and application.state not in ("Failing", "Completing")
    ):
        lifecycle.fire(ctx, partition, application, "completeApplication")


def report_foreign(ctx: Context, partition: Partition, allocation: Allocation, node: Node) -> None:
    """Another scheduler holds something on the node, or changed its size: only occupied and available move. R-415.

    Quirk: a known key on a node that does not list it, because it moved there or the node came back under its old name, is
    listed there without being counted. The next report there counts the difference.
    """
    journal, known = ctx.journal, partition.foreign.get(allocation.key)
    listed = node.foreign.get(allocation.key) or node.allocations.get(allocation.key)
    if known is not None and listed is known:
        delta = sub(allocation.resource, known.resource)
        journal.set(known, "resource", allocation.resource)
        accounting.change_node(journal, node, occupied=delta)
        return
    journal.set_all(allocation, allocated=True, node_id=node.id, bound_ns=ctx.now_ns)
    counted = allocation.resource
    if known is None:
        journal.put(partition, "foreign", allocation.key, allocation)
    else:
        counted = EMPTY if listed is None else sub(allocation.resource, listed.resource)
    accounting.change_node(journal, node, occupied=counted)
    _list(ctx, partition, node, allocation, counted)


def release_foreign(ctx: Context, partition: Partition, key: str) -> None:
    """The other scheduler's allocation is gone from the node that reported it first, if that lists it. R-415."""
    allocation: Allocation = ctx.journal.drop(partition, "foreign", key)
    _leave_node(ctx, partition, allocation)


def _drop(ctx: Context, partition: Partition, application: Application, allocation: Allocation, type: str) -> None:
    """Lower the application's totals by an allocation that is gone. R-493, R-753."""
    ctx.journal.take_out(application, "allocations", allocation.key)
    field = "placeholder_allocated" if allocation.placeholder else "allocated"
    accounting.change_application(ctx.journal, application, field, allocation.resource, lower=True)
    if allocation.placeholder:
        ctx.journal.set(partition, "placeholder_count", partition.placeholder_count - 1)
        gang.count_removal(ctx, application, allocation, type)


def _leave_application(ctx: Context, partition: Partition, application: Application, allocation: Allocation, type: str) -> None:
    """The application no longer holds the allocation; what that means for its state. R-451, R-740."""
    _drop(ctx, partition, application, allocation, type)
    ended = False
    if allocation.placeholder:
        if is_zero(application.placeholder_allocated):
            ended = gang.last_placeholder_gone(ctx, partition, application)
    elif is_zero(application.pending) and is_zero(application.allocated):
        ended = True
        lifecycle.fire(ctx, partition, application, "completeApplication")
    _discount_for_user(ctx, partition, application, allocation.resource, ended=ended)


def _leave_node(ctx: Context, partition: Partition, allocation: Allocation, node: Node | None = None) -> bool:
    """The node, given when it already left the partition, no longer holds the allocation. False if it has nothing of that key.

    Quirk: whatever it has under the key goes, of another application or another scheduler, too. R-415.
    """
    on, key = node or partition.nodes.get(allocation.node_id), allocation.key
    if on is None:
        return False
    own = on.allocations.get(key)
    if own is not None:
        ctx.journal.drop(on, "allocations", key)
        accounting.change_node(ctx.journal, on, allocated=own.resource, lower=True)
        nodes.refresh_score(ctx, partition, on)
        if own is not allocation:
            _no_longer_listed(ctx, partition, own)
    elif key in on.foreign:
        foreign: Allocation = ctx.journal.drop(on, "foreign", key)
        accounting.change_node(ctx.journal, on, occupied=foreign.resource, lower=True)
    else:
        return False
    return True


def _leave_queue(ctx: Context, application: Application, allocation: Allocation, *, known: bool) -> None:
    """The queues of the path no longer hold the allocation. Quirk: they go on if its node did not have it. R-415."""
    if not known:
        text = f"{allocation.key!r} of {application.id!r} ends, but its node lists no such key"
        miscounts.book(ctx, application.leaf, "allocated", allocation.resource, "R-415", text)
        return
    miscounts.lower_queue(ctx, application.leaf, allocation.resource)
    if allocation.preempted:
        ctx.journal.lower_path(application.queue, "preempting", allocation.resource)


def _count_for_user(ctx: Context, partition: Partition, application: Application, amount: Resource) -> None:
    """The user, and the group the application counts in, hold more. PL-128."""
    users.increase(
        ctx.journal, partition.users, application.queue_path, application.user, application.groups, application.id, amount
    )


def _discount_for_user(ctx: Context, partition: Partition, application: Application, amount: Resource, *, ended: bool) -> None:
    """The user, and the group, hold less; with `ended` the application counts for them no longer. PL-127, PL-128."""
    users.decrease(ctx.journal, partition.users, application.queue_path, application.user, application.id, amount, ended=ended)


def _unlink(ctx: Context, placeholder: Allocation) -> None:
    ctx.journal.set(placeholder.replacement, "replacement", None)
    ctx.journal.set(placeholder, "replacement", None)


def _list(ctx: Context, partition: Partition, node: Node, new: Allocation, counted: Resource, *, instead_of: str = "") -> None:
    """The node's table, one for own and foreign allocations, has the key for `new`, of which the node counted so much. R-415.

    Quirk: what had the key before, of another application or another scheduler, is forgotten there, but stays counted.
    """
    journal, olds = ctx.journal, []
    for key in (new.key, instead_of):
        old = node.allocations.get(key) or node.foreign.get(key)
        if old is not None:
            journal.drop(node, _table(old), key)
            olds.append(old)
            if key != instead_of:
                _no_longer_listed(ctx, partition, old)
    journal.put(node, _table(new), new.key, new)
    if not olds and counted is new.resource:
        return
    for table, field in (("allocations", "allocated"), ("foreign", "occupied")):
        off = sub(counted, new.resource) if table == _table(new) else EMPTY
        for old in olds:
            off = add(off, old.resource) if table == _table(old) else off
        miscounts.book(ctx, node, field, off, "R-415", f"{new.key!r} is known already, on this node or another")


def _no_longer_listed(ctx: Context, partition: Partition, old: Allocation) -> None:
    """The application still has the allocation, but its node has something else under that key, or nothing."""
    application = partition.applications.get(old.application_id)
    if application is not None:
        miscounts.mark(ctx, application, "listed", miscounts.less(old.resource))


def _table(allocation: Allocation) -> str:
    return "foreign" if allocation.foreign else "allocations"


def _hold_on_node(ctx: Context, partition: Partition, ask: Allocation, node: Node) -> None:
    accounting.fill_node(ctx.journal, node, ask.resource)
    if ask.key in node.allocations or node.foreign:
        _list(ctx, partition, node, ask, ask.resource)
    else:
        ctx.journal.put(node, "allocations", ask.key, ask)
    nodes.refresh_score(ctx, partition, node)


def _hold(ctx: Context, partition: Partition, application: Application, ask: Allocation, node: Node) -> None:
    """Node and queues carry the allocation from now on."""
    _hold_on_node(ctx, partition, ask, node)
    ctx.journal.raise_path(application.queue, "allocated", ask.resource)


def _joined(ctx: Context, partition: Partition, application: Application, ask: Allocation) -> None:
    """The application has one more allocation; what that means for its state. R-451, R-711, R-712."""
    journal = ctx.journal
    journal.put(application, "allocations", ask.key, ask)
    _count_for_user(ctx, partition, application, ask.resource)
    if not ask.placeholder:
        accounting.raise_application(journal, application, "allocated", ask.resource)
        lifecycle.fire(ctx, partition, application, "runApplication")
        return
    journal.set(partition, "placeholder_count", partition.placeholder_count + 1)
    if is_zero(application.placeholder_allocated):
        gang.start_timer(ctx, partition, application)
    accounting.raise_application(journal, application, "placeholder_allocated", ask.resource)
    if deep_equals(application.placeholder_allocated, prune(application.placeholder_ask)):
        lifecycle.fire(ctx, partition, application, "runApplication")

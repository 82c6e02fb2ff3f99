"""Applications: submitted, refused, removed. R-440 to R-446, PL-1, PL-90, PL-91."""

from __future__ import annotations

from workbench.scheduler import placement
from workbench.scheduler.objects import (
    allocations,
    asks,
    departures,
    dynamic_queues,
    lifecycle,
    priority,
    reservations,
    timers,
    tree,
)
from workbench.scheduler.objects.limits import path_maximum
from workbench.scheduler.objects.nodes import internal_name
from workbench.scheduler.placement import identity, tags
from workbench.scheduler.policies import APPLICATION_ORDERS
from workbench.scheduler.records.commands import ApplicationSpec
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import ApplicationAccepted, ApplicationRejected, Released
from workbench.scheduler.records.state import RECOVERY_QUEUE, Application, Partition, Queue
from workbench.values.errors import ConfigError
from workbench.values.resources import EMPTY, Resource, fit_in_max_undef, is_zero, to_string

MAX_NS = 2**63 - 1


def submit(ctx: Context, partition: Partition, spec: ApplicationSpec) -> None:
    """An application arrives. The first check that fails rejects it; queues created before stay until cleaned. PL-1."""
    application = _record(ctx, spec)
    who = identity.resolve(ctx, spec)
    if isinstance(who, str):
        return _reject(ctx, partition, application, who)
    if partition.status != "Active":
        return _reject(
            ctx, partition, application, f"partition {internal_name(partition)} is stopped cannot add a new application {spec.id}"
        )
    if spec.id in partition.applications:
        return _reject(
            ctx,
            partition,
            application,
            f"adding application {spec.id} to partition {internal_name(partition)}, but application already existed",
        )
    placed = placement.place(partition, spec, who)
    if isinstance(placed, placement.NotPlaced):
        return _reject(ctx, partition, application, placed.reason)
    try:
        leaf = tree.find(partition, placed.path) or dynamic_queues.create(ctx, partition, placed.path, who.user, who.groups)
    except ConfigError as error:
        cause = f"\n{error.text}" if ctx.profile.placement_checks_names else ""
        return _reject(
            ctx, partition, application, f"failed to create rule based queue {placed.path} for application {spec.id}{cause}"
        )
    if not leaf.is_leaf:
        return _reject(ctx, partition, application, f"failed to find queue {placed.path} for application {spec.id}")
    if not leaf.is_managed and leaf.path != RECOVERY_QUEUE:
        _apply_quota_tags(ctx, leaf, spec)
    fault = gang_fault(leaf, spec.id, application.placeholder_ask)
    if fault is not None:
        return _reject(ctx, partition, application, fault)
    journal = ctx.journal
    journal.set(application, "queue", leaf)
    journal.set(application, "queue_path", leaf.path)
    journal.set(application, "user", who.user)
    journal.set(application, "groups", tuple(who.groups))
    journal.put(partition, "applications", application.id, application)
    journal.put(leaf, "applications", application.id, application)
    priority.enter(journal, leaf, application.id)
    ctx.emit(ApplicationAccepted(application.id, leaf.path))
    return None


def gang_fault(leaf: Queue, application_id: str, total: Resource) -> str | None:
    """Why a gang of that total size cannot run in the leaf, in the core's words, or None. R-702, PL-91."""
    if is_zero(total):
        return None
    if not APPLICATION_ORDERS[leaf.settings.application_sort_policy].takes_gangs:
        return f"queue {leaf.path} cannot run application {application_id} with task group request: unsupported sort type"
    maximum = path_maximum(leaf, with_root=False)
    if not fit_in_max_undef(maximum, total):
        return (
            f"queue {leaf.path} cannot fit application {application_id}: task group request {to_string(total)} "
            f"larger than max queue allocation {to_string(maximum)}"
        )
    return None


def remove(ctx: Context, partition: Partition, application: Application) -> None:
    """The resource manager removes an application: asks, queue, allocations, in this order. R-446."""
    journal = ctx.journal
    journal.drop(partition, "applications", application.id)
    reservations.unreserve_all(ctx, partition, application)
    # Quirk: one without asks is not judged here, and so not twice: it is left Completing, where another completes at once.
    if application.asks:
        asks.forget_all(ctx, application)
        allocations.complete_if_idle(ctx, partition, application)
    departures.leave_queue(ctx, application)
    for allocation in allocations.take_off_all(ctx, partition, application, allocations.STOPPED, from_queue=False):
        ctx.emit(Released(allocation.key, application.id, allocations.STOPPED))
    # Nobody looks at it any more: it reports no further state.
    timers.cancel(ctx, application, "state_timer")


def _record(ctx: Context, spec: ApplicationSpec) -> Application:
    return Application(
        id=spec.id,
        seq=ctx.next_seq(),
        queue=None,
        queue_path=spec.queue,
        user=spec.user,
        groups=spec.groups,
        tags=spec.tags,
        placeholder_ask=spec.placeholder_ask or EMPTY,
        gang_style=spec.gang_style,
        placeholder_timeout_ns=_placeholder_timeout_ns(ctx, spec),
        submitted_ns=ctx.now_ns,
    )


def _placeholder_timeout_ns(ctx: Context, spec: ApplicationSpec) -> int:
    """Length of the placeholder timer: given or 15 minutes, counted from the creation tag if there is one. R-720, R-721."""
    given = spec.execution_timeout_ns
    length = given if 0 < given <= MAX_NS else timers.PLACEHOLDER_DEFAULT_NS
    seconds = tags.creation_seconds(spec.tags)
    if seconds is None:
        return length
    created_ns = (seconds - departures.EPOCH_SECONDS) * timers.SECOND_NS
    return max(1_000_000, created_ns + length - ctx.now_ns)


def _apply_quota_tags(ctx: Context, leaf: Queue, spec: ApplicationSpec) -> None:
    """Quota tags of the application set the limits of a dynamic leaf; the latest application wins. PL-86, PL-87."""
    quota = tags.quota(spec.tags)
    if quota.max_applications:
        ctx.journal.set(leaf, "max_applications", quota.max_applications)
    if quota.maximum is not None or quota.guaranteed is not None:
        # Quirk: both are replaced, so a quota tag alone wipes the guaranteed of the template.
        ctx.journal.set(leaf, "maximum", quota.maximum)
        ctx.journal.set(leaf, "guaranteed", quota.guaranteed)


def _reject(ctx: Context, partition: Partition, application: Application, reason: str) -> None:
    """Remember the application as rejected; its id may come again. An active one of the same id keeps its place. R-404, PL-2."""
    ctx.journal.put(partition, "rejected", application.id, application)
    lifecycle.fire(ctx, partition, application, "rejectApplication", reason)
    ctx.emit(ApplicationRejected(application.id, reason))

"""What the core tells observers once when a check starts to fail, and once when it passes again. R-543, R-582.

Notices decide nothing. The last answer to each question is kept on the ask or the application, so that only changes are told.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import Noticed
from workbench.scheduler.records.state import Allocation, Application
from workbench.values.resources import Resource, to_string


def queue_room_answered(ctx: Context, application: Application, ask: Allocation, room: Resource | None, *, fits: bool) -> None:
    """Whether the ask fits the headroom of its queue. R-582"""
    path = application.leaf.path
    _tell(
        ctx,
        ask,
        "lacks_queue_room",
        not fits,
        application.id,
        lambda: (
            f"Request '{ask.key}' does not fit in queue '{path}' (requested {to_string(ask.resource)}, available {to_string(room)})"
        ),
        f"Request '{ask.key}' has become schedulable in queue '{path}'",
    )


def user_room_answered(ctx: Context, application: Application, ask: Allocation, room: Resource | None, *, fits: bool) -> None:
    """Whether the ask fits the headroom of its user and group. R-582"""
    _tell(
        ctx,
        ask,
        "lacks_user_room",
        not fits,
        application.id,
        lambda: (
            f"Request '{ask.key}' exceeds the available user quota "
            f"(requested {to_string(ask.resource)}, available {to_string(room)})"
        ),
        f"Request '{ask.key}' fits in the available user quota",
    )


def slots_answered(ctx: Context, application: Application, *, queue_full: bool, user_full: bool) -> None:
    """Whether the application may run. Quirk: it is asked for every application considered, also for running ones. R-543"""
    _tell(
        ctx,
        application,
        "held_by_queue",
        queue_full,
        application.id,
        lambda: "Maximum number of running applications reached the queue limit",
        "Application is now runnable in queue",
    )
    _tell(
        ctx,
        application,
        "held_by_user",
        user_full,
        application.id,
        lambda: "Maximum number of running applications reached the user/group limit",
        "Application is now runnable based on user/group quota",
    )


def placeholder_too_small(ctx: Context, application: Application, placeholder: Allocation, ask: Allocation) -> None:
    """A request of the placeholder's task group is larger than its place. R-734"""
    text = (
        f"Task group '{ask.task_group}' in application '{application.id}': allocation resources '{to_string(ask.resource)}' "
        f"are not matching placeholder '{to_string(placeholder.resource)}' allocation with ID '{placeholder.key}'"
    )
    ctx.emit(Noticed(application.id, text, placeholder.key, ask.resource))


def _tell(
    ctx: Context,
    record: Allocation | Application,
    field: str,
    failing: bool,
    application_id: str,
    fails: Callable[[], str],
    passes: str,
) -> None:
    if failing == getattr(record, field):
        return
    ctx.journal.set(record, field, failing)
    text = fails() if failing else passes
    if isinstance(record, Allocation):
        ctx.emit(Noticed(application_id, text, record.key, record.resource))
    else:
        ctx.emit(Noticed(application_id, text))

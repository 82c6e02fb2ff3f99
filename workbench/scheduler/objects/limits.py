"""Room: headroom of queues and users, and the limits on running applications. Chapter 05 sections 6 and 7.

Questions; but where the answer makes a user's level known, as in the core, that is written (PL-129).
"""

from __future__ import annotations

from workbench.scheduler.objects import users
from workbench.scheduler.objects.accounting import ancestry
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.refusals.room import NoQueueRoom, NoUserRoom, OverMaximum
from workbench.scheduler.records.refusals.slots import HolderFull, QueueFull
from workbench.scheduler.records.state import Application, Partition, Queue
from workbench.values.resources import Resource, component_wise_min, fit_in_max_undef, sub_only_existing


def queue_headroom(queue: Queue) -> Resource | None:
    """What the queue may still take: the smallest of maximum - allocated over its path, per limited type. R-545.

    None means that nothing on the path is limited. Values may be negative.
    """
    room: Resource | None = None
    for at in ancestry(queue):
        if at.maximum is not None:
            room = component_wise_min(room, sub_only_existing(at.maximum, at.allocated))
    return room


def path_maximum(queue: Queue, *, with_root: bool) -> Resource | None:
    """Smallest maximum per type over the path, with or without the root's (the cluster size). C-124."""
    smallest: Resource | None = None
    for at in ancestry(queue):
        if at.maximum is not None and (with_root or at.parent is not None):
            smallest = component_wise_min(smallest, at.maximum)
    return smallest


def headroom_refusal(queue: Queue, resource: Resource) -> NoQueueRoom | None:
    """Why `resource` does not fit the headroom of `queue`: the queue and type that bind, with the numbers. W-11, E-6."""
    room = queue_headroom(queue)
    if fit_in_max_undef(room, resource):
        return None
    for name, need in sorted(resource.items()):
        if room is None or name not in room or need <= max(0, room[name]):
            continue
        limited = [(at, at.maximum[name]) for at in ancestry(queue) if at.maximum is not None and name in at.maximum]
        # A maximum that the ask alone exceeds is the reason whatever is in use: it can never run (E-10).
        binding, maximum = next((pair for pair in limited if need > pair[1]), None) or min(
            limited, key=lambda pair: pair[1] - pair[0].allocated.get(name, 0)
        )
        return NoQueueRoom(
            binding.path,
            type=name,
            need=need,
            headroom=maximum - binding.allocated.get(name, 0),
            maximum=maximum,
            allocated=binding.allocated.get(name, 0),
            cluster=binding.parent is None,
        )
    raise AssertionError("fit_in_max_undef refused a resource whose every type fits")


def over_maximum(queue: Queue, resource: Resource) -> Refusal | None:
    """The first queue, leaf first, whose maximum the allocation would exceed, or None. R-425."""
    at: Queue | None = queue
    while at is not None:
        above = at.parent
        if at.maximum is not None or above is None:
            maximum = at.maximum.amounts if at.maximum is not None else {}
            allocated = at.allocated.amounts
            for name, amount in resource.amounts.items():
                limit = maximum.get(name, None if above is not None else 0)
                if limit is not None and allocated.get(name, 0) + amount > (limit if limit > 0 else 0):
                    return OverMaximum(at.path, name, limit, allocated.get(name, 0), amount)
        at = above
    return None


def user_headroom(journal: Journal, partition: Partition, application: Application) -> Resource | None:
    """What the application's user and group may still hold in its queue; None if neither is limited. R-546, PL-121."""
    return users.headroom(journal, partition.users, application.leaf.path, application.user, application.groups, application.id)


def user_refusal(partition: Partition, application: Application, room: Resource | None, resource: Resource) -> Refusal:
    """Why `resource` does not fit the user headroom `room`: the limit and type that bind, with the numbers. W-10, E-6."""
    for name, need in sorted(resource.items()):
        if room is None or name not in room or need <= max(0, room[name]):
            continue
        bound = users.binding(partition.users, application.leaf.path, application.user, application.id, name)
        assert bound is not None
        kind, who, at, maximum, used = bound
        return NoUserRoom(
            at,
            kind=kind,
            who=who,
            type=name,
            need=need,
            headroom=room[name],
            maximum=maximum,
            used=used,
            kept=kind == "user" and users.is_kept_wildcard(partition.users, who, at),
        )
    raise AssertionError("the resource fits the user headroom")


def is_free_of_slots(queue: Queue | None) -> bool:
    """Whether no queue of the path limits the applications that run. R-541."""
    while queue is not None:
        if queue.max_applications:
            return False
        queue = queue.parent
    return True


def slot_refusals(
    journal: Journal, partition: Partition, application: Application, *, unlimited: bool = False
) -> tuple[Refusal | None, Refusal | None]:
    """Why a queue of its path, and why its user or group, has no slot left for an application. Section 6, W-05, W-06.

    The user is looked at even when a queue is full: that is when the application gets its group (PL-110, R-543).
    `unlimited`: he was looked at before, and nothing limits him.
    """
    return _queue_slots(application), None if unlimited else _user_slots(journal, partition, application)


def _user_slots(journal: Journal, partition: Partition, application: Application) -> Refusal | None:
    """R-542, PL-125."""
    full = users.full_level(journal, partition.users, application.leaf.path, application.user, application.groups, application.id)
    if full is None:
        return None
    kind, who, at, running, limit = full
    return HolderFull(at, kind, who, running, limit)


def _queue_slots(application: Application) -> Refusal | None:
    """The first queue, from the root down, that runs as many applications as it may. R-541."""
    full, at = None, application.queue
    while at is not None:
        if (
            at.max_applications
            and application.id not in at.allocating_accepted
            and at.running_applications + len(at.allocating_accepted) + 1 > at.max_applications
        ):
            full = at
        at = at.parent
    if full is None:
        return None
    return QueueFull(full.path, full.running_applications, len(full.allocating_accepted), full.max_applications)

"""What users and groups use and may use, queue by queue. The partition in the address is not looked at. RE-6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.config.validation.names import is_group_name, is_user_name
from workbench.rest.amounts import amounts, said
from workbench.rest.answer import Refusal
from workbench.rest.lookups import again
from workbench.rest.routes import Request
from workbench.rest.source import Source
from workbench.scheduler.records.state import NO_GROUP, Tracker, UsageLevel, UserManager

Document = dict[str, Any]


def users(source: Source, request: Request) -> list[Document]:
    manager = _manager(source)
    return [_user(manager, tracker) for _, tracker in sorted(manager.users.items())]


def user(source: Source, request: Request) -> Document:
    name, manager = again(request.names["user"]), _manager(source)
    if not is_user_name(name):
        raise Refusal(400, "Invalid user name")
    if name not in manager.users:
        raise Refusal(404, "User not found")
    return _user(manager, manager.users[name])


def groups(source: Source, request: Request) -> list[Document]:
    manager = _manager(source)
    return [_group(tracker) for _, tracker in sorted(manager.groups.items())]


def group(source: Source, request: Request) -> Document:
    name, manager = again(request.names["group"]), _manager(source)
    if not is_group_name(name):
        raise Refusal(400, "Invalid group name")
    if name not in manager.groups:
        raise Refusal(404, "Group not found")
    return _group(manager.groups[name])


def _manager(source: Source) -> UserManager:
    """The core has one for all partitions; this is that of the first."""
    return next(iter(source.state.partitions.values())).users


def _user(manager: UserManager, tracker: Tracker) -> Document:
    counts_in = {
        application: group
        for application, group in sorted(manager.group_of.items())
        if group != NO_GROUP and manager.owner_of.get(application) == tracker.name
    }
    return {"userName": tracker.name, **said(groups=counts_in, queues=_levels(tracker.levels))}


def _group(tracker: Tracker) -> Document:
    """Quirk: an application that counts in the group is listed when it first holds something, its user lists it before."""
    top = tracker.levels.get("root", UsageLevel())
    return {"groupName": tracker.name, **said(applications=sorted(top.applications), queues=_levels(tracker.levels))}


def _levels(levels: Mapping[str, UsageLevel], path: str = "root") -> Document:
    """The level of a queue with those below it."""
    level = levels.get(path, UsageLevel())
    below = [at for at in sorted(levels) if at.rpartition(".")[0] == path]
    return {
        "queuePath": path,
        **said(
            resourceUsage=amounts(level.usage),
            runningApplications=sorted(level.applications),
            maxResources=amounts(level.maximum),
            maxApplications=level.max_applications,
            children=[_levels(levels, at) for at in below],
        ),
    }

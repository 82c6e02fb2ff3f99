"""Facts about users and groups: headroom, whether an application may run, and who is tracked. Each case is one manager."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config import load_config
from workbench.conformance.fact import Fact, Finding, difference
from workbench.scheduler.objects import users
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import UserManager
from workbench.values.resources import Resource


def user_limits(facts: list[Fact]) -> Iterator[Finding]:
    """The steps of each case in order; what is read must be what was recorded."""
    for fact in facts:
        yield difference(fact["name"], fact["steps"], list(_taken(fact["steps"])))


def _taken(steps: list[Fact]) -> Iterator[Fact]:
    journal = Journal(history=False)
    manager = users.manager(journal, users.LimitTable({}, {}))
    for step in steps:
        yield _step(journal, manager, step)


def _step(journal: Journal, manager: UserManager, step: Fact) -> Fact:
    """The step with what came out of it in the place of what was expected."""
    match step:
        case {"config": text}:
            users.reload(journal, manager, users.limit_table(load_config(text).partition()))
            return step
        case {"tracked_users": _, "tracked_groups": _}:
            return {"tracked_users": sorted(manager.users), "tracked_groups": sorted(manager.groups)}
        case {"headroom": who}:
            room = users.headroom(journal, manager, *_identity(who))
            return {"headroom": who, "expect": None if room is None else dict(room)}
        case {"can_run": who}:
            return {"can_run": who, "expect": users.full_level(journal, manager, *_identity(who)) is None}
        case {"increase": who}:
            users.increase(journal, manager, *_identity(who), Resource(who["resource"]))
            return step
        case {"decrease": who}:
            users.decrease(
                journal, manager, who["queue"], who["user"], who["app"], Resource(who["resource"]), ended=who["remove_app"]
            )
            return step
        case _:
            raise KeyError(*step)


def _identity(who: Fact) -> tuple[str, str, tuple[str, ...], str]:
    return who["queue"], who["user"], tuple(who["groups"]), who["app"]

"""Limits of users and groups as a table: who may hold how much at which queue, and what counts towards it.

Rules of section 12 of chapter 03.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.explain.tables import Table, without_empty_columns
from workbench.explain.wording import amounts, name
from workbench.scheduler.objects.users import WILDCARD, LimitTable, LimitValue
from workbench.scheduler.records.state import Cluster, Tracker, UsageLevel, UserManager

LIMIT_CAPTION = "Limits of users and groups, and what counts towards them"
LIMIT_COLUMNS = ("queue", "limit of", "max", "used", "max apps", "running")
NO_LIMITS = "Nobody is limited."

USER, GROUP = "user", "group"


def limit_rows(state: Cluster, partition: str = "default") -> Table:
    """Every configured limit with its use. A wildcard for users has a row for each user it holds for so far (PL-102).

    KeyError if there is no such partition.
    """
    manager = state.partitions[partition.lower()].users
    found = list(_limits(manager))
    rows = tuple(
        (
            name(path),
            holder,
            amounts(limit.maximum),
            amounts(level.usage),
            str(limit.max_applications or ""),
            str(len(level.applications)),
        )
        for path, holder, limit, level in found
    )
    return without_empty_columns(
        Table(
            LIMIT_CAPTION,
            LIMIT_COLUMNS,
            rows,
            frozenset(("max apps", "running")),
            tuple((path, holder) for path, holder, _, _ in found),
            NO_LIMITS,
        )
    )


def _limits(manager: UserManager) -> Iterator[tuple[str, str, LimitValue, UsageLevel]]:
    table: LimitTable = manager.table
    for path in dict.fromkeys((*table.users, *table.groups)):
        users, groups = table.users.get(path, {}), table.groups.get(path, {})
        for who, limit in users.items():
            if who != WILDCARD:
                yield path, limit_holder(USER, who), limit, _level(manager.users.get(who), path)
                continue
            # Not shared: each user without a limit of the own has this one. PL-102
            held = [each for each in sorted(manager.users) if each not in users and path in manager.users[each].levels]
            for each in held:
                yield path, limit_by_wildcard(USER, each), limit, _level(manager.users[each], path)
            if not held:
                yield path, any_holder(USER), limit, UsageLevel()
        for who, limit in groups.items():
            holder = any_holder(GROUP) if who == WILDCARD else limit_holder(GROUP, who)
            yield path, holder, limit, _level(manager.groups.get(who), path)


def _level(tracker: Tracker | None, path: str) -> UsageLevel:
    return tracker.levels.get(path, UsageLevel()) if tracker is not None else UsageLevel()


# ---- in words ---------------------------------------------------------------------------------------------------------


def limit_holder(kind: str, who: str) -> str:
    return f"{kind} {name(who)}"


def limit_by_wildcard(kind: str, who: str) -> str:
    return f"{kind} {name(who)}, as any"


def any_holder(kind: str) -> str:
    return f"any {kind}"

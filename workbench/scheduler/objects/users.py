"""Users and groups: what each holds at every queue of a path, and the limits on it. Chapter 03 sections 12 and 13.

A tracker belongs to a user or a group; its levels mirror queue paths. A level stores the limit that was in force when it was
made or last reloaded, because the core does, and its surprises on reload come from that (PL-131, PL-132). One manager belongs
to one partition (PL-100).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.config.model import PartitionConfig, QueueConfig
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.paths import prefixes
from workbench.scheduler.records.state import NO_GROUP, Tracker, UsageLevel, UserManager
from workbench.values.resources import EMPTY, Resource, component_wise_min, from_config, is_zero, sub_only_existing

WILDCARD = "*"


@dataclass(frozen=True, slots=True)
class LimitValue:
    """One limit: resources (None: not limited) and running applications (0: not limited)."""

    maximum: Resource | None = None
    max_applications: int = 0


NO_LIMIT = LimitValue()


@dataclass(frozen=True, slots=True)
class LimitTable:
    """All limits of a partition: queue path as written -> name or "*" -> limit, names in configuration order (PL-104)."""

    users: Mapping[str, Mapping[str, LimitValue]]
    groups: Mapping[str, Mapping[str, LimitValue]]


def limit_table(config: PartitionConfig) -> LimitTable:
    """The limits of a loaded partition configuration."""
    users: dict[str, dict[str, LimitValue]] = {}
    groups: dict[str, dict[str, LimitValue]] = {}

    def read(queue: QueueConfig, above: str) -> None:
        path = f"{above}{queue.name}"
        limits = queue.limits or (config.limits if not above else ())
        for limit in limits:
            maximum = from_config(limit.max_resources)
            value = LimitValue(None if is_zero(maximum) else maximum, limit.max_applications)
            for table, names in ((users, limit.users), (groups, limit.groups)):
                for name in names:
                    table.setdefault(path, {})[name] = value
        for child in queue.queues:
            read(child, f"{path}.")

    read(config.root, "")
    return LimitTable(users, groups)


def headroom(
    journal: Journal, manager: UserManager, path: str, user: str, groups: Sequence[str], application_id: str
) -> Resource | None:
    """What the user, and the group the application counts in, may still hold at the path; None if neither is limited. PL-121."""
    room = _room(_user_levels(journal, manager, user, path))
    group = _group_of(journal, manager, path, user, groups, application_id)
    if group != NO_GROUP:
        room = component_wise_min(room, _room(_group_levels(journal, manager, group, path)))
    return room


def binding(manager: UserManager, path: str, user: str, application_id: str, name: str) -> tuple[str, str, str, int, int] | None:
    """(kind, who, queue, maximum, used) of the limit that leaves least of a resource type, or None. For explanations."""
    found: list[tuple[int, tuple[str, str, str, int, int]]] = []
    for kind, who in (("user", user), ("group", manager.group_of.get(application_id, NO_GROUP))):
        tracker = (manager.users if kind == "user" else manager.groups).get(who)
        for at in prefixes(path):
            level = tracker.levels.get(at) if tracker is not None else None
            if level is not None and level.maximum is not None and name in level.maximum:
                used = (level.usage or EMPTY).get(name, 0)
                found.append((level.maximum[name] - used, (kind, who, at, level.maximum[name], used)))
    return min(found, default=(0, None), key=lambda item: item[0])[1]


def is_kept_wildcard(manager: UserManager, user: str, path: str) -> bool:
    """Whether the limit of the user at the queue is that of a wildcard which the configuration no longer has. PL-132."""
    limits = manager.table.users.get(path, {})
    return user not in limits and WILDCARD not in limits


def full_level(
    journal: Journal, manager: UserManager, path: str, user: str, groups: Sequence[str], application_id: str
) -> tuple[str, str, str, int, int] | None:
    """(kind, who, queue, running, limit) of the first level without a slot for the application, leaf first; None if it may run.

    PL-125, R-542.
    """
    own = _user_levels(journal, manager, user, path)
    # The group is chosen here even if the user has no slot. PL-110
    group = _group_of(journal, manager, path, user, groups, application_id)
    shared = _group_levels(journal, manager, group, path) if group != NO_GROUP else []
    for kind, who, levels in (("user", user, own), ("group", group, shared)):
        for at, level in reversed(levels):
            if level.max_applications and not _has_slot(level, application_id):
                return kind, who, at, len(level.applications), level.max_applications
    return None


def limited_levels(manager: UserManager, path: str, user: str, application_id: str) -> Iterator[UsageLevel]:
    """The levels of the path that limit the application's user, or the group it counts in."""
    for tracker in (manager.users.get(user), manager.groups.get(manager.group_of.get(application_id, NO_GROUP))):
        if tracker is not None:
            for at in prefixes(path):
                level = tracker.levels.get(at)
                if level is not None and (level.maximum is not None or level.max_applications):
                    yield level


Standing = tuple[UsageLevel | None, str | None, UsageLevel | None]
"""The level of a user at a path, the group that an application counts in, and the level of that group."""


def standing(manager: UserManager, path: str, user: str, application_id: str) -> Standing:
    """The level of the user at the path, the group the application counts in, and the group's level there, as far as known.

    While these are the same objects, so are all levels above, and their limits: a level goes before those above it do, and
    limits change with the configuration only.
    """
    group = manager.group_of.get(application_id)
    own, shared = manager.users.get(user), manager.groups.get(group) if group else None
    return (own.levels.get(path) if own is not None else None, group, shared.levels.get(path) if shared is not None else None)


def increase(
    journal: Journal, manager: UserManager, path: str, user: str, groups: Sequence[str], application_id: str, amount: Resource
) -> None:
    """The application holds more: it counts at every level of its path. PL-127, PL-128."""
    if not (path and user and application_id):
        return
    levels = _user_levels(journal, manager, user, path)
    group = _group_of(journal, manager, path, user, groups, application_id)
    if group != NO_GROUP:
        levels = levels + _group_levels(journal, manager, group, path)
    for _, level in levels:
        journal.raise_sum(level, "usage", amount)
        if application_id not in level.applications:
            journal.put(level, "applications", application_id, None)


def decrease(
    journal: Journal, manager: UserManager, path: str, user: str, application_id: str, amount: Resource, *, ended: bool
) -> None:
    """The application holds less; with `ended` it no longer counts, and its group is open again. PL-127, PL-128."""
    group = manager.group_of.get(application_id, NO_GROUP)
    for kind, name in (("users", user), ("groups", group)):
        tracker = getattr(manager, kind).get(name)
        if tracker is None or (kind == "groups" and name == NO_GROUP):
            continue
        for at in prefixes(path):
            level = tracker.levels.get(at)
            if level is None:
                continue
            if level.usage is not None:
                journal.lower_sum(level, "usage", amount)
            if ended and application_id in level.applications:
                journal.drop(level, "applications", application_id)
        _drop_unused(journal, manager, kind, tracker, path)
    if ended and application_id in manager.group_of:
        journal.drop(manager, "group_of", application_id)
        journal.drop(manager, "owner_of", application_id)
    _drop_links(journal, manager, user)


def manager(journal: Journal, table: LimitTable) -> UserManager:
    """A manager with these limits and a tracker for everybody they name."""
    made = UserManager(LimitTable({}, {}))
    reload(journal, made, table)
    return made


def reload(journal: Journal, manager: UserManager, table: LimitTable) -> None:
    """New limits take effect at once; usage is kept, with the core's exceptions. Section 13.

    New entries are stored first and vanished ones cleared afterwards, from the root down. Quirk: clearing an idle level
    takes everything below it along, limits just stored there included.
    """
    old: LimitTable = manager.table
    journal.set(manager, "table", table)
    for path, limits in table.users.items():
        for name, value in limits.items():
            if name != WILDCARD:
                _store(journal, _levels(journal, manager, "users", name, path, None)[-1][1], value)
    for path, limits in table.users.items():
        if WILDCARD in limits:
            for name in list(manager.users):
                if name not in limits:
                    _store(journal, _levels(journal, manager, "users", name, path, None)[-1][1], limits[WILDCARD])
    for path, limits in table.groups.items():
        for name, value in limits.items():
            _store(journal, _levels(journal, manager, "groups", name, path, None)[-1][1], value)
    for path, limits in old.users.items():
        _clear_users(journal, manager, path, limits, table.users.get(path, {}))
    for path, limits in old.groups.items():
        for name in limits:
            if name not in table.groups.get(path, {}) and name in manager.groups:
                _unlink_group(journal, manager, manager.groups[name], path)
                _clear(journal, manager, "groups", manager.groups[name], path)


def _clear_users(
    journal: Journal, manager: UserManager, path: str, old: Mapping[str, LimitValue], new: Mapping[str, LimitValue]
) -> None:
    """User entries that vanished from a path. PL-131, PL-132."""
    for name in old:
        if name == WILDCARD or name in new or name not in manager.users:
            continue
        _clear(journal, manager, "users", manager.users[name], path)
        _drop_links(journal, manager, name)
        if WILDCARD in new and name in manager.users and path in manager.users[name].levels:
            _store(journal, manager.users[name].levels[path], new[WILDCARD])
    # Quirk: next to named entries before and after, a removed wildcard stays in force for known users.
    if WILDCARD in old and WILDCARD not in new and not (set(old) - {WILDCARD} and new):
        for tracker in manager.users.values():
            if tracker.name not in old and tracker.name not in new and path in tracker.levels:
                _store(journal, tracker.levels[path], NO_LIMIT)


def _clear(journal: Journal, manager: UserManager, kind: str, tracker: Tracker, path: str) -> None:
    """The limit at a path is gone; an idle level goes with it, and so does everything below.

    Quirk: levels between it and the root stay, however empty, and with them the tracker.
    """
    level = tracker.levels.get(path)
    if level is None:
        return
    _store(journal, level, NO_LIMIT)
    if not level.applications and is_zero(level.usage):
        for at in [at for at in tracker.levels if at == path or at.startswith(f"{path}.")]:
            journal.drop(tracker, "levels", at)
    if len(tracker.levels) <= 1:
        _drop_unused(journal, manager, kind, tracker, next(iter(tracker.levels), ""))


def _unlink_group(journal: Journal, manager: UserManager, tracker: Tracker, path: str) -> None:
    """A group lost its limit at a path: its applications there lose their group, and all counts on the path start anew. PL-131."""
    if path not in tracker.levels:
        return
    for application_id in tracker.levels[path].applications:
        if manager.group_of.get(application_id) == tracker.name:
            journal.drop(manager, "group_of", application_id)
    for at in prefixes(path):
        level = tracker.levels.get(at)
        if level is not None:
            journal.set(level, "usage", None)
            journal.set(level, "applications", {})


def _drop_links(journal: Journal, manager: UserManager, user: str) -> None:
    """A user whose tracker is gone forgets which groups his applications count in."""
    if user not in manager.users:
        for application_id in [each for each, owner in manager.owner_of.items() if owner == user]:
            journal.drop(manager, "owner_of", application_id)
            if application_id in manager.group_of:
                journal.drop(manager, "group_of", application_id)


def _user_levels(journal: Journal, manager: UserManager, user: str, path: str) -> list[tuple[str, UsageLevel]]:
    """The user's levels from root to the path; a missing one is made with the wildcard limit in force. PL-102, PL-129.

    Limits of named users are stored when the configuration is loaded, and only then. Quirk: one that was lost with a level
    (see `reload`) is not looked up again, and the wildcard takes its place.
    """
    return _levels(journal, manager, "users", user, path, manager.table.users)


def _group_levels(journal: Journal, manager: UserManager, group: str, path: str) -> list[tuple[str, UsageLevel]]:
    """The same for a group; only its own limits apply. PL-113.

    Quirk: none for a group that lost its last limit (PL-131), though an application that waited then keeps the link to it.
    """
    if group not in manager.groups:
        return []
    return _levels(journal, manager, "groups", group, path, None)


def _levels(
    journal: Journal,
    manager: UserManager,
    kind: str,
    name: str,
    path: str,
    wildcards: Mapping[str, Mapping[str, LimitValue]] | None,
) -> list[tuple[str, UsageLevel]]:
    """The levels of a tracker in the table `kind`, "users" or "groups"."""
    tracker = getattr(manager, kind).get(name)
    if tracker is not None:
        known = tracker.levels
        try:
            return [(at, known[at]) for at in prefixes(path)]
        except KeyError:
            pass
    else:
        tracker = Tracker(name)
        journal.put(manager, kind, name, tracker)
    levels = []
    for at in prefixes(path):
        level = tracker.levels.get(at)
        if level is None:
            value = (wildcards or {}).get(at, {}).get(WILDCARD, NO_LIMIT)
            level = UsageLevel(value.maximum, value.max_applications)
            journal.put(tracker, "levels", at, level)
        levels.append((at, level))
    return levels


def _group_of(journal: Journal, manager: UserManager, path: str, user: str, groups: Sequence[str], application_id: str) -> str:
    """The group the application counts in, chosen at its first call and kept; NO_GROUP for none. PL-110 to PL-112."""
    known = manager.group_of.get(application_id)
    if known is not None:
        return known
    chosen = _choose_group(manager.table, path, groups) if groups else NO_GROUP
    journal.put(manager, "group_of", application_id, chosen)
    journal.put(manager, "owner_of", application_id, user)
    if chosen != NO_GROUP and chosen not in manager.groups:
        # A moved limit may have taken the tracker along (see `reload`); whoever counts in the group brings it back.
        journal.put(manager, "groups", chosen, Tracker(chosen))
    return chosen


def _choose_group(table: LimitTable, path: str, groups: Sequence[str]) -> str:
    """From the queue up: the first configured group of the level that the user has, else a wildcard there. PL-111."""
    for at in reversed(prefixes(path)):
        limits = table.groups.get(at, {})
        for name in limits:
            if name != WILDCARD and name in groups:
                return name
        if WILDCARD in limits:
            return WILDCARD
    return NO_GROUP


def _room(levels: Sequence[tuple[str, UsageLevel]]) -> Resource | None:
    """Smallest maximum - usage over the limited levels, possibly negative; None if no level is limited. PL-120."""
    room: Resource | None = None
    for _, level in levels:
        if level.maximum is not None:
            room = component_wise_min(room, sub_only_existing(level.maximum, level.usage))
    return room


def _has_slot(level: UsageLevel, application_id: str) -> bool:
    return (
        not level.max_applications or application_id in level.applications or len(level.applications) + 1 <= level.max_applications
    )


def _store(journal: Journal, level: UsageLevel, value: LimitValue) -> None:
    journal.set(level, "maximum", value.maximum)
    journal.set(level, "max_applications", value.max_applications)


def _drop_unused(journal: Journal, manager: UserManager, kind: str, tracker: Tracker, path: str) -> None:
    """Levels of the path without children, applications, usage and limits go, deepest first; then an empty tracker. PL-129."""
    for at in reversed(prefixes(path)):
        level = tracker.levels.get(at)
        if level is None:
            continue
        has_children = any(other.startswith(f"{at}.") for other in tracker.levels)
        if not (has_children or level.applications or not is_zero(level.usage) or level.maximum or level.max_applications):
            journal.drop(tracker, "levels", at)
    if not tracker.levels:
        journal.drop(manager, kind, tracker.name)

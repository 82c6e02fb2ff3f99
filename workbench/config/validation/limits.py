"""User and group limits: one queue's list by itself, then against the limits of the queues above (C-86 to C-99)."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable
from typing import TypeVar

from workbench.config.model import Limit, QueueConfig
from workbench.config.read.tree_shape import ROOT
from workbench.config.validation.amounts import quantities
from workbench.config.validation.names import is_group_name, is_user_name
from workbench.values.errors import ConfigError
from workbench.values.quantities import QuantityError
from workbench.values.resources import Resource, component_wise_min, fit_in_max_undef, from_config, is_zero, to_string

WILDCARD = "*"


# -- one queue's list ----------------------------------------------------------------------------------------------


def check_limits(queue: QueueConfig, path: str) -> None:
    """The limits of one queue, in list order; a name may occur once in the whole list."""
    users: dict[str, None] = {}
    groups: dict[str, None] = {}
    for limit in queue.limits:
        _check_somebody(limit, path)
        _check_users(limit, users)
        _check_groups(limit, groups)
        _check_amounts(limit, queue, path)


def _check_somebody(limit: Limit, path: str) -> None:
    """Somebody is limited (C-86)."""
    if not limit.users and not limit.groups:
        texts = limit.max_resources or {}
        resources = " ".join(f"{name}:{texts[name]}" for name in sorted(texts))
        raise ConfigError(
            f"empty user and group lists defined in limit '{{{limit.limit} [] [] map[{resources}] {limit.max_applications}}}'",
            line=limit.line,
            hint=f"a limit of {path} lists nobody: add users or groups, '*' for everybody",
        )


def _check_users(limit: Limit, seen: dict[str, None]) -> None:
    """Valid users, each once, the wildcard last (C-87 to C-89). Adds them to `seen`."""
    for name in limit.users:
        if name != WILDCARD and not is_user_name(name):
            raise ConfigError(f"invalid limit user name '{name}' in limit definition", line=limit.line, hint=_USER_HINT)
        if name in seen:
            hint = "one queue can limit a user once; merge the two entries"
            raise ConfigError(f"duplicated user name '{name}', already exists", line=limit.line, hint=hint)
        if name != WILDCARD and WILDCARD in seen:
            text = f"should not set no wildcard user {name} after wildcard user limit"
            raise ConfigError(text, line=limit.line, hint="put the limit of '*' behind all others")
        seen[name] = None


def _check_groups(limit: Limit, seen: dict[str, None]) -> None:
    """Valid groups, each once, the wildcard last and never alone (C-90, C-91). Adds them to `seen`."""
    for name in limit.groups:
        if name != WILDCARD and not is_group_name(name):
            text = f"invalid limit group name '{name}' in limit definition"
            raise ConfigError(text, line=limit.line, hint=_GROUP_HINT)
        if name in seen:
            hint = "one queue can limit a group once; merge the two entries"
            raise ConfigError(f"duplicated group name '{name}'", line=limit.line, hint=hint)
        if name != WILDCARD and WILDCARD in seen:
            text = f"should not set no wildcard group {name} after wildcard group limit"
            raise ConfigError(text, line=limit.line, hint="put the limit of '*' behind all others")
        seen[name] = None
    if len(seen) == 1 and WILDCARD in seen:
        raise ConfigError(
            "should not specify only one group limit that is using the wildcard. "
            "There must be at least one limit with a group name defined ",
            line=limit.line,
            hint="name a group in this entry or an earlier one, or limit users instead of groups",
        )


def _check_amounts(limit: Limit, queue: QueueConfig, path: str) -> None:
    """Something is limited, and no looser than by the queue itself (C-92 to C-97)."""
    maximum = quantities(limit.max_resources, line=limit.line, place=f"maxresources of a limit of {path}")
    if limit.max_resources and is_zero(maximum):
        raise ConfigError(
            f"MaxResources should be greater than zero in '{limit.limit}' limit",
            line=limit.line,
            hint="give at least one type more than 0, or remove maxresources",
        )
    if not limit.max_resources and not limit.max_applications:
        raise ConfigError(
            f"invalid resource combination for limit {limit.limit} all resource limits are null",
            line=limit.line,
            hint="set maxapplications, maxresources or both",
        )
    if queue.max_applications and queue.max_applications < limit.max_applications:
        raise ConfigError(
            f"invalid MaxApplications settings for limit {limit.limit} exceed current the queue MaxApplications",
            line=limit.line,
            hint=f"{path} runs at most {queue.max_applications} applications, the limit says {limit.max_applications}",
        )
    if queue.name == ROOT:  # quirk kept from the reference: a nested queue of that name is let off, too
        return
    line = queue.resources.line or queue.line
    try:
        queue_maximum = from_config(queue.resources.max)
    except QuantityError as error:
        hint = f"max of {path}: {error.type_name}: {error.quantity!r}"
        raise ConfigError(f"parse queue {queue.name} max resource failed: {error}", line=line, hint=hint) from None
    if not fit_in_max_undef(queue_maximum, maximum):
        raise ConfigError(
            f"invalid MaxResources settings for limit {limit.limit} exeecd current the queue MaxResources",
            line=limit.line,
            hint=f"{path} has max {to_string(queue_maximum)}, the limit says {to_string(maximum)}",
        )


_USER_HINT = "a user is a letter or _, then letters, digits and : # / _ . @ -, and may end in $; or '*'"
_GROUP_HINT = "a group is a letter or _, then letters, digits and : _ . -; or '*'"

# -- down the tree -------------------------------------------------------------------------------------------------

Amount = TypeVar("Amount")
Inherited = ChainMap[str, Amount]  # per queue on the way up: what its limits record for each name
# (kind, name, amount, queue, inherited, whether inherited is the wildcard's) -> error text or None
Compare = Callable[[str, str, Amount, QueueConfig, Amount, bool], str | None]


def check_limit_resources_down_the_tree(root: QueueConfig, *, by_path: bool = True) -> None:
    """No limit allows more resources than the same name, or else the wildcard, is allowed further up (C-98)."""

    def compare(kind: str, name: str, own: Resource, queue: QueueConfig, above: Resource, wild: bool) -> str | None:
        if fit_in_max_undef(above, own):
            return None
        whose = "wildcard" if wild else "immediate or ancestor parent"
        where = " of immediate or ancestor parent queue" if wild else ""
        return (
            f"{kind} {name} max resource {to_string(own)} of queue {queue.name} is greater than "
            f"{whose} maximum resource {to_string(above)}{where}"
        )

    def amount(limit: Limit) -> Resource:
        return from_config(limit.max_resources)

    def smaller(own: Resource, above: Resource) -> Resource:
        return component_wise_min(own, above)

    # Quirk kept from the reference: next to the wildcard's limit only the new value is handed down (C-98).
    _check_down_the_tree(root, amount, compare, smaller, by_path)


def check_limit_applications_down_the_tree(root: QueueConfig, *, by_path: bool = True) -> None:
    """The same for maxapplications, where 0 in a limit above enforces nothing and 0 below one is an excess (C-99)."""

    def compare(kind: str, name: str, own: int, queue: QueueConfig, above: int, wild: bool) -> str | None:
        if above == 0 or 0 < own <= above:
            return None
        whose = "wildcard" if wild else "immediate or ancestor parent"
        where = " of immediate or ancestor parent queue" if wild else ""
        return f"{kind} {name} max applications {own} of queue {queue.name} is greater than {whose} max applications {above}{where}"

    _check_down_the_tree(root, lambda limit: limit.max_applications, compare, lambda own, above: own, by_path)


def _check_down_the_tree(
    root: QueueConfig,
    amount: Callable[[Limit], Amount],
    compare: Compare[Amount],
    hand_down: Callable[[Amount, Amount], Amount],
    by_path: bool,
) -> None:
    # Quirk of the reference up to 1.8: the limits handed down are filed by path, and any queue named root has the path
    # "root". So a nested one replaces what root hands to the queues visited after it. R-950
    nothing: tuple[Inherited[Amount], Inherited[Amount]] = (ChainMap(), ChainMap())
    handed_down: dict[str, tuple[Inherited[Amount], Inherited[Amount]]] = {}
    waiting = [(root, "")]
    while waiting:
        queue, parent_path = waiting.pop()
        path = ROOT if queue is root or (by_path and queue.name == ROOT) else f"{parent_path}.{queue.name}"
        handed_down[path] = nothing
        users_above, groups_above = handed_down.get(parent_path, nothing)
        users, groups = users_above, groups_above
        if queue.limits:
            users, groups = users_above.new_child(), groups_above.new_child()
        for limit in queue.limits:
            own = amount(limit)
            for kind, names, inherited, recorded in (
                ("user", limit.users, users_above, users),
                ("group", limit.groups, groups_above, groups),
            ):
                for name in names:
                    recorded[name] = own
                    wild = name not in inherited
                    above = inherited.get(WILDCARD if wild else name)
                    if above is None:
                        continue
                    text = compare(kind, name, own, queue, above, wild)
                    if text is not None:
                        raise ConfigError(text, line=limit.line, hint="lower this limit or raise the one above it")
                    if not wild:
                        recorded[name] = hand_down(own, above)
        handed_down[path] = (users, groups)
        waiting.extend((child, path) for child in reversed(queue.queues))

"""Who submits: the user and the groups that count for ACLs, filters and limits. PL-10 to PL-17.

Groups that come with a submission are taken as they are; without any, a resolver is asked. Both answers are
remembered, for the whole cluster (PL-17). Quirk kept from the reference: what is remembered never expires (PL-15), so
a user who once came with groups keeps them for every later submission without (PL-16).

No resolver looks at the machine that this runs on. Configured types that none is registered for (`os`, `ldap`) answer
as the default one does: the only group is named like the user.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Union

from workbench.config.validation.names import is_user_name
from workbench.scheduler.placement import tags
from workbench.scheduler.records.commands import ApplicationSpec
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.state import Cluster

ANONYMOUS_USER = "nobody"
ANONYMOUS_GROUP = "nogroup"
NO_USER = "empty user cannot resolve"
INVALID_USER = "invalid username, it contains invalid characters"
FAILED_BEFORE = "user resolution failed, cached data returned: 1970-01-01 00:00:00 +0000 UTC"
"""Quirk: the clock of the cache is never set, so the time it tells is the start of time. PL-15."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A user and the groups that count, the primary one first."""

    user: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A resolver does not know the user; `text` says why."""

    text: str


Resolver = Callable[[str], Union[tuple[str, ...], Unknown]]
"""User name to groups, the primary one first. Gives the same answer whenever it is asked for the same name."""


def own_group(user: str) -> tuple[str, ...]:
    """The default resolver: one group, named like the user. PL-14."""
    return (user,)


RESOLVERS: dict[str, Resolver] = {"": own_group}
"""By `usergroupresolver.type` in lower case; "" answers for every type that is not listed."""


def resolve(ctx: Context, spec: ApplicationSpec) -> Identity | str:
    """The identity of the submitter, or the text of the refusal. What was found out is remembered."""
    answer, learned = _resolved(ctx.cluster, spec)
    if learned is not None and ctx.cluster.identities.get(learned.user) != learned.groups:
        ctx.journal.put(ctx.cluster, "identities", learned.user, learned.groups)
    return answer


def preview(cluster: Cluster, spec: ApplicationSpec) -> Identity | str:
    """What `resolve` would answer now; nothing is remembered."""
    return _resolved(cluster, spec)[0]


def _resolved(cluster: Cluster, spec: ApplicationSpec) -> tuple[Identity | str, Identity | None]:
    """The answer, and what is to be remembered; there, no groups stand for a resolution that failed."""
    forced = tags.is_forced(spec.tags)
    user, groups = spec.user, tuple(spec.groups)
    learned = None
    if not user:
        if not forced:
            return NO_USER, None
        user, groups = ANONYMOUS_USER, (ANONYMOUS_GROUP,)
    if not groups:
        # Quirk: the user name is not checked on this way. PL-13
        found = _looked_up(cluster, user)
        if not isinstance(found, Unknown):
            return Identity(user, found), Identity(user, found)
        learned = Identity(user, ())
        if not forced:
            return found.text, learned
        groups = (ANONYMOUS_GROUP,)
    if cluster.profile.submission_checks_user and not is_user_name(user):
        return INVALID_USER, learned
    return Identity(user, groups), Identity(user, groups)


def _looked_up(cluster: Cluster, user: str) -> tuple[str, ...] | Unknown:
    """The groups remembered for the user, else those of the resolver."""
    if user in cluster.identities:
        return cluster.identities[user] or Unknown(FAILED_BEFORE)
    return RESOLVERS.get(cluster.user_group_resolver.lower(), RESOLVERS[""])(user)

"""Who submits: user and groups after resolution. Chapter 03 section 2.

Every resolver resolves like the default one, a user's only group being the user name: a simulation has no operating system
or directory to ask. The cache of identities, quirk included, is state of the cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.config.names import is_user_name
from workbench.scheduler.commands import ApplicationSpec
from workbench.scheduler.context import Context
from workbench.scheduler.placement_stopgap.tags import is_forced
from workbench.scheduler.state import Partition

NOBODY = ("nobody", ("nogroup",))
INVALID_USER = "invalid username, it contains invalid characters"


@dataclass(frozen=True, slots=True)
class Identity:
    """A user and its groups, the primary one first."""

    user: str
    groups: tuple[str, ...]


def resolve(ctx: Context, partition: Partition, spec: ApplicationSpec) -> Identity | str:
    """The identity behind a submission, or the core's reason for refusing it. PL-10 to PL-16."""
    if not spec.user:
        return Identity(*NOBODY) if is_forced(spec.tags) else "empty user cannot resolve"
    known = ctx.cluster.identities
    if spec.groups:
        if not is_user_name(spec.user):
            return INVALID_USER
        ctx.journal.put(known, spec.user, tuple(spec.groups))
        return Identity(spec.user, tuple(spec.groups))
    # Quirk (PL-16): groups given once stay for later submissions without groups.
    if spec.user not in known:
        ctx.journal.put(known, spec.user, (spec.user,))
    return Identity(spec.user, known[spec.user])

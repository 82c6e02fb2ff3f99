"""Numbers of applications and limits of users and groups: L-22 to L-26, and limits that are looked for in vain (PL-104)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workbench.config.checks.design import Design, QueueFacts
from workbench.config.checks.finding import Finding, Repair
from workbench.config.model import Limit
from workbench.config.validation.limits import WILDCARD
from workbench.values.resources import from_config

Entries = Iterator[tuple[QueueFacts, int, Limit]]


def _limits(design: Design) -> Entries:
    for queue in design.queues.values():
        for position, limit in enumerate(queue.config.limits):
            yield queue, position, limit


def applications_of_the_children(design: Design) -> Iterator[Finding]:
    """L-22: the children may run more applications together than their parent, or can never use up what it allows."""
    for queue in design.queues.values():
        own, together = queue.config.max_applications, sum(child.config.max_applications for child in queue.children)
        if not own or not queue.children or together == own or together < own and design.grows(queue):
            continue
        repair = design.accepted(design.edit("field", queue, "maxapplications", together))
        yield design.finding(
            "L-22",
            "warning",
            queue,
            "maxapplications",
            "C-80",
            "R-426",
            repairs=(repair,),
            case="more" if together > own else "less",
            own=own,
            together=together,
            children=len(queue.children),
        )


def one_at_a_time(design: Design) -> Iterator[Finding]:
    """L-23: one application for everybody who may use the leaf. Who really does is not known here (E-40)."""
    for leaf in design.leaves:
        if not _for_several(leaf):
            continue
        if leaf.config.max_applications == 1:
            above = leaf.parent.config.max_applications if leaf.parent is not None else 0
            raised = (design.edit("field", leaf, "maxapplications", 2),) if above != 1 else None  # C-80
            yield design.finding("L-23", "warning", leaf, "maxapplications", "R-426", "E-40", case="queue", repairs=(raised,))
        for position, limit in enumerate(leaf.config.limits):
            if limit.max_applications == 1 and limit.groups:
                yield design.finding(
                    "L-23",
                    "warning",
                    leaf,
                    f"limits[{position}].maxapplications",
                    "PL-103",
                    "E-40",
                    case="group",
                    groups=limit.groups,
                )


def _for_several(leaf: QueueFacts) -> bool:
    """Whether the ACLs on the way let more than one person in."""
    acls = [acl for at in leaf.up() for acl in at.acls]
    users = {user for acl in acls for user in acl.users}
    return len(users) > 1 or any(acl.everybody or acl.groups for acl in acls)


def users_and_groups_in_one(design: Design) -> Iterator[Finding]:
    """L-24: one entry for users and groups is two limits, not one for all of them."""
    for queue, position, limit in _limits(design):
        if limit.users and limit.groups:
            split = (replace(limit, groups=()), replace(limit, users=()))
            entries = queue.config.limits
            changed = (*entries[:position], *split, *entries[position + 1 :])
            yield design.finding(
                "L-24",
                "warning",
                queue,
                f"limits[{position}]",
                "PL-102",
                "PL-103",
                limit=limit.limit,
                repairs=((design.edit("limits", queue, value=changed),),),
                users=limit.users,
                groups=limit.groups,
            )


def each_user_for_himself(design: Design) -> Iterator[Finding]:
    """L-25: the limit of user * is for each of them, not for all together."""
    for queue, position, limit in _limits(design):
        if WILDCARD in limit.users:
            named = tuple(name for each in queue.config.limits for name in each.users if name != WILDCARD)
            yield design.finding("L-25", "hint", queue, f"limits[{position}].users", "PL-102", limit=limit.limit, named=named)


def limit_without_effect(design: Design) -> Iterator[Finding]:
    """L-26: a user's limit below one that binds earlier, in the limit of a queue above."""
    for queue, position, limit in _limits(design):
        has_wildcard = any(WILDCARD in each.users for each in queue.config.limits)
        for name in limit.users:
            if name != WILDCARD and has_wildcard:
                continue  # a name beside the wildcard is let off the wildcard's limit here
            found = _binding_above(queue, limit, name)
            if found is not None:
                above, whose = found
                yield design.finding(
                    "L-26",
                    "warning",
                    queue,
                    f"limits[{position}]",
                    "C-98",
                    "PL-101",
                    "PL-102",
                    repairs=(_without_user(design, queue, position, name),),
                    user=name,
                    above=above.path,
                    whose=whose,
                )


def _binding_above(queue: QueueFacts, limit: Limit, name: str) -> tuple[QueueFacts, str] | None:
    """The nearest queue above that limits the user to no more, in everything that this limit names."""
    own = from_config(limit.max_resources)
    for above in list(queue.up())[1:]:
        named = {user: each for each in above.config.limits for user in each.users}
        whose = name if name in named else WILDCARD
        if whose not in named or name == WILDCARD and set(named) - {WILDCARD}:
            continue
        theirs = from_config(named[whose].max_resources)
        resources = all(kind in theirs and theirs[kind] <= amount for kind, amount in own.items())
        applications = not limit.max_applications or 0 < named[whose].max_applications <= limit.max_applications
        if resources and applications:
            return above, whose
    return None


def _without_user(design: Design, queue: QueueFacts, position: int, name: str) -> Repair | None:
    entries = list(queue.config.limits)
    left = replace(entries[position], users=tuple(user for user in entries[position].users if user != name))
    entries[position : position + 1] = [left] if left.users or left.groups else []
    return design.accepted(design.edit("limits", queue, value=tuple(entries)))


def limit_of_a_capital_name(design: Design) -> Iterator[Finding]:
    """PL-104: limits are kept under the path as written and looked for under the path in lower case."""
    for queue in design.queues.values():
        capitals = [at for at in queue.up() if at.config.name != at.config.name.lower()]
        if queue.config.limits and capitals:
            # From the inside out, so that the paths of the queues still to be renamed stay what they are.
            renamed = design.accepted(*(design.edit("name", at, value=at.config.name.lower()) for at in capitals))
            yield design.finding(
                "PL-104",
                "warning",
                queue,
                "limits",
                "PL-104",
                repairs=(renamed,),
                names=tuple(at.config.name for at in reversed(capitals)),
            )


CHECKS = (
    applications_of_the_children,
    one_at_a_time,
    users_and_groups_in_one,
    each_user_for_himself,
    limit_without_effect,
    limit_of_a_capital_name,
)

"""Numbers of applications and limits of users and groups: L-22 to L-26, and limits that are looked for in vain (PL-104)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from workbench.advice.edits import RenameQueue, Repair, SetField, SetLimits, accepted
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.facts import Design, QueueFacts
from workbench.config.model import Limit
from workbench.config.validation.limits import WILDCARD
from workbench.explain.wording import counted, name
from workbench.values.resources import from_config

Entries = Iterator[tuple[QueueFacts, int, Limit]]


def _limits(design: Design) -> Entries:
    for queue in design.queues.values():
        for position, limit in enumerate(queue.config.limits):
            yield queue, position, limit


@dataclass(frozen=True, slots=True)
class ApplicationsOfTheChildren(Lint):
    """A parent may run `own` applications, its so many `children` may run so many `together`, which is more or less."""

    code = "L-22"
    rules = ("C-80", "R-426")
    own: int
    together: int
    children: int

    def sentence(self, where: str) -> str:
        said = (
            f"{where} may run {counted(self.own, 'application')}, its {counted(self.children, 'child queue')} "
            f"{self.together} together."
        )
        if self.together > self.own:
            return (
                f"{said} One of them can keep another from starting although that one is below its own number. Raise the parent's "
                "number to the sum, or lower the children's, if each is to have its own at any time."
            )
        return (
            f"{said} So the number of the parent is never reached and has no effect. Lower it to the sum, or raise the children's."
        )


def applications_of_the_children(design: Design) -> Iterator[Finding]:
    """L-22: the children may run more applications together than their parent, or can never use up what it allows."""
    for queue in design.queues.values():
        own, together = queue.config.max_applications, sum(child.config.max_applications for child in queue.children)
        if not own or not queue.children or together == own or together < own and design.grows(queue):
            continue
        lint = ApplicationsOfTheChildren(own, together, len(queue.children))
        as_many = accepted(design, SetField(design.place(queue), "maxapplications", together))
        yield finding(design, queue, "maxapplications", lint, as_many)


@dataclass(frozen=True, slots=True)
class OneAtATime(Lint):
    """A leaf runs one application, whoever submits it."""

    code = "L-23"
    rules = ("R-426", "E-40")
    assumption = "This assumes that more than one user runs applications there."

    def sentence(self, where: str) -> str:
        return (
            f"{where} runs one application at a time, whoever submits it: users wait for each other. Raise maxapplications, or "
            "limit each user instead."
        )


@dataclass(frozen=True, slots=True)
class OneOfAGroupAtATime(Lint):
    """All members of each of these groups together run one application in a leaf."""

    code = "L-23"
    rules = ("PL-103", "E-40")
    assumption = "This assumes that more than one user runs applications there."
    groups: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"All members of {named(self.groups)} together may run one application in {where}: they wait for each other. Raise "
            "maxapplications of the limit, or limit users instead."
        )


def one_at_a_time(design: Design) -> Iterator[Finding]:
    """L-23: one application for everybody who may use the leaf. Who really does is not known here (E-40)."""
    for leaf in design.leaves:
        if not _for_several(leaf):
            continue
        if leaf.config.max_applications == 1:
            above = leaf.parent.config.max_applications if leaf.parent is not None else 0
            raised = (SetField(design.place(leaf), "maxapplications", 2),) if above != 1 else None  # C-80
            yield finding(design, leaf, "maxapplications", OneAtATime(), raised)
        for position, limit in enumerate(leaf.config.limits):
            if limit.max_applications == 1 and limit.groups:
                yield finding(design, leaf, f"limits[{position}].maxapplications", OneOfAGroupAtATime(limit.groups))


def _for_several(leaf: QueueFacts) -> bool:
    """Whether the ACLs on the way let more than one person in."""
    acls = [acl for at in leaf.up() for acl in at.acls]
    users = {user for acl in acls for user in acl.users}
    return len(users) > 1 or any(acl.everybody or acl.groups for acl in acls)


@dataclass(frozen=True, slots=True)
class UsersAndGroupsInOne(Lint):
    """One entry, called `limit`, names users and groups."""

    code = "L-24"
    rules = ("PL-102", "PL-103")
    limit: str
    users: tuple[str, ...]
    groups: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"The limit {name(self.limit)} names users ({named(self.users)}) and groups "
            f"({named(self.groups)}): these are two limits that know nothing of each other, one for each of the users and "
            "one for all members of a group together. Write two entries to say so."
        )


def users_and_groups_in_one(design: Design) -> Iterator[Finding]:
    """L-24: one entry for users and groups is two limits, not one for all of them."""
    for queue, position, limit in _limits(design):
        if limit.users and limit.groups:
            entries = queue.config.limits
            changed = (*entries[:position], replace(limit, groups=()), replace(limit, users=()), *entries[position + 1 :])
            lint = UsersAndGroupsInOne(limit.limit, limit.users, limit.groups)
            yield finding(design, queue, f"limits[{position}]", lint, (SetLimits(design.place(queue), changed),))


@dataclass(frozen=True, slots=True)
class EachUserForHimself(Lint):
    """A limit of user *; `others` have one of their own."""

    code = "L-25"
    severity = "hint"
    rules = ("PL-102",)
    others: tuple[str, ...]

    def sentence(self, where: str) -> str:
        listed = f"user that is not listed here ({named(self.others)} is)" if self.others else "user"
        return (
            f"The limit of user * holds for each {listed} separately, not for all together. For one limit on all, use the "
            "maximum of the queue, or groups."
        )


def each_user_for_himself(design: Design) -> Iterator[Finding]:
    """L-25: the limit of user * is for each of them, not for all together."""
    for queue, position, limit in _limits(design):
        if WILDCARD in limit.users:
            others = tuple(user for each in queue.config.limits for user in each.users if user != WILDCARD)
            yield finding(design, queue, f"limits[{position}].users", EachUserForHimself(others))


@dataclass(frozen=True, slots=True)
class LimitWithoutEffect(Lint):
    """What a user may have is no less than what the limit of `whose` allows in a queue above."""

    code = "L-26"
    rules = ("C-98", "PL-101", "PL-102")
    user: str
    above: str
    whose: str

    @property
    def about(self) -> str:
        return self.user

    def sentence(self, where: str) -> str:
        whose = "user *" if self.whose == WILDCARD else f"user {name(self.whose)}"
        return (
            f"The limit of user {name(self.user)} never counts: {whose} may have no more in {name(self.above)}, where "
            f"everything in {where} counts as well. Remove it, or make it smaller than the one above."
        )


def limit_without_effect(design: Design) -> Iterator[Finding]:
    """L-26: a user's limit below one that binds earlier, in the limit of a queue above."""
    for queue, position, limit in _limits(design):
        has_wildcard = any(WILDCARD in each.users for each in queue.config.limits)
        for user in limit.users:
            if user != WILDCARD and has_wildcard:
                continue  # a name beside the wildcard is let off the wildcard's limit here
            found = _binding_above(queue, limit, user)
            if found is not None:
                above, whose = found
                lint = LimitWithoutEffect(user, above.path, whose)
                yield finding(design, queue, f"limits[{position}]", lint, _without_user(design, queue, position, user))


def _binding_above(queue: QueueFacts, limit: Limit, user: str) -> tuple[QueueFacts, str] | None:
    """The nearest queue above that limits the user to no more, in everything that this limit names."""
    own = from_config(limit.max_resources)
    for above in list(queue.up())[1:]:
        limits = {each: entry for entry in above.config.limits for each in entry.users}
        whose = user if user in limits else WILDCARD
        if whose not in limits or user == WILDCARD and set(limits) - {WILDCARD}:
            continue
        theirs = from_config(limits[whose].max_resources)
        resources = all(kind in theirs and theirs[kind] <= amount for kind, amount in own.items())
        applications = not limit.max_applications or 0 < limits[whose].max_applications <= limit.max_applications
        if resources and applications:
            return above, whose
    return None


def _without_user(design: Design, queue: QueueFacts, position: int, user: str) -> Repair | None:
    entries = list(queue.config.limits)
    left = replace(entries[position], users=tuple(each for each in entries[position].users if each != user))
    entries[position : position + 1] = [left] if left.users or left.groups else []
    return accepted(design, SetLimits(design.place(queue), tuple(entries)))


@dataclass(frozen=True, slots=True)
class LimitOfACapitalName(Lint):
    """Limits of a queue on whose path there are capitals, in these names."""

    code = "PL-104"
    rules = ("PL-104",)
    names: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"The limits of {where} never hold: they are kept under the name as written, with capitals in {named(self.names)}, "
            "and looked for in lower case. Write the name in lower case."
        )


def limit_of_a_capital_name(design: Design) -> Iterator[Finding]:
    """PL-104: limits are kept under the path as written and looked for under the path in lower case."""
    for queue in design.queues.values():
        capitals = [at for at in queue.up() if at.config.name != at.config.name.lower()]
        if queue.config.limits and capitals:
            # From the inside out, so that the paths of the queues still to be renamed stay what they are.
            renamed = accepted(design, *(RenameQueue(design.place(at), at.config.name.lower()) for at in capitals))
            lint = LimitOfACapitalName(tuple(at.config.name for at in reversed(capitals)))
            yield finding(design, queue, "limits", lint, renamed)


CHECKS = (
    applications_of_the_children,
    one_at_a_time,
    users_and_groups_in_one,
    each_user_for_himself,
    limit_without_effect,
    limit_of_a_capital_name,
)

"""Filters of placement rules: for whom a rule counts. PL-60 to PL-66.

A list of one entry may be a regular expression in RE2 syntax, searched by `config.regexp` in time proportional to
expression times name, so that no expression and no name can make placement hang.

What a filter makes of its lists is the business of its type: allow, deny, or one that was registered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.config import vocabulary
from workbench.config.model import RuleFilter
from workbench.config.validation.names import is_group_name, is_user_name
from workbench.config.validation.regexp import Regexp, compile_regexp, is_regexp
from workbench.values.registry import Registry


@dataclass(frozen=True, slots=True)
class Names:
    """The users or the groups of a filter: literal names, or one expression.

    `is_given` holds as soon as something was listed, even if nothing of it was usable (PL-64).
    """

    is_given: bool = False
    literal: frozenset[str] = frozenset()
    expression: Regexp | None = None

    def match(self, name: str) -> bool:
        """Whether the name is listed, in exactly this case, or the expression matches some part of it."""
        return name in self.literal or self.expression is not None and self.expression.search(name)


Passes = Callable[[Names, Names, str, Sequence[str]], bool]
"""Whether the rule counts, from the listed users, the listed groups, the user and the groups of who asks."""

FILTER_TYPES: Registry[Passes] = Registry("type of placement filter")
"""By the spelling that has this effect; any other means allow."""


def register_filter_type(name: str, passes: Passes) -> Passes:
    """Register what the filters of a type let pass, so that placement rules can name it. The core refuses any but its own two.

    Raises:
        CommandError: the name is empty, has blanks around it, or is taken.
    """
    vocabulary.allow(vocabulary.FILTER_TYPES, name)
    return FILTER_TYPES.register(name, passes)


def _allow(users: Names, groups: Names, user: str, of: Sequence[str]) -> bool:
    """Who is listed; without a list everybody. PL-60, PL-61."""
    return not users.is_given and not groups.is_given or _are_listed(users, groups, user, of)


def _deny(users: Names, groups: Names, user: str, of: Sequence[str]) -> bool:
    """Who is not listed; without a list nobody. PL-60, PL-61."""
    return (users.is_given or groups.is_given) and not _are_listed(users, groups, user, of)


def _are_listed(users: Names, groups: Names, user: str, of: Sequence[str]) -> bool:
    return users.match(user) or any(map(groups.match, of))


FILTER_TYPES.register("allow", _allow)
FILTER_TYPES.register("deny", _deny)


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter ready to be asked."""

    passes: Passes = _allow
    users: Names = Names()
    groups: Names = Names()


def build(config: RuleFilter) -> Filter:
    """The filter as configured. RegexpError if the only user or group is an expression outside RE2 (C-47)."""
    # Quirk: validation lets any case of deny pass, but only this one denies. PL-62
    kind = FILTER_TYPES.get(config.type, _allow)
    return Filter(kind, _names(config.users, is_user_name), _names(config.groups, is_group_name))


def passes(chosen: Filter, user: str, groups: Sequence[str]) -> bool:
    """Whether the rule counts for the identity. PL-60, PL-61."""
    return chosen.passes(chosen.users, chosen.groups, user, groups)


def passes_group(chosen: Filter, group: str) -> bool:
    """Whether the group list alone lets one group pass; without a list every group passes. PL-71."""
    return not chosen.groups.is_given or chosen.passes(Names(), chosen.groups, "", (group,))


def _names(entries: tuple[str, ...], is_name: Callable[[str], bool]) -> Names:
    """One entry may be an expression, several are names; what is no name is dropped. PL-63, PL-64."""
    if len(entries) == 1 and is_regexp(entries[0]):
        # Quirk: svc$ is a legal user name, yet it is taken for an expression and matches svc.
        return Names(True, expression=compile_regexp(entries[0]))
    return Names(bool(entries), frozenset(entry for entry in entries if is_name(entry)))

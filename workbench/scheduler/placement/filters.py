"""Filters of placement rules: for whom a rule counts. PL-60 to PL-66.

A list of one entry may be a regular expression in RE2 syntax, searched by `config.regexp` in time proportional to
expression times name, so that no expression and no name can make placement hang.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.config.model import RuleFilter
from workbench.config.validation.names import is_group_name, is_user_name
from workbench.config.validation.regexp import Regexp, compile_regexp, is_regexp


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


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter ready to be asked. `denies`: a match keeps the rule from counting."""

    denies: bool = False
    users: Names = Names()
    groups: Names = Names()


def build(config: RuleFilter) -> Filter:
    """The filter as configured. RegexpError if the only user or group is an expression outside RE2 (C-47)."""
    # Quirk: validation lets any case of deny pass, but only this one denies. PL-62
    return Filter(config.type == "deny", _names(config.users, is_user_name), _names(config.groups, is_group_name))


def passes(chosen: Filter, user: str, groups: Sequence[str]) -> bool:
    """Whether the rule counts for the identity. Without a list, a filter that denies lets nobody pass. PL-60, PL-61."""
    if not chosen.users.is_given and not chosen.groups.is_given:
        return not chosen.denies
    return (chosen.users.match(user) or any(map(chosen.groups.match, groups))) != chosen.denies


def passes_group(chosen: Filter, group: str) -> bool:
    """Whether the group list alone lets one group pass; without a list every group passes. PL-71."""
    return not chosen.groups.is_given or chosen.groups.match(group) != chosen.denies


def _names(entries: tuple[str, ...], is_name: Callable[[str], bool]) -> Names:
    """One entry may be an expression, several are names; what is no name is dropped. PL-63, PL-64."""
    if len(entries) == 1 and is_regexp(entries[0]):
        # Quirk: svc$ is a legal user name, yet it is taken for an expression and matches svc.
        return Names(True, expression=compile_regexp(entries[0]))
    return Names(bool(entries), frozenset(entry for entry in entries if is_name(entry)))

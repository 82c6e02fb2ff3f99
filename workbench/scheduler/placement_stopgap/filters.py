"""Filters of placement rules: for whom a rule counts. PL-60 to PL-66."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workbench.config.model import RuleFilter
from workbench.config.names import is_group_name, is_user_name
from workbench.config.regexp import RegexpError, compile_regexp, is_regexp


def passes(rule_filter: RuleFilter, user: str, groups: Sequence[str]) -> bool:
    """Whether the rule counts for this identity. Quirk: only the exact word deny denies (PL-62)."""
    allows = rule_filter.type != "deny"
    if not rule_filter.users and not rule_filter.groups:
        return allows
    matched = _matches(rule_filter.users, is_user_name, (user,)) or _matches(rule_filter.groups, is_group_name, groups)
    return matched == allows


def passes_group(rule_filter: RuleFilter, group: str) -> bool:
    """Whether a single group passes the group list; without a list every group does. PL-71."""
    if not rule_filter.groups:
        return True
    return _matches(rule_filter.groups, is_group_name, (group,)) == (rule_filter.type != "deny")


def _matches(entries: Sequence[str], is_name: Callable[[str], bool], names: Sequence[str]) -> bool:
    """A single entry may be an expression, searched anywhere; several are literal names. PL-63, PL-64."""
    if len(entries) == 1 and is_regexp(entries[0]):
        try:
            expression = compile_regexp(entries[0])
        except RegexpError:
            return False
        return any(expression.search(name) for name in names)
    literal = {entry for entry in entries if is_name(entry)}
    return any(name in literal for name in names)

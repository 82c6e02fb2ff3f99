"""The placement rules, one function each, registered by name: which queue name a rule reads off an application.

Rules PL-50 to PL-57; PL-70 to PL-74 for the extensions.

A rule only offers names. What it has in common with the others (filter, dots, parent rule, missing queues) is the
business of `chain`, which reads the traits of the rule here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from workbench.scheduler.placement import tags
from workbench.scheduler.placement.filters import passes_group
from workbench.scheduler.placement.rule import Rule
from workbench.scheduler.records.state import RECOVERY_QUEUE

ROOT = "root"
APPLICATION_TYPE_TAG = "application.type"
"""Read by `applicationtype` when the rule has no value."""

Dots = Literal["replaced", "levels if qualified", "levels"]
"""What a dot means: a character to replace (PL-41), a level in texts that begin with root. (PL-42), or a level."""


@dataclass(frozen=True, slots=True)
class Asked:
    """All that a rule sees of an application. PL-3."""

    requested: str
    user: str
    groups: tuple[str, ...]
    tags: Mapping[str, str]
    forced: bool


Names = Callable[[Rule, Asked], tuple[str, ...]]
"""The names that a rule offers, best first; the next is tried if a queue is missing and is not to be created."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What is the same for all rules of one name.

    Attributes:
        names: what the rule reads.
        reads: what is missing when it offers nothing, in words.
        dots: what a dot in a name means.
        input_first: the name is looked for before the filter is asked, which shows in explanations only (PL-40).
        extension: the reference does not know this rule and refuses configurations that use it (section 8).
    """

    names: Names
    reads: str
    dots: Dots = "replaced"
    input_first: bool = False
    extension: bool = False


KINDS: dict[str, Kind] = {}
"""By rule name in lower case."""

ALIASES = {"username": "user", "primarygroupname": "primarygroup", "secondarygroupname": "secondarygroup"}
"""Older spellings in lower case, an extension too. PL-73."""


def register(name: str, reads: str, **traits: Any) -> Callable[[Names], Names]:
    """Make the decorated function the rule of that name; the traits are those of `Kind`."""

    def add(names: Names) -> Names:
        KINDS[name] = Kind(names, reads, **traits)
        return names

    return add


def canonical_name(name: str) -> str | None:
    """The registered name of a rule written in any case, or None if there is no such rule. PL-21, PL-73."""
    name = name.lower()
    name = ALIASES.get(name, name)
    return name if name in KINDS else None


def is_extension(name: str) -> bool:
    """Whether the reference would refuse a rule name that is known here. Section 8."""
    known = canonical_name(name)
    return known is not None and (KINDS[known].extension or name.lower() in ALIASES)


@register("provided", "requested queue", dots="levels if qualified", input_first=True)
def provided(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The queue that was asked for. PL-50."""
    return _if_given(asked.requested)


@register("user", "user")
def user(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The user name. PL-51."""
    return _if_given(asked.user)


@register("tag", "tag", dots="levels if qualified", input_first=True)
def tag(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The value of a tag. PL-52."""
    return _if_given(tags.value(asked.tags, rule.value))


@register("fixed", "value", dots="levels")
def fixed(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The configured value. PL-53."""
    return _if_given(rule.value)


@register("recovery", "force tag", dots="levels")
def recovery(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The recovery queue, for forced applications. Never configured. PL-54."""
    return (RECOVERY_QUEUE,) if asked.forced else ()


@register("test", "anything")
def for_tests(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """Nothing: the reference accepts this rule for tests of its own. PL-21."""
    return ()


@register("primarygroup", "group", extension=True)
def primary_group(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The first group. PL-70."""
    return tuple(filter(None, asked.groups[:1]))


@register("secondarygroup", "further group that the filter lets pass", extension=True)
def secondary_group(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The groups after the first that the rule's group list lets pass, in order. PL-71."""
    return tuple(group for group in asked.groups[1:] if group and passes_group(rule.filter, group))


@register("applicationtype", "tag of the application's type", dots="levels if qualified", input_first=True, extension=True)
def application_type(rule: Rule, asked: Asked) -> tuple[str, ...]:
    """The value of the tag that carries the type of the application. PL-72."""
    return _if_given(tags.value(asked.tags, rule.value or APPLICATION_TYPE_TAG))


def _if_given(name: str) -> tuple[str, ...]:
    return (name,) if name else ()

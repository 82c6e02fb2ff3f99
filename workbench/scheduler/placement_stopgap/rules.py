"""Placement rules: each proposes a queue path, or none. Chapter 03 sections 3, 5, 6 and 8.

A rule is a function from a request to a path, registered by its configuration name. `primarygroup`, `secondarygroup` and
`applicationtype` come from the 0.8.0 design; no release of the reference has them (PL-70 to PL-73).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench.config.model import PartitionConfig, PlacementRule
from workbench.config.names import INVALID_QUEUE_NAME, is_queue_name
from workbench.errors import ConfigError
from workbench.scheduler import tree
from workbench.scheduler.commands import ApplicationSpec
from workbench.scheduler.placement_stopgap import filters, tags
from workbench.scheduler.placement_stopgap.identity import Identity
from workbench.scheduler.state import Partition

RECOVERY = PlacementRule(name="recovery", create=True)
DEFAULT_RULES = (PlacementRule(name="provided"),)


class RuleError(Exception):
    """A rule ends placement with this text. PL-30."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a rule sees. PL-3."""

    partition: Partition
    application: ApplicationSpec
    identity: Identity


Rule = Callable[[PlacementRule, Request], "str | None"]
RULES: dict[str, Rule] = {}
ALIASES = {"username": "user", "primarygroupname": "primarygroup", "secondarygroupname": "secondarygroup"}
"""Spellings of the 0.8.0 design, in lower case. PL-73."""


def register_rule(name: str) -> Callable[[Rule], Rule]:
    """Make a rule available under a configuration name, given in lower case."""

    def store(rule: Rule) -> Rule:
        RULES[name] = rule
        return rule

    return store


def canonical(name: str) -> str:
    """The name under which a configured rule is registered."""
    return ALIASES.get(name.lower(), name.lower())


def build_rules(config: PartitionConfig) -> tuple[PlacementRule, ...]:
    """The active rules: those configured, or provided, then always recovery. PL-20.

    Raises:
        ConfigError: a rule cannot be built (PL-21, PL-22).
    """
    for rule in config.placement_rules:
        _check(rule)
    return (*(config.placement_rules or DEFAULT_RULES), RECOVERY)


def active_names(rules: tuple[PlacementRule, ...]) -> list[str]:
    return [canonical(rule.name) for rule in rules]


def run(rule: PlacementRule, request: Request) -> str | None:
    """The path that the rule proposes, None if it proposes nothing. RuleError ends placement. PL-40, PL-45."""
    path = RULES[canonical(rule.name)](rule, request)
    if path is None or rule.create or tree.find(request.partition, path) is not None:
        return path
    return None


def _check(rule: PlacementRule) -> None:
    name = canonical(rule.name)
    if name == "recovery":
        raise ConfigError("recovery rule cannot be part of the config, failing placement rule config", line=rule.line)
    if name not in RULES:
        known = ", ".join(sorted(set(RULES) - {"recovery"}))
        raise ConfigError(f"unknown rule name specified {rule.name}, failing placement rule config", line=rule.line,
                          hint=f"rules are: {known}")
    if name == "tag" and not rule.value:
        raise ConfigError("a tag queue rule must have a tag name set", line=rule.line)
    if name == "fixed":
        _check_fixed(rule)
    if rule.parent is not None:
        _check(rule.parent)


def _check_fixed(rule: PlacementRule) -> None:
    if not rule.value:
        raise ConfigError("a fixed queue rule must have a queue name set", line=rule.line)
    if not all(is_queue_name(part) for part in rule.value.lower().split(".")):
        raise ConfigError(INVALID_QUEUE_NAME, line=rule.line)
    if rule.value.lower().startswith("root") and rule.parent is not None:
        raise ConfigError("cannot have a fixed queue rule with qualified queue getName and a parent rule: "
                          f"{rule.value}", line=rule.line)


@register_rule("provided")
def provided(rule: PlacementRule, request: Request) -> str | None:
    """The requested queue. PL-50."""
    return _from_text(rule, request, request.application.queue)


@register_rule("tag")
def tag(rule: PlacementRule, request: Request) -> str | None:
    """The value of the tag named by the rule. PL-52."""
    return _from_text(rule, request, tags.value(request.application.tags, rule.value))


@register_rule("applicationtype")
def application_type(rule: PlacementRule, request: Request) -> str | None:
    """The application's type, from the tag `applicationtype`. PL-72."""
    return _from_text(rule, request, tags.value(request.application.tags, "applicationtype"))


@register_rule("user")
def user(rule: PlacementRule, request: Request) -> str | None:
    """The user name. PL-51."""
    return _below_parent(rule, request, request.identity.user) if _counts(rule, request) else None


@register_rule("primarygroup")
def primary_group(rule: PlacementRule, request: Request) -> str | None:
    """The first group. PL-70."""
    groups = request.identity.groups
    return _below_parent(rule, request, groups[0]) if groups and _counts(rule, request) else None


@register_rule("secondarygroup")
def secondary_group(rule: PlacementRule, request: Request) -> str | None:
    """The first further group that passes the filter's group list and, without create, has a queue. PL-71."""
    users_only = replace(rule.filter, groups=())
    if rule.filter.users and not filters.passes(users_only, request.identity.user, ()):
        return None
    for group in request.identity.groups[1:]:
        if not filters.passes_group(rule.filter, group):
            continue
        path = _below_parent(rule, request, group)
        if path is not None and (rule.create or tree.find(request.partition, path) is not None):
            return path
    return None


@register_rule("fixed")
def fixed(rule: PlacementRule, request: Request) -> str | None:
    """The value of the rule; its dots are levels. PL-53.

    The reference takes any value that begins with the letters root for a full path, and crashes on one such as rootless;
    here only root itself and paths below it are full (PL-55).
    """
    if not _counts(rule, request):
        return None
    name = rule.value.lower()
    if name == "root" or name.startswith("root."):
        return name
    parent = _parent(rule, request)
    return None if parent is None else f"{parent}.{name}"


@register_rule("recovery")
def recovery(rule: PlacementRule, request: Request) -> str | None:
    """The recovery queue, for forced applications. PL-54."""
    return tree.RECOVERY_QUEUE if tags.is_forced(request.application.tags) else None


def _counts(rule: PlacementRule, request: Request) -> bool:
    return filters.passes(rule.filter, request.identity.user, request.identity.groups)


def _from_text(rule: PlacementRule, request: Request, text: str) -> str | None:
    """A path from a requested queue or a tag: full when it begins with `root.`, else one name. PL-40 to PL-42."""
    if not text or not _counts(rule, request):
        return None
    if text.startswith("root."):
        if not all(is_queue_name(part) for part in text.split(".")):
            raise RuleError(INVALID_QUEUE_NAME)
        return text
    return _below_parent(rule, request, text)


def _below_parent(rule: PlacementRule, request: Request, text: str) -> str | None:
    """A generated single name below what the parent rule yields. PL-41."""
    name = text.replace(".", "_dot_")
    if not is_queue_name(name):
        raise RuleError(INVALID_QUEUE_NAME)
    parent = _parent(rule, request)
    return None if parent is None else f"{parent}.{name}"


def _parent(rule: PlacementRule, request: Request) -> str | None:
    """The path of the parent rule, root without one. PL-43, PL-44."""
    if rule.parent is None:
        return "root"
    path = run(rule.parent, request)
    if path is None:
        return None
    # Quirk: a parent rule that yields exactly root gets the prefix as well.
    if not path.startswith("root."):
        path = f"root.{path}"
    queue = tree.find(request.partition, path)
    if queue is not None and queue.is_leaf:
        raise RuleError(f"parent rule returned a leaf queue: {path}")
    return path

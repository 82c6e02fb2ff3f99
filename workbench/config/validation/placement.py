"""Placement rules: syntax of names and filters, then the queues that fixed rules point to (C-45 to C-51, C-56 to C-59).

Which rule names exist is asked when the rules are built, not here (C-55).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.config import vocabulary
from workbench.config.model import PartitionConfig, PlacementRule, QueueConfig
from workbench.config.read.tree_shape import ROOT
from workbench.config.validation.names import is_group_name, is_rule_name, is_user_name
from workbench.config.validation.regexp import RegexpError, compile_regexp, is_regexp
from workbench.values.errors import ConfigError

# -- syntax --------------------------------------------------------------------------------------------------------


def check_rule_syntax(rule: PlacementRule) -> None:
    """The name, then the rules that yield the parent queue, then the filter (C-45 to C-47)."""
    chain = []
    link: PlacementRule | None = rule
    while link is not None:
        _check_rule_name(link)
        chain.append(link)
        link = link.parent
    for link in reversed(chain):
        _check_filter(link)


def _check_rule_name(rule: PlacementRule) -> None:
    if not is_rule_name(rule.name):
        raise ConfigError(
            f"invalid rule name {rule.name}, a name must be a valid identifier",
            line=rule.line,
            hint="the rules are provided, user, tag and fixed",
        )


def _check_filter(rule: PlacementRule) -> None:
    chosen = rule.filter
    if chosen.type.lower() not in ("", "allow", "deny") and chosen.type not in vocabulary.FILTER_TYPES:
        text = f"invalid rule filter type {chosen.type}, filter type  must be either '', allow or deny"
        added = vocabulary.FILTER_TYPES[2:]
        more = f"; added were {', '.join(added)}" if added else ""
        raise ConfigError(text, line=rule.line, hint=f"without a type the filter allows{more}")
    _check_filter_list("user", chosen.users, is_user_name, rule)
    _check_filter_list("group", chosen.groups, is_group_name, rule)


def _check_filter_list(kind: str, names: tuple[str, ...], is_name: Callable[[str], bool], rule: PlacementRule) -> None:
    """A single entry is a name or a regular expression; longer lists are not looked at (C-47)."""
    if len(names) != 1 or is_name(names[0]):
        return
    fault = f"{names[0]!r} is no {kind} name"
    if is_regexp(names[0]):
        try:
            compile_regexp(names[0])
            return
        except RegexpError as error:
            fault = str(error)
    text = f"invalid rule filter {kind} list is not a proper list or regexp: [{names[0]}]"
    raise ConfigError(text, line=rule.line, hint=fault)


# -- static paths --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _StaticPath:
    """Where the fixed rules at the start of a chain lead; `goes_on` when a rule follows that needs an application."""

    path: str
    goes_on: bool


def check_rule_paths(partition: PartitionConfig) -> None:
    """The queues that fixed rules name exist, or can be created (C-48 to C-51, C-59).

    The paths of all rules are spelled out before the first one is followed, so C-48 of a later rule comes first.
    """
    children: dict[str, dict[str, QueueConfig]] = {}
    chains = [_chain(rule) for rule in partition.placement_rules]
    paths = [_static_path(chain) for chain in chains]
    for number, (chain, static) in enumerate(zip(chains, paths, strict=True)):
        if static is not None:
            names = "->".join(link.name for link in chain)
            _check_path(static, chain[-1], f"placement rule no. #{number} ({names})", partition, children)


def _chain(rule: PlacementRule) -> list[PlacementRule]:
    """The rule behind its parent rules, outermost first."""
    chain = [rule]
    while chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain[::-1]


def _static_path(chain: list[PlacementRule]) -> _StaticPath | None:
    """The path that the fixed rules at the start of the chain spell (C-56); None if the first rule is dynamic.

    Quirk kept from the reference: only the exact spelling `fixed` counts as fixed, and any value that starts with
    the letters `root` as complete.
    """
    path = ROOT
    for position, rule in enumerate(chain):
        if rule.name != "fixed":
            return _StaticPath(path, goes_on=True) if position else None
        if not rule.value.startswith(ROOT):
            path = f"{path}.{rule.value}"
        elif position == 0:
            path = rule.value
        else:
            hint = "a parent rule has chosen the queue above already: leave out its part of the path"
            text = f"illegal fully qualified 'fixed' rule with value {rule.value}"
            raise ConfigError(text, line=rule.line, hint=hint)
    return _StaticPath(path, goes_on=False)


def _check_path(
    static: _StaticPath,
    rule: PlacementRule,
    which: str,
    partition: PartitionConfig,
    children: dict[str, dict[str, QueueConfig]],
) -> None:
    """Follow the lower-cased path down the configured queues (C-57). Quirk: a name with capitals is never found there.

    `children` remembers per path the queues there by name, since many rules walk the same queues.
    """
    path = static.path
    missing = f"{which} references non-existing queues ({path})"
    create_hint = f"add the queue {path.lower()}, or create: true to this rule"
    queue: QueueConfig | None = None
    walked = ""
    for name in path.lower().split("."):
        below = partition.queues if queue is None else queue.queues
        if queue is not None and not below:
            if not queue.parent:
                text = f"{missing} which cannot be created because the last queue ({queue.name}) in the hierarchy is a leaf"
                hint = f"set parent: true on {queue.name}, or let the rule point to {queue.name} itself"
                raise ConfigError(text, line=rule.line, hint=hint)
            if not rule.create:
                raise ConfigError(f"{missing} and create is 'false'", line=rule.line, hint=create_hint)
            return
        if walked not in children:
            children[walked] = {child.name: child for child in below or ()}
        queue = children[walked].get(name)
        walked = f"{walked}.{name}"
        if queue is None:
            if not rule.create:
                raise ConfigError(f"{missing} and create is 'false'", line=rule.line, hint=create_hint)
            return
    # Quirk kept from the reference: only the explicit flag counts, so a queue with children but without
    # `parent: true` is taken for a leaf here (C-58).
    assert queue is not None  # a path has at least one name
    if queue.parent != static.goes_on:
        hint = (
            f"the rules below it need a parent queue: set parent: true on {path}"
            if static.goes_on
            else f"applications run in leaf queues only, and {path} is a parent"
        )
        raise ConfigError(f"{which} references a queue ({path}) which is not a leaf", line=rule.line, hint=hint)

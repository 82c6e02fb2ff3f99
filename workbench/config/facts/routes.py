"""Where the placement rules of a partition can lead, as far as the configuration alone tells (PL-20 to PL-57).

A fixed rule leads to one queue, a user rule to children of its parent's queue; a tag or a requested name may be a full path
and lead anywhere. Filters are taken to let somebody pass, save the one that never does (PL-60).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.config.model import PlacementRule, RuleFilter
from workbench.config.read.tree_shape import ROOT

ANYWHERE = ("provided", "tag", "applicationtype")
"""Rules that may give a full path (PL-42)."""
DEFAULT_QUEUE = "root.default"
"""Where an application goes that no rule takes, if it is there (PL-31)."""


@dataclass(frozen=True, slots=True)
class _Target:
    """What a rule leads to: `path` itself, or some child of it; None for any queue at all."""

    path: str | None
    is_parent: bool = False
    creates: bool = False
    takes_all: bool = False
    """Whether it gives a queue for every application: what lets in everybody there is the end of the rules (PL-36)."""


@dataclass(slots=True)
class Routes:
    """The rules of a partition; `parents` and `leaves` are the paths of the configured queues, `open` those for everybody."""

    rules: Sequence[PlacementRule]
    parents: frozenset[str]
    leaves: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()
    targets: tuple[_Target, ...] = field(init=False)
    last: int | None = field(init=False, default=None)
    """Position of the first rule that takes every application, behind which none is asked."""

    def __post_init__(self) -> None:
        asked: list[_Target] = []
        for position, rule in enumerate(self.rules):
            if _lets_nobody_pass(rule):
                continue
            asked.append(_target(rule))
            if asked[-1].takes_all and self._lets_in(asked[-1]):
                self.last = position
                break
        self.targets = tuple(asked)

    def _lets_in(self, target: _Target) -> bool:
        """Whether everybody may submit to the queue that the rule leads to, or create it (PL-34, PL-35)."""
        if not target.is_parent and target.path in self.leaves:
            return target.path in self.open
        if target.path in self.parents and (not target.is_parent or self._has_parents_below(target.path)):
            return False  # a name may hit upon a parent, where nothing runs, and then the next rule is asked
        return target.creates and self._nearest(target) in self.open

    def _has_parents_below(self, path: str) -> bool:
        return any(parent.rpartition(".")[0] == path for parent in self.parents)

    def reaches(self, leaf: str) -> bool:
        """Whether some rule can put an application into the configured leaf of that path."""
        if not self.rules or leaf == DEFAULT_QUEUE and self.last is None:
            return True
        parent = leaf.rpartition(".")[0]
        return any(target.path is None or target.path == (parent if target.is_parent else leaf) for target in self.targets)

    def creates_in(self, parent: str) -> bool:
        """Whether some rule may create a queue directly below the configured parent of that path."""
        return any(target.creates and (target.path is None or self._nearest(target) == parent) for target in self.targets)

    def surely_creates_in(self, parent: str) -> bool:
        """Whether a rule creates its queues just there."""
        return any(target.creates and target.path is not None and self._nearest(target) == parent for target in self.targets)

    def _nearest(self, target: _Target) -> str | None:
        """The configured parent below which the first missing queue would be created."""
        path = target.path if target.is_parent else (target.path or "").rpartition(".")[0]
        while path and path not in self.parents:
            path = path.rpartition(".")[0]
        return path or None


def _lets_nobody_pass(rule: PlacementRule) -> bool:
    chosen = rule.filter
    return chosen.type == "deny" and not chosen.users and not chosen.groups


def _target(rule: PlacementRule) -> _Target:
    name = rule.name.lower()
    if name in ANYWHERE:
        return _Target(None, creates=rule.create)
    if name == "fixed":
        path = _fixed_path(rule)
        return _Target(path, creates=rule.create, takes_all=path is not None and _asks_everybody(rule))
    above = ROOT if rule.parent is None else _parent_path(rule.parent)
    return _Target(above, is_parent=True, creates=rule.create, takes_all=name == "user" and rule.create and _asks_everybody(rule))


def _asks_everybody(rule: PlacementRule) -> bool:
    return rule.filter == RuleFilter() and rule.parent is None


def _parent_path(rule: PlacementRule) -> str | None:
    path = _fixed_path(rule) if rule.name.lower() == "fixed" else None
    return f"{ROOT}.{ROOT}" if path == ROOT else path  # quirk: a parent rule cannot yield the root (PL-43)


def _fixed_path(rule: PlacementRule) -> str | None:
    """The full path of a fixed rule; None below a parent rule that depends on the application."""
    value = rule.value.lower()
    if value == ROOT or value.startswith(f"{ROOT}."):
        return value
    above = ROOT if rule.parent is None else _parent_path(rule.parent)
    return f"{above}.{value}" if above is not None else None

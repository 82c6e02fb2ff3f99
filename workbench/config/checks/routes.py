"""Where the placement rules of a partition can lead, as far as the configuration alone tells (PL-20 to PL-57).

A fixed rule leads to one queue, a user rule to children of its parent's queue; a tag or a requested name may be a full path
and lead anywhere. Filters are taken to let somebody pass, save the one that never does (PL-60).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.config.model import PlacementRule
from workbench.config.tree_shape import ROOT

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


@dataclass(slots=True)
class Routes:
    """The rules of a partition; `parents` are the paths of the configured parent queues."""

    rules: Sequence[PlacementRule]
    parents: frozenset[str]
    targets: tuple[_Target, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.targets = tuple(_target(rule) for rule in self.rules if not _lets_nobody_pass(rule))

    def reaches(self, leaf: str) -> bool:
        """Whether some rule can put an application into the configured leaf of that path."""
        if not self.rules or leaf == DEFAULT_QUEUE:
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
        path = target.path if target.is_parent else target.path.rpartition(".")[0]
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
        return _Target(_fixed_path(rule), creates=rule.create)
    above = ROOT if rule.parent is None else _parent_path(rule.parent)
    return _Target(above, is_parent=True, creates=rule.create)


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

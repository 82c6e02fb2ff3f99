"""Predicates: what a node must be like for an ask, beyond room. Chapter 05 section 11 test 4.

In a cluster the resource manager answers; here small rules do, registered by name and asked in that order. The built-in ones
are a list of allowed nodes, a node selector over the node's attributes, and taints. A rule reads only the ask and what a node
keeps for life (id, attributes, taints), so that its answer for a node never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from workbench.scheduler.records.state import Allocation, Node

Predicate = Callable[[Node, Allocation], "str | None"]
"""The text of the refusal, or None to accept."""

PREDICATES: dict[str, Predicate] = {}
_READS: dict[str, tuple[str, ...] | None] = {}
_FIELDS: list[str] = []
"""Of asks, that any rule says it reads."""

NO_MATCH = "node(s) didn't match node selector"
REFUSING_EFFECTS = ("NoSchedule", "NoExecute")
"""Effects of taints that keep asks away; PreferNoSchedule only prefers."""


def register_predicate(name: str, *, reads: Sequence[str] | None = None) -> Callable[[Predicate], Predicate]:
    """Add a rule that every ask and node must pass. Registering a name again replaces its rule. For use before an engine runs.

    `reads` names the fields of the ask that the rule reads: asks equal in these and in size are taken to fit the same nodes.
    Without it every ask is asked for by itself.
    """

    def store(predicate: Predicate) -> Predicate:
        PREDICATES[name] = predicate
        _READS[name] = None if reads is None else tuple(reads)
        _FIELDS[:] = sorted({field for fields in _READS.values() for field in fields or ()})
        return predicate

    return store


def constraints(ask: Allocation) -> tuple[object, ...]:
    """What of the ask the rules read, as a hashable value; the ask itself if one of them may read anything."""
    if any(_READS[name] is None for name in PREDICATES):
        return (ask,)
    return tuple([_hashable(getattr(ask, field)) for field in _FIELDS])


def only_built_in() -> bool:
    """Whether no rule was added or replaced."""
    return tuple(PREDICATES.values()) == _BUILT_IN


def unconstrained(ask: Allocation) -> bool:
    """Whether of the built-in rules only that on taints could keep the ask off a node, and it tolerates none."""
    return ask.allowed_nodes is None and not ask.node_selector and not ask.tolerations


def _hashable(value: Any) -> Hashable:
    return tuple(sorted(value.items())) if hasattr(value, "items") else value


def refusal_text(node: Node, ask: Allocation) -> str | None:
    """What the first refusing rule says, or None if the node will do."""
    for predicate in PREDICATES.values():
        text = predicate(node, ask)
        if text is not None:
            return text
    return None


@register_predicate("allowed nodes", reads=["allowed_nodes"])
def allowed_nodes(node: Node, ask: Allocation) -> str | None:
    """The ask lists the nodes that it may run on."""
    return None if ask.allowed_nodes is None or node.id in ask.allowed_nodes else NO_MATCH


@register_predicate("node selector", reads=["node_selector"])
def node_selector(node: Node, ask: Allocation) -> str | None:
    """Every attribute that the ask names has the value it wants."""
    wanted = ask.node_selector
    return None if all(node.attributes.get(name) == value for name, value in wanted.items()) else NO_MATCH


@register_predicate("taints", reads=["tolerations"])
def taints(node: Node, ask: Allocation) -> str | None:
    """Every taint of the node that keeps asks away is tolerated."""
    for taint in node.taints:
        label, _, effect = taint.partition(":")
        if (effect or "NoSchedule") in REFUSING_EFFECTS and not any(_tolerates(each, label) for each in ask.tolerations):
            return f"node(s) had untolerated taint {{{label}}}"
    return None


def _tolerates(toleration: str, label: str) -> bool:
    """`*` tolerates everything, `key` every value of a key, `key=value` just that."""
    return toleration in ("*", label, label.partition("=")[0])


_BUILT_IN = tuple(PREDICATES.values())

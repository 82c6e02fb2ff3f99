"""A change that was tried, and what it showed, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.explain.wording import amounts, counted, listing, name, seconds
from workbench.values.resources import Resource

KIND_NAMES: Mapping[str, str] = {
    "offset": "priority.offset",
    "no-fence": "no fence",
    "sort-priority": "application.sort.priority",
    "sort-policy": "application.sort.policy",
    "ask-priority": "a priority of its own",
    "guaranteed": "a guarantee",
    "maximum": "a maximum",
    "max-applications": "maxapplications",
    "limit": "a limit of users or groups",
    "limit-applications": "a limit of running applications",
    "backoff": "application.unschedasks.backoff",
    "node": "a further node",
    "resize": "a larger node",
    "undrain": "an open node",
    "wait": "time",
}
"""Kind of change -> what it is called in a list of what was tried."""


def change(kind: str, subject: str, detail: str, before: Any, after: Any) -> str:
    """A change as the beginning of a sentence."""
    where = name(subject)
    phrase = _CHANGES.get(kind)
    return phrase(where, name(detail) if detail else "", before, after) if phrase else f"{name(kind)} of {where}"


def _more_than_before(before: Any, after: Resource) -> str:
    """Only the amounts that change."""
    changed = {kind: amount for kind, amount in after.items() if before is None or before.get(kind) != amount}
    return amounts(Resource(changed) if changed else after, "nothing")


_CHANGES: Mapping[str, Callable[[str, str, Any, Any], str]] = {
    "offset": lambda where, detail, before, after: f"An offset of at least {after} on {where}",
    "no-fence": lambda where, detail, before, after: f"No fence on {where}",
    "sort-priority": lambda where, detail, before, after: f"application.sort.priority: {name(after)} on {where}",
    "sort-policy": lambda where, detail, before, after: f"application.sort.policy: {name(after)} on {where}",
    "ask-priority": lambda where, detail, before, after: f"Asking anew with a priority of at least {after} for {where}",
    "guaranteed": lambda where, detail, before, after: f"A guarantee of at least {_more_than_before(before, after)} on {where}",
    "maximum": lambda where, detail, before, after: f"A maximum of at least {_more_than_before(before, after)} on {where}",
    "max-applications": lambda where, detail, before, after: f"maxapplications of at least {after} on {where}",
    "limit": lambda where, detail, before, after: f"A limit of at least {amounts(after)} for {detail} in {where}",
    "limit-applications": lambda where, detail, before, after: (
        f"A limit of at least {counted(after, 'application')} for {detail} in {where}"
    ),
    "backoff": lambda where, detail, before, after: f"application.unschedasks.backoff of at least {after} on {where}",
    # The name of a node that is only tried says nothing, unless it is one that the ask insists on.
    "node": lambda where, detail, before, after: (
        f"A further node{'' if where.startswith('further-node-') else f' {where}'} with {amounts(after, 'nothing')}"
    ),
    "resize": lambda where, detail, before, after: f"At least {_more_than_before(before, after)} on node {where}",
    "undrain": lambda where, detail, before, after: f"Opening node {where} for new work",
    "wait": lambda where, detail, before, after: f"Waiting for {seconds(after)}",
}


SHOWED: Mapping[tuple[str, str], str] = {
    ("next", ""): "would make it the next",
    ("placed", ""): "would let it be placed",
    ("placed", "preempts"): "would let it stop others and be placed",
    ("placed", "reserves"): "would let it reserve a node and be placed later",
    ("preempts", ""): "would let it stop others, but not yet be placed",
    ("reserves", ""): "would let it reserve a node, but not yet be placed",
    ("passes", ""): "would get it past this, but not yet placed",
}
"""Effect of a change, and the way to it -> what it would do."""


def helps(change: str, effect: str, way: str = "") -> str:
    return f"{change} {SHOWED.get((effect, way)) or SHOWED.get((effect, '')) or f'helps: {effect}'} (tried)."


def puts_first(change: str, who: str, where: str) -> str:
    return f"{change} would put {name(who)} first in {name(where)} (tried)."


def goes_to_another(change: str, who: str) -> str:
    return f"{change} would serve {who} first, and leave nothing for it (tried)."


def nothing_helps(tried: Sequence[str]) -> str:
    if not tried:
        return "No change was tried for this."
    return f"Tried in vain: {listing([KIND_NAMES.get(kind) or name(kind) for kind in tried], most=len(KIND_NAMES))}."

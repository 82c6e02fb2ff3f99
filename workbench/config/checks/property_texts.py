"""Property keys and texts that the core ignores, and where a known one does not act: L-13 to L-16, L-18."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from workbench.config.checks.design import Design, QueueFacts
from workbench.config.checks.finding import Finding, Repair
from workbench.config.properties import (
    APPLICATION_SORT_POLICY,
    DOCUMENTED_QUOTA_PREEMPTION_DELAY,
    PRIORITY_OFFSET,
    PROPERTIES,
    QUOTA_PREEMPTION_DELAY,
    problem,
)


def _texts(design: Design) -> Iterator[tuple[QueueFacts, Mapping[str, str], bool]]:
    """(queue, properties, whether they are those of its child template) of everything that is written."""
    for queue in design.queues.values():
        yield queue, queue.config.properties, False
        if queue.config.child_template is not None and not queue.is_leaf:
            yield queue, queue.config.child_template.properties, True


def unknown_key(design: Design) -> Iterator[Finding]:
    """L-13: a key that the core does not know is carried along and ignored."""
    for queue, properties, in_template in _texts(design):
        for key in properties:
            if key in PROPERTIES:
                continue
            near = nearest(key)
            yield design.finding(
                "L-13",
                "warning",
                queue,
                _place(key, in_template),
                "C-131",
                "C-55",
                *_documented(key),
                repairs=_other_key(design, queue, key, near, properties, in_template),
                property=key,
                nearest=near,
                documented=key == DOCUMENTED_QUOTA_PREEMPTION_DELAY,
            )


def nearest(key: str) -> str:
    """The known key that was probably meant; "" if none is near."""
    if key == DOCUMENTED_QUOTA_PREEMPTION_DELAY:
        return QUOTA_PREEMPTION_DELAY
    return next(iter(get_close_matches(key[:64].lower(), PROPERTIES, n=1, cutoff=0.75)), "")


def _documented(key: str) -> tuple[str, ...]:
    return ("C-133", "P-131") if key == DOCUMENTED_QUOTA_PREEMPTION_DELAY else ()


def _other_key(
    design: Design, queue: QueueFacts, key: str, near: str, properties: Mapping[str, str], in_template: bool
) -> tuple[Repair, ...]:
    """The key that was meant, if it is not there already and would understand the text; or no such key."""
    kind = "template-property" if in_template else "property"
    without = (design.edit(kind, queue, key, None),)
    if not near or near in properties or problem(near, properties[key]):
        return (without,)
    if in_template:
        return (design.edit(kind, queue, key, (near, properties[key])),), without
    return (design.edit("property-name", queue, key, near),), without


def bad_text(design: Design) -> Iterator[Finding]:
    """L-14: a text that means nothing to its key takes the default, whatever the parent has."""
    for queue, properties, in_template in _texts(design):
        for key, text in properties.items():
            if key not in PROPERTIES or key == PRIORITY_OFFSET and not in_template or not problem(key, text):
                continue
            known = PROPERTIES[key]
            meant = get_close_matches(text.strip().lower(), known.allowed, n=1, cutoff=0.7)
            kind = "template-property" if in_template else "property"
            values = dict.fromkeys([*meant, known.default])
            yield design.finding(
                "L-14",
                "warning",
                queue,
                _place(key, in_template),
                "C-131",
                repairs=tuple((design.edit(kind, queue, key, value),) for value in values),
                property=key,
                value=text,
                default=known.default,
                allowed=known.allowed,
                kind=known.kind,
            )


def stateaware(design: Design) -> Iterator[Finding]:
    """L-15: since 1.6 stateaware is another word for fifo."""
    for queue, properties, in_template in _texts(design):
        if properties.get(APPLICATION_SORT_POLICY) == "stateaware":
            kind = "template-property" if in_template else "property"
            yield design.finding(
                "L-15",
                "warning",
                queue,
                _place(APPLICATION_SORT_POLICY, in_template),
                "C-183",
                "C-131",
                repairs=((design.edit(kind, queue, APPLICATION_SORT_POLICY, "fifo"),),),
            )


def sort_policy_of_a_parent(design: Design) -> Iterator[Finding]:
    """L-16: a parent always sorts fair; the policy is only for the leaves that inherit it."""
    for queue in design.queues.values():
        if queue.is_leaf or not queue.has(APPLICATION_SORT_POLICY):
            continue
        heirs = tuple(leaf.path for leaf in queue.leaves() if _owner(leaf, APPLICATION_SORT_POLICY) is queue)
        yield design.finding(
            "L-16",
            "hint",
            queue,
            f"properties.{APPLICATION_SORT_POLICY}",
            "C-130",
            "R-430",
            heirs=heirs,
            value=queue.config.properties[APPLICATION_SORT_POLICY],
            repairs=(None if heirs else (design.edit("property", queue, APPLICATION_SORT_POLICY, None),),),
        )


def _owner(queue: QueueFacts, key: str) -> QueueFacts | None:
    return next((at for at in queue.up() if at.has(key)), None)


def fair_by_absolute_amounts(design: Design) -> Iterator[Finding]:
    """L-18: without a guarantee a fair leaf compares plain amounts, and bytes are always more than cores."""
    for leaf in design.leaves:
        if leaf.settings.application_sort_policy == "fair" and leaf.guaranteed is None:
            owner = _owner(leaf, APPLICATION_SORT_POLICY) or leaf
            yield design.finding("L-18", "warning", leaf, f"properties.{APPLICATION_SORT_POLICY}", "R-537", owner=owner.path)


def _place(key: str, in_template: bool) -> str:
    return f"childtemplate.properties.{key}" if in_template else f"properties.{key}"


CHECKS = (unknown_key, bad_text, stateaware, sort_policy_of_a_parent, fair_by_absolute_amounts)

"""Property keys and texts that the core ignores, and where a known one does not act: L-13 to L-16, L-18."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from workbench.advice.edits import Edit, RenameProperty, RenameTemplateProperty, Repair, SetProperty, SetTemplateProperty
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.facts import Design, QueueFacts
from workbench.config.properties import (
    APPLICATION_SORT_POLICY,
    DOCUMENTED_QUOTA_PREEMPTION_DELAY,
    PRIORITY_OFFSET,
    QUOTA_PREEMPTION_DELAY,
    problem,
)
from workbench.explain.wording import listing, name

QUOTA_KEYS = (DOCUMENTED_QUOTA_PREEMPTION_DELAY, QUOTA_PREEMPTION_DELAY)
"""The delay of quota preemption, as the one or the other release reads it."""


def _texts(design: Design) -> Iterator[tuple[QueueFacts, Mapping[str, str], bool]]:
    """(queue, properties, whether they are those of its child template) of everything that is written."""
    for queue in design.queues.values():
        yield queue, queue.config.properties, False
        if queue.config.child_template is not None and not queue.is_leaf:
            yield queue, queue.config.child_template.properties, True


def _set(design: Design, queue: QueueFacts, key: str, text: str | None, in_template: bool) -> Edit:
    edit = SetTemplateProperty if in_template else SetProperty
    return edit(design.place(queue), key, text)


@dataclass(frozen=True, slots=True)
class UnknownKey(Lint):
    """A key that the core does not know, and the known one that was probably meant, "" if none is near."""

    code = "L-13"
    rules = ("C-131", "C-55")
    property: str
    nearest: str

    def sentence(self, where: str) -> str:
        told = f"Perhaps {name(self.nearest)} is meant." if self.nearest else "Remove it."
        return f"{_is_no_property(self.property)} {told}"


@dataclass(frozen=True, slots=True)
class DocumentedKey(Lint):
    """A key that another release reads, and the documentation with it, and the one that this release reads."""

    code = "L-13"
    rules = ("C-131", "C-55", "C-133", "P-131", "R-901")
    property: str
    nearest: str

    def sentence(self, where: str) -> str:
        if self.property == DOCUMENTED_QUOTA_PREEMPTION_DELAY:
            told = f"The documentation calls it so, but release 1.8 reads {name(self.nearest)}. Use that key."
        else:
            told = (
                f"Release 1.8 called it so, but this release reads {name(self.nearest)}. Use that key, or both for both releases."
            )
        return f"{_is_no_property(self.property)} {told}"


def _is_no_property(key: str) -> str:
    return f"{name(key, 80)} is no property that the scheduler knows; it is ignored without a word."


def unknown_key(design: Design) -> Iterator[Finding]:
    """L-13: a key that the core does not know is carried along and ignored."""
    for queue, properties, in_template in _texts(design):
        for key in properties:
            if key not in design.table:
                near = nearest(key, design)
                lint = DocumentedKey(key, near) if key in QUOTA_KEYS and near in QUOTA_KEYS else UnknownKey(key, near)
                repairs = _other_key(design, queue, key, near, properties, in_template)
                yield finding(design, queue, _place(key, in_template), lint, *repairs)


def nearest(key: str, design: Design) -> str:
    """The known key that was probably meant; "" if none is near."""
    if key in QUOTA_KEYS and design.quota_key is not None:
        return design.quota_key
    return next(iter(get_close_matches(key[:64].lower(), design.table, n=1, cutoff=0.75)), "")


def _other_key(
    design: Design, queue: QueueFacts, key: str, near: str, properties: Mapping[str, str], in_template: bool
) -> tuple[Repair, ...]:
    """The key that was meant, if it is not there already and would understand the text; or no such key."""
    without = (_set(design, queue, key, None, in_template),)
    if not near or near in properties or problem(near, properties[key], table=design.table):
        return (without,)
    if in_template:
        return (RenameTemplateProperty(design.place(queue), key, near, properties[key]),), without
    return (RenameProperty(design.place(queue), key, near),), without


@dataclass(frozen=True, slots=True)
class BadText(Lint):
    """A text that means nothing to its key.

    Attributes:
        default: what it counts as instead.
        allowed: what a key with a choice of texts takes.
        kind: "choice", "integer" or "duration".
    """

    code = "L-14"
    rules = ("C-131",)
    property: str
    value: str
    default: str
    allowed: tuple[str, ...]
    kind: str

    def sentence(self, where: str) -> str:
        may = {
            "choice": f"one of {listing([name(value) for value in self.allowed])}",
            "integer": "a whole number",
            "duration": "a duration with units above 0, such as 30s or 1h30m",
        }[self.kind]
        return (
            f"{name(self.property)} is '{name(self.value, 80)}', which means nothing to the scheduler; it takes the "
            f"default without a word: {name(self.default)}. Write {may}."
        )


def bad_text(design: Design) -> Iterator[Finding]:
    """L-14: a text that means nothing to its key takes the default, whatever the parent has."""
    for queue, properties, in_template in _texts(design):
        for key, text in properties.items():
            if key not in design.table or key == PRIORITY_OFFSET and not in_template or not problem(key, text, table=design.table):
                continue
            known = design.table[key]
            meant = get_close_matches(text.strip().lower(), known.allowed, n=1, cutoff=0.7)
            values = dict.fromkeys([*meant, known.default])
            lint = BadText(key, text, known.default, tuple(known.allowed), known.kind)
            repairs = ((_set(design, queue, key, value, in_template),) for value in values)
            yield finding(design, queue, _place(key, in_template), lint, *repairs)


@dataclass(frozen=True, slots=True)
class StateAware(Lint):
    """The sort policy stateaware."""

    code = "L-15"
    rules = ("C-183", "C-131")

    def sentence(self, where: str) -> str:
        return (
            "stateaware is deprecated: since release 1.6 it is another word for fifo, and applications do not wait for each "
            "other's start any more. Write fifo."
        )


def stateaware(design: Design) -> Iterator[Finding]:
    """L-15: since 1.6 stateaware is another word for fifo."""
    for queue, properties, in_template in _texts(design):
        if properties.get(APPLICATION_SORT_POLICY) == "stateaware":
            fifo = (_set(design, queue, APPLICATION_SORT_POLICY, "fifo", in_template),)
            yield finding(design, queue, _place(APPLICATION_SORT_POLICY, in_template), StateAware(), fifo)


@dataclass(frozen=True, slots=True)
class SortPolicyOfAParent(Lint):
    """A parent with a sort policy, which these leaves inherit."""

    code = "L-16"
    severity = "hint"
    rules = ("C-130", "R-430")
    value: str
    heirs: tuple[str, ...]

    def sentence(self, where: str) -> str:
        said = f"{where} is a parent, and parents always sort their queues by fair share. "
        if self.heirs:
            return f"{said}The policy {name(self.value)} only counts for what inherits it: {named(self.heirs)}."
        return f"{said}The policy has no effect: no configured leaf below inherits it. Remove it."


def sort_policy_of_a_parent(design: Design) -> Iterator[Finding]:
    """L-16: a parent always sorts fair; the policy is only for the leaves that inherit it."""
    for queue in design.queues.values():
        if queue.is_leaf or not queue.has(APPLICATION_SORT_POLICY):
            continue
        heirs = tuple(leaf.path for leaf in queue.leaves() if _owner(leaf, APPLICATION_SORT_POLICY) is queue)
        lint = SortPolicyOfAParent(queue.config.properties[APPLICATION_SORT_POLICY], heirs)
        removed = None if heirs else (SetProperty(design.place(queue), APPLICATION_SORT_POLICY, None),)
        yield finding(design, queue, f"properties.{APPLICATION_SORT_POLICY}", lint, removed)


def _owner(queue: QueueFacts, key: str) -> QueueFacts | None:
    return next((at for at in queue.up() if at.has(key)), None)


@dataclass(frozen=True, slots=True)
class FairByAbsoluteAmounts(Lint):
    """A leaf that sorts fair, as `owner` says, and guarantees nothing."""

    code = "L-18"
    rules = ("R-537",)
    owner: str

    def sentence(self, where: str) -> str:
        return (
            f"{where} sorts its applications fair (set at {name(self.owner)}) but guarantees nothing to measure their use by, so "
            "plain amounts are compared, and a type with large numbers, such as memory in bytes, decides alone. Give it a "
            "guarantee."
        )


def fair_by_absolute_amounts(design: Design) -> Iterator[Finding]:
    """L-18: without a guarantee a fair leaf compares plain amounts, and bytes are always more than cores."""
    for leaf in design.leaves:
        if leaf.settings.application_sort_policy == "fair" and leaf.guaranteed is None:
            owner = _owner(leaf, APPLICATION_SORT_POLICY) or leaf
            yield finding(design, leaf, f"properties.{APPLICATION_SORT_POLICY}", FairByAbsoluteAmounts(owner.path))


def _place(key: str, in_template: bool) -> str:
    return f"childtemplate.properties.{key}" if in_template else f"properties.{key}"


CHECKS = (unknown_key, bad_text, stateaware, sort_policy_of_a_parent, fair_by_absolute_amounts)

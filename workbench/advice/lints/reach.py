"""Queues in which nothing can ever run, and settings that a queue of their kind does not have: L-19, L-20, L-35 to L-37."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.advice.edits import RemoveTemplateMaximum, SetField, SetMaximum, SetRules, SetWeights, accepted
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.config.facts import Design, QueueFacts, texts_with
from workbench.config.model import ChildTemplate, PlacementRule
from workbench.config.read.tree_shape import ROOT
from workbench.explain.wording import counted, name
from workbench.values.quantities import QuantityError
from workbench.values.resources import EMPTY, from_config, is_zero

NEEDED = ("vcore", "memory")
"""Types that every pod asks for (E-40: a workload that does not is possible)."""


@dataclass(frozen=True, slots=True)
class NobodyMaySubmit(Lint):
    """No ACL lets anybody into any of so many leaves."""

    code = "L-19"
    rules = ("C-106", "C-107")
    leaves: int

    def sentence(self, where: str) -> str:
        return (
            f"No ACL at {where} or above lets anybody submit, and none below does"
            f" ({counted(self.leaves, 'queue')} without access). Applications are rejected or go elsewhere. Set submitacl."
        )


def nobody_may_submit(design: Design) -> Iterator[Finding]:
    """L-19, by access: no ACL from the top to the leaf lets anybody in. Told at the highest queue where it is so for all."""
    for queue in design.queues.values():
        if _is_closed(queue) and (queue.parent is None or not _is_closed(queue.parent)) and queue.leaves():
            opened = (SetField(design.place(queue), "submitacl", "*"),)
            yield finding(design, queue, "submitacl", NobodyMaySubmit(len(queue.leaves())), opened)


def _is_closed(queue: QueueFacts) -> bool:
    """Whether nobody may submit to any queue at or below this one."""
    return not any(at.lets_anybody_in for at in (*queue.up(), *queue.down()))


@dataclass(frozen=True, slots=True)
class NoRuleLeadsThere(Lint):
    """None of the placement rules of these names can choose the leaf."""

    code = "L-19"
    rules = ("PL-36", "PL-31", "E-40")
    assumption = "This assumes that nobody works around the rules by recovery."
    placement_rules: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"No placement rule leads to {where}: the rules are {named(self.placement_rules)}. Nothing can run there. Put a rule "
            "that does before those that take everything, such as provided, or remove the queue."
        )


def no_rule_leads_there(design: Design) -> Iterator[Finding]:
    """L-19, by placement: no rule can choose the leaf."""
    rules = design.partition.placement_rules
    for leaf in design.leaves:
        if not design.routes.reaches(leaf.path):
            added = (SetRules(design.place(), (PlacementRule(name="provided"), *rules)),)
            yield finding(design, leaf, "", NoRuleLeadsThere(tuple(rule.name for rule in rules)), added)


@dataclass(frozen=True, slots=True)
class RuleTakesAll(Lint):
    """A placement rule finds a queue for everybody, with others `behind` it."""

    code = "PL-36"
    rules = ("PL-36", "PL-34")
    rule: str
    behind: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"The placement rule {name(self.rule)} finds a queue for every application, so what follows is never asked: "
            f"{named(self.behind)}. Put that rule last, give it a filter, or remove the others."
        )


def rule_behind_one_that_takes_all(design: Design) -> Iterator[Finding]:
    """PL-36: a rule that finds a queue for everybody is the last one that is asked."""
    rules, last = design.partition.placement_rules, design.routes.last
    if last is not None and last + 1 < len(rules):
        lint = RuleTakesAll(rules[last].name, tuple(rule.name for rule in rules[last + 1 :]))
        yield finding(design, None, f"placementrules[{last + 1}]", lint, (SetRules(design.place(), rules[: last + 1]),))


@dataclass(frozen=True, slots=True)
class NoRoomAtAll(Lint):
    """A maximum of 0 in types that every pod needs."""

    code = "L-19"
    rules = ("C-122", "C-124", "E-40")
    assumption = "This assumes that every pod requests vcore and memory."
    types: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"The maximum of {where} is 0 in {named(self.types)}, so nothing that needs any of it can run there. Leave the "
            "type out for no limit, or remove the queue."
        )


def no_room_at_all(design: Design) -> Iterator[Finding]:
    """L-19, by maximum: 0 of a type that every pod needs."""
    for queue in design.queues.values():
        closed = [kind for kind in NEEDED if (queue.maximum or EMPTY).get(kind) == 0]
        if not closed or any((queue.parent.limit or EMPTY).get(kind) == 0 for kind in closed if queue.parent):
            continue
        opened = accepted(design, SetMaximum(design.place(queue), texts_with(queue.config.resources.max, dict.fromkeys(closed))))
        yield finding(design, queue, f"resources.max.{closed[0]}", NoRoomAtAll(tuple(closed)), opened)


@dataclass(frozen=True, slots=True)
class MaximumOfNothing(Lint):
    """A maximum with nothing but zeros."""

    code = "L-20"
    rules = ("C-122", "C-74")

    def sentence(self, where: str) -> str:
        return (
            f"The maximum of {where} is 0 in every type that it names. Such a maximum is not kept: the queue is unlimited, not "
            "closed. Remove it, or give some type more than 0, with which the zeros count."
        )


@dataclass(frozen=True, slots=True)
class TemplateMaximumOfNothing(Lint):
    """A maximum with nothing but zeros in a child template."""

    code = "L-20"
    rules = ("C-142",)

    def sentence(self, where: str) -> str:
        return (
            f"The maximum in the child template of {where} is 0 in every type that it names. Such a maximum is not kept: the "
            "queues created below are unlimited. Remove it, or give some type more than 0."
        )


def maximum_of_nothing(design: Design) -> Iterator[Finding]:
    """L-20: a maximum with nothing but zeros is no maximum."""
    for queue in design.queues.values():
        if queue.config.name != ROOT and _only_zeros(queue.config.resources.max):
            removed = accepted(design, SetMaximum(design.place(queue), None))
            yield finding(design, queue, "resources.max", MaximumOfNothing(), removed)
        template = queue.config.child_template
        if template is not None and not queue.is_leaf and _only_zeros(template.resources.max):
            without = (RemoveTemplateMaximum(design.place(queue)),)
            yield finding(design, queue, "childtemplate.resources.max", TemplateMaximumOfNothing(), without)


def _only_zeros(texts: Mapping[str, str] | None) -> bool:
    try:
        return bool(texts) and is_zero(from_config(texts))
    except QuantityError:
        return False


@dataclass(frozen=True, slots=True)
class TemplateOfALeaf(Lint):
    """A leaf with a child template."""

    code = "L-35"
    rules = ("C-140",)

    def sentence(self, where: str) -> str:
        return (
            f"{where} is a leaf, and no queues are created below leaves: its child template is ignored. Remove it, or set parent: "
            "true."
        )


def template_of_a_leaf(design: Design) -> Iterator[Finding]:
    """L-35, first half: a leaf has no children to make from a template."""
    for leaf in design.leaves:
        if leaf.config.child_template is not None:
            removed = (SetField(design.place(leaf), "childtemplate", None),)
            yield finding(design, leaf, "childtemplate", TemplateOfALeaf(), removed)


@dataclass(frozen=True, slots=True)
class DynamicLeavesWithoutLimits(Lint):
    """Queues are created below a parent without a child template."""

    code = "L-35"
    severity = "hint"
    rules = ("C-142", "PL-84", "PL-86")

    def sentence(self, where: str) -> str:
        return (
            f"Placement rules create queues below {where}, and there is no child template: these queues have no maximum, no "
            "guarantee and no properties, unless applications bring quota tags. Add a childtemplate if they should."
        )


def dynamic_leaves_without_limits(design: Design) -> Iterator[Finding]:
    """L-35, second half: what the placement rules create below has neither guarantee nor maximum of its own."""
    for queue in design.queues.values():
        if queue.is_leaf or not design.routes.surely_creates_in(queue.path):
            continue
        if not any(_says_something(at.config.child_template) for at in queue.up()):
            yield finding(design, queue, "childtemplate", DynamicLeavesWithoutLimits())


def _says_something(template: ChildTemplate | None) -> bool:
    return template is not None and bool(
        template.max_applications or template.properties or template.resources.max or template.resources.guaranteed
    )


@dataclass(frozen=True, slots=True)
class ParentOfNothing(Lint):
    """A parent without children."""

    code = "L-36"
    rules = ("C-120", "PL-34")
    is_root: bool

    def sentence(self, where: str) -> str:
        return f"{where} is a parent without queues, and no placement rule creates any there, so nothing can run in it." + (
            " Add a queue." if self.is_root else " Remove parent: true, or add queues or a rule."
        )


def parent_of_nothing(design: Design) -> Iterator[Finding]:
    """L-36: a parent without children below which no rule creates any."""
    for queue in design.queues.values():
        if not queue.is_leaf and not queue.children and not design.routes.creates_in(queue.path):
            made_leaf = accepted(design, SetField(design.place(queue), "parent", False)) if queue.parent else None
            yield finding(design, queue, "parent" if queue.parent else "", ParentOfNothing(queue.parent is None), made_leaf)


@dataclass(frozen=True, slots=True)
class WeightsOfNothing(Lint):
    """The weights of all these types are 0."""

    code = "L-37"
    rules = ("R-556", "R-559")
    types: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"All weights of nodesortpolicy are 0 ({named(self.types)}), so every node has the same score and the order is "
            "that of the node ids. Remove them for the defaults, vcore 1 and memory 1."
        )


def weights_of_nothing(design: Design) -> Iterator[Finding]:
    """L-37: with all weights 0 every node has the score 0."""
    weights = design.partition.node_sorting.weights
    if weights and not any(weights.values()):
        defaults = (SetWeights(design.place(), {}),)
        yield finding(design, None, "nodesortpolicy.resourceweights", WeightsOfNothing(tuple(weights)), defaults)


CHECKS = (
    nobody_may_submit,
    no_rule_leads_there,
    rule_behind_one_that_takes_all,
    no_room_at_all,
    maximum_of_nothing,
    template_of_a_leaf,
    dynamic_leaves_without_limits,
    parent_of_nothing,
    weights_of_nothing,
)

"""Queues in which nothing can ever run, and settings that a queue of their kind does not have: L-19, L-20, L-35 to L-37."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.config.checks.design import Design, QueueFacts, texts_with
from workbench.config.checks.finding import Finding
from workbench.config.model import ChildTemplate, PlacementRule
from workbench.config.read.tree_shape import ROOT
from workbench.values.quantities import QuantityError
from workbench.values.resources import EMPTY, from_config, is_zero

NEEDED = ("vcore", "memory")
"""Types that every pod asks for (E-40: a workload that does not is possible)."""


def nobody_may_submit(design: Design) -> Iterator[Finding]:
    """L-19, by access: no ACL from the top to the leaf lets anybody in. Told at the highest queue where it is so for all."""
    for queue in design.queues.values():
        if _is_closed(queue) and (queue.parent is None or not _is_closed(queue.parent)) and queue.leaves():
            yield design.finding(
                "L-19",
                "warning",
                queue,
                "submitacl",
                "C-106",
                "C-107",
                case="access",
                leaves=len(queue.leaves()),
                repairs=((design.edit("field", queue, "submitacl", "*"),),),
            )


def _is_closed(queue: QueueFacts) -> bool:
    """Whether nobody may submit to any queue at or below this one."""
    return not any(at.lets_anybody_in for at in (*queue.up(), *queue.down()))


def no_rule_leads_there(design: Design) -> Iterator[Finding]:
    """L-19, by placement: no rule can choose the leaf."""
    for leaf in design.leaves:
        if not design.routes.reaches(leaf.path):
            added = (design.edit("rules", value=(PlacementRule(name="provided"), *design.partition.placement_rules)),)
            yield design.finding(
                "L-19",
                "warning",
                leaf,
                "",
                "PL-36",
                "PL-31",
                "E-40",
                case="rules",
                repairs=(added,),
                rules_=tuple(rule.name for rule in design.partition.placement_rules),
            )


def rule_behind_one_that_takes_all(design: Design) -> Iterator[Finding]:
    """PL-36: a rule that finds a queue for everybody is the last one that is asked."""
    last = design.routes.last
    if last is not None and last + 1 < len(design.partition.placement_rules):
        rules = design.partition.placement_rules
        kept = (design.edit("rules", value=rules[: last + 1]),)
        yield design.finding(
            "PL-36",
            "warning",
            None,
            f"placementrules[{last + 1}]",
            "PL-36",
            "PL-34",
            repairs=(kept,),
            rule=rules[last].name,
            behind=tuple(rule.name for rule in rules[last + 1 :]),
        )


def no_room_at_all(design: Design) -> Iterator[Finding]:
    """L-19, by maximum: 0 of a type that every pod needs."""
    for queue in design.queues.values():
        closed = [kind for kind in NEEDED if (queue.maximum or EMPTY).get(kind) == 0]
        if not closed or any((queue.parent.limit or EMPTY).get(kind) == 0 for kind in closed if queue.parent):
            continue
        opened = texts_with(queue.config.resources.max, dict.fromkeys(closed))
        yield design.finding(
            "L-19",
            "warning",
            queue,
            f"resources.max.{closed[0]}",
            "C-122",
            "C-124",
            "E-40",
            case="zero",
            repairs=(design.accepted(design.edit("max", queue, value=opened)),),
            types=tuple(closed),
        )


def maximum_of_nothing(design: Design) -> Iterator[Finding]:
    """L-20: a maximum with nothing but zeros is no maximum."""
    for queue in design.queues.values():
        if queue.config.name != ROOT and _only_zeros(queue.config.resources.max):
            yield design.finding(
                "L-20",
                "warning",
                queue,
                "resources.max",
                "C-122",
                "C-74",
                case="queue",
                repairs=(design.accepted(design.edit("max", queue, value=None)),),
            )
        template = queue.config.child_template
        if template is not None and not queue.is_leaf and _only_zeros(template.resources.max):
            yield design.finding(
                "L-20",
                "warning",
                queue,
                "childtemplate.resources.max",
                "C-142",
                case="template",
                repairs=((design.edit("template-max", queue, value=None),),),
            )


def _only_zeros(texts: Mapping[str, str] | None) -> bool:
    try:
        return bool(texts) and is_zero(from_config(texts))
    except QuantityError:
        return False


def template_of_a_leaf(design: Design) -> Iterator[Finding]:
    """L-35, first half: a leaf has no children to make from a template."""
    for leaf in design.leaves:
        if leaf.config.child_template is not None:
            yield design.finding(
                "L-35",
                "warning",
                leaf,
                "childtemplate",
                "C-140",
                case="leaf",
                repairs=((design.edit("field", leaf, "childtemplate", None),),),
            )


def dynamic_leaves_without_limits(design: Design) -> Iterator[Finding]:
    """L-35, second half: what the placement rules create below has neither guarantee nor maximum of its own."""
    for queue in design.queues.values():
        if queue.is_leaf or not design.routes.surely_creates_in(queue.path):
            continue
        if not any(_says_something(at.config.child_template) for at in queue.up()):
            yield design.finding("L-35", "hint", queue, "childtemplate", "C-142", "PL-84", "PL-86", case="none")


def _says_something(template: ChildTemplate | None) -> bool:
    return template is not None and bool(
        template.max_applications or template.properties or template.resources.max or template.resources.guaranteed
    )


def parent_of_nothing(design: Design) -> Iterator[Finding]:
    """L-36: a parent without children below which no rule creates any."""
    for queue in design.queues.values():
        if not queue.is_leaf and not queue.children and not design.routes.creates_in(queue.path):
            made_leaf = design.accepted(design.edit("field", queue, "parent", False)) if queue.parent else None
            yield design.finding(
                "L-36",
                "warning",
                queue,
                "parent" if queue.parent else "",
                "C-120",
                "PL-34",
                repairs=(made_leaf,),
                is_root=queue.parent is None,
            )


def weights_of_nothing(design: Design) -> Iterator[Finding]:
    """L-37: with all weights 0 every node has the score 0."""
    weights = design.partition.node_sorting.weights
    if weights and not any(weights.values()):
        yield design.finding(
            "L-37",
            "warning",
            None,
            "nodesortpolicy.resourceweights",
            "R-556",
            "R-559",
            case="zero",
            repairs=((design.edit("weights", value={}),),),
            types=tuple(weights),
        )


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

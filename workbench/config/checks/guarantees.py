"""Guarantees that the tree itself keeps from holding: L-01, L-02, L-03, L-28 and what a queue named root loses."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.checks.design import Design, QueueFacts, texts_with
from workbench.config.checks.finding import Edit, Finding, Repair
from workbench.config.may_preempt import is_disabled
from workbench.config.read.tree_shape import ROOT
from workbench.values.resources import EMPTY, Resource, add, component_wise_min, sub_eliminate_negative


def only_high_in_the_tree(design: Design) -> Iterator[Finding]:
    """L-01: a parent has a guarantee, and nothing below it has one."""
    for queue in design.queues.values():
        below = [at for at in queue.down() if at is not queue]
        leaves = queue.leaves()
        if queue.guaranteed is None or queue.is_leaf or len(leaves) < 2 or any(at.guaranteed for at in below):
            continue
        share = Resource({kind: amount // len(leaves) for kind, amount in queue.guaranteed.items()})
        divided = None
        if any(share.values()) and not any(leaf.config.name == ROOT for leaf in leaves):
            divided = design.accepted(*(_guaranteed(design, leaf, share) for leaf in leaves))
        yield design.finding(
            "L-01",
            "warning",
            queue,
            "resources.guaranteed",
            "P-45",
            "P-60",
            "P-115",
            repairs=(divided,),
            guaranteed=queue.guaranteed,
            leaves=tuple(leaf.path for leaf in leaves),
        )


def sibling_without(design: Design) -> Iterator[Finding]:
    """L-02: below a parent with a guarantee one leaf has one and another has not, which exposes the other."""
    for parent in design.queues.values():
        if parent.guaranteed is None or not design.preempts:
            continue
        leaves = [child for child in parent.children if child.is_leaf]
        guarded = [leaf for leaf in leaves if leaf.guaranteed]
        for leaf in leaves:
            if guarded and not leaf.guaranteed and not is_disabled(leaf):
                yield design.finding(
                    "L-02",
                    "warning",
                    leaf,
                    "resources.guaranteed",
                    "P-45",
                    repairs=(_the_rest(design, parent, leaf),),
                    parent=parent.path,
                    guaranteed=parent.guaranteed,
                    guarded=tuple(each.path for each in guarded),
                )


def _the_rest(design: Design, parent: QueueFacts, leaf: QueueFacts) -> Repair | None:
    """What the parent guarantees and no other child has, shared by the leaves that have nothing."""
    whole = parent.guaranteed
    if leaf.config.name == ROOT or whole is None:  # what root is given is not loaded (C-121)
        return None
    given = EMPTY
    for child in parent.children:
        given = add(given, child.guaranteed)
    left = sub_eliminate_negative(whole, given)
    sharing = sum(1 for child in parent.children if not child.guaranteed)
    rest = component_wise_min(
        Resource({kind: left[kind] // sharing for kind in whole if left[kind] // sharing}),
        Resource({kind: most for kind, most in (leaf.limit or EMPTY).items() if left.get(kind)}),
    )
    return design.accepted(_guaranteed(design, leaf, rest)) if any(rest.values()) else None


def promised_more_than_above(design: Design) -> Iterator[Finding]:
    """L-03: the guarantees below exceed this one in a type that a queue between does not mention, which hides it (C-73)."""
    for queue in design.queues.values():
        own, below = queue.guaranteed or EMPTY, EMPTY
        for child in queue.children:
            below = add(below, true_guarantee(child))
        over = {kind: below[kind] for kind in own if below.get(kind, 0) > own[kind]}
        if not over:
            continue
        raised = texts_with(queue.config.resources.guaranteed, over)
        yield design.finding(
            "L-03",
            "warning",
            queue,
            "resources.guaranteed",
            "C-73",
            "C-72",
            repairs=(design.accepted(design.edit("guaranteed", queue, value=raised)),),
            guaranteed=Resource({kind: own[kind] for kind in over}),
            promised=Resource(over),
        )


def true_guarantee(queue: QueueFacts) -> Resource:
    """What the queue and those below it promise in all, type by type: its own where it has one, else the sum below."""
    below = EMPTY
    for child in queue.children:
        below = add(below, true_guarantee(child))
    return Resource({**below, **(queue.guaranteed or EMPTY)})


def name_hides_a_guarantee(design: Design) -> Iterator[Finding]:
    """L-28: a leaf's path begins with the text of another queue's path, which it then takes for a queue above itself."""
    if not design.preempts:
        return
    guarded = [queue for queue in design.queues.values() if queue.guaranteed]
    for queue in guarded:
        hiding = tuple(
            leaf.path
            for leaf in guarded
            if leaf.is_leaf and leaf.path.startswith(queue.path) and not f"{leaf.path}.".startswith(f"{queue.path}.")
        )
        if hiding:
            yield design.finding("L-28", "warning", queue, "name", "P-47", "P-42", hiding=hiding)


def named_root(design: Design) -> Iterator[Finding]:
    """C-121: a nested queue of the name root is loaded without its resources."""
    for queue in design.queues.values():
        resources = queue.config.resources
        if queue.parent is not None and queue.config.name == ROOT and (resources.max or resources.guaranteed):
            yield design.finding("C-121", "warning", queue, "resources", "C-121", "C-20")


def _guaranteed(design: Design, queue: QueueFacts, amounts: Resource) -> Edit:
    return design.edit("guaranteed", queue, value=texts_with(queue.config.resources.guaranteed, amounts))


CHECKS = (only_high_in_the_tree, sibling_without, promised_more_than_above, name_hides_a_guarantee, named_root)

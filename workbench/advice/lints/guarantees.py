"""Guarantees that the tree itself keeps from holding: L-01, L-02, L-03, L-28 and what a queue named root loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.advice.edits import Repair, SetGuaranteed, accepted
from workbench.advice.lint import Finding, Lint, finding, kinds, named
from workbench.config.facts import Design, QueueFacts, texts_with
from workbench.config.may_preempt import is_disabled
from workbench.config.read.tree_shape import ROOT
from workbench.explain.wording import name
from workbench.values.resources import EMPTY, Resource, add, component_wise_min, sub_eliminate_negative


@dataclass(frozen=True, slots=True)
class OnlyHighInTheTree(Lint):
    """A parent has a guarantee, and nothing below it has one."""

    code = "L-01"
    rules = ("P-45", "P-60", "P-115")
    guaranteed: Resource
    leaves: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"{where} guarantees {kinds(self.guaranteed)}, and none of the {len(self.leaves)} leaves below "
            f"it guarantees anything: they share one budget, and while it is used up "
            "none of them can take anything back from another. Give the leaves guarantees of their own."
        )


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
            divided = accepted(design, *(_guaranteed(design, leaf, share) for leaf in leaves))
        lint = OnlyHighInTheTree(queue.guaranteed, tuple(leaf.path for leaf in leaves))
        yield finding(design, queue, "resources.guaranteed", lint, divided)


@dataclass(frozen=True, slots=True)
class SiblingWithout(Lint):
    """Beside leaves with a guarantee one has none, which exposes it."""

    code = "L-02"
    rules = ("P-45",)
    parent: str
    guaranteed: Resource
    guarded: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"{where} guarantees nothing, but beside it {named(self.guarded)} does: requests there may stop everything that "
            f"runs in {where}, even while {name(self.parent)} is within its own guarantee of "
            f"{kinds(self.guaranteed)}. Give {where} a guarantee, too."
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
                lint = SiblingWithout(parent.path, parent.guaranteed, tuple(each.path for each in guarded))
                yield finding(design, leaf, "resources.guaranteed", lint, _the_rest(design, parent, leaf))


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
    return accepted(design, _guaranteed(design, leaf, rest)) if any(rest.values()) else None


@dataclass(frozen=True, slots=True)
class PromisedMoreThanAbove(Lint):
    """The guarantees below exceed the one above, hidden by a queue between that does not mention the type."""

    code = "L-03"
    rules = ("C-73", "C-72")
    guaranteed: Resource
    promised: Resource

    def sentence(self, where: str) -> str:
        return (
            f"{where} guarantees {kinds(self.guaranteed)}, and the queues below it {kinds(self.promised)} together. "
            "A queue between them does not mention the type, so this is not refused, but the guarantees cannot all hold: a "
            f"queue below within its own guarantee may lose what it has once {where} is above its own. Raise the guarantee here, "
            "or lower those below."
        )


def promised_more_than_above(design: Design) -> Iterator[Finding]:
    """L-03: the guarantees below exceed this one in a type that a queue between does not mention, which hides it (C-73)."""
    for queue in design.queues.values():
        own, below = queue.guaranteed or EMPTY, EMPTY
        for child in queue.children:
            below = add(below, true_guarantee(child))
        over = {kind: below[kind] for kind in own if below.get(kind, 0) > own[kind]}
        if over:
            lint = PromisedMoreThanAbove(Resource({kind: own[kind] for kind in over}), Resource(over))
            raised = accepted(design, _guaranteed(design, queue, Resource(over)))
            yield finding(design, queue, "resources.guaranteed", lint, raised)


def true_guarantee(queue: QueueFacts) -> Resource:
    """What the queue and those below it promise in all, type by type: its own where it has one, else the sum below."""
    below = EMPTY
    for child in queue.children:
        below = add(below, true_guarantee(child))
    return Resource({**below, **(queue.guaranteed or EMPTY)})


@dataclass(frozen=True, slots=True)
class NameHidesAGuarantee(Lint):
    """The path of a leaf begins with the text of another queue's path."""

    code = "L-28"
    rules = ("P-47", "P-42")
    hiding: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"The path of {named(self.hiding)} begins with the text {where}, so the scheduler takes {where} for a queue above "
            f"it: requests there may stop anything in {where}, its guarantee does not protect it. Rename one of them so that "
            "neither begins with the other."
        )


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
            yield finding(design, queue, "name", NameHidesAGuarantee(hiding))


@dataclass(frozen=True, slots=True)
class NamedRoot(Lint):
    """A queue below the root is called root, too."""

    code = "C-121"
    rules = ("C-121", "C-20")

    def sentence(self, where: str) -> str:
        return (
            f"{where} is called root, and the resources of queues of that name are not loaded: it has no maximum and no guarantee. "
            "Give it another name."
        )


def named_root(design: Design) -> Iterator[Finding]:
    """C-121: a nested queue of the name root is loaded without its resources."""
    for queue in design.queues.values():
        resources = queue.config.resources
        if queue.parent is not None and queue.config.name == ROOT and (resources.max or resources.guaranteed):
            yield finding(design, queue, "resources", NamedRoot())


def _guaranteed(design: Design, queue: QueueFacts, amounts: Resource) -> SetGuaranteed:
    return SetGuaranteed(design.place(queue), texts_with(queue.config.resources.guaranteed, dict(amounts)))


CHECKS = (only_high_in_the_tree, sibling_without, promised_more_than_above, name_hides_a_guarantee, named_root)

"""What the nodes that are there have to say to a configuration: L-04, L-06, L-21, and weights of types that nobody has (L-37)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.advice.edits import SetGuaranteed, SetWeights, accepted
from workbench.advice.lint import Finding, Lint, finding, kinds, named
from workbench.advice.lints.guarantees import true_guarantee
from workbench.config.facts import Design, texts_with
from workbench.explain.wording import name
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.resources import EMPTY, Resource, add


@dataclass(frozen=True, slots=True)
class GuaranteeAboveTheNodes(Lint):
    """One guarantee is more than all nodes have."""

    code = "L-04"
    rules = ("P-60", "R-402")
    guaranteed: Resource
    capacity: Resource

    def sentence(self, where: str) -> str:
        return (
            f"{where} guarantees {kinds(self.guaranteed)}, and all nodes together have {kinds(self.capacity)}: it can "
            "never be met. Lower it, or add nodes."
        )


@dataclass(frozen=True, slots=True)
class GuaranteesAboveTheNodes(Lint):
    """The guarantees at the top are together more than all nodes have."""

    code = "L-04"
    rules = ("P-52", "P-60")
    guaranteed: Resource
    capacity: Resource

    def sentence(self, where: str) -> str:
        return (
            f"The queues at the top guarantee {kinds(self.guaranteed)} together, and all nodes have "
            f"{kinds(self.capacity)}: they cannot all be met, and what holds less than its guarantee may not be taken from "
            "either. Lower some, or add nodes."
        )


def guarantee_above_the_nodes(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-04: one guarantee, or all at the top together, are more than all nodes have."""
    alone: set[str] = set()
    for queue in design.queues.values():
        over = _above(queue.guaranteed or EMPTY, partition)
        if over:
            alone |= over.keys()
            texts = texts_with(queue.config.resources.guaranteed, {kind: partition.total[kind] for kind in over})
            lowered = accepted(design, SetGuaranteed(design.place(queue), texts))
            lint = GuaranteeAboveTheNodes(Resource(over), _capacity(partition, over))
            yield finding(design, queue, f"resources.guaranteed.{min(over)}", lint, lowered)
    together = EMPTY
    for queue in design.root.children:
        together = add(together, true_guarantee(queue))
    over = {kind: amount for kind, amount in _above(together, partition).items() if kind not in alone}
    if over:
        yield finding(design, design.root, "queues", GuaranteesAboveTheNodes(Resource(over), _capacity(partition, over)))


def _above(promised: Resource, partition: Partition) -> dict[str, int]:
    return {kind: amount for kind, amount in promised.items() if 0 < partition.total.get(kind, 0) < amount}


def _capacity(partition: Partition, types: Iterable[str]) -> Resource:
    return Resource({kind: partition.total[kind] for kind in types})


@dataclass(frozen=True, slots=True)
class GuaranteeOfWhatNoNodeHas(Lint):
    """A guaranteed type that is not among the offered ones."""

    code = "L-06"
    rules = ("P-60", "R-402", "E-40")
    assumption = "This assumes that no nodes of another kind are to come."
    type: str
    offered: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"{where} guarantees {name(self.type)}, and no node offers that; they offer {named(self.offered)}. Nothing can "
            "come of it. Check the spelling, or remove it."
        )


def guarantee_of_what_no_node_has(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-06: a guaranteed type that no node offers."""
    for queue in design.queues.values():
        for kind, amount in (queue.guaranteed or EMPTY).items() if partition.nodes else ():
            if amount > 0 and partition.total.get(kind, 0) <= 0:
                texts = texts_with(queue.config.resources.guaranteed, {kind: None})
                without = accepted(design, SetGuaranteed(design.place(queue), texts))
                lint = GuaranteeOfWhatNoNodeHas(kind, tuple(sorted(partition.total)))
                yield finding(design, queue, f"resources.guaranteed.{kind}", lint, without)


@dataclass(frozen=True, slots=True)
class TypesWithoutMaximum(Lint):
    """A maximum that does not name these types of the nodes."""

    code = "L-21"
    severity = "hint"
    rules = ("C-124",)
    types: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return f"The maximum of {where} says nothing of {named(self.types)}, which nodes offer: these are unlimited there."


@dataclass(frozen=True, slots=True)
class TypesWithoutGuarantee(Lint):
    """A guarantee that does not name these types of the nodes."""

    code = "L-21"
    severity = "hint"
    rules = ("P-60",)
    types: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"The guarantee of {where} says nothing of {named(self.types)}, which nodes offer: these are not guaranteed, and a "
            "request for them alone may preempt however much it has of them."
        )


def types_left_out(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-21: a maximum or guarantee that names some types of the nodes and not the others."""
    for queue in design.queues.values():
        without = _not_named(queue.maximum, partition)
        if without:
            yield finding(design, queue, "resources.max", TypesWithoutMaximum(without))
        without = _not_named(queue.guaranteed, partition)
        if without:
            yield finding(design, queue, "resources.guaranteed", TypesWithoutGuarantee(without))


def _not_named(given: Resource | None, partition: Partition) -> tuple[str, ...]:
    """The types that nodes offer and these amounts do not name; none where there are no amounts."""
    return tuple(kind for kind, amount in partition.total.items() if amount > 0 and kind not in given) if given else ()


@dataclass(frozen=True, slots=True)
class WeightsNoNodeHas(Lint):
    """A weight of a type that is not among the offered ones."""

    code = "L-37"
    rules = ("R-556",)
    type: str
    offered: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"nodesortpolicy gives a weight to {name(self.type)}, which no node offers; they offer {named(self.offered)}. It "
            "has no effect. Check the spelling, or remove it."
        )


def weights_no_node_has(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-37: a weight on a type that no node offers."""
    weights = design.partition.node_sorting.weights
    for kind, weight in weights.items() if partition.nodes else ():
        if weight > 0 and partition.total.get(kind, 0) <= 0:
            others = {each: other for each, other in weights.items() if each != kind}
            lint = WeightsNoNodeHas(kind, tuple(sorted(partition.total)))
            without = (SetWeights(design.place(), others),)
            yield finding(design, None, f"nodesortpolicy.resourceweights.{kind}", lint, without)


CHECKS = (guarantee_above_the_nodes, guarantee_of_what_no_node_has, types_left_out, weights_no_node_has)

"""What the nodes that are there have to say to a configuration: L-04, L-06, L-21, and weights of types that nobody has (L-37)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.config.checks import Design, Finding, texts_with
from workbench.config.checks.guarantees import true_guarantee
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.resources import EMPTY, Resource, add


def guarantee_above_the_nodes(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-04: one guarantee, or all at the top together, are more than all nodes have."""
    alone: set[str] = set()
    for queue in design.queues.values():
        over = _above(queue.guaranteed or EMPTY, partition)
        if over:
            alone |= over.keys()
            lowered = texts_with(queue.config.resources.guaranteed, {kind: partition.total[kind] for kind in over})
            yield design.finding(
                "L-04",
                "warning",
                queue,
                f"resources.guaranteed.{min(over)}",
                "P-60",
                "R-402",
                case="one",
                repairs=(design.accepted(design.edit("guaranteed", queue, value=lowered)),),
                guaranteed=Resource(over),
                capacity=_capacity(partition, over),
            )
    together = EMPTY
    for queue in design.root.children:
        together = add(together, true_guarantee(queue))
    over = {kind: amount for kind, amount in _above(together, partition).items() if kind not in alone}
    if over:
        yield design.finding(
            "L-04",
            "warning",
            design.root,
            "queues",
            "P-52",
            "P-60",
            case="sum",
            guaranteed=Resource(over),
            capacity=_capacity(partition, over),
        )


def _above(promised: Resource, partition: Partition) -> dict[str, int]:
    return {kind: amount for kind, amount in promised.items() if 0 < partition.total.get(kind, 0) < amount}


def _capacity(partition: Partition, kinds: Iterable[str]) -> Resource:
    return Resource({kind: partition.total[kind] for kind in kinds})


def guarantee_of_what_no_node_has(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-06: a guaranteed type that no node offers."""
    for queue in design.queues.values():
        for kind, amount in (queue.guaranteed or EMPTY).items() if partition.nodes else ():
            if amount > 0 and partition.total.get(kind, 0) <= 0:
                without = texts_with(queue.config.resources.guaranteed, {kind: None})
                yield design.finding(
                    "L-06",
                    "warning",
                    queue,
                    f"resources.guaranteed.{kind}",
                    "P-60",
                    "R-402",
                    "E-40",
                    repairs=(design.accepted(design.edit("guaranteed", queue, value=without)),),
                    type=kind,
                    offered=tuple(sorted(partition.total)),
                )


def types_left_out(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-21: a maximum or guarantee that names some types of the nodes and not the others."""
    for queue in design.queues.values():
        for key, given in (("max", queue.maximum), ("guaranteed", queue.guaranteed)):
            missing = tuple(kind for kind, amount in partition.total.items() if amount > 0 and kind not in (given or EMPTY))
            if given and missing:
                yield design.finding(
                    "L-21", "hint", queue, f"resources.{key}", "P-60" if key == "guaranteed" else "C-124", case=key, types=missing
                )


def weights_no_node_has(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-37: a weight on a type that no node offers."""
    weights = design.partition.node_sorting.weights
    for kind, weight in weights.items() if partition.nodes else ():
        if weight > 0 and partition.total.get(kind, 0) <= 0:
            without = {name: other for name, other in weights.items() if name != kind}
            yield design.finding(
                "L-37",
                "warning",
                None,
                f"nodesortpolicy.resourceweights.{kind}",
                "R-556",
                case="unknown",
                repairs=((design.edit("weights", value=without),),),
                type=kind,
                offered=tuple(sorted(partition.total)),
            )


CHECKS = (guarantee_above_the_nodes, guarantee_of_what_no_node_has, types_left_out, weights_no_node_has)

"""Changes that several reasons have in common: an edit of a guarantee, a further node."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.config import edit
from workbench.scheduler.records.commands import (
    AddNode,
    Command,
)
from workbench.scheduler.records.refusals.nodes import (
    UnknownNode,
)
from workbench.scheduler.records.state import Allocation, Partition, Queue
from workbench.simulation.remedies.case import Case, Trials
from workbench.simulation.remedies.remedy import Remedy
from workbench.values.quantities import format_quantity
from workbench.values.resources import Resource


def guarantee(case: Case, queue: Queue, wanted: Mapping[str, int], *then: Command) -> Trials:
    texts = {name: format_quantity(amount, name) for name, amount in wanted.items()}
    remedy = Remedy("guaranteed", queue.path, before=queue.guaranteed, after=Resource(wanted))
    yield from case.edit(remedy, lambda: edit.with_guaranteed(case.config, queue.path, texts, case.partition.name), *then)


def further_node(case: Case) -> Trials:
    """A node just large enough, under the name that the ask requires if there is one."""
    ask = case.ask
    name = ask.required_node if isinstance(case.refusal, UnknownNode) else _free_name(case.partition, ask)
    yield case.trial(
        Remedy("node", name, after=ask.resource),
        AddNode(node_id=name, capacity=ask.resource, attributes=ask.node_selector, partition=case.partition.name),
    )


def _free_name(partition: Partition, ask: Allocation) -> str:
    allowed = sorted(ask.allowed_nodes - set(partition.nodes)) if ask.allowed_nodes is not None else []
    if allowed:
        return allowed[0]
    number = 1
    while f"further-node-{number}" in partition.nodes:
        number += 1
    return f"further-node-{number}"

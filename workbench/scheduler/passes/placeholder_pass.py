"""One application's turn in the placeholder pass: real asks take the place of allocated placeholders. R-730, R-731.

No headroom, quota or limit is looked at: the room is already held. Cancelling a placeholder that is too small belongs to
the attempt itself and is written here.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.scheduler.objects import gang, nodes, notices
from workbench.scheduler.passes import fitting
from workbench.scheduler.passes.placing import Placement
from workbench.scheduler.policies import predicates
from workbench.scheduler.policies.request_order import ask_key
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.decision import Candidate, Trace
from workbench.scheduler.records.refusals.slots import GangWait
from workbench.scheduler.records.state import Allocation, Application, Node, Partition
from workbench.values.resources import has_negative_value, sub


def attempt(ctx: Context, partition: Partition, application: Application, trace: Trace | None) -> Placement | None:
    """The first real ask that can replace a placeholder on its node; else the first compatible pair, on another node."""
    waiting = [
        (position, ask)
        for position, ask in enumerate(application.ask_order)
        if not ask.allocated and not ask.placeholder and ask.task_group
    ]
    level = trace and trace.open(
        "ask", application.id, "placeholders", [Candidate(ask.key, ask_key(position, ask)) for position, ask in waiting]
    )
    pair: tuple[int, Allocation, Allocation] | None = None
    for index, (_, ask) in enumerate(waiting):
        for placeholder in _compatible(ctx, application, ask):
            pair = pair or (index, ask, placeholder)
            node = partition.nodes.get(placeholder.node_id)
            if node is not None and predicates.refusal_text(node, ask) is None:
                if level:
                    level.take(index)
                return _replacement(application, ask, placeholder, node)
        if level:
            level.refuse(index, GangWait(ask.key, ask.task_group))
    if pair is not None:
        # Only the first pair is tried elsewhere, even if another ask would fit. R-731
        index, ask, placeholder = pair
        for node in nodes.unreserved(partition):
            if node.schedulable and fitting.try_node(ctx, node, ask, None) is None:
                if level:
                    level.take(index)
                return _replacement(application, ask, placeholder, node)
    return None


def _compatible(ctx: Context, application: Application, ask: Allocation) -> Iterator[Allocation]:
    """The placeholders of the ask's group that are at least as large, oldest first; smaller ones are cancelled. R-733, R-734.

    The core takes them in an unspecified order.
    """
    for placeholder in sorted(application.allocations.values(), key=lambda each: each.seq):
        if not placeholder.placeholder or placeholder.released or placeholder.preempted or placeholder.task_group != ask.task_group:
            continue
        if has_negative_value(sub(placeholder.resource, ask.resource)):
            notices.placeholder_too_small(ctx, application, placeholder, ask)
            gang.announce(ctx, application, placeholder, "cancel placeholder: resource incompatible")
        else:
            yield placeholder


def _replacement(application: Application, ask: Allocation, placeholder: Allocation, node: Node) -> Placement:
    return Placement("replaced", application, ask.key, node.id, placeholder.key)

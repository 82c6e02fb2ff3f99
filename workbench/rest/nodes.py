"""`nodes` and `node`: a node with its allocations, those of other schedulers apart. Chapter 11, section 2."""

from __future__ import annotations

from typing import Any

from workbench.rest import allocations
from workbench.rest.amounts import amounts, said
from workbench.rest.answer import Refusal
from workbench.rest.lookups import partition_of
from workbench.rest.routes import Request
from workbench.rest.source import RM_ID, Source
from workbench.scheduler.records.state import Node, Partition
from workbench.values.resources import abs_used_capacity

PARTITION_ATTRIBUTE = "si/node-partition"


def nodes(source: Source, request: Request) -> list[dict[str, Any]]:
    """All nodes in order of their creation."""
    partition = partition_of(source, request)
    return [document(source, partition, node) for node in sorted(partition.nodes.values(), key=lambda each: each.seq)]


def node(source: Source, request: Request) -> dict[str, Any]:
    partition = partition_of(source, request)
    found = partition.nodes.get(request.names["node"])
    if found is None:
        raise Refusal(404, "Node not found")
    return document(source, partition, found)


def document(source: Source, partition: Partition, node: Node) -> dict[str, Any]:
    attributes = {**node.attributes, PARTITION_ATTRIBUTE: f"[{RM_ID}]{partition.name}"}
    # Quirk: what is occupied no longer is still said, as nothing.
    occupied = {**dict.fromkeys(sorted(source.past.up_to_date().node_use.occupied.get(node, ())), 0), **amounts(node.occupied)}
    held, others = (sorted(table.values(), key=lambda each: each.seq) for table in (node.allocations, node.foreign))
    return {
        "nodeID": node.id,
        "attributes": attributes,
        "schedulable": node.schedulable,
        "isReserved": bool(node.reservations),
        **said(
            hostName=node.attributes.get("si/hostname", ""),
            rackName=node.attributes.get("si/rackname", ""),
            capacity=amounts(node.capacity),
            allocated=amounts(node.allocated),
            occupied=occupied,
            available=amounts(node.available),
            utilized=amounts(abs_used_capacity(node.capacity, node.allocated)),
            allocations=[allocations.allocation(source, each) for each in held],
            foreignAllocations=[allocations.foreign(source, each) for each in others],
            reservations=sorted(node.reservations),
        ),
    }

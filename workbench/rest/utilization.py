"""How many nodes use how much of each resource, in ten buckets. RE-21"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workbench.rest.amounts import said
from workbench.rest.routes import Request
from workbench.rest.source import RM_ID, Source
from workbench.scheduler.records.state import Node, Partition
from workbench.values.resources import abs_used_capacity, dominant_resource_type

BUCKETS = tuple(f"{10 * k}-{10 * k + 10}%" for k in range(10))


def all_types(source: Source, request: Request) -> list[dict[str, Any]]:
    """For each partition, the nodes by their use of each resource that any of them has."""
    return [
        {
            "clusterId": RM_ID,
            "partition": partition.name,
            "utilizations": [_document(partition, name) for name in _types(partition)],
        }
        for partition in source.state.partitions.values()
    ]


def dominant_type(source: Source, request: Request) -> dict[str, Any]:
    """The nodes by their use of what the default partition uses most of."""
    partition = source.partition("default")
    if partition is None:
        return {"type": "", "utilization": []}
    return _document(partition, dominant_resource_type(partition.root.allocated, partition.total))


def bucket(node: Node, name: str) -> int | None:
    """The bucket of the node, from 0; None if it does not know the name."""
    if name not in node.capacity:
        return None
    return bucket_of(abs_used_capacity(node.capacity, node.allocated).get(name, 0))


def bucket_of(percent: int) -> int:
    """The bucket of a use in whole percent."""
    return min(9, max(0, -(-percent // 10) - 1))


def in_buckets(nodes: Iterable[Node], name: str) -> list[list[str]]:
    """The ids of the nodes in each bucket, in the order given."""
    found: list[list[str]] = [[] for _ in BUCKETS]
    for node in nodes:
        at = bucket(node, name)
        if at is not None:
            found[at].append(node.id)
    return found


def _types(partition: Partition) -> list[str]:
    return sorted({name for node in partition.nodes.values() for name in node.capacity})


def _document(partition: Partition, name: str) -> dict[str, Any]:
    nodes = sorted(partition.nodes.values(), key=lambda each: each.seq)
    found = in_buckets(nodes, name)
    return {
        **said(type=name),
        "utilization": [
            {"bucketName": label, **said(numOfNodes=len(names), nodeNames=names)}
            for label, names in zip(BUCKETS, found, strict=True)
        ],
    }

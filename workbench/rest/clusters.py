"""`clusters`, and the addresses that only lead to the core's own inside. Chapter 11, section 2."""

from __future__ import annotations

from typing import Any

from workbench.rest.answer import Answer, of_redirect
from workbench.rest.routes import Request
from workbench.rest.source import Source

CLUSTER_NAME = "kubernetes"


def clusters(source: Source, request: Request) -> list[dict[str, Any]]:
    """One entry for each partition."""
    return [
        {
            "startTime": source.at(0),
            "rmBuildInformation": [dict(source.build)],
            "partition": partition.name,
            "clusterName": CLUSTER_NAME,
        }
        for partition in source.state.partitions.values()
    ]


def stack(source: Source, request: Request) -> Answer:
    """Below `/debug` is the inside of the core, which is not offered here."""
    return of_redirect("/debug/stack")


def full_state_dump(source: Source, request: Request) -> Answer:
    """The same."""
    return of_redirect("/debug/fullstatedump")

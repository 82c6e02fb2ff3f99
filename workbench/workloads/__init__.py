"""What arrives at a cluster and when: jobs, their sources, made-up ones, and what can be done to them."""

from workbench.workloads.model import Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload
from workbench.workloads.nodes import parse_nodes
from workbench.workloads.sources.registry import SOURCES, Option, Read, Source, Written, read, register_source, write

__all__ = [
    "SOURCES",
    "Gang",
    "Job",
    "NodeEvent",
    "Option",
    "Pool",
    "Read",
    "Restarts",
    "Source",
    "Tasks",
    "Workload",
    "Written",
    "parse_nodes",
    "read",
    "register_source",
    "write",
]

"""What arrives at a cluster and when: jobs, their sources, made-up ones, and what can be done to them."""

from workbench.workloads.description import Description, describe
from workbench.workloads.findings import Finding, findings
from workbench.workloads.generators import PRESETS, Preset, Synthetic, fit, preset, synthetic
from workbench.workloads.given import workload_given
from workbench.workloads.model import Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload
from workbench.workloads.nodes import parse_nodes
from workbench.workloads.reading import parse_workload
from workbench.workloads.seeded import AnyWorkload, Seeded, of_seed
from workbench.workloads.sources.registry import SOURCES, Option, Read, Source, Written, read, register_source, write
from workbench.workloads.sources.table import from_frame
from workbench.workloads.transform import anonymise, cut, merge, rename_users, sample, scale_load, scale_time, with_nodes
from workbench.workloads.writing import workload_to_json, workload_to_yaml

__all__ = [
    "PRESETS",
    "SOURCES",
    "AnyWorkload",
    "Description",
    "Finding",
    "Gang",
    "Job",
    "NodeEvent",
    "Option",
    "Pool",
    "Preset",
    "Read",
    "Restarts",
    "Seeded",
    "Source",
    "Synthetic",
    "Tasks",
    "Workload",
    "Written",
    "anonymise",
    "cut",
    "describe",
    "findings",
    "fit",
    "from_frame",
    "merge",
    "of_seed",
    "parse_nodes",
    "parse_workload",
    "preset",
    "read",
    "register_source",
    "rename_users",
    "sample",
    "scale_load",
    "scale_time",
    "synthetic",
    "workload_given",
    "workload_to_json",
    "workload_to_yaml",
    "with_nodes",
    "write",
]

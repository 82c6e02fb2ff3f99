"""What arrives at a cluster and when: jobs, their sources, made-up ones, and what can be done to them."""

from workbench.workloads.model import Gang, Job, NodeEvent, Pool, Restarts, Tasks, Workload

__all__ = ["Gang", "Job", "NodeEvent", "Pool", "Restarts", "Tasks", "Workload"]

"""The same as `workbench.workloads.faults`, where readers of files look for it."""

from workbench.workloads.faults import Faults

__all__ = ["Faults"]

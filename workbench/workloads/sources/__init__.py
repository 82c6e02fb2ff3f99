"""Where workloads come from: one module for each format, which registers itself with `registry`."""

from workbench.workloads.sources import sacct, swf

__all__ = ["sacct", "swf"]

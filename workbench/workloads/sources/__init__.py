"""Where workloads come from: one module for each format, which registers itself with `registry`."""

from workbench.workloads.sources import alibaba, own, sacct, swf, table

__all__ = ["alibaba", "own", "sacct", "swf", "table"]

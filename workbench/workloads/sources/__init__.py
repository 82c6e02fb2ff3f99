"""Where workloads come from: one module for each format, which registers itself with `registry`."""

import workbench.workloads.sources.own  # noqa: F401 - registers its formats first, so that they lead the list
from workbench.workloads.sources import alibaba, cluster, own, sacct, swf, table, yunikorn

__all__ = ["alibaba", "cluster", "own", "sacct", "swf", "table", "yunikorn"]

"""Every check there is: those of the text alone, and those that look at a cluster, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.advice.lint import Finding
from workbench.advice.lints import (
    access,
    guarantees,
    limits,
    nodes,
    preemption,
    preemption_in_use,
    priorities,
    property_texts,
    proportions,
    quota,
    reach,
    reload,
    workload,
)
from workbench.config.facts import Design
from workbench.scheduler.records.state import Cluster, Partition

CHECKS: tuple[Callable[[Design], Iterator[Finding]], ...] = (
    *guarantees.CHECKS,
    *preemption.CHECKS,
    *priorities.CHECKS,
    *property_texts.CHECKS,
    *limits.CHECKS,
    *access.CHECKS,
    *reach.CHECKS,
    *quota.CHECKS,
)
"""What needs nothing but the configuration."""
CLUSTER_CHECKS: tuple[Callable[[Design, Partition, Cluster], Iterator[Finding]], ...] = (
    *nodes.CHECKS,
    *workload.CHECKS,
    *preemption_in_use.CHECKS,
    *proportions.CHECKS,
    *reload.CHECKS,
)
"""What is true of these nodes, applications and running settings."""

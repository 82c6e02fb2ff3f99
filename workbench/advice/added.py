"""Checks that are added to those of the package: a class for what is found, with its sentence, and a function that looks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.advice.lint import Finding
from workbench.config.facts import Design
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.registry import Registry

Find = Callable[[Design, Partition | None, Cluster | None], Iterator[Finding]]
"""(the design of a partition, its state, the cluster) -> what was found; without a cluster the last two are None."""

ADDED_CHECKS: Registry[Find] = Registry("check")
"""Name -> check, asked in this order after those of the package."""


def register_check(name: str, find: Find) -> Find:
    """Add a check whose findings carry lints of its own: subclasses of `workbench.advice.Lint`.

    Raises:
        CommandError: the name is taken.
    """
    return ADDED_CHECKS.register(name, find)

"""Checks that are added to those of the package: what looks, and the sentences for what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.config.checks import Design, Finding
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.registry import Registry

Find = Callable[[Design, Partition | None, Cluster | None], Iterator[Finding]]
"""(the design of a partition, its state, the cluster) -> what was found; without a cluster the last two are None."""
Words = Callable[[str, Mapping[str, Any]], str]
"""(path of the queue, or "the partition"; what was compared) -> what was found, what comes of it, and what to do."""


@dataclass(frozen=True, slots=True)
class AddedCheck:
    """A check, with the words for the findings that carry its code, and what it takes for granted (E-40)."""

    find: Find
    words: Words
    assumption: str = ""


ADDED_CHECKS: Registry[AddedCheck] = Registry("check")
"""Code of the findings -> check, asked in this order after those of the package."""


def register_check(code: str, find: Find, *, words: Words, assumption: str = "") -> AddedCheck:
    """Add a check whose findings carry `code`. CommandError if the code is taken by an added check."""
    return ADDED_CHECKS.register(code, AddedCheck(find, words, assumption))

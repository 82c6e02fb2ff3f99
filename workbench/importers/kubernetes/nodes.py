"""What a node offers, and whether it takes new pods. K-22."""

from __future__ import annotations

from workbench.importers.kubernetes.fields import Object, value
from workbench.importers.kubernetes.quantities import Amounts, amounts


def node_size(node: Object) -> Amounts:
    """What a node offers: its allocatable resources, not its capacity."""
    return amounts(node, "status", "allocatable")


def is_cordoned(node: Object) -> bool:
    """Whether the node is closed to new pods."""
    return value(node, "spec", "unschedulable") is True
